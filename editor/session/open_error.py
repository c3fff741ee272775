"""Why something cannot be opened: a sentence for the user, and details to unfold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from editor.project.project import ProjectError
from editor.session.sources import DEMO
from engine.build.errors import BuildError
from engine.dat.errors import DatError
from engine.dat.ids import did_text
from engine.files.errors import why
from engine.sim.errors import SimError
from engine.world.faults import WorldError

LISTED: Final = 24
"""How many names in a folder are listed."""


PREDICATES: Final = ("is ", "has ", "holds ", "says ", "does ", "cannot ")
"""How a reason begins that says something of its file, and so lacks a subject."""


@dataclass(frozen=True)
class Failure:
    """`details` are lines, none when the sentence is complete."""

    sentence: str
    details: str = ""


def short_name(source: str) -> str:
    return "the demo world" if source == DEMO else Path(source).name or source


def failure_of(source: str, error: Exception) -> Failure:
    """The explanation when an engine error prevented opening `source`."""
    cause = error.__cause__
    told = cause if isinstance(cause, DatError) and not isinstance(error, ProjectError) else error
    reason = (
        told.reason if isinstance(told, WorldError | DatError | SimError | BuildError | ProjectError) else str(told)
    )
    file = told.file if isinstance(told, WorldError | DatError | SimError | ProjectError) else None
    inner = Path(file).name if file else ""
    if inner and inner != Path(source).name and (source != DEMO or isinstance(told, DatError)):
        reason = f"{inner} {reason}" if not isinstance(told, DatError) else f"{inner}: {reason}"
    elif reason.startswith(PREDICATES):
        reason = f"it {reason}"
    sentence = f"{short_name(source)} cannot be opened: {reason}"
    return Failure(sentence, "\n".join([*_places(source, told), *surroundings(source)]))


def _places(source: str, told: Exception) -> list[str]:
    """The exact location of the error."""
    lines = []
    if isinstance(told, DatError):
        lines.append(f"file     {told.file}")
        if told.record_id is not None:
            lines.append(f"record   {did_text(told.record_id)}")
        if told.offset is not None:
            lines.append(f"offset   0x{told.offset:X} of the {'record' if told.in_record else 'file'}")
        if told.field is not None:
            lines.append(f"field    {told.field}")
    elif isinstance(told, WorldError | SimError | ProjectError):
        lines.append(f"file     {told.file or source}")
        if isinstance(told, WorldError) and told.key:
            lines.append(f"key      {told.key}")
    elif source != DEMO:
        lines.append(f"path     {source}")
    return lines


def surroundings(source: str) -> list[str]:
    """A description of the path, or of its nearest existing parent."""
    if source == DEMO:
        return []
    path = Path(source)
    try:
        if path.is_file():
            return [f"size     {path.stat().st_size:,} bytes"]
        missing = not path.is_dir()
        while not path.is_dir() and path != path.parent:
            path = path.parent
        there = [entry for entry in path.iterdir() if not entry.name.startswith(".")]
        names = sorted(entry.name + ("/" if entry.is_dir() else "") for entry in there)
    except (OSError, ValueError) as error:
        return [f"reason   {why(error)}"]
    shown = ", ".join(names[:LISTED]) or "nothing"
    more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
    begin = f"nearest  {path}\nholds    " if missing else "holds    "
    return [f"{begin}{shown}{more}"]
