"""The icon as the files that systems want, into a folder of what is built."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from editor.pictures.program_icon import drawing, icns, ico, png

NAME: Final = "cellar-door"
PNG_SIZES: Final = (16, 24, 32, 48, 64, 128, 256, 512)


def write_icons(folder: Path) -> None:
    """The drawing, PNGs by size, Windows' and macOS' form."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {f"{NAME}-{side}.png": png(side) for side in PNG_SIZES}
    contents |= {f"{NAME}.svg": drawing(), f"{NAME}.ico": ico(), f"{NAME}.icns": icns()}
    for name, data in contents.items():
        (folder / name).write_bytes(data)
