"""Finds out whether this machine can compile for the running Python."""

import os
import shutil
import sysconfig
from pathlib import Path


def find_compiler() -> str | None:
    """The C compiler that this Python was built with, or another one that is there."""
    configured = str(sysconfig.get_config_var("CC") or "").split()
    names = [os.environ.get("CC", ""), *configured[:1], "cc", "gcc", "clang"]
    return next((name for name in names if name and shutil.which(name)), None)


def has_headers() -> bool:
    return Path(sysconfig.get_paths()["include"], "Python.h").is_file()


def can_compile() -> bool:
    return find_compiler() is not None and has_headers()
