"""What became of kept walks: as lines, as data, and as JUnit's XML for systems that run checks."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from editor.process.plain_text import counted, visible
from engine import __version__
from engine.sim.walks.outcome import Outcome, Verdict
from engine.world.cells.ids import cell_text

COLUMN: Final = 16
"""Wide enough for every verdict."""

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ORDER: Final = (Verdict.AS_BEFORE, Verdict.OTHERWISE, Verdict.CANNOT_BEGIN, Verdict.UNREADABLE)


@dataclass(frozen=True)
class WalkResult:
    """One walk that was run again: its name, what became of it, and the seconds that it took.

    `differing` are the parts of the world that are not those that it was recorded in. `accepted`: what it does now was
    written as the new truth; `problem` says why that failed.
    """

    name: str
    outcome: Outcome
    seconds: float = 0.0
    differing: tuple[str, ...] = ()
    accepted: bool = False
    problem: str = ""

    @property
    def is_settled(self) -> bool:
        """It goes as before, or is to go as it does now."""
        return self.outcome.is_as_before or self.accepted

    @property
    def details(self) -> list[str]:
        lines = self.outcome.details
        if self.differing:
            lines.append(f"its world is another one now: {', '.join(self.differing)} differ")
        if self.accepted:
            lines.append("accepted as the new truth")
        return [*lines, self.problem] if self.problem else lines


def exit_code(results: Sequence[WalkResult]) -> int:
    """0 when all go as before, 1 when one does not, 2 when one cannot be read or written."""
    if any(result.problem or result.outcome.verdict is Verdict.UNREADABLE for result in results):
        return 2
    return 0 if all(result.is_settled for result in results) else 1


def lines_of(result: WalkResult) -> list[str]:
    """A walk's line in the table, and what there is to tell of it."""
    outcome = result.outcome
    said = outcome.sentence.removeprefix(f"{outcome.verdict.value}: ")
    return [
        f"{outcome.verdict.value:{COLUMN}}{result.name}: {said}",
        *(f"{'':{COLUMN}}{line}" for line in result.details),
    ]


def summary_line(results: Sequence[WalkResult]) -> str:
    counts = [(sum(result.outcome.verdict is verdict for result in results), verdict.value) for verdict in ORDER]
    said = ", ".join(f"{count:,} {word}" for count, word in counts if count)
    ran, seconds = sum(result.outcome.ran for result in results), sum(result.seconds for result in results)
    pace = f" in {seconds:.1f} s, {ran / seconds:,.0f} ticks a second" if seconds > 0.0 and ran else ""
    return f"{counted(len(results), 'walk')}: {said}{pace}"


def data_of(world: str, results: Sequence[WalkResult]) -> dict[str, Any]:
    """Everything, for `--json`."""
    return {
        "world": world,
        "same": all(result.outcome.is_as_before for result in results),
        **{verdict.name.lower(): sum(result.outcome.verdict is verdict for result in results) for verdict in ORDER},
        "walks": [_walk_data(result) for result in results],
    }


def _walk_data(result: WalkResult) -> dict[str, Any]:
    outcome = result.outcome
    return {
        "name": result.name,
        "verdict": outcome.verdict.value,
        "unit": outcome.unit,
        "ran": outcome.ran,
        "seconds": round(result.seconds, 6),
        "tick": outcome.tick,
        "what": list(outcome.what),
        "distance": outcome.distance,
        "widest": outcome.widest,
        "final": outcome.final,
        "differing": outcome.differing,
        "cell": cell_text(outcome.cell_id) if outcome.origin is not None else None,
        "origin": None if outcome.origin is None else list(outcome.origin),
        "reason": outcome.reason,
        "left_out": list(outcome.left_out),
        "world_differs": list(result.differing),
        "accepted": result.accepted,
        "problem": result.problem,
    }


# --- JUnit


def junit_bytes(world: str, results: Sequence[WalkResult], properties: Iterable[tuple[str, str]] = ()) -> bytes:
    """The XML that systems for continuous integration read. A walk that goes otherwise is a failure; one that cannot
    begin, be read or be written an error."""
    failures = [result for result in results if _tag(result) == "failure"]
    errors = [result for result in results if _tag(result) == "error"]
    counts = {
        "name": "walks",
        "tests": str(len(results)),
        "failures": str(len(failures)),
        "errors": str(len(errors)),
        "skipped": "0",
        "time": _seconds(sum(result.seconds for result in results)),
    }
    root = ET.Element("testsuites", {name: counts[name] for name in ("tests", "failures", "errors", "time")})
    suite = ET.SubElement(root, "testsuite", counts)
    listed = ET.SubElement(suite, "properties")
    for name, value in (("program", f"Cellar Door {__version__}"), ("world", world), *properties):
        ET.SubElement(listed, "property", {"name": name, "value": xml_text(value)})
    for result in results:
        case = ET.SubElement(
            suite, "testcase", {"classname": "walks", "name": xml_text(result.name), "time": _seconds(result.seconds)}
        )
        tag = _tag(result)
        if tag:
            found = ET.SubElement(
                case, tag, {"message": xml_text(result.problem or result.outcome.sentence), "type": _type(result)}
            )
            found.text = "\n".join(xml_text(line) for line in (result.outcome.sentence, *result.details))
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _tag(result: WalkResult) -> str:
    """The element of a walk that did not pass."""
    if result.problem or result.outcome.verdict in (Verdict.CANNOT_BEGIN, Verdict.UNREADABLE):
        return "error"
    return "" if result.is_settled else "failure"


def _type(result: WalkResult) -> str:
    return "cannot be accepted" if result.problem else result.outcome.verdict.value


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f}"


def xml_text(text: str) -> str:
    """One line in which nothing hides, without the characters that XML has no way to write."""
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text))
