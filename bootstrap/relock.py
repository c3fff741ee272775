"""Writes the two hashed locks from pyproject.toml: `python -m bootstrap.relock [--upgrade]`; needs uv and the network.

One lock serves every Python from 3.10 on and every platform, so that all machines run what was tested.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNTIME_LOCK = "requirements.lock"
DEVELOPMENT_LOCK = "requirements-dev.lock"

COMMAND = ("uv", "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.10", "--generate-hashes")
# Never the index of the machine that writes the lock: its name would go into the file and its mirror may lack files.
QUIET = ("--no-config", "--default-index", "https://pypi.org/simple", "--no-emit-index-url", "--no-header", "--quiet")


def main(arguments: list[str]) -> int:
    for lock, groups in ((RUNTIME_LOCK, ("core",)), (DEVELOPMENT_LOCK, ("dev", "--constraints", RUNTIME_LOCK))):
        code = subprocess.call([*COMMAND, *QUIET, "--group", *groups, "--output-file", lock, *arguments], cwd=ROOT)
        if code != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
