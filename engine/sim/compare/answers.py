"""What became of a tick on either side, compared exactly, and the state after it without the rules themselves."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

from engine.entities.events import CellEvent, EntityEvent
from engine.entities.state_io import STATE_VERSION, StateWriter
from engine.geometry.plane import Plane
from engine.geometry.vec import distance
from engine.physics.rules import ACE, RETAIL, RULE_NAMES, RuleSet
from engine.sim.recording import Sample
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.sim.tick.state import snapshot_version, visit_state
from engine.world.cells.position import into_block

CELL: Final = "cell"
POSITION: Final = "position"
HEADING: Final = "heading"
VELOCITY: Final = "velocity"
CONTACT: Final = "contact"
EVENTS: Final = "events"
OTHERS: Final = "other bodies"
REFUSED: Final = "refused edits"
COLLISION: Final = "collision"
CELLS: Final = "cells touched"
STATE: Final = "state"

HIDDEN: Final = frozenset((COLLISION, CELLS, STATE))
"""Differences by which nobody is elsewhere yet: another normal, another list of cells, another value kept."""

_HEADER: Final = 12
_RULES_FROM: Final = _HEADER + 8 * 3
_RULES_TO: Final = _RULES_FROM + 8 * len(RULE_NAMES)
"""The rules in packed state: integers after its mark, its version and its tick (engine/sim/tick/state.py)."""
_RULES_FORM: Final = f"<{len(RULE_NAMES)}q"
_NO_RULES: Final = struct.pack(_RULES_FORM, *[0] * len(RULE_NAMES))


@dataclass(frozen=True, slots=True)
class TickDifference:
    """A tick on both sides. `index` counts from the first one compared.

    `distance` is that between the bodies in metres. `what` is what differs exactly, nothing when all of it is the same.
    """

    index: int
    first: Sample
    second: Sample
    distance: float
    what: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        return not self.what

    @property
    def is_seen(self) -> bool:
        """Whether somebody is elsewhere, moves otherwise or does something else."""
        return is_seen(self.what)


def is_seen(what: tuple[str, ...]) -> bool:
    return not HIDDEN.issuperset(what)


def comparable_state(sim: Simulation) -> bytes:
    """The whole state as its hash sees it, but for the forms of the rules."""
    writer = StateWriter(True)
    writer.version = STATE_VERSION
    visit_state(sim, writer)
    packed = writer.packed()
    return packed[:_RULES_FROM] + _NO_RULES + packed[_RULES_TO:]


def rules_in(snapshot: bytes) -> RuleSet | None:
    """The rules that a snapshot was taken by, without a simulation; None for one of an older version."""
    if snapshot_version(snapshot) != STATE_VERSION:
        return None
    rules = RuleSet()
    for rule, is_retail in zip(RULE_NAMES, struct.unpack_from(_RULES_FORM, snapshot, _RULES_FROM), strict=True):
        rules.set_form(rule, RETAIL if is_retail else ACE)
    return rules


def body_distance(first: Sample, second: Sample) -> float:
    """Metres between two places of a body, whatever their landblocks."""
    return distance(first.origin, into_block(first.cell, second.cell, second.origin))


def differing(first: TickReport, second: TickReport) -> tuple[str, ...]:
    """What the reports of a tick disagree in, to the bit."""
    found: list[str] = []
    if first.cell != second.cell or first.lost != second.lost:
        found.append(CELL)
    if first.origin != second.origin:
        found.append(POSITION)
    if first.heading != second.heading:
        found.append(HEADING)
    if first.velocity != second.velocity:
        found.append(VELOCITY)
    if first.transient != second.transient or (
        first.in_contact
        and (
            first.contact_plane_cell != second.contact_plane_cell
            or _plane(first.contact_plane) != _plane(second.contact_plane)
        )
    ):
        found.append(CONTACT)
    if (first.events or second.events) and _events(first) != _events(second):
        found.append(EVENTS)
    if first.moved != second.moved:
        found.append(OTHERS)
    if _collision(first) != _collision(second):
        found.append(COLLISION)
    if first.cell_array != second.cell_array:
        found.append(CELLS)
    return tuple(found)


def others_differ(first: Simulation, second: Simulation, moved: list[int]) -> bool:
    """Whether one of the bodies that moved in a tick of both stands elsewhere in the other."""
    return any(_place(first, entity_id) != _place(second, entity_id) for entity_id in moved)


def _place(sim: Simulation, entity_id: int) -> object:
    entity = sim.population.find(entity_id)
    body = None if entity is None else entity.body
    return None if body is None else (body.place.cell_id, body.place.origin, body.place.turn.rotation)


def _plane(plane: Plane) -> object:
    return (plane.normal, plane.d)


def _collision(report: TickReport) -> object:
    return (
        report.swept,
        report.ok,
        report.blocked,
        report.slid,
        report.collision_normal if report.collision_normal_valid else None,
        report.sliding_normal,
        report.collided_objects,
        report.collided_with_environment,
        report.frames_stationary_fall,
        report.faults,
    )


def _events(report: TickReport) -> list[object]:
    return [_event(event) for event in report.events]


def _event(event: EntityEvent) -> object:
    where = (event.cell_id, event.origin) if isinstance(event, CellEvent) else None
    return (event.entity_id, event.what, event.by, event.is_despite_lock, where)
