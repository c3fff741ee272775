"""The first lines of a reproduction: what it holds and from where, for people, readable in any editor."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from typing import Final

from engine.world.cells.ids import cell_text
from engine.world.loader.reproduction.content import RECORDING, Head

TITLE: Final = b"Cellar Door reproduction "
"""Followed by the version."""
VERSION: Final = 1
END: Final = b"\n--- packed data, not text ---\n"
MAX_HEADING: Final = 1 << 17
FIRST_LINE: Final = re.compile(rb"Cellar Door reproduction (\d{1,9})\r?\n")

MAX_NOTE: Final = 4000
"""Characters."""
MOST_LISTED: Final = 40
WIDTH: Final = 100
COLUMN: Final = 12
GAME_DATA: Final = (
    "This file carries data of the game, taken from the files of the one who made it. Share it only as you may share"
    " those."
)
OPENING: Final = "Drop it on the window of Cellar Door, or name it in a terminal: run_editor.py FILE, replay FILE"


def is_reproduction(begin: bytes) -> bool:
    """Whether the first bytes of a file are those of a reproduction, of any version."""
    return FIRST_LINE.match(begin) is not None


def heading(head: Head) -> bytes:
    """The text at the beginning of the file, with its end mark."""
    rows = [
        ("holds", _moves(head)),
        ("world", f"{_line(head.world)}, a {_line(head.kind)}" + (f" ({_line(head.source)})" if head.source else "")),
        ("landblocks", _listed(head.landblocks)),
        ("content", ", ".join(counts_text(head.counts))),
        ("textures", "" if head.textures else "left out; everything is drawn in the mean colour of its picture"),
        ("made by", f"Cellar Door {_line(head.program)}"),
        ("to open", OPENING),
        ("please note", GAME_DATA),
        *(("note", line) for line in head.note.splitlines()[:1] or [""]),
        *(("", line) for line in head.note.splitlines()[1:]),
    ]
    lines = [f"{TITLE.decode()}{VERSION}", ""]
    for label, text in rows:
        if text.strip():
            lines += textwrap.wrap(
                _line(text), WIDTH, initial_indent=label.ljust(COLUMN), subsequent_indent=" " * COLUMN
            )
    return "\n".join(lines).encode() + b"\n" + END


def counts_text(counts: dict[str, int]) -> list[str]:
    """Numbers with their nouns, which are given for one: 1 room, 2 rooms, 3 entities."""
    return [f"{count:,} {noun if count == 1 else plural(noun)}" for noun, count in counts.items()]


def plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def clean_note(text: str) -> str:
    """A user's note as it is kept: lines of characters that can be shown."""
    lines = [_line(line).rstrip() for line in text.replace("\r\n", "\n").split("\n")]
    return "\n".join(lines).strip("\n")[:MAX_NOTE]


def _moves(head: Head) -> str:
    noun = "tick" if head.moves == RECORDING else "move"
    count = counts_text({noun: head.counts.get(noun, 0)})[0]
    return f"a {head.moves} of {count}, and the world that it needs"


def _listed(landblocks: list[int]) -> str:
    shown = " ".join(map(cell_text, landblocks[:MOST_LISTED]))
    more = len(landblocks) - MOST_LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown


def _line(text: str) -> str:
    """Without control and direction characters, and without halves of characters."""
    return "".join(" " if unicodedata.category(character)[0] in "CZ" else character for character in text)
