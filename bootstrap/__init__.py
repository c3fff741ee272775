"""Everything between `python3 run_editor.py` on a bare machine and the running program; standard library only.

This file, `errors.py` and the two entry files run on any Python from 3.6 on, to say what is wrong with an old one; the
other modules keep to a syntax that it can read.
"""

import sys

from bootstrap.errors import OLD_PYTHON

MINIMUM_PYTHON = (3, 10)


def require_python() -> None:
    """Exit with one sentence on a Python that is too old."""
    if sys.version_info < MINIMUM_PYTHON:
        needed = ".".join(map(str, MINIMUM_PYTHON))
        found = ".".join(map(str, sys.version_info[:3]))
        sys.stderr.write(f"Cellar Door needs Python {needed} or newer; {sys.executable} is Python {found}.\n")
        sys.exit(OLD_PYTHON)
