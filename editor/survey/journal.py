"""The journal of a survey: what is done, a line for each landblock, so that a survey that was ended goes on.

The first line names the world. A later line about a part of a landblock replaces an earlier one. Lines that cannot be
read are skipped: what they said is done again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from typing import Final

from editor.process.demo_name import DEMO
from editor.survey.errors import SurveyError
from editor.survey.task import BlockDone, Item, PartDone, Work
from engine.files.appending import LineFile
from engine.files.errors import FileError
from engine.files.json_text import json_value
from engine.files.kinds import SURVEY_JOURNAL
from engine.files.reading import Name
from engine.findings.errors import FindingError
from engine.findings.finding import Found

MARK: Final = "cellar_door_journal"
FORM: Final = 1


class Journal:
    """An open journal and what it knows: by landblock and part, what was done last."""

    def __init__(self, path: Name, work: Work, afresh: bool = False) -> None:
        """Open or begin the journal of this work's world; raises a SurveyError when it is none, or another's. What it
        knows is not used where everything is done `afresh`."""
        self.file = os.fspath(path)
        self.skipped = 0
        """Lines that could not be read."""
        self._known: dict[int, dict[str, PartDone]] = {}
        try:
            self._lines = LineFile(path, SURVEY_JOURNAL)
            try:
                self._read(work)
                if afresh:
                    self._known.clear()
            except BaseException:
                self._lines.close()
                raise
        except FileError as error:
            raise SurveyError(error.reason, error.file) from error

    def close(self) -> None:
        self._lines.close()

    def item(self, block: int, parts: Iterable[str]) -> Item:
        """The landblock as it is given out, with what is known of it."""
        known = self._known.get(block, {})
        return Item(block, tuple((name, known[name].key) for name in parts if name in known))

    def done(self, block: BlockDone) -> None:
        """Write what was done. Nothing is written where everything still holds."""
        if not block.parts:
            return
        self._know(block.block, block.parts)
        try:
            form = {"block": block.block, "parts": [_form(part) for part in block.parts]}
            self._lines.append(_summed(_dumped(form)))
        except FileError as error:
            raise SurveyError(error.reason, error.file) from error

    def of(self, block: int, part: str) -> PartDone | None:
        return self._known.get(block, {}).get(part)

    def _know(self, block: int, parts: Iterable[PartDone]) -> None:
        """Take what was done; what could not be takes nothing away."""
        self._known.setdefault(block, {}).update({part.part: part for part in parts if part.key})

    def _read(self, work: Work) -> None:
        head = None
        for line in self._lines.lines():
            if head is None:
                head = line
                self._check(line, work)
                continue
            try:
                block, parts = _parts_of(line, self.file)
            except (FileError, FindingError):
                self.skipped += 1
                continue
            self._know(block, parts)
        if head is None:
            self._lines.append(_dumped({MARK: FORM, "source": work.source, "place": _place(work.source)}))

    def _check(self, line: bytes, work: Work) -> None:
        try:
            head = json_value(line, self.file)
        except FileError:
            head = None
        if not isinstance(head, dict) or head.get(MARK) != FORM:
            raise SurveyError("is not the journal of a survey that this version reads", self.file)
        if head.get("source") != work.source and head.get("place") != _place(work.source):
            raise SurveyError(
                f"is the journal of a survey of {head.get('source')!s:.200}, not of {work.source}; name another "
                "folder with --out",
                self.file,
            )


def _place(source: str) -> str:
    return source if source == DEMO else os.path.realpath(source)


def _dumped(form: object) -> bytes:
    return json.dumps(form, allow_nan=False, separators=(",", ":")).encode()


def _summed(line: bytes) -> bytes:
    """An object's line with a digest of the rest as its first field: a damaged line may still be well-formed."""
    return b'{"sum":"%s",%s' % (hashlib.blake2b(line, digest_size=8).hexdigest().encode(), line[1:])


def _form(part: PartDone) -> dict[str, object]:
    form: dict[str, object] = {"part": part.part, "key": part.key, "seconds": part.seconds}
    if part.found:
        form["found"] = [each.to_json() for each in part.found]
    return {**form, "problem": part.problem} if part.problem else form


def _parts_of(line: bytes, file: str) -> tuple[int, list[PartDone]]:
    """A line's landblock and parts; raises a FileError or a FindingError when it is not one."""
    if _summed(b"{" + line.partition(b",")[2]) != line:
        raise FindingError("is not as it was written")
    form = json_value(line, file)
    block, parts = (form.get("block"), form.get("parts")) if isinstance(form, dict) else (None, None)
    if not isinstance(block, int) or not isinstance(parts, list):
        raise FindingError("is not a line of a journal")
    return block, [_part(each) for each in parts]


def _part(form: object) -> PartDone:
    fields = form if isinstance(form, dict) else {}
    name, key, seconds = fields.get("part"), fields.get("key"), fields.get("seconds")
    problem, found = fields.get("problem", ""), fields.get("found", [])
    if not (isinstance(name, str) and isinstance(key, str) and isinstance(problem, str) and isinstance(found, list)):
        raise FindingError("is not what was done with a landblock")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e9:
        raise FindingError("has no duration")
    return PartDone(name, key, float(seconds), tuple(Found.from_json(each) for each in found), problem)
