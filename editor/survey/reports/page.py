"""The report as one page of HTML that needs no network and no other file.

Its style and script are `resources/survey`. Everything that comes from a world stands in it as text: what is written
here is escaped, the findings are JSON that the script shows by `textContent`, and the page's policy allows no other
script and no other style, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from editor.process.plain_text import counted, visible
from editor.survey.report_form import Report
from editor.survey.reports.wording import check_of, place_text, worst_first
from engine.files.kinds import MB, OWN
from engine.files.reading import read_text
from engine.findings.finding import Check, Found
from engine.world.faults import Severity

RESOURCES: Final = Path(__file__).resolve().parents[3] / "resources" / "survey"
RECORDINGS_MOST: Final = 24 * MB
"""Bytes of recordings in a page; the worst findings' are taken first. Base64 makes four bytes of three."""
STILL_ROWS: Final = 200
"""Findings that the page lists where its script is switched off."""
NO_PICTURES: Final = "No pictures were asked for."
SIGNS: Final = {Severity.ERROR: "■", Severity.WARNING: "▲", Severity.INFO: "●"}

_GAP: Final = re.compile("@([a-z]+)@")
_NOT_IN_SCRIPT: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


@dataclass(frozen=True)
class Pictures:
    """Pictures as JPEG files by the keys of their findings, and why the others have none."""

    by_key: Mapping[str, bytes]
    unpictured: str = NO_PICTURES


def page_bytes(report: Report, pictures: Pictures | None = None) -> bytes:
    """The page as a file has it."""
    pictures = pictures or Pictures({})
    found = worst_first(report)
    style, script = _own("page.css"), _own("page.js")
    parts = {
        "policy": html.escape(_policy(style, script)),
        "title": _text(f"Survey of {report.source}"),
        "made": _text(_made(report)),
        "summary": _summary(report, found),
        "still": _still(report, found),
        "foot": _text(_foot(report, pictures)),
        "style": style,
        "script": script,
        "data": _json(_data(report, found, pictures)),
    }
    return _GAP.sub(lambda gap: parts[gap[1]], _own("page.html")).encode("utf-8", "backslashreplace")


def _own(name: str) -> str:
    return read_text(RESOURCES / name, OWN)


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _text(text: str) -> str:
    return html.escape(visible(text))


def _json(data: object) -> str:
    """JSON that ends no script element and begins no comment in one."""
    written = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return re.sub("[<>&]", lambda sign: _NOT_IN_SCRIPT[sign[0]], written)


# --- what is written as HTML


def _made(report: Report) -> str:
    beside = f" with {', '.join(report.server_data)}" if report.server_data else ""
    return f"Cellar Door {report.version}{beside}"


def _summary(report: Report, found: list[Found]) -> str:
    counts = report.counts()
    told = [
        f'<span class="{severity.name.lower()}">{sign}</span> {_counted(counts[severity], severity)}'
        for severity, sign in SIGNS.items()
        if counts[severity]
    ]
    seconds = math.fsum(block.seconds for block in report.blocks)
    failed = sum(bool(block.problems) for block in report.blocks)
    words = [counted(len(found), "finding") + (f": {', '.join(told)}" if told else "")]
    words.append(f"{counted(len(report.blocks), 'landblock')} in {_long(seconds)} of work")
    if failed:
        words.append(f"{counted(failed, 'landblock')} not finished")
    if report.known:
        words.append(f"{counted(report.known, 'known finding')} left out")
    return " · ".join(words)


def _counted(count: int, severity: Severity) -> str:
    return f"{count:,} info" if severity is Severity.INFO else counted(count, severity.name.lower())


def _long(seconds: float) -> str:
    if not seconds < 1e9:
        return "a long time"
    if seconds < 120.0:
        return f"{seconds:.1f} s"
    hours, minutes = divmod(round(seconds / 60.0), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _signed(severity: Severity) -> str:
    return f"{SIGNS[severity]} {severity.name.lower()}"


def _still(report: Report, found: list[Found]) -> str:
    """Tables for browsers without scripts."""
    counts = Counter(each.check for each in found)
    told = sorted(((check_of(report, each), count) for each, count in counts.items()), key=lambda it: -it[0].severity)
    checks = "".join(
        f"<tr><td>{_signed(check.severity)}</td><td>{_text(check.title)} <code>{_text(check.id)}</code>"
        f'<p class="about">{_text(check.about)}</p></td><td class="right">{count:,}</td></tr>'
        for check, count in told
    )
    rows = "".join(
        f"<tr><td>{_signed(report.severity_of(each))}</td><td><code>{_text(place_text(each.place))}</code></td>"
        f"<td>{_text(each.sentence)}</td></tr>"
        for each in found[:STILL_ROWS]
    )
    left = len(found) - STILL_ROWS
    more = f"<p>… and {counted(left, 'more finding')}.</p>" if left > 0 else ""
    return f"<table><tbody>{checks}</tbody></table>\n<table><tbody>{rows}</tbody></table>{more}"


def _foot(report: Report, pictures: Pictures) -> str:
    if len(pictures.by_key) < len(report.found) and pictures.unpictured:
        return pictures.unpictured
    return counted(len(pictures.by_key), "picture") + "."


# --- what the script shows


def _data(report: Report, found: list[Found], pictures: Pictures) -> dict[str, Any]:
    ids = sorted({each.check for each in found})
    place_of = {check_id: place for place, check_id in enumerate(ids)}
    keys = [each.key for each in found]
    shown, picture_of = _numbered(keys, pictures.by_key)
    recordings, recording_of = _recordings(found)
    return {
        "checks": [_check_data(check_of(report, check_id)) for check_id in ids],
        "blocks": _block_data(report),
        "pictures": [base64.b64encode(each).decode() for each in shown],
        "unpictured": visible(pictures.unpictured),
        "recordings": recordings,
        "found": {
            "check": [place_of[each.check] for each in found],
            "block": [each.block for each in found],
            "cell": [each.cell for each in found],
            "entity": [each.entity for each in found],
            "portal": [each.portal for each in found],
            "polygon": [each.polygon for each in found],
            "sentence": [visible(each.sentence) for each in found],
            "figures": [[[visible(name), _figure(value)] for name, value in each.figures] for each in found],
            "place": [place_text(each.place) for each in found],
            "eye": [place_text(each.eye) for each in found],
            "fix": [visible(each.fix.name) if each.fix else "" for each in found],
            "key": [key.removeprefix(each.check) for key, each in zip(keys, found, strict=True)],
            "picture": picture_of,
            "recording": recording_of,
            "recordingSize": [len(each.recording) for each in found],
        },
    }


def _check_data(check: Check) -> dict[str, object]:
    return {
        "id": visible(check.id),
        "title": visible(check.title),
        "family": check.family.value,
        "severity": int(check.severity),
        "about": visible(check.about),
    }


def _figure(value: float) -> str:
    return f"{value:.6g}"


def _block_data(report: Report) -> dict[str, object]:
    """The landblocks by columns; what was done with them is one of a few texts."""
    done = [", ".join(sorted(visible(each) for each in block.done)) for block in report.blocks]
    words = sorted(set(done))
    place_of = {word: place for place, word in enumerate(words)}
    return {
        "id": [block.id for block in report.blocks],
        "seconds": [round(block.seconds, 3) if math.isfinite(block.seconds) else 0.0 for block in report.blocks],
        "problems": [[visible(problem) for problem in block.problems] for block in report.blocks],
        "words": words,
        "done": [place_of[word] for word in done],
    }


def _numbered(keys: Iterable[str], by_key: Mapping[str, bytes]) -> tuple[list[bytes], list[int]]:
    """The files that are used, and for each key the number of its file, counted from 1; 0 for none."""
    used: list[bytes] = []
    numbers: dict[str, int] = {}
    places: list[int] = []
    for key in keys:
        content = by_key.get(key)
        if content is not None and key not in numbers:
            used.append(content)
            numbers[key] = len(used)
        places.append(numbers.get(key, 0))
    return used, places


def _recordings(found: list[Found]) -> tuple[list[str], list[int]]:
    """Recordings in base64 up to the limit, and for each finding the number of its own: −1 for one that is left out,
    0 for none."""
    kept: list[str] = []
    places: list[int] = []
    left = RECORDINGS_MOST
    for each in found:
        size = len(each.recording)
        if not size:
            places.append(0)
        elif size > left:
            places.append(-1)
        else:
            left -= size
            kept.append(base64.b64encode(each.recording).decode())
            places.append(len(kept))
    return kept, places
