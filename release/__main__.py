"""`python -m release`."""

import sys

from release.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
