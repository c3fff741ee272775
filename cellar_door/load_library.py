"""Loads the library that it is given, and says what the system's loader says: `load_library.py FILE`.

It is a process of its own (`cellar_door/libraries.py`) and imports nothing of the project, which has no path there.
"""

import ctypes
import sys

if __name__ == "__main__":
    try:
        ctypes.CDLL(sys.argv[1])
    except OSError as error:
        sys.exit(str(error))
