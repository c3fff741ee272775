"""What comes from data - names, paths, words of a file - as text that shows what it is and does nothing.

Three things a text must not do: be taken for HTML, which Qt guesses of tooltips and labels (an `<img src=…>` then opens
a file); steer a terminal or the order of the letters around it; and push everything else off the screen.

Control characters, those that turn the direction of writing, line separators and halves of letters are written as
`\\u001b`, the form that JSON has for them too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

LONGEST: Final = 600
"""Letters of a line; of a longer one the middle is left out: the end of a path or of a sentence tells as much as its
beginning."""
LONGEST_TITLE: Final = 120
"""In a menu or a window's title, which are as wide as their text."""
MOST_LINES: Final = 60

_STEERING: Final = r"\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb"
_HIDDEN: Final = re.compile(rf"[\x00-\x1f{_STEERING}\ud800-\udfff]")
_HIDDEN_IN_OUTPUT: Final = re.compile(rf"[\x00-\x08\x0b-\x1f{_STEERING}]")
_TAG: Final = re.compile("<(?!\u2060)")
_ENTITY: Final = re.compile("&(?=lt;)")


def visible(text: str) -> str:
    """One line, in which every letter is seen: for terminals, logs and the clipboard."""
    return text if text.isprintable() else _HIDDEN.sub(_escape, text)


def visible_output(text: str) -> str:
    """The same for what is already put together of lines and columns: their ends and tabs are meant."""
    return text if text.isascii() and text.isprintable() else _HIDDEN_IN_OUTPUT.sub(_escape, text)


def visible_lines(text: str) -> str:
    """Several lines for a field that knows no HTML and scrolls."""
    return "\n".join(visible(line) for line in text.split("\n"))


def visible_fields(text: str) -> str:
    """Fields with tabs between them, as tables are copied."""
    return "\t".join(visible(field) for field in text.split("\t"))


def print_lines(lines: Iterable[str]) -> None:
    """Print what a command says. A line stays one, whatever is in the names that it tells of."""
    for line in lines:
        print(visible(line))


def plain(text: str, longest: int = LONGEST) -> str:
    """One line for a widget, which shows it as it is: no HTML, nothing hidden, and not endless."""
    return _no_markup(_shortened(visible(text), longest))


def plain_lines(text: str, most: int = MOST_LINES) -> str:
    """The same for a text of several lines."""
    if "\n" not in text:
        return plain(text)
    lines = text.split("\n")
    if len(lines) > most:
        lines[most - 1 :] = [f"… and {len(lines) - most + 1:,} more lines"]
    return _no_markup("\n".join(_shortened(visible(line), LONGEST) for line in lines))


def action_text(text: str) -> str:
    """For menus, buttons and tabs, to which & marks the letter of a key."""
    return plain(text, LONGEST_TITLE).replace("&", "&&")


def title_text(text: str) -> str:
    """For the title of a window, in which [*] stands for the mark of unsaved edits."""
    return plain(text, LONGEST_TITLE).replace("[*]", "[*][*]")


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _shortened(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    end = longest // 3
    return f"{text[: longest - end - 1]}…{text[-end:]}"


def _no_markup(text: str) -> str:
    """With nothing that Qt takes for HTML (Qt::mightBeRichText): a letter without width comes between."""
    if "<" in text and (text.rfind(">") > text.find("<") or "<?xml" in text):
        text = _TAG.sub("<\u2060", text)
    return _ENTITY.sub("&\u2060", text) if "&lt;" in text else text


def counted(count: int, noun: str) -> str:
    """A number with its noun: 1 tick, 1,200 ticks."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
