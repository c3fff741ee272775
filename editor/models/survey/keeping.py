"""Results of a survey as data of a project, and back. Whatever is read was perhaps written by somebody else."""

from __future__ import annotations

import json
import zlib
from typing import Any, Final

import numpy as np

from editor.document.step import Step
from editor.models.survey.columns import STATE, Columns, States
from editor.models.survey.results import Part, SurveyResult
from editor.models.survey.settings import read_settings
from editor.project.project import KeptSurvey, ProjectError
from editor.project.survey_forms import MAX_KEPT
from engine.findings.errors import FindingError
from engine.findings.finding import Found
from engine.geometry.vec import Vec3

KEPT: Final = np.dtype([(name, STATE[name]) for name in ("cell", "x", "y", "z", "heading", "since", "parent", "how")])
"""What is kept of a state: all but the keys, which only the process has that searched."""
MOST_STATES: Final = 2_000_000
MOST_FOUND: Final = 20_000
MOST_UNREACHED: Final = 50_000
MOST_CORNERS: Final = 256
MOST_CELLS: Final = 70_000
"""More than a landblock has."""
MOST_SWEEPS: Final = 1e15


def pack_states(states: States) -> bytes:
    """The states on floors, packed for a project."""
    kept = np.zeros(len(states), KEPT)
    for name in KEPT.names or ():
        kept[name] = states[name]
    kept["how"] |= states["standing"] << 4
    return zlib.compress(kept.tobytes(), 6)


def unpack_states(data: bytes) -> Columns:
    """States as `pack_states` packs them; a ProjectError for what is none."""
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(data, MOST_STATES * KEPT.itemsize)
    except zlib.error as error:
        raise ProjectError(f"has a survey that cannot be unpacked: {error}") from error
    if not unpacker.eof or len(raw) % KEPT.itemsize:
        raise ProjectError("has a survey whose states are cut off or too many")
    kept = np.frombuffer(raw, KEPT)
    states = np.zeros(len(kept), STATE)
    for name in KEPT.names or ():
        states[name] = kept[name]
    states["standing"] = kept["how"] >> 4
    states["how"] = kept["how"] & 0xF
    finite = np.all([np.isfinite(states[name]) for name in ("x", "y", "z", "heading")])
    if not finite or (states["parent"] >= np.maximum(np.arange(len(states)), 1)).any():
        raise ProjectError("has a survey whose states make no sense")
    if len(np.unique(states["cell"])) > MOST_CELLS:
        raise ProjectError(f"has a survey of more than {MOST_CELLS:,} cells")
    made = Columns()
    made.add(states.tobytes())
    return made


def kept_survey(result: SurveyResult, steps: int, stale: frozenset[int]) -> KeptSurvey | None:
    """The results for a project; None where they are too large for one. Of a search that was stopped in its midst, what
    it has found so far."""
    about = {
        "settings": result.settings.form(),
        "seconds": result.seconds,
        "sweeps": result.sweeps,
        "checked": result.is_checked,
        "known": [sorted(part.known) for part in result.parts],
        "found": [found.to_json() for found in result.found],
        "unreached": [[floor.cell_id, floor.corners] for floor in result.unreached],
    }
    data = json.dumps(about).encode()
    parts = tuple(part.packed for part in result.parts)
    if len(data) + sum(map(len, parts)) > MAX_KEPT:
        return None
    return KeptSurvey(result.block_id, steps, tuple(sorted(stale)), data, parts)


def result_of(kept: KeptSurvey, steps: tuple[Step, ...]) -> SurveyResult:
    """The results that a project kept; a ProjectError for data that are none."""
    try:
        about = json.loads(kept.about)
        result = SurveyResult(kept.block_id, read_settings(about["settings"]), steps[: kept.steps], parts=[])
        result.seconds, result.sweeps = _amount(about["seconds"]), int(_amount(about["sweeps"]))
        result.is_checked = about["checked"] is True
        result.stale_before = result.stale = frozenset(kept.stale)
        for data, known in zip(kept.parts, about["known"], strict=True):
            columns = unpack_states(data) if data else Columns()
            result.parts.append(Part(columns, frozenset(map(_whole, known)), data))
        result.found = [Found.from_json(form) for form in about["found"][:MOST_FOUND]]
        for cell, corners in about["unreached"][:MOST_UNREACHED]:
            result.add_unreached(_whole(cell), [_corner(each) for each in corners[:MOST_CORNERS]])
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, FindingError) as error:
        raise ProjectError(f"has a survey that cannot be read: {error}") from error
    return result


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 32:
        raise ValueError(f"{str(value)[:40]!r} is no id")
    return value


def _amount(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= MOST_SWEEPS:
        raise ValueError(f"{str(value)[:40]!r} is no amount")
    return float(value)


def _corner(value: Any) -> Vec3:
    x, y, z = (float(each) for each in value)
    return (x, y, z)
