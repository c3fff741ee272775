"""The first module of a program without a Python."""

import sys

from cellar_door.frozen import main

if __name__ == "__main__":
    sys.exit(main())
