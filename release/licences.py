"""The licences of all that comes along, as a folder beside the program.

Qt is under the LGPL: its libraries stay files of their own, which a user may replace, and the licence goes with them.
"""

from __future__ import annotations

import importlib.metadata as metadata
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from release.contents import ROOT

FOLDER: Final = "licences"
DISTRIBUTIONS: Final = (
    "PySide6-Essentials",
    "shiboken6",
    "numpy",
    "pyqtgraph",
    "mypy-extensions",
    "PyOpenGL",
    "PyOpenGL-accelerate",
    "PyMySQL",
    "colorama",
    "PyInstaller",
)
"""What is in the folder; of PyInstaller the program's start, which its licence allows."""
DOCUMENTATION: Final = Path("/usr/share/doc")
TEXT: Final = """\
Cellar Door {version} is under the MIT licence: LICENSE beside this folder. What comes along has licences of its own:

Qt {qt} and PySide6 are used under the GNU Lesser General Public License 3 (LGPL-3.txt, which adds to GPL-3.txt).
They are the files below _internal/PySide6 and _internal/shiboken6, unchanged from the packages of the Qt Company,
and may be replaced by versions of your own that fit. Their sources: https://download.qt.io/official_releases/qt/
and https://download.qt.io/official_releases/QtForPython/

Python {python}: Python.txt. The fonts Inter and JetBrains Mono are under the SIL Open Font License, which is in
_internal/resources/fonts.

The other packages, each with a folder here: {packages}.
{system}"""
SYSTEM: Final = """
Libraries of the system on which this was built, with their licences in the folder system: {found}.
Those under the LGPL (LGPL-2.1.txt) are files of their own in _internal and may be replaced.
"""


def write_licences(folder: Path, version: str, libraries: Iterable[str] = ()) -> None:
    """Fill `folder`; `libraries` are the system's that came along, as the files that they came from."""
    import PySide6.QtCore

    folder.mkdir(parents=True, exist_ok=True)
    for file in (ROOT / "release" / "licences").iterdir():
        shutil.copy(file, folder)
    written = [name for name in DISTRIBUTIONS if _write_distribution(folder, name)]
    _write_python(folder / "Python.txt")
    found = _write_system(folder / "system", libraries) if sys.platform == "linux" else []
    text = TEXT.format(
        version=version,
        qt=PySide6.QtCore.qVersion(),
        python=platform.python_version(),
        packages=", ".join(written),
        system=SYSTEM.format(found=", ".join(found)) if found else "",
    )
    (folder / "README.txt").write_text(text, encoding="utf-8", newline="\n")


def _write_distribution(folder: Path, name: str) -> bool:
    """Its licence files; of a package that has none, what it says of itself, where the licence is named."""
    try:
        distribution = metadata.distribution(name)
    except metadata.PackageNotFoundError:  # not on this system
        return False
    below = folder / name
    below.mkdir(exist_ok=True)
    for file in distribution.files or ():
        inside = file.parts[0].endswith(".dist-info")
        if inside and any(word in file.name.lower() for word in ("licen", "copying", "notice")):
            target = below / "-".join(part for part in file.parts[1:] if part != "licenses")
            target.write_bytes(Path(str(file.locate())).read_bytes())
    if not any(below.iterdir()):
        said = distribution.read_text("METADATA") or ""
        (below / "METADATA.txt").write_text(said, encoding="utf-8", newline="\n")
    return True


def _write_python(target: Path) -> None:
    own = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
    if own.is_file():
        shutil.copy(own, target)
        return
    words = f"{sys.copyright}\n\nThe licence: https://docs.python.org/3/license.html\n"
    target.write_text(words, encoding="utf-8", newline="\n")


def _write_system(folder: Path, libraries: Iterable[str]) -> list[str]:
    """The copyright files of the Debian packages that libraries are from; elsewhere their names alone."""
    packages = {_package_of(library) for library in libraries}
    found = sorted(package for package in packages if package)
    for package in found:
        folder.mkdir(exist_ok=True)
        shutil.copy(DOCUMENTATION / package / "copyright", folder / f"{package}.txt")
    return found


def _package_of(library: str) -> str:
    query = shutil.which("dpkg-query")
    if query is None:
        return ""
    for name in (library, library.removeprefix("/usr"), str(Path(library).resolve())):
        said = subprocess.run([query, "-S", name], capture_output=True, encoding="utf-8", check=False).stdout
        package = said.partition(":")[0].strip()
        if package and (DOCUMENTATION / package / "copyright").is_file():
            return package
    return ""
