"""Baselines: files of known findings, which reports leave out.

A line is the key of a finding and, behind `  # `, its sentence for people. Empty lines and lines that begin with `#`
are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.files.errors import FileError
from engine.files.kinds import BASELINE
from engine.files.reading import Name, read_text
from engine.findings.errors import FindingError
from engine.findings.finding import Found

_KEY: Final = re.compile(r"[\w.-]+(/[\w.,?+-]+)+")
_HEAD: Final = "# Known findings: a survey with this baseline leaves them out."
_MARK: Final = "\ufeff"
"""What some editors put before a text."""
_MOST_SENTENCE: Final = 200


def read_baseline(path: Name) -> frozenset[str]:
    """The keys of a baseline; raises a FindingError when it cannot be read or a line is not a key."""
    try:
        lines = read_text(path, BASELINE).removeprefix(_MARK).splitlines()
    except FileError as error:
        raise FindingError(error.reason, error.file) from error
    keys: set[str] = set()
    for number, line in enumerate(lines, 1):
        key = line.partition("#")[0].strip()
        if key and _KEY.fullmatch(key) is None:
            raise FindingError(f"line {number} is not the key of a finding: {key:.60}", str(path))
        if key:
            keys.add(key)
    return frozenset(keys)


def write_baseline(path: Name, found: Iterable[Found]) -> None:
    """Write the findings as a baseline, each once, in the order of their keys; raises a FindingError when the file
    cannot be written."""
    sentences = {each.key: each.sentence for each in found}
    lines = [f"{key}  # {_line(sentence)}".rstrip("# ") for key, sentence in sorted(sentences.items())]
    try:
        write_whole(path, "\n".join([_HEAD, *lines, ""]).encode("utf-8"))
    except DatError as error:
        raise FindingError(error.reason, error.file) from error


def without_known(found: Iterable[Found], known: frozenset[str]) -> list[Found]:
    """The findings that a baseline does not name."""
    return [each for each in found if not each.is_known(known)]


def _line(sentence: str) -> str:
    """The sentence on one line, without what a terminal or an editor would act on."""
    text = " ".join(sentence.split())
    return "".join(sign if sign.isprintable() else "?" for sign in text)[:_MOST_SENTENCE]
