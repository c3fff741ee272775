"""Linux' desktops: an entry for their menus and a description of our files, below the user's own folder of data.

The forms are freedesktop.org's: Desktop Entry Specification 1.5, Shared MIME-info Specification 0.22, Icon Theme
Specification 0.13.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from editor.commands.associate.kinds import OWN_KINDS
from engine.dat.atomic import write_whole

NAME: Final = "cellar-door"
SUMMARY: Final = "A desktop workbench for the cells of Asheron's Call"
ICON_FILE: Final = f"icons/hicolor/scalable/apps/{NAME}.svg"
ENTRY_FILE: Final = f"applications/{NAME}.desktop"
MIME_FILE: Final = f"mime/packages/{NAME}.xml"
CACHES: Final = (("update-mime-database", "mime"), ("update-desktop-database", "applications"))
"""Programs that tell the desktops of it at once; where there is none, no desktop keeps a list that it would renew."""


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The user's folder of data (XDG Base Directory Specification 0.8)."""
    named = environment.get("XDG_DATA_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share"


def desktop_entry(command: Sequence[str]) -> str:
    """The entry that opens a file with these words."""
    lines = [
        "[Desktop Entry]",
        "Type=Application",
        "Name=Cellar Door",
        f"Comment={SUMMARY}",
        f"Exec={' '.join([*map(quoted, command), '%f'])}",
        f"Icon={NAME}",
        "Terminal=false",
        "Categories=Development;Graphics;3DGraphics;",
        f"MimeType={''.join(f'{kind.mime};' for kind in OWN_KINDS)}",
        f"StartupWMClass={NAME}",
    ]
    return "\n".join(lines) + "\n"


def quoted(word: str) -> str:
    """A word of Exec: within quotes, with a backslash before what is special there, and all of that once more as a
    value of the file; a per cent sign begins a code."""
    inner = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in word)
    return f'"{inner}"'.replace("\\", "\\\\").replace("%", "%%")


def mime_description() -> str:
    """Our kinds of files, by their suffixes."""
    kinds = [
        f'  <mime-type type="{kind.mime}">\n    <comment>{escape(kind.title)}</comment>\n'
        f'    <icon name="{NAME}"/>\n    <glob pattern="*{kind.suffix}"/>\n  </mime-type>'
        for kind in OWN_KINDS
    ]
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    space = "http://www.freedesktop.org/standards/shared-mime-info"
    return "\n".join([head, f'<mime-info xmlns="{space}">', *kinds, "</mime-info>"]) + "\n"


def add(command: Sequence[str], icon: bytes, folder: Path) -> list[str]:
    """Write the three files below a folder of data; returns them."""
    contents = {
        ENTRY_FILE: desktop_entry(command).encode(),
        MIME_FILE: mime_description().encode(),
        ICON_FILE: icon,
    }
    for name, content in contents.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
    _renew(folder)
    return [str(folder / name) for name in contents]


def remove(folder: Path) -> list[str]:
    """Delete them; returns those that were there."""
    there = [folder / name for name in (ENTRY_FILE, MIME_FILE, ICON_FILE) if (folder / name).is_file()]
    for file in there:
        file.unlink()
    if there:
        _renew(folder)
    return [str(file) for file in there]


def _renew(folder: Path) -> None:
    for program, below in CACHES:
        found = shutil.which(program)
        if found is not None and (folder / below).is_dir():
            subprocess.run([found, str(folder / below)], capture_output=True, check=False)
