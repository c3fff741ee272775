"""A recorded sweep as a tree of plain nodes, and the tree as lines of text (physics.md 5-7).

A node stands for a step of the sweep and holds what it answered, what decided, and the sweep's planes and positions
before and after. The Sweep dock shows the nodes, `describe` prints them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from engine.geometry.quat import Quat
from engine.geometry.vec import Vec3
from engine.sim.trace.cell_search import CellSearch
from engine.world.cells.ids import cell_text

NO_POLYGON: Final = -1
INDENT: Final = "  "

# TraceNode.kind
SWEEP: Final = "sweep"
STEP: Final = "sub-step"
INSERT: Final = "insertion"
ATTEMPT: Final = "attempt"
PROBE: Final = "probe"
CELL: Final = "cell"
CELLS: Final = "cell array"
CANDIDATE: Final = "candidate"
MEMBERSHIP: Final = "membership"
SURROUNDINGS: Final = "surroundings"
TREE: Final = "tree"
POLYGON: Final = "polygon"
OBJECT: Final = "object"
ROW: Final = "shape"
SLIDE: Final = "slide"
LATCH: Final = "latch"

# Latch.what
ACCEPTED: Final = "accepted"
NOT_MOVED: Final = "not moved"
ROLLED_BACK: Final = "rolled back"
NOTHING_LEFT: Final = "nothing left to move by"


@dataclass(frozen=True, slots=True)
class PlaneRecord:
    """A contact plane in the landblock frame of its cell."""

    normal: Vec3
    d: float
    cell_id: int
    is_water: bool

    def __str__(self) -> str:
        water = ", as water" if self.is_water else ""
        return f"N{vec_text(self.normal)} d {number_text(self.d)} of {cell_text(self.cell_id)}{water}"


@dataclass(frozen=True, slots=True)
class SweepState:
    """The state of a sweep at one moment. A plane or normal that is not valid is None."""

    accepted_cell: int
    """0: in no cell, as after an exit into land that is not loaded."""
    accepted: Vec3
    candidate_cell: int
    candidate: Vec3
    rotation: Quat
    contact_plane: PlaneRecord | None
    last_known_plane: PlaneRecord | None
    sliding_normal: Vec3 | None
    collision_normal: Vec3 | None
    in_contact: bool
    on_walkable: bool
    stationary_frames: int
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PolygonPlace:
    """The position of a polygon when it was met: its corners in the landblock of `cell_id`."""

    cell_id: int
    corners: tuple[Vec3, ...]


@dataclass(frozen=True, slots=True)
class Latch:
    """How a sub-step ended for the accepted cell; membership changes nowhere else (physics.md 5.9).

    `what` is one of the constants above. Cells are 0 where there is none.
    """

    what: str
    cell_before: int
    candidate_cell: int
    """The cell of the candidate when the insertion ended."""
    cell: int
    asked: Vec3
    left: Vec3
    """What the contact plane and the sliding normal left of the request."""
    pushed: float = 0.0
    """Metres up that the body was pushed out of the ground before it moved."""

    @property
    def text(self) -> str:
        """From which cell to which."""
        if self.cell != self.cell_before:
            return f"from {_cell(self.cell_before)} to {_cell(self.cell)}"
        tried = f"; the candidate was in {_cell(self.candidate_cell)}" if self.candidate_cell != self.cell else ""
        return f"stays in {_cell(self.cell)}{tried}"


@dataclass(slots=True)
class TraceNode:
    """`answer` is a state's name or a short phrase, "" where there is none; ids are 0 and `polygon_id` is NO_POLYGON
    where they mean nothing. `children` are in the order in which things happened."""

    kind: str
    title: str
    answer: str = ""
    detail: str = ""
    cell_id: int = 0
    object_id: int = 0
    gfxobj_id: int = 0
    polygon_id: int = NO_POLYGON
    occurrence: int = 0
    """Of a shape: its index among the object's shapes with the same model."""
    part: int = 0
    """Of a shape: its index among all of the object's shapes."""
    normal: Vec3 | None = None
    place: PolygonPlace | None = None
    before: SweepState | None = None
    after: SweepState | None = None
    search: CellSearch | None = None
    """Of a cell array: how it was filled. Of a sub-step: the search that decided its cell, or the last one."""
    latch: Latch | None = None
    children: list[TraceNode] = field(default_factory=list)

    @property
    def line(self) -> str:
        answer = f": {self.answer}" if self.answer else ""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.title}{answer}{detail}"

    def walk(self) -> Iterator[TraceNode]:
        """This node and all below it, as they happened."""
        yield self
        for child in self.children:
            yield from child.walk()

    def find(self, kind: str) -> list[TraceNode]:
        return [node for node in self.walk() if node.kind == kind]

    def as_json(self) -> dict[str, object]:
        """For `--json`; what a node does not have is left out."""
        found: dict[str, object] = {"kind": self.kind, "line": self.line}
        for name in ("answer", "cell_id", "object_id", "gfxobj_id"):
            if getattr(self, name):
                found[name] = getattr(self, name)
        if self.polygon_id != NO_POLYGON:
            found["polygon_id"] = self.polygon_id
        if self.normal is not None:
            found["normal"] = self.normal
        for name in ("before", "after"):
            state = getattr(self, name)
            if state is not None:
                found[name] = dataclasses.asdict(state)
        if self.search is not None and self.kind == CELLS:
            found["search"] = self.search.as_json()
        if self.latch is not None:
            found["latch"] = dataclasses.asdict(self.latch)
        children = [child.as_json() for child in self.children if child.kind not in (CANDIDATE, LATCH)]
        if children:
            found["children"] = children
        return found


def describe(node: TraceNode, depth: int = 0) -> list[str]:
    """One line a node, indented, with the planes before and after below sweeps and sub-steps."""
    lines = [INDENT * depth + node.line]
    if node.kind in (SWEEP, STEP) and node.before is not None:
        lines.extend(INDENT * (depth + 1) + line for line in state_lines("before", node.before))
    for child in node.children:
        lines.extend(describe(child, depth + 1))
    if node.kind in (SWEEP, STEP) and node.after is not None:
        lines.extend(INDENT * (depth + 1) + line for line in state_lines("after", node.after))
    return lines


def state_lines(when: str, state: SweepState) -> list[str]:
    known = state.last_known_plane if state.contact_plane is None else None
    parts = [
        f"contact {state.contact_plane}" if state.contact_plane is not None else "no contact plane",
        f"last known {known}" if known is not None else "",
        f"sliding {vec_text(state.sliding_normal)}" if state.sliding_normal is not None else "",
        f"collision {vec_text(state.collision_normal)}" if state.collision_normal is not None else "",
        "on walkable" if state.on_walkable else "in contact" if state.in_contact else "in the air",
        f"stationary frames {state.stationary_frames}" if state.stationary_frames else "",
    ]
    return [f"{when}: {', '.join(part for part in parts if part)}"]


def number_text(value: float) -> str:
    """Four places, without the zeros at the end."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def vec_text(v: Vec3) -> str:
    return f"({', '.join(number_text(part) for part in v)})"


def object_text(object_id: int) -> str:
    """An entity by its id, a static thing by its record and place there (`static_object_id`)."""
    if object_id <= 0xFFFFFFFF:
        return f"object {cell_text(object_id)}"
    return f"static {object_id & 0xFFFF} of {cell_text((object_id >> 16) & 0xFFFFFFFF)}"


def _cell(cell_id: int) -> str:
    return cell_text(cell_id) if cell_id else "no cell"


def place_text(cell_id: int, at: Vec3) -> str:
    return f"{cell_text(cell_id)} {vec_text(at)}" if cell_id else f"no cell {vec_text(at)}"
