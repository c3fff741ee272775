"""What the library answers with: frozen dataclasses of plain Python values.

Positions are in metres, in the landblock of the cell beside them, x east, y north, z up. Headings are degrees, 0 north,
90 east. A tick is 1/30 s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.entities.door import TICKS_PER_SECOND
from engine.sim.trace.tree import Latch, SweepState
from engine.world.cells.ids import cell_text

Vec3 = tuple[float, float, float]


class Id(int):
    """The id of a cell, landblock, entity, model or record: a whole number that prints itself as 0xC95B0104."""

    def __str__(self) -> str:
        return cell_text(int(self))

    def __repr__(self) -> str:
        return cell_text(int(self))

    def __format__(self, form: str) -> str:
        return int(self).__format__(form) if form[-1:] in tuple("bcdoxXn") else str(self).__format__(form)


NOTHING = Id(0)
"""In place of a cell or an entity: none."""


@dataclass(frozen=True)
class Place:
    """Where somebody's feet can stand."""

    cell: int
    """A cell's id, or a landblock's, which means the land under the position."""
    position: Vec3
    heading: float = 0.0


@dataclass(frozen=True)
class Portal:
    """An opening of a room. `to` is None where it leads outdoors."""

    index: int
    to: Id | None
    to_portal: int
    """The number of its other side; -1 for none."""
    polygon: int
    flags: int
    corners: tuple[Vec3, ...]
    """In the landblock; empty for a portal whose polygon is missing."""


@dataclass(frozen=True)
class Static:
    """A model that a record places in a room."""

    id: int
    model: Id
    position: Vec3
    heading: float


@dataclass(frozen=True)
class Cell:
    """A room, or a square of land: then it has no portals, statics, surfaces and polygons."""

    id: Id
    name: str
    landblock: Id
    is_room: bool
    position: Vec3
    seen_outside: bool
    """Whether the outdoors can be seen from it."""
    stab_list: tuple[Id, ...]
    """The cells that the client loads and draws for somebody in it."""
    portals: tuple[Portal, ...] = ()
    statics: tuple[Static, ...] = ()
    surfaces: tuple[Id, ...] = ()
    environment: Id = NOTHING
    polygons: int = 0
    """Visible polygons; `solid_polygons` are those that bodies collide with."""
    solid_polygons: int = 0


@dataclass(frozen=True)
class Entity:
    """A door, a creature, a chest, the player: as it was when it was asked for.

    `is_here` says whether its landblock has come in; before that it is told as the world lists it.
    """

    id: Id
    name: str
    kind: str
    model: Id
    cell: Id
    position: Vec3
    heading: float
    velocity: Vec3
    state: int
    """PhysicsState bits."""
    scale: float
    is_here: bool


@dataclass(frozen=True)
class Player:
    """The player between two ticks."""

    id: Id
    cell: Id
    """0 when no cell holds him."""
    position: Vec3
    """His origin, as recordings have it; the soles are at `place`."""
    heading: float
    velocity: Vec3
    """Of the body: falling, jumping, pushed. Steps move him by displacements, and are not in it."""
    in_contact: bool
    on_ground: bool
    in_water: bool
    contact_normal: Vec3 | None
    contact_cell: Id
    place: Place
    """Where he stands, as `place` and `simulation(at=...)` take it."""
    body: dict[str, float]
    """The numbers that he moves by: radius, height, run_skill and the others of `set_body`."""


@dataclass(frozen=True)
class Event:
    """What an entity did in a tick: opening, opened, closing, closed, held, busy, refused, locked, unlocked, lost or
    found."""

    tick: int
    entity: Id
    name: str
    what: str
    by: Id
    """The entity that caused it, 0 for none."""


@dataclass(frozen=True)
class Tick:
    """What a tick made of the player, and what happened in it."""

    number: int
    cell: Id
    position: Vec3
    heading: float
    velocity: Vec3
    wanted: Vec3
    """The displacement that was asked for."""
    made: Vec3
    """The one that came of it."""
    blocked: bool
    slid: bool
    refused: bool
    """The sweep refused the move as a whole."""
    in_contact: bool
    on_ground: bool
    in_water: bool
    jumped: bool
    landed: bool
    left_ground: bool
    lost: bool
    """No cell holds him; `cell` is the one that he left."""
    cell_before: Id
    touched: tuple[str, ...]
    """The names of the things that he ran into."""
    hit_walls: bool
    cells: tuple[Id, ...]
    """The cells that his spheres were in."""
    events: tuple[Event, ...]
    faults: tuple[str, ...]
    because: str = ""
    """Of a tick that a condition stopped at: what made it hold."""

    @property
    def cell_changed(self) -> bool:
        return self.cell != self.cell_before

    @property
    def speed(self) -> float:
        """The way made, in metres a second."""
        return math.hypot(*self.made) * TICKS_PER_SECOND


@dataclass(frozen=True)
class Sample:
    """The player after a tick, as a recording has it."""

    cell: Id
    position: Vec3
    velocity: Vec3
    heading: float
    transient: int
    """Bits: 1 contact, 2 on ground, 4 sliding, 8 water."""


@dataclass(frozen=True)
class TraceStep:
    """A step of a sweep, with the steps in it, in the order in which they happened.

    `kind` is sweep, sub-step, insertion, attempt, probe, cell, cell array, candidate, membership, surroundings, tree,
    polygon, object, shape, slide or latch. Ids are 0 and `polygon` is None where there is none.
    """

    kind: str
    title: str
    answer: str
    detail: str
    cell: Id
    object: Id
    model: Id
    polygon: int | None
    normal: Vec3 | None
    before: SweepState | None
    after: SweepState | None
    latch: Latch | None
    steps: tuple[TraceStep, ...]

    @property
    def line(self) -> str:
        """The step as a line of text."""
        answer = f": {self.answer}" if self.answer else ""
        detail = f" ({self.detail})" if self.detail else ""
        return f"{self.title}{answer}{detail}"

    def walk(self) -> Iterator[TraceStep]:
        """This step and all in it, as they happened."""
        yield self
        for step in self.steps:
            yield from step.walk()

    def find(self, kind: str) -> list[TraceStep]:
        """All steps of a kind."""
        return [step for step in self.walk() if step.kind == kind]


@dataclass(frozen=True)
class Trace:
    """The player's sweeps of one tick."""

    tick: int
    outcome: str
    """What became of him, in a sentence."""
    sweeps: tuple[TraceStep, ...]
    text: str = field(repr=False)
    """All of it, as `walk --trace` prints it."""

    def find(self, kind: str) -> list[TraceStep]:
        """All steps of a kind in all sweeps."""
        return [step for sweep in self.sweeps for step in sweep.find(kind)]


@dataclass(frozen=True)
class PortalSeen:
    """What became of a portal in a view: a status (OPEN, CLIPPED, NO_SLOT, ...) and its meaning in words."""

    cell: Id
    index: int
    to: Id | None
    status: str
    meaning: str


@dataclass(frozen=True)
class View:
    """What an eye sees."""

    root: Id
    """The cell that it looks from."""
    cells: tuple[Id, ...]
    """The rooms that are drawn, front to back."""
    portals: tuple[PortalSeen, ...]
    sees_outside: bool
    """Whether the outdoors is in view."""
    not_in_stab_list: tuple[Id, ...]
    """Rooms that are seen, and that the root's stab list lacks: only with `ignore_stab_list`."""
    note: str
    text: str = field(repr=False)
    """All of it, as the command `visible` prints it."""


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with a world. `severity` is error, warning or info."""

    cell: Id
    """The cell, landblock or record; 0 for the world as a whole."""
    what: str
    reason: str
    severity: str
    index: int | None
    """The number of the portal, polygon or entry."""
    fix: str
    """The name of the fix that `fix` makes; empty where there is none."""

    def __str__(self) -> str:
        where = f"{self.cell} " if self.cell else ""
        number = "" if self.index is None else f" {self.index}"
        return f"{self.severity}: {where}{self.what}{number}: {self.reason}"


@dataclass(frozen=True)
class Passage:
    """Who may pass a door, from one side and in one state of it."""

    state: str
    who: str
    side: str
    outcome: str
    passes: bool
    decided_by: str
    reason: str


@dataclass(frozen=True)
class Exported:
    """The data files that were written."""

    folder: str
    files: tuple[str, ...]
    records: tuple[Id, ...]
    left_out: tuple[str, ...]
    """The changes that data files cannot hold, with the reasons."""


@dataclass(frozen=True)
class Difference:
    """A record, a file or an entity in which two worlds differ."""

    what: str
    """cell 0xC95B0104, client_highres.dat, entity 0x7C95B001 Front Door"""
    change: str
    """added, removed or changed"""
    fields: tuple[tuple[str, str, str], ...]
    """Field, value before, value after."""
