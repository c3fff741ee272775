"""The folder that an AppImage is made of (AppDir, docs.appimage.org): the program, its entry for desktops, its icon.

`appimagetool` puts its own start before it. No source of packages has that program: where it is not on the path, there
is the folder and no AppImage.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import datetime, timezone
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from editor.commands.associate import freedesktop
from release.errors import ReleaseError
from release.icons import PNG_SIZES

NAME: Final = "cellar-door"
TOOL: Final = "appimagetool"
PLACE: Final = "usr/lib/cellar-door"
RUN: Final = f"""\
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/{PLACE}/{NAME}" "$@"
"""
ABOUT: Final = (
    "Open a landblock and see its rooms, portals, stab lists and doors as the retail client sees them; ask what is "
    "wrong with it; move bodies through it with the client's own rules, or with the server's, and compare."
)
RUNNABLE: Final = 0o755


def build_appdir(program: Path, icons: Path, target: Path, version: str, moment: int) -> None:
    """Lay the folder out. The program's files are hard links where they can be."""
    shutil.rmtree(target, ignore_errors=True)
    place = target / PLACE
    place.parent.mkdir(parents=True)
    shutil.copytree(program, place, symlinks=True, copy_function=_link_or_copy)
    entry = freedesktop.desktop_entry([NAME])
    share = target / "usr" / "share"
    texts = {
        target / f"{NAME}.desktop": entry,
        share / freedesktop.ENTRY_FILE: entry,
        share / freedesktop.MIME_FILE: freedesktop.mime_description(),
        share / "metainfo" / f"{NAME}.appdata.xml": metainfo(version, moment),
        target / "AppRun": RUN,
    }
    for file, text in texts.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    (target / "AppRun").chmod(RUNNABLE)
    for side in PNG_SIZES:
        folder = share / "icons" / "hicolor" / f"{side}x{side}" / "apps"
        folder.mkdir(parents=True)
        shutil.copy(icons / f"{NAME}-{side}.png", folder / f"{NAME}.png")
    drawing = share / freedesktop.ICON_FILE
    drawing.parent.mkdir(parents=True)
    shutil.copy(icons / f"{NAME}.svg", drawing)
    shutil.copy(icons / f"{NAME}-256.png", target / f"{NAME}.png")
    (target / ".DirIcon").symlink_to(f"{NAME}.png")


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # on another disk
        shutil.copy2(source, target)


def metainfo(version: str, moment: int) -> str:
    """What software centres show (AppStream 1.0)."""
    day = datetime.fromtimestamp(moment, timezone.utc).date().isoformat()
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>{NAME}</id>
  <name>Cellar Door</name>
  <summary>{escape(freedesktop.SUMMARY)}</summary>
  <metadata_license>MIT</metadata_license>
  <project_license>MIT</project_license>
  <description><p>{escape(ABOUT)}</p></description>
  <launchable type="desktop-id">{NAME}.desktop</launchable>
  <releases><release version="{escape(version)}" date="{day}"/></releases>
</component>
"""


def write_appimage(appdir: Path, target: Path, machine: str, moment: int) -> bool:
    """Make the AppImage; False where the program for it is not there."""
    tool = shutil.which(TOOL)
    if tool is None:
        return False
    environment = {**os.environ, "ARCH": machine, "SOURCE_DATE_EPOCH": str(moment)}
    done = subprocess.run(
        [tool, "--no-appstream", str(appdir), str(target)],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0 or not target.is_file():
        raise ReleaseError(f"{TOOL} has failed: {(done.stderr or done.stdout).strip()[-300:]}")
    return True
