"""A step of the undo stack: what was done, and what undoes it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.sim.edits.edit import Edit
from engine.world.names import NameChange


@dataclass(frozen=True)
class Step:
    """One step: its name, its edits, the inverse edits that undo it, the drag that it belongs to, and the names that it
    gives, which are no business of the simulation."""

    name: str
    edits: tuple[Edit, ...]
    inverse: tuple[Edit, ...] = ()
    drag: str = ""
    names: tuple[NameChange, ...] = ()
