"""What Windows shows under Properties, Details: PyInstaller's form of a VS_VERSIONINFO resource."""

from __future__ import annotations

import re

LANGUAGE = "040904B0"  # English of the United States, in Unicode
NUMBERS = 4


def version_numbers(version: str) -> tuple[int, ...]:
    """Windows' four numbers: 1.2.3 is 1.2.3.0, and what stands behind the numbers (1.2rc1) has no place there."""
    plain = re.match(r"\d+(\.\d+)*", version)
    found = [int(number) for number in plain[0].split(".")] if plain else []
    return tuple([*found, *[0] * NUMBERS][:NUMBERS])


def version_resource(version: str) -> str:
    numbers = version_numbers(version)
    strings = {
        "CompanyName": "Cellar Door",
        "FileDescription": "Cellar Door",
        "FileVersion": version,
        "InternalName": "cellar-door",
        "LegalCopyright": "MIT licence",
        "ProductName": "Cellar Door",
        "ProductVersion": version,
    }
    table = ", ".join(f"StringStruct({name!r}, {text!r})" for name, text in strings.items())
    language, page = int(LANGUAGE[:4], 16), int(LANGUAGE[4:], 16)
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0, OS=0x40004,"
        " fileType=1, subtype=0, date=(0, 0)),"
        f" kids=[StringFileInfo([StringTable({LANGUAGE!r}, [{table}])]),"
        f" VarFileInfo([VarStruct('Translation', [{language}, {page}])])])\n"
    )
