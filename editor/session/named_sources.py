"""Which worlds may be read: those that the user has named, and those that lie with the file that names them.

A project or a recording says where its world is. Somebody else may have written that, and reading alone can do harm: a
path on the network tells its owner who has opened the file, and what is mounted there. So a place that the user has
never opened himself is asked about first, and not even looked at before that.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from editor.session.sources import DEMO


def whole_name(source: str) -> str:
    """The same for all names of a path, as far as that can be told without looking at the disk."""
    return source if source == DEMO else os.path.normcase(os.path.abspath(source))


def is_named(source: str, named: frozenset[str], beside: Path) -> bool:
    """Whether a source that a file in the folder `beside` names may be read without a question; `named` are whole
    names."""
    if source in ("", DEMO):
        return True
    try:
        return whole_name(source) in named or lies_in(source, beside)
    except ValueError:  # a name no file can have, of which whoever opens it says so
        return True


def lies_in(source: str, folder: Path) -> bool:
    """Whether a path is in a folder or further down, and no link on the way leads out of it again. Outside of that
    folder nothing is looked at."""
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
            return True  # nothing is there that could be read
        if stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", False):
            return False
    return True
