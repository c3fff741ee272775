"""How findings about what is seen speak of eyes and rooms, and the form of their fixes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.dat.errors import DatError
from engine.findings.finding import FixForm
from engine.geometry.vec import ZERO, Vec3
from engine.physics.errors import PhysicsError
from engine.sim.edits.edit import Edit
from engine.survey.stabs.eyes import Sight, middle_of
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError

NAMED = 3
"""Portals or cells that a sentence names before it counts the rest."""


def eye_text(sight: Sight) -> str:
    x, y, z = sight.eye
    return f"an eye at ({x:.2f}, {y:.2f}, {z:.2f}), heading {sight.heading:.0f}°"


def chain_text(sight: Sight) -> str:
    """The portals from the nearest on; of a long chain the first and the last."""
    named = [f"{number} of {cell_text(cell_id)}" for cell_id, number in sight.chain]
    if len(named) > NAMED:
        return f"through {len(named)} portals, from portal {named[0]} to portal {named[-1]}"
    return f"through portal{'s' if len(named) > 1 else ''} {', '.join(named)}" if named else "from within"


def ids_text(ids: Sequence[int]) -> str:
    more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
    return ", ".join(map(cell_text, ids[:NAMED])) + more


def place_of(room: EnvCell, otherwise: Vec3 = ZERO) -> Vec3:
    """Where a finding about a whole room is: in its middle."""
    return middle_of(room) or otherwise


def fix_of(name: str, edits: Callable[[], list[Edit]]) -> FixForm | None:
    """None for a room that no record can describe."""
    try:
        return FixForm.of(name, edits())
    except (PhysicsError, WorldError, DatError):
        return None
