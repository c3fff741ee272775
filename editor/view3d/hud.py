"""The numbers over the 3D view: cells of player, viewer and root, and figures of the frame (rendering.md 21.3, 23)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.render.viewer.viewer import View, Viewer
from engine.visibility.frame import FrameResult
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_interior
from engine.world.graph.graph import NO_CELL
from engine.world.names import Names

FLAPPING: Final = 4
"""Root changes per second that are too many for a walk through a vestibule."""


class Tone(Enum):
    """The meaning of an entry, which selects its colour."""

    PLAIN = "plain"
    CURRENT = "current"
    VISIBLE = "visible"
    WARNING = "warning"


@dataclass(frozen=True)
class HudEntry:
    """A name and a value."""

    name: str
    value: str
    tone: Tone = Tone.PLAIN


def hud_rows(
    viewer: Viewer, frame: FrameResult, milliseconds: float, in_dollhouse: bool = False
) -> list[list[HudEntry]]:
    """Two rows: cells, and figures. In a dollhouse the frame is what the player sees, not what is drawn."""
    return [_cells(viewer, frame, in_dollhouse), _figures(viewer, frame, milliseconds)]


def _cells(viewer: Viewer, frame: FrameResult, in_dollhouse: bool) -> list[HudEntry]:
    pose, names = viewer.player(), viewer.world.names
    player, eye = pose.cell_id, viewer.rig.cell_id
    choice = viewer.choice
    source = "" if choice is None else f" ({choice.source})"
    if viewer.frozen is not None:
        source = " (frozen)"
    elif in_dollhouse:
        source = "" if player == NO_CELL else " (player)"
    entries = [
        HudEntry(pose.name, f"■ lost, left {names.cell(pose.left_id)}", Tone.WARNING)
        if pose.left_id != NO_CELL
        else HudEntry(pose.name, _name(player, names), Tone.CURRENT),
        HudEntry("viewer", _name(eye, names)),
        HudEntry("root", f"{_name(frame.root_id, names)}{source}", Tone.VISIBLE),
    ]
    if in_dollhouse:
        return [entry for entry in entries if entry.name != "viewer"]
    if viewer.rig.outside_all:
        entries.append(HudEntry("■", "the eye is outside of all cells", Tone.WARNING))
    elif viewer.frozen is None and frame.root_id != NO_CELL and _is_left_out(eye, frame):
        entries.append(HudEntry("■", "the eye's own cell is not seen from this root", Tone.WARNING))
    return entries


def _is_left_out(eye: int, frame: FrameResult) -> bool:
    """Whether the frame leaves out the eye's surroundings, as happens with a root that the eye is not in (21.3)."""
    if eye in (NO_CELL, frame.root_id):
        return False
    return eye not in frame.visible_ids() if is_interior(eye) else not frame.landscape_views


def _figures(viewer: Viewer, frame: FrameResult, milliseconds: float) -> list[HudEntry]:
    seen = len(frame.visible_ids())
    rooms = sum(isinstance(cell, EnvCell) for cell in viewer.graph.cells_of(frame.root_id))
    entries = [HudEntry("visible", f"{seen} of {rooms}", Tone.VISIBLE)]
    flood = frame.flood
    if flood is not None:
        entries.append(HudEntry("outside views", str(len(flood.outside))))
    else:
        entries.append(HudEntry("look-ins", str(len(frame.look_ins))))
    guards = [guard for each in frame.floods() for guard in each.guards]
    tone = Tone.WARNING if guards else Tone.PLAIN
    entries.append(HudEntry("■ guards" if guards else "guards", ", ".join(guards) or "0", tone))
    changes = viewer.watch.changes
    flaps = changes >= FLAPPING
    tone = Tone.WARNING if flaps else Tone.PLAIN
    entries.append(HudEntry("■ root changes" if flaps else "root changes", f"{changes}/s", tone))
    entries.append(HudEntry("frame", f"{milliseconds:.1f} ms"))
    if viewer.view is View.FREE:
        entries.append(HudEntry("speed", f"{viewer.free.speed:.1f} m/s"))
    return entries


def _name(cell_id: int, names: Names) -> str:
    return "none" if cell_id == NO_CELL else names.cell(cell_id)
