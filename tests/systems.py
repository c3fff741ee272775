"""Marks for tests of what not every system has, each with its reason."""

from __future__ import annotations

import ctypes
import inspect
import os
import signal
import sys
import tempfile
from importlib.metadata import MetadataPathFinder
from pathlib import Path
from typing import Final

import pytest


def is_wine() -> bool:
    """Whether this Windows is Wine, whose own library says so."""
    return sys.platform == "win32" and hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")


def mend_search_for_modules() -> None:
    """The Windows Python under Wine is put together of two releases, and one of its finders cannot be asked."""
    if is_wine() and not inspect.ismethod(MetadataPathFinder.invalidate_caches):
        mended: object = classmethod(MetadataPathFinder.__dict__["invalidate_caches"])
        setattr(MetadataPathFinder, "invalidate_caches", mended)  # noqa: B010 (mypy lets no method be replaced)


def not_on_windows(reason: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(sys.platform == "win32", reason=reason)


def not_under_wine(reason: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(is_wine(), reason=f"Wine: {reason}")


def _can_link() -> bool:
    """Windows lets those who may make links; Wine makes folders in their place."""
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder, "link")
        try:
            link.symlink_to(folder, target_is_directory=True)
        except OSError:
            return False
        return link.is_symlink()


NOT_THERE: Final = "(No such file|(File|Path) not found|The system cannot find)"
"""What POSIX, Wine and Windows say of a file or a folder that is not there, as a regular expression."""
KILL: Final = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
"""Ends a process at once, without a word to it: `os.kill(number, KILL)`."""
KILLED: Final = int(KILL) if sys.platform == "win32" else -int(KILL)
"""The exit code of a process that was killed so."""

needs_links = pytest.mark.skipif(not _can_link(), reason="this system does not let us make symbolic links")
needs_signals = not_on_windows("Windows ends a process at once, where POSIX sends it a signal")
needs_pipes = not_on_windows("Windows has no pipes among its files")
needs_file_limits = not_on_windows("Windows has no limit for the size of files")
chooses_display = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="this system always has a display, and never another one"
)
needs_permissions = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() == 0, reason="root may write everywhere, and Windows has other permissions"
)
