"""Makes text from data (names, paths, words of a file) safe to show.

Such text must not pass for HTML, which Qt guesses in tooltips and labels (an `<img src=…>` then opens a file). Neither
may it control a terminal or the direction of the text around it, or push everything else off the screen.

Control characters, direction marks, line separators and surrogates are escaped as JSON does: `\\u001b`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import Final

LONGEST: Final = 600
"""Characters of a line. A longer one loses its middle: the end of a path or sentence matters as much as its start."""
LONGEST_TITLE: Final = 120
"""The same in a menu or a window's title, which grow with their text."""
MOST_LINES: Final = 60

_STEERING: Final = r"\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb"
_HIDDEN: Final = re.compile(rf"[\x00-\x1f{_STEERING}\ud800-\udfff]")
_HIDDEN_IN_OUTPUT: Final = re.compile(rf"[\x00-\x08\x0b-\x1f{_STEERING}]")
_TAG: Final = re.compile("<(?!\u2060)")
_ENTITY: Final = re.compile("&(?=lt;)")


def visible(text: str) -> str:
    """One line with every character visible: for terminals, logs and the clipboard."""
    return text if text.isprintable() else _HIDDEN.sub(_escape, text)


def visible_output(text: str) -> str:
    """The same for finished output, whose line ends and tabs are kept."""
    return text if text.isascii() and text.isprintable() else _HIDDEN_IN_OUTPUT.sub(_escape, text)


def visible_lines(text: str) -> str:
    """Several lines, for a scrolling field without HTML."""
    return "\n".join(visible(line) for line in text.split("\n"))


def visible_fields(text: str) -> str:
    """Fields separated by tabs, as tables are copied."""
    return "\t".join(visible(field) for field in text.split("\t"))


def print_lines(lines: Iterable[str]) -> None:
    """Print the output of a command. Names cannot break a line in two."""
    for line in lines:
        print(visible(line))


def warn_lines(lines: Iterable[str]) -> None:
    """Tell what a command does not end for, beside its output."""
    for line in lines:
        print(visible(line), file=sys.stderr, flush=True)


def plain(text: str, longest: int = LONGEST) -> str:
    """One line for a widget, shown as it is: no HTML, nothing hidden, bounded length."""
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
    """For menus, buttons and tabs, where & marks the access key."""
    return plain(text, LONGEST_TITLE).replace("&", "&&")


def title_text(text: str) -> str:
    """For the title of a window, where [*] stands for the mark of unsaved edits."""
    return plain(text, LONGEST_TITLE).replace("[*]", "[*][*]")


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _shortened(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    end = longest // 3
    return f"{text[: longest - end - 1]}…{text[-end:]}"


def _no_markup(text: str) -> str:
    """Insert a zero-width character where Qt would detect HTML (Qt::mightBeRichText)."""
    if "<" in text and (text.rfind(">") > text.find("<") or "<?xml" in text):
        text = _TAG.sub("<\u2060", text)
    return _ENTITY.sub("&\u2060", text) if "&lt;" in text else text


def counted(count: int, noun: str) -> str:
    """A number with its noun: 1 tick, 1,200 ticks."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
