"""Writes the two hashed locks from pyproject.toml: `python -m bootstrap.relock [--upgrade]`; needs uv and the network.

One lock serves every Python from 3.10 on and every platform, so that all machines run what was tested.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNTIME_LOCK = "requirements.lock"
DEVELOPMENT_LOCK = "requirements-dev.lock"

COMMAND = ("pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.10", "--generate-hashes")
# Never the index of the machine that writes the lock: its name would go into the file and its mirror may lack files.
PACKAGES_INDEX = ("--no-config", "--default-index", "https://pypi.org/simple")
QUIET = ("--no-emit-index-url", "--no-header", "--quiet")


def uv() -> str:
    """The program beside this Python, where the development lock puts it, or the one on the path."""
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))
    return shutil.which("uv", path=path) or "uv"


def main(arguments: list[str]) -> int:
    for lock, groups in ((RUNTIME_LOCK, ("core",)), (DEVELOPMENT_LOCK, ("dev", "--constraints", RUNTIME_LOCK))):
        words = [uv(), *COMMAND, *PACKAGES_INDEX, *QUIET, "--group", *groups, "--output-file", lock, *arguments]
        code = subprocess.call(words, cwd=ROOT)
        if code != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
