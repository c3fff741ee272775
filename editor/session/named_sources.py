"""Decides which worlds may be read: those that the user has named, and those beside the file that names them.

A project or a recording names its world. Somebody else may have written that path, and reading it can do harm: a
network path or a mount reveals to its owner who opened the file. So before it accesses a place that the user has never
opened, the program asks.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from editor.process.demo_name import DEMO
from engine.world.server.place import is_url


def whole_name(source: str) -> str:
    """The canonical form of a path or URL, as far as it follows without accessing the disk."""
    return source if source == DEMO or is_url(source) else os.path.normcase(os.path.abspath(source))


def is_named(source: str, named: frozenset[str], beside: Path) -> bool:
    """Whether a source named by a file in the folder `beside` may be read without asking; `named` are full paths."""
    if source in ("", DEMO):
        return True
    if is_url(source):
        return source in named
    try:
        return whole_name(source) in named or lies_in(source, beside)
    except ValueError:  # no file can have this name; opening it reports that
        return True


def lies_in(source: str, folder: Path) -> bool:
    """Whether a path is inside a folder at any depth, with no link leading out of it. Nothing outside of that folder is
    accessed."""
    whole, own = os.path.abspath(source), os.path.abspath(folder)
    try:
        if os.path.commonpath([os.path.normcase(whole), os.path.normcase(own)]) != os.path.normcase(own):
            return False
    except ValueError:  # on another drive, or on the network
        return False
    way = own
    for name in Path(os.path.relpath(whole, own)).parts:
        way = os.path.join(way, name)
        try:
            status = os.lstat(way)
        except OSError:
            return True  # there is nothing to read
        if stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", False):
            return False
    return True
