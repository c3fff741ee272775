"""What became of the player in a tick, and the rows of the trace that decided it (physics.md 5.4-5.13).

The routine that answered last decided: a probe within it only prepared its answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.geometry.constants import EPSILON
from engine.geometry.vec import dot, length, sub
from engine.physics.sweep.trace import (
    CLIFF_SLIDE,
    EDGE_SLIDE,
    GROUND_PROBE,
    LANDING,
    PRECIPICE_SLIDE,
    PROBE_NAMES,
    STEP_UP,
)
from engine.sim.trace import tree as nodes
from engine.sim.trace.recorder import LET_THROUGH, NO_CELL, REFUSED
from engine.sim.trace.tree import TraceNode
from engine.world.cells.position import into_block

FINE: Final = "OK"
IN_THE_WAY: Final = ("hit by", "overlaps", "is solid", "the foot is pushed", "the head is pushed")
"""How the answer begins for a polygon that the body may not be in."""
TOUCHED: Final = (*IN_THE_WAY, "touched, but being left, by")
"""The same with polygons that the body was leaving: it slides along these too."""

FLOORS: Final = ("a floor", "ground under", "carries")
LANDED_ON: Final = (*FLOORS, "hit by the foot")

SHORTEST_STEP: Final = 0.01
"""Metres; a change of height below it is no step: bodies rest up to 5 mm above floors (physics.md 5.5)."""

SAME_NORMAL: Final = 0.9999
SAME_PLANE: Final = 0.02
"""Metres; far more than rounding, and less than two floors lie apart."""

Path = tuple[TraceNode, ...]
"""A row with all rows that it is a part of, from the sub-step down; empty for none."""

_STRUCTURE: Final = (
    *(nodes.INSERT, nodes.ATTEMPT, nodes.CELL, nodes.SURROUNDINGS),
    *(nodes.TREE, nodes.OBJECT, nodes.ROW),
)
_EDGES: Final = tuple(PROBE_NAMES[what] for what in (EDGE_SLIDE, CLIFF_SLIDE, PRECIPICE_SLIDE))
"""The probes whose slides move the candidate itself; those of others are undone or part of a step."""


class Verdict(Enum):
    """What became of a sub-step, or of the whole tick: the first of these that one of its sub-steps has."""

    LOST = "lost"
    """It ended in no cell."""
    BLOCKED = "blocked"
    REFUSED = "refused"
    """The whole sweep came to nothing, though no sub-step was blocked."""
    SLID = "slid"
    LANDED = "landed"
    STEPPED_UP = "stepped up"
    STEPPED_DOWN = "stepped down"
    PUSHED_OUT = "pushed out"
    FREE = "free"


@dataclass(frozen=True)
class Outcome:
    """The verdict, the sub-step that has it, and the rows that decided. `path` ends in a polygon, a shape, a probe or a
    slide; it is empty when the planes of the tick before decided, or nothing did."""

    verdict: Verdict
    step: TraceNode | None = None
    path: Path = ()
    changes: tuple[TraceNode, ...] = ()
    """The sub-steps that changed the accepted cell."""
    footing: TraceNode | None = None
    """The sub-step that found or lost ground to walk on."""

    @property
    def row(self) -> TraceNode | None:
        """The row that decided."""
        return self.path[-1] if self.path else self.step


def steps_of(sweeps: list[TraceNode]) -> list[TraceNode]:
    return [node for sweep in sweeps for node in sweep.children if node.kind == nodes.STEP]


def outcome_of(sweeps: list[TraceNode], preferred: Verdict | None = None) -> Outcome:
    """What became of a tick; a sub-step with the preferred verdict goes before all others."""
    steps = steps_of(sweeps)
    told = [(step, *_told(step)) for step in steps]
    order = sorted(Verdict, key=lambda verdict: verdict is not preferred)
    changes = tuple(step for step in steps if _changes_cell(step))
    footing = next((step for step in steps if _changes_footing(step)), None)
    last = sweeps[-1].answer if sweeps else ""
    if last.startswith(NO_CELL):
        return Outcome(Verdict.LOST, steps[-1] if steps else None, _exit(steps), changes, footing)
    if told:
        step, verdict, path = min(told, key=lambda each: (order.index(each[1]), not each[2]))
        if last != REFUSED or verdict is Verdict.BLOCKED:
            return Outcome(verdict, step, path, changes, footing)
    if last == REFUSED:
        return Outcome(Verdict.REFUSED, steps[-1] if steps else None, (), changes, footing)
    return Outcome(Verdict.FREE)


def pick_of(step: TraceNode) -> TraceNode:
    """The search of a sub-step that gave the candidate its cell; the sub-step itself when no cell was picked."""
    searches = step.find(nodes.CELLS)
    same = [node for node in searches if step.search is not None and node.search is step.search]
    return next(iter(same), None) or next((node for node in reversed(searches) if node.cell_id), step)


def has_moved(step: TraceNode) -> bool:
    """Whether the accepted position went further than rounding goes."""
    before, after = step.before, step.after
    if before is None or after is None:
        return False
    if not before.accepted_cell or not after.accepted_cell:
        return before.accepted != after.accepted
    return length(sub(into_block(before.accepted_cell, after.accepted_cell, after.accepted), before.accepted)) > EPSILON


def risen(step: TraceNode) -> float:
    """Metres of an accepted sub-step's end above where its offset led; negative below."""
    before, after, latch = step.before, step.after, step.latch
    if before is None or after is None or latch is None or latch.what != nodes.ACCEPTED:
        return 0.0
    return after.accepted[2] - before.accepted[2] - latch.left[2] - latch.pushed


# --- one sub-step


def _told(step: TraceNode) -> tuple[Verdict, Path]:
    latch = step.latch
    what = "" if latch is None else latch.what
    if what in (nodes.ROLLED_BACK, nodes.NOTHING_LEFT) or "accepted" not in step.answer:
        return Verdict.BLOCKED, _blocking(step)
    slide = _last_slide(step)
    is_lifted = latch is not None and latch.pushed > SHORTEST_STEP
    if slide or slides_on(step) or (_goes_down_steep_ground(step) and not is_lifted):
        return Verdict.SLID if has_moved(step) else Verdict.BLOCKED, _cause(slide) if slide else ()
    before, after = step.before, step.after
    if before is not None and after is not None and after.in_contact and not before.in_contact:
        landed = Verdict.LANDED if after.on_walkable else Verdict.SLID if has_moved(step) else Verdict.BLOCKED
        return landed, _floor(step)
    below = _probe(step, PROBE_NAMES[GROUND_PROBE])
    climbed = _probe(step, PROBE_NAMES[STEP_UP]) or below
    if climbed and risen(step) > SHORTEST_STEP:
        return Verdict.STEPPED_UP, _onto(step, climbed)
    if below and risen(step) < -SHORTEST_STEP:
        return Verdict.STEPPED_DOWN, _onto(step, below)
    pushed = _pushed(step)
    if pushed or is_lifted:
        return Verdict.PUSHED_OUT, pushed
    return Verdict.FREE, ()


def _blocking(step: TraceNode) -> Path:
    """The innermost row that turned the candidate back."""
    way: Path = (step,)
    while True:
        node = way[-1]
        met = [child for child in node.children if child.kind == nodes.POLYGON and child.answer.startswith(IN_THE_WAY)]
        if node.kind in (nodes.TREE, nodes.SURROUNDINGS) and met:
            return (*way, met[-1])
        failed = next((child for child in reversed(node.children) if _failed(child)), None)
        if failed is None:
            break
        way = (*way, failed)
    if way[-1].kind in (nodes.SLIDE, nodes.PROBE):
        return way if way[-1].title.startswith(_EDGES) else _cause(way)
    return way if way[-1].kind in (nodes.TREE, nodes.SURROUNDINGS, nodes.ROW, nodes.OBJECT, nodes.CELL) else ()


def _failed(child: TraceNode) -> bool:
    if child.kind == nodes.ATTEMPT:
        return True
    if child.kind == nodes.PROBE:
        return child.answer != FINE and child.title.startswith((*_EDGES, PROBE_NAMES[LANDING]))
    return child.kind in (*_STRUCTURE, nodes.SLIDE) and child.answer != FINE


def causes_of(outcome: Outcome) -> list[Path]:
    """The row that decided, then the other surfaces that the sub-step slid along: in a corner there are two."""
    step, path = outcome.step, outcome.path
    ended = step is None or step.latch is None or step.answer.startswith("Collided")
    if step is None or not path or (outcome.verdict is Verdict.BLOCKED and ended):
        return [path]
    if outcome.verdict not in (Verdict.BLOCKED, Verdict.SLID):
        return [path]
    every = [path, *(_cause(slide) for slide in reversed(_slides(step)))]
    return list({_key(way): way for way in reversed(every)}.values())[::-1]


def _key(way: Path) -> tuple[object, ...]:
    """The same for one polygon or shape, however often it was met."""
    last = way[-1]
    owners = tuple((node.cell_id, node.object_id) for node in way if node.kind in (nodes.CELL, nodes.OBJECT))
    return (last.kind, last.title, *owners, *(node.part for node in way if node.kind == nodes.ROW))


def is_edge(path: Path) -> bool:
    """Whether the row that decided is a slide at an edge."""
    return any(node.kind == nodes.PROBE and node.title.startswith(_EDGES) for node in path)


def _last_slide(step: TraceNode) -> Path:
    slides = _slides(step)
    return slides[-1] if slides else ()


def _slides(step: TraceNode) -> list[Path]:
    """The slides that moved the candidate; of a cliff the probe."""
    found: list[Path] = []
    for way in _main_line((step,)):
        node = way[-1]
        is_slide = node.kind == nodes.SLIDE or node.title.startswith(PROBE_NAMES[CLIFF_SLIDE])
        if is_slide and node.answer in ("Slid", "Adjusted"):
            found.append(way)
    return found


def _cause(slide: Path) -> Path:
    """The polygon or the shape that a slide goes along, or the slide itself at an edge."""
    if is_edge(slide):
        return slide
    for depth in range(len(slide) - 1, 0, -1):
        above, below = slide[depth - 1], slide[depth]
        place = next(number for number, child in enumerate(above.children) if child is below)
        for child in reversed(above.children[:place]):
            met = [
                way for way in _main_line((*slide[:depth], child)) if _is_touched(way[-1]) and not _is_let_through(way)
            ]
            if met:
                return met[-1]
        if above.kind == nodes.ROW:
            return slide[:depth]
    return slide


def _is_let_through(way: Path) -> bool:
    """Whether the row is of an object whose answers did not count, such as an ethereal door."""
    return any(node.kind == nodes.OBJECT and node.answer == FINE and node.detail == LET_THROUGH for node in way)


def _is_touched(node: TraceNode) -> bool:
    """A polygon, or a sphere or cylinder, which has none."""
    if node.kind == nodes.ROW:
        return node.answer != FINE and not any(child.kind == nodes.TREE for child in node.children)
    return node.kind == nodes.POLYGON and node.answer.startswith(TOUCHED)


def slides_on(step: TraceNode) -> bool:
    """Whether the sliding normal of the sub-step before took something of the offset (5.5)."""
    before, latch = step.before, step.latch
    if before is None or latch is None or before.sliding_normal is None:
        return False
    return dot(latch.asked, before.sliding_normal) < 0.0


def _goes_down_steep_ground(step: TraceNode) -> bool:
    """Whether ground too steep to walk on took something of the offset (5.5)."""
    before, latch = step.before, step.latch
    if before is None or latch is None or before.contact_plane is None:
        return False
    return before.in_contact and not before.on_walkable and length(sub(latch.left, latch.asked)) > EPSILON


def _probe(step: TraceNode, name: str) -> Path:
    """The last probe of that name that came to an end in the candidate's favour."""
    found: Path = ()
    for way in _main_line((step,)):
        if way[-1].kind == nodes.PROBE and way[-1].title.startswith(name) and way[-1].answer == FINE:
            found = way
    return found


def _floor(step: TraceNode) -> Path:
    """The last floor that was met, one that carries the body before others, or the test of the one that it landed
    on."""
    floors = [
        way for way in _main_line((step,)) if way[-1].kind == nodes.POLYGON and way[-1].answer.startswith(LANDED_ON)
    ]
    carrying = [way for way in floors if _carries(step, way[-1])]
    return next(reversed(carrying or floors), ()) or _probe(step, PROBE_NAMES[LANDING])


def _onto(step: TraceNode, probe: Path) -> Path:
    """The floor that a probe put the body on; the probe itself when it named none."""
    floors = [
        way
        for way in _every(probe)
        if way[-1].kind == nodes.POLYGON and way[-1].answer.startswith(FLOORS) and _carries(step, way[-1])
    ]
    return next(reversed(floors), probe)


def _every(way: Path) -> Iterator[Path]:
    """Every row below with its path, in order."""
    yield way
    for child in way[-1].children:
        yield from _every((*way, child))


def _carries(step: TraceNode, polygon: TraceNode) -> bool:
    """Whether the polygon lies in the contact plane with which the sub-step ended."""
    plane = None if step.after is None else step.after.contact_plane
    place, normal = polygon.place, polygon.normal
    if plane is None or place is None or normal is None or dot(normal, plane.normal) < SAME_NORMAL:
        return False
    corner = into_block(plane.cell_id, place.cell_id, place.corners[0])
    return abs(dot(plane.normal, corner) + plane.d) < SAME_PLANE


def _pushed(step: TraceNode) -> Path:
    for way in _main_line((step,)):
        if way[-1].kind == nodes.POLYGON and "is pushed" in way[-1].answer:
            return way
    return ()


def _exit(steps: list[TraceNode]) -> Path:
    for step in reversed(steps):
        for way in _main_line((step,)):
            if way[-1].kind == nodes.MEMBERSHIP:
                return way
    return ()


def _main_line(way: Path) -> Iterator[Path]:
    """Every row below with its path, in order, without what happens within probes; slides at edges are no probes."""
    yield way
    node = way[-1]
    if node.kind == nodes.PROBE and not node.title.startswith(_EDGES):
        return
    for child in node.children:
        yield from _main_line((*way, child))


def _changes_cell(step: TraceNode) -> bool:
    before, after = step.before, step.after
    return before is not None and after is not None and before.accepted_cell != after.accepted_cell


def ground_row(sweeps: list[TraceNode]) -> TraceNode | None:
    """The row that gave the player ground to walk on, or said that there is none."""
    step = outcome_of(sweeps).footing
    if step is None or step.after is None:
        return step
    if step.after.on_walkable:
        return next(reversed(_floor(step)), None) or next(reversed(_floors_of_probes(step)), step)
    probes = [way[-1] for way in _main_line((step,)) if way[-1].title.startswith(PROBE_NAMES[GROUND_PROBE])]
    return next(reversed(probes), step)


def _floors_of_probes(step: TraceNode) -> list[TraceNode]:
    return [node for node in step.find(nodes.POLYGON) if node.answer.startswith(FLOORS)]


def _changes_footing(step: TraceNode) -> bool:
    before, after = step.before, step.after
    return before is not None and after is not None and before.on_walkable != after.on_walkable
