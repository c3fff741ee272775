"""The result of a survey, as values and as JSON (docs/survey.md): what HTML, SARIF, JUnit and the window show."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, cast

from engine import __version__
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.files.errors import FileError
from engine.files.json_text import json_value
from engine.files.kinds import SURVEY_REPORT
from engine.files.reading import Name, read_file
from engine.findings.baseline import without_known
from engine.findings.errors import FindingError
from engine.findings.finding import Check, Family, Found
from engine.findings.registry import CHECKS
from engine.world.faults import Severity

FORM: Final = 1
MARK: Final = "cellar_door_survey"
"""The first field of the file, with the number of its form."""
MOST_BLOCKS: Final = 65_536
MOST_WORDS: Final = 1_000
MOST_TEXT: Final = 4_000


@dataclass(frozen=True, slots=True)
class BlockReport:
    """One landblock: what was done with it (`check`, `stabs`, ...), how long that took, and what kept parts of it from
    being done, in sentences."""

    id: int
    seconds: float = 0.0
    done: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    content: str = ""
    """The digest of what was surveyed (editor.survey.content), by which the window tells that it differs now."""


@dataclass(frozen=True)
class Report:
    """A survey: the landblocks ascending, the findings by landblock, severity and key, each once."""

    source: str
    server_data: tuple[str, ...] = ()
    version: str = __version__
    blocks: tuple[BlockReport, ...] = ()
    found: tuple[Found, ...] = ()
    known: int = 0
    """Findings that a baseline has taken away."""
    checks: dict[str, Check] = field(default_factory=dict)
    """The checks of the findings, as the program that made the report has them."""

    @classmethod
    def of(
        cls, source: str, server_data: Iterable[str], blocks: Iterable[BlockReport], found: Iterable[Found]
    ) -> Report:
        """A report in its order, whatever the order in which its parts came."""
        kept = {each.key: each for each in sorted(found, key=lambda each: (each.block, each.sentence), reverse=True)}
        listed = sorted(kept.values(), key=_order)
        checks = {each.check: CHECKS[each.check] for each in listed if each.check in CHECKS}
        ordered = tuple(sorted(blocks, key=lambda block: block.id))
        return cls(source, tuple(server_data), __version__, ordered, tuple(listed), 0, dict(sorted(checks.items())))

    def severity_of(self, found: Found) -> Severity:
        """The severity of a finding's check; of an unknown check a warning."""
        check = self.checks.get(found.check) or CHECKS.get(found.check)
        return Severity.WARNING if check is None else check.severity

    def counts(self) -> dict[Severity, int]:
        counts = Counter(self.severity_of(each) for each in self.found)
        return {severity: counts[severity] for severity in sorted(Severity, reverse=True)}

    def without(self, known: frozenset[str]) -> Report:
        """Without the findings of a baseline."""
        left = tuple(without_known(self.found, known))
        return replace(self, found=left, known=self.known + len(self.found) - len(left))

    def problems(self) -> list[tuple[int, str]]:
        """What could not be done, by landblock."""
        return [(block.id, problem) for block in self.blocks for problem in block.problems]

    def to_json(self) -> dict[str, object]:
        return {
            MARK: FORM,
            "source": self.source,
            "server_data": list(self.server_data),
            "version": self.version,
            "known": self.known,
            "checks": [_check_form(check) for check in self.checks.values()],
            "blocks": [_block_form(block) for block in self.blocks],
            "found": [each.to_json() for each in self.found],
        }

    @classmethod
    def from_json(cls, form: object) -> Report:
        """The report of such values; raises a FindingError when they are not in the form."""
        fields = _object(form, "the report")
        if fields.get(MARK) != FORM:
            raise FindingError("is not the report of a survey that this version reads")
        checks = [_check(each) for each in _list(fields.get("checks", []), "checks", MOST_WORDS)]
        return cls(
            _text(fields.get("source"), "source"),
            _words(fields.get("server_data", []), "server_data"),
            _text(fields.get("version"), "version"),
            tuple(_block(each) for each in _list(fields.get("blocks", []), "blocks", MOST_BLOCKS)),
            tuple(Found.from_json(each) for each in _list(fields.get("found", []), "found")),
            _count(fields.get("known", 0), "known"),
            {check.id: check for check in checks},
        )


def report_bytes(report: Report) -> bytes:
    """The report as its file has it: a line for each landblock and finding, so that versions of it compare well."""
    form = report.to_json()
    parts = []
    for name, value in form.items():
        if isinstance(value, list) and value:
            rows = ",\n".join(_dumped(each) for each in value)
            parts.append(f"{_dumped(name)}: [\n{rows}\n]")
        else:
            parts.append(f"{_dumped(name)}: {_dumped(value)}")
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def write_report(path: Name, report: Report) -> None:
    """Raises a FindingError when the file cannot be written."""
    try:
        write_whole(path, report_bytes(report))
    except DatError as error:
        raise FindingError(error.reason, error.file) from error


def read_report(path: Name) -> Report:
    """Raises a FindingError when the file cannot be read or is no report."""
    try:
        form = json_value(read_file(path, SURVEY_REPORT), str(path))
        return Report.from_json(form)
    except FileError as error:
        raise FindingError(error.reason, error.file) from error
    except FindingError as error:
        raise FindingError(error.reason, str(path)) from error


def _order(found: Found) -> tuple[int, int, str]:
    check = CHECKS.get(found.check)
    return found.block, -int(Severity.WARNING if check is None else check.severity), found.key


def _dumped(value: object) -> str:
    return json.dumps(value, allow_nan=False)


def _block_form(block: BlockReport) -> dict[str, object]:
    form: dict[str, object] = {"id": block.id, "seconds": round(block.seconds, 4), "done": list(block.done)}
    if block.content:
        form["content"] = block.content
    return {**form, "problems": list(block.problems)} if block.problems else form


def _check_form(check: Check) -> dict[str, object]:
    severity = check.severity.name.lower()
    return {
        "id": check.id,
        "title": check.title,
        "family": str(check.family),
        "severity": severity,
        "about": check.about,
    }


# --- reading


def _block(form: object) -> BlockReport:
    fields = _object(form, "a landblock")
    seconds = fields.get("seconds", 0.0)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0.0 <= seconds < math.inf:
        raise FindingError(f"seconds is {seconds!r:.60}, not a duration")
    block_id = _count(fields.get("id"), "id")
    done, problems = (_words(fields.get(name, []), name) for name in ("done", "problems"))
    return BlockReport(block_id, float(seconds), done, problems, _text(fields.get("content", ""), "content"))


def _check(form: object) -> Check:
    fields = _object(form, "a check")
    severity = _text(fields.get("severity"), "severity").upper()
    family = _text(fields.get("family"), "family")
    if severity not in Severity.__members__ or family not in set(map(str, Family)):
        raise FindingError(f"a check has the severity {severity:.20} and the family {family:.20}")
    texts = [_text(fields.get(name), name) for name in ("id", "title", "about")]
    return Check(texts[0], texts[1], Family(family), Severity[severity], texts[2])


def _object(form: object, field: str) -> dict[str, object]:
    if not isinstance(form, dict):
        raise FindingError(f"{field} is {form!r:.60}, not an object")
    return cast(dict[str, object], form)  # the json module makes no other keys


def _list(form: object, field: str, most: int | None = None) -> list[object]:
    if not isinstance(form, list) or (most is not None and len(form) > most):
        raise FindingError(f"{field} is {form!r:.60}, not a list{'' if most is None else f' of at most {most:,}'}")
    return form


def _words(form: object, field: str) -> tuple[str, ...]:
    return tuple(_text(each, field) for each in _list(form, field, MOST_WORDS))


def _text(form: object, field: str) -> str:
    if not isinstance(form, str) or len(form) > MOST_TEXT:
        raise FindingError(f"{field} is {form!r:.60}, not a text of at most {MOST_TEXT:,} characters")
    return form


def _count(form: object, field: str) -> int:
    if isinstance(form, bool) or not isinstance(form, int) or not 0 <= form < 1 << 32:
        raise FindingError(f"{field} is {form!r:.60}, not a number from 0 to 0xFFFFFFFF")
    return form
