"""Replays captured resolve calls in a loaded world and compares the answers (physics.md 7.2, 12.1).

A record is replayed by itself: the body is made from `bodyBefore`, so one that differs does not spoil the next. Not
every record tells the truth: captures were made because something went wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.quat import quat_is_valid
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, distance
from engine.physics.place import Place
from engine.physics.resolve import ResolveBody, ResolveResult, resolve
from engine.physics.rules import RuleSet
from engine.physics.sweep.collision_info import NO_PLANE
from engine.physics.sweep.trace import SweepObserver
from engine.sim.captures.form import CaptureBody, CaptureRecord
from engine.sim.captures.frame import CaptureFrame, FrameFinder
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError
from engine.world.graph.graph import CellGraph

POSITION: Final = 1e-3
"""Metres; the square of it is compared (12.1)."""
SCALAR: Final = 1e-3
FIELDS: Final = ("position", "cellId", "isOnGround", "collisionNormalValid", "collisionNormal")
"""The fields of a result that are compared."""

WALKED_POLYGON: Final = 0
"""Captures hold no id of the polygon that a body stands on."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One field of the result: the record's value and ours, as text."""

    field: str
    recorded: str
    ours: str

    def __str__(self) -> str:
        return f"{self.field}: recorded {self.recorded}, ours {self.ours}"


@dataclass(frozen=True, slots=True)
class Replay:
    """A record and what our engine makes of it; `position` is in the record's frame."""

    record: CaptureRecord
    result: ResolveResult
    position: Vec3
    differences: list[Difference]
    frame: CaptureFrame

    @property
    def agrees(self) -> bool:
        return not self.differences


def replay_capture(
    graph: CellGraph,
    rules: RuleSet,
    records: Iterable[CaptureRecord],
    observer: SweepObserver | None = None,
    anchor: int = 0,
) -> list[Replay]:
    """Every record in turn. `anchor` names the landblock whose corner is the frame's origin; 0: the first record's. It
    moves where the client has re-centred its frame."""
    finder = FrameFinder(graph, anchor)
    replays: list[Replay] = []
    for record in records:
        frame = finder.find(record.input.cell_id, record.input.current)
        replays.append(replay_record(graph, rules, record, frame, observer))
    return replays


def replay_record(
    graph: CellGraph, rules: RuleSet, record: CaptureRecord, frame: CaptureFrame, observer: SweepObserver | None = None
) -> Replay:
    """One record, by the resolve contract of 7.2."""
    given = record.input
    if graph.get_visible(given.cell_id) is None:
        raise WorldError(f"the world has no cell {cell_text(given.cell_id)}", record.where, "input.cellId")
    current = frame.into(given.cell_id, given.current)
    body = None if record.before is None else body_of(graph, rules, record, record.before, frame)
    result = resolve(
        graph,
        rules,
        current,
        frame.into(given.cell_id, given.target),
        given.cell_id,
        given.sphere_radius,
        given.sphere_height,
        given.step_up_height,
        given.step_down_height,
        given.is_on_ground,
        given.mover_flags,
        given.moving_entity_id,
        body,
        observer,
        [Sphere(center, radius) for center, radius in given.spheres] or None,
    )
    position = frame.out_of(result.cell_id, result.position)
    return Replay(record, result, position, _differences(record, result, position), frame)


def bring_in(sim: Simulation, cell_id: int) -> bool:
    """Let what stands around a cell come in, for moves that begin there; False when the world does not have it."""
    sim.surroundings.join(cell_id)
    cell = sim.graph.get_visible(cell_id)
    if cell is None:
        return False
    sim.surroundings.come_near(cell_id, cell.seen_outside)
    return True


def body_of(
    graph: CellGraph, rules: RuleSet, record: CaptureRecord, before: CaptureBody, frame: CaptureFrame
) -> ResolveBody:
    """The body that the record's call was made with."""
    if not quat_is_valid(before.orientation):
        raise WorldError("is not of length 1", record.where, "bodyBefore.orientation")
    cell_id = record.input.cell_id
    body = ResolveBody(record.input.moving_entity_id, graph, rules)
    body.cell = graph.get_visible(cell_id)
    turn = Frame((0.0, 0.0, 0.0), before.orientation)
    body.place = Place(cell_id, frame.into(cell_id, record.input.current), turn)
    body.velocity = before.velocity
    body.acceleration = before.acceleration
    body.omega = before.omega
    body.elasticity = before.elasticity
    body.friction = before.friction
    body.state = before.state
    body.transient = before.transient_state
    body.sliding_normal = before.sliding_normal
    body.contact_plane, body.contact_plane_cell_id = NO_PLANE, 0
    if before.contact_plane_valid:
        plane_cell = before.contact_plane_cell_id
        body.contact_plane = frame.plane_into(plane_cell or cell_id, before.contact_plane)
        body.contact_plane_cell_id = plane_cell
    if before.walkable_valid and before.walkable_vertices is not None:
        corners = [frame.into(cell_id, corner) for corner in before.walkable_vertices]
        body.walkable = Polygon(WALKED_POLYGON, corners)
        body.walkable_up = before.walkable_up
    return body


def _differences(record: CaptureRecord, result: ResolveResult, position: Vec3) -> list[Difference]:
    wanted = record.result
    found: list[Difference] = []
    if not distance(wanted.position, position) < POSITION:
        found.append(Difference("position", str(wanted.position), str(position)))
    if wanted.cell_id != result.cell_id:
        found.append(Difference("cellId", cell_text(wanted.cell_id), cell_text(result.cell_id)))
    if wanted.is_on_ground != result.is_on_ground:
        found.append(Difference("isOnGround", str(wanted.is_on_ground), str(result.is_on_ground)))
    if wanted.collision_normal_valid != result.collision_normal_valid:
        found.append(
            Difference("collisionNormalValid", str(wanted.collision_normal_valid), str(result.collision_normal_valid))
        )
    elif wanted.collision_normal_valid and not _near(wanted.collision_normal, result.collision_normal):
        found.append(Difference("collisionNormal", str(wanted.collision_normal), str(result.collision_normal)))
    return found


def _near(a: Vec3, b: Vec3) -> bool:
    return all(abs(x - y) <= SCALAR for x, y in zip(a, b, strict=True))
