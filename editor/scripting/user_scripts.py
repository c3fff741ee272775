"""The folder of the user's scripts: which there are, what they are called, and why one cannot run.

Looking at the folder runs and imports nothing: a name comes from the first line of a docstring, which is read as text.
"""

from __future__ import annotations

import ast
import io
import os
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from editor.process.plain_text import LONGEST_TITLE, visible
from engine.dat.atomic import write_whole
from engine.files.errors import FileError, why
from engine.files.kinds import USER_SCRIPT
from engine.files.reading import read_file

SUFFIX: Final = ".py"
MOST: Final = 200
"""Scripts that are listed, by name."""
LONGEST_NAME: Final = 60
_BLANK: Final = (tokenize.ENCODING, tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE)


@dataclass(frozen=True)
class UserScript:
    """A script as a command. `problem` is why it cannot run."""

    path: Path
    title: str
    about: str = ""
    """Its docstring."""
    problem: str = ""


class ScriptFolder:
    """The scripts in one folder; a file is read again when its size or time has changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problem = ""
        """Why the folder cannot be listed."""
        self.left_out = 0
        """Scripts beyond the most that are listed."""
        self._known: dict[Path, tuple[tuple[int, int], UserScript]] = {}

    def scripts(self) -> list[UserScript]:
        """The scripts that are there now, by their titles."""
        self.problem, self.left_out = "", 0
        try:
            names = sorted(name for name in os.listdir(self.folder) if _is_script(name))
        except FileNotFoundError:
            names = []
        except (OSError, ValueError) as error:
            self.problem = f"The scripts folder cannot be read: {why(error)}."
            names = []
        self.left_out = max(len(names) - MOST, 0)
        paths = [self.folder / name for name in names[:MOST]]
        self._known = {path: self._look(path) for path in paths}
        return sorted((script for _, script in self._known.values()), key=lambda script: script.title.casefold())

    def _look(self, path: Path) -> tuple[tuple[int, int], UserScript]:
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
        except OSError:
            stamp = (0, -1)
        known = self._known.get(path)
        return known if known is not None and known[0] == stamp else (stamp, script_at(path))


def _is_script(name: str) -> bool:
    return name.lower().endswith(SUFFIX) and not name.startswith((".", "_"))


def script_at(path: Path) -> UserScript:
    """A file as a command."""
    name = path.stem.replace("_", " ").replace("-", " ").strip() or path.name
    title = visible(f"{name[:1].upper()}{name[1:]}"[:LONGEST_TITLE])
    try:
        about = _docstring(read_script(path))
    except FileError as error:
        return UserScript(path, title, problem=f"{path.name} {error.reason}.")
    first = " ".join(about.partition("\n")[0].split()).rstrip(".")
    return UserScript(path, visible(first[:LONGEST_TITLE]) or title, about)


def read_script(path: Path) -> str:
    """The text of a script; a FileError says why it is none."""
    try:
        text = read_file(path, USER_SCRIPT).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError("is not text (UTF-8)", path) from error
    if "\0" in text:
        raise FileError("is not text: it has null characters", path)
    return text


def _docstring(text: str) -> str:
    """The string that a module begins with; "" when it begins otherwise, or is no Python."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING:
                value = ast.literal_eval(token.string)
                return value.strip() if isinstance(value, str) else ""
            if token.type not in _BLANK:
                break
    except (tokenize.TokenError, SyntaxError, ValueError, MemoryError, RecursionError):
        pass
    return ""


def is_of_a_world(folder: Path, sources: Iterable[Path]) -> bool:
    """Whether a folder belongs to what is open: scripts that came with a world are not the user's own."""
    try:
        here = folder.resolve()
        for source in sources:
            there = source.resolve()
            if here.is_relative_to(there) if there.is_dir() else there.is_file() and here == there.parent:
                return True
    except (OSError, RuntimeError, ValueError):  # RuntimeError: links in a circle
        return True
    return False


TEMPLATE: Final = '''\
"""{title}."""

# document is the open document; its edits here become one undo step, and none remains if the script fails.
# help(document) in the Console lists what it can do, and import cellar_door has the rest.

for door in document.doors:
    print(door.name, "is open" if door.is_open else "is closed")
'''


def file_name_of(title: str) -> str:
    """A file's name for a new script."""
    letters = "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in title.lower())
    return ("_".join(part for part in letters.split("_") if part)[:LONGEST_NAME] or "script") + SUFFIX


def new_script(folder: Path, title: str) -> Path:
    """Write a script to begin with, under a name that no file there has. Raises OSError, DatError or FileError."""
    folder.mkdir(parents=True, exist_ok=True)
    name = file_name_of(title)
    text = TEMPLATE.format(title=" ".join(title.replace("\\", " ").replace('"', " ").split()))
    for number in range(1, MOST + 1):
        path = folder / (name if number == 1 else f"{name.removesuffix(SUFFIX)}_{number}{SUFFIX}")
        if not os.path.lexists(path):
            write_whole(path, text.encode())
            return path
    raise FileError(f"has {MOST} scripts of that name", folder)
