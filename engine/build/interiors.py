"""Interiors: rooms, their openings and a shell around them, in one space; the calls that a description is made of.

Coordinates of everything in an interior are its own; `frame` places it in the landblock. The cells of an interior see
each other through portals, and its building portals list them all (dat-format.md 2.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.build.cells import CellShape, Gap, cells_overlap, wall_pairs
from engine.build.doors import door_model
from engine.build.entities import DOOR_CLOSED, DOOR_OPEN, Entity, Extra
from engine.build.errors import BuildError
from engine.build.materials import Finish
from engine.build.models import Model
from engine.build.rooms import Joint, Piece, Room, RoomPlan, make_room
from engine.build.shapes.faces import Face, centre_of
from engine.build.shapes.floor_plan import Point2
from engine.build.shapes.shells import Body, Shell, make_shell
from engine.build.shapes.solids import Slope
from engine.build.shapes.wall_openings import (
    THICKEST_WALL,
    TOUCHING,
    Outline,
    WallOpening,
    common_part,
    is_upright,
    join,
    join_levels,
    make_exit,
    make_joint,
    make_opening,
    wall_toward,
)
from engine.geometry.elementary import distance_between
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import Vec3
from engine.world.entity_spec import REPORT_COLLISIONS


class Outdoors:
    """The other side of an opening that leads out."""

    name = "outdoors"


OUTDOORS = Outdoors()


JOINT_TOLERANCE = 1e-3
"""Joints of pieces meet when their corners are nearer than this."""


class Interior:
    """Rooms that belong together, begun by a landblock; describe the shell, if any, before the openings outdoors."""

    name: str
    frame: Frame
    finish: Finish
    rooms: dict[str, Room]
    cells: list[CellShape]
    openings: list[WallOpening]
    exits: list[Gap]
    entities: list[Entity]
    outer: Shell | None

    def __init__(self, name: str, frame: Frame, finish: Finish) -> None:
        self.name = name
        self.frame = frame
        self.finish = finish
        self.rooms = {}
        self.cells = []
        self.openings = []
        self.exits = []
        self.entities = []
        self.outer = None
        self._loose: list[Gap] = []

    # rooms

    def room(
        self,
        name: str,
        plan: Sequence[Point2],
        *,
        floor: float | Slope = 0.0,
        height: float = 3.0,
        finish: Finish | None = None,
        slopes: Sequence[Slope] = (),
    ) -> Room:
        """Add a room over a floor plan; a concave plan becomes several cells open to each other.

        `slopes` cut it from above (an attic: `roof.under()`); `finish` defaults to the interior's.
        """
        shape = RoomPlan(tuple(plan), floor, height, finish or self.finish, tuple(slopes))
        return self._add_room(make_room(name, shape, Frame()))

    def piece(
        self,
        name: str,
        plan: Sequence[Point2],
        *,
        floor: float | Slope = 0.0,
        height: float = 3.0,
        finish: Finish | None = None,
        slopes: Sequence[Slope] = (),
    ) -> Piece:
        """Describe a room that `place` puts down many times; its placings share one CellStruct."""
        return Piece(name, RoomPlan(tuple(plan), floor, height, finish or self.finish, tuple(slopes)))

    def place(
        self, piece: Piece, name: str, at: Sequence[float], heading: float = 0.0, *, finish: Finish | None = None
    ) -> Room:
        """Put a piece down, turned to a compass heading. Its joints open where they meet those of pieces already there.

        Joints left over lead nowhere and are refused when the world is built, unless `doorway` uses their wall.
        """
        origin = (float(at[0]), float(at[1]), float(at[2]) if len(at) > 2 else 0.0)
        shape = piece.plan if finish is None else replace(piece.plan, finish=finish)
        room = make_room(name, shape, Frame(origin, from_heading(heading)))
        self._add_room(room)
        room.build_in(piece.built_in)
        for joint in piece.joints:
            self._open_joint(room, joint)
        for thing in piece.things:
            room.put(thing.model, room.frame.local_to_global(thing.frame.origin), heading + thing.frame.heading())
        return room

    def _add_room(self, room: Room) -> Room:
        where = f"room {room.name!r}"
        if room.name in self.rooms:
            raise BuildError(where, f"{self.name!r} already has a room of that name")
        for cell in room.cells:
            self._check_free(cell, where, room.cells)
        self.rooms[room.name] = room
        self.cells += room.cells
        for pair in wall_pairs(room.cells, room.cells, TOUCHING):
            if room.cells.index(pair.first) < room.cells.index(pair.second):
                make_opening(pair, common_part(pair), where, room.name, "", "", solid=False)
        return room

    def _check_free(self, cell: CellShape, where: str, kin: Sequence[CellShape]) -> None:
        for other in self.cells:
            if other not in kin and cells_overlap(cell, other):
                raise BuildError(where, f"it overlaps {other.name!r}: cells must not share space")

    def _open_joint(self, room: Room, joint: Joint) -> None:
        where = f"room {room.name!r}"
        if joint.width is None or joint.height is None:
            cell, wall = _nearest_wall(room, joint.at, where)
            points: Sequence[Vec3] = cell.walls[wall].points
        else:
            # in the piece's own space, so that all placings get the same numbers
            own_walls = [(cell, i, list(face.points)) for cell in room.cells for i, face in enumerate(cell.walls)]
            cell, wall, points = wall_toward(own_walls, joint.at, Outline(joint.width, joint.height), joint.sill, where)
        gap = cell.add_gap(wall, points, where, solid=False)
        mate = next((other for other in self._loose if _same_place(other, gap)), None)
        if mate is None:
            self._loose.append(gap)
        else:
            self._loose.remove(mate)
            before = next(other for other in self.rooms.values() if mate.cell in other.cells)
            opening = make_joint(mate, gap, f"{before.name}-{room.name}")
            opening.rooms = (before.name, room.name)
            self.openings.append(opening)

    # openings

    def doorway(
        self,
        first: Room,
        second: Room | Outdoors,
        at: Sequence[float] | None = None,
        *,
        width: float = 1.0,
        height: float = 2.1,
        sill: float = 0.0,
        arch: float = 0.0,
        solid: bool = False,
        depth: float = 0.3,
        name: str | None = None,
    ) -> WallOpening:
        """An opening between two rooms, or outdoors.

        at      (x, y) at the wall, or (x, y, z) of the middle of its foot; not needed where the rooms share one wall
        sill    height of its foot over that of the first room's wall
        arch    rise of an arch on top of `height`
        solid   seen through, not walked through
        depth   thickness of the outer wall of an interior without a shell
        """
        outline = Outline(width, height, arch)
        label = name or f"{first.name}-{second.name}"
        where = f"opening {label!r}"
        lining, tread = self._lining(first)
        if isinstance(second, Outdoors):
            if at is None:
                raise BuildError(where, "an opening outdoors needs at=(x, y)")
            return self._exit(first, at, outline, sill, depth, where, label, solid=solid)
        pair, points = join(first, second, at, outline, sill, where)
        opening = make_opening(pair, points, where, self._cell_name(label), lining, tread, solid=solid)
        return self._opened(opening, first.name, second.name)

    def open_wall(self, first: Room, second: Room, at: Sequence[float] | None = None) -> WallOpening:
        """Leave out the whole wall that two rooms share: rooms side by side become one space."""
        where = f"opening '{first.name}-{second.name}'"
        pair, points = join(first, second, at, None, 0.0, where)
        lining, tread = self._lining(first)
        name = self._cell_name(f"{first.name}-{second.name}")
        return self._opened(
            make_opening(pair, points, where, name, lining, tread, solid=False), first.name, second.name
        )

    def hatch(
        self, upper: Room, lower: Room, plan: Sequence[Point2], *, solid: bool = False, name: str | None = None
    ) -> WallOpening:
        """A hole in the upper room's floor and the lower one's ceiling, over a convex plan."""
        label = name or f"{upper.name}-{lower.name}"
        where = f"hatch {label!r}"
        pair, points = join_levels(upper, lower, plan, where)
        lining, _ = self._lining(upper)
        opening = make_opening(pair, points, where, self._cell_name(label), lining, lining, solid=solid)
        return self._opened(opening, upper.name, lower.name)

    def window(
        self,
        first: Room,
        second: Room | Outdoors = OUTDOORS,
        at: Sequence[float] | None = None,
        *,
        width: float = 1.0,
        height: float = 1.1,
        sill: float = 0.9,
        arch: float = 0.0,
        glass: str | None = "glass",
        depth: float = 0.3,
        name: str | None = None,
    ) -> WallOpening:
        """An opening that is seen through but not walked through, with a pane of `glass` if it has depth."""
        opening = self.doorway(
            first,
            second,
            at,
            width=width,
            height=height,
            sill=sill,
            arch=arch,
            solid=True,
            depth=depth,
            name=name or f"{first.name} window",
        )
        if glass is not None and opening.cell is not None:
            opening.cell.inner.append(_pane(opening.cell, glass))
        return opening

    def door(
        self,
        first: Room,
        second: Room | Outdoors,
        at: Sequence[float] | None = None,
        *,
        width: float = 1.0,
        height: float = 2.1,
        depth: float = 0.3,
        leaves: int = 1,
        hinge: str = "left",
        material: str = "wood",
        locked: bool = False,
        is_open: bool = False,
        name: str | None = None,
        **extra: bool | int | float | str,
    ) -> Entity:
        """A doorway with a door in it, its front looking from the first room onwards; `extra` goes into its entity."""
        opening = self.doorway(first, second, at, width=width, height=height, depth=depth, name=None)
        return self.hang_door(
            opening, leaves=leaves, hinge=hinge, material=material, locked=locked, is_open=is_open, name=name, **extra
        )

    def hang_door(
        self,
        opening: WallOpening,
        *,
        leaves: int = 1,
        hinge: str = "left",
        material: str = "wood",
        locked: bool = False,
        is_open: bool = False,
        name: str | None = None,
        **extra: bool | int | float | str,
    ) -> Entity:
        """Hang a door in an existing opening."""
        width, height = opening.size
        thickness = min(0.08, opening.thickness * 0.5) if opening.cell is not None else 0.08
        model = door_model(width, height, thickness=thickness, leaves=leaves, material=material, hinge=hinge)
        own: Extra = {"locked": locked, "open": is_open, **extra}
        entity = Entity(
            name or f"{opening.name} door",
            "door",
            model,
            opening.frame,
            opening.home,
            DOOR_OPEN if is_open else DOOR_CLOSED,
            extra=own,
        )
        self.entities.append(entity)
        return entity

    def between(self, first: Room, second: Room | Outdoors) -> WallOpening:
        """The one opening that joins two rooms, or a room with the outdoors; also where two pieces have met."""
        found = [opening for opening in self.openings if set(opening.rooms) == {first.name, second.name}]
        if len(found) != 1:
            raise BuildError(f"opening '{first.name}-{second.name}'", f"there are {len(found)} between them")
        return found[0]

    # the shell and entities

    def shell(self, bodies: Sequence[Body]) -> None:
        """Give the interior an outer shell: the union of convex bodies (`walls`, `gable_roof(...).body`, `box`)."""
        if self.outer is not None:
            raise BuildError(f"building {self.name!r}", "it has a shell already")
        if self.exits:
            raise BuildError(
                f"building {self.name!r}", "describe the shell before the openings outdoors: they are cut into it"
            )
        self.outer = make_shell(f"{self.name} shell", bodies)

    def entity(
        self,
        name: str,
        kind: str,
        model: Model,
        room: Room,
        at: Sequence[float],
        heading: float = 0.0,
        *,
        state: int = REPORT_COLLISIONS,
        scale: float = 1.0,
        **extra: bool | int | float | str,
    ) -> Entity:
        """Place an entity in a room; `extra` goes into its record as given."""
        x, y, z = room.standing_point(at)
        own: Extra = dict(extra)
        entity = Entity(
            name, kind, model, Frame((x, y, z), from_heading(heading)), room.cell_at(x, y, z), state, scale, own
        )
        self.entities.append(entity)
        return entity

    def check_closed(self) -> None:
        """Refuse joints of pieces that lead nowhere."""
        if self._loose:
            loose = self._loose[0]
            x, y, z = loose.cell.frame.local_to_global(centre_of(loose.points))
            raise BuildError(
                f"room {loose.cell.name!r}", f"its joint at ({x:g}, {y:g}, {z:g}) meets no joint of another piece"
            )

    def _exit(
        self,
        first: Room,
        at: Sequence[float],
        outline: Outline,
        sill: float,
        depth: float,
        where: str,
        label: str,
        *,
        solid: bool,
    ) -> WallOpening:
        walls = [(cell, i, cell.wall_in_interior(i)) for cell in first.cells for i in range(len(cell.walls))]
        cell, wall, points = wall_toward(walls, at, outline, sill, where)
        thickness = depth
        if self.outer is not None:
            behind = self.outer.wall_behind(cell.wall_in_interior(wall), points, THICKEST_WALL)
            if behind is None:
                raise BuildError(
                    where, f"the shell of {self.name!r} has no wall behind that place within {THICKEST_WALL:g} m"
                )
            thickness = behind
        lining, tread = self._lining(first)
        opening, gap = make_exit(
            cell, wall, points, thickness, where, self._cell_name(label), lining, tread, solid=solid, shell=self.outer
        )
        self.exits.append(gap)  # in the order of the shell's openings: the portal indices
        return self._opened(opening, first.name, Outdoors.name)

    def _opened(self, opening: WallOpening, first: str, second: str) -> WallOpening:
        opening.rooms = (first, second)
        if opening.cell is not None:
            self._check_free(opening.cell, f"opening {opening.name!r}", ())
            self.cells.append(opening.cell)
        self.openings.append(opening)
        return opening

    def _lining(self, room: Room) -> tuple[str, str]:
        finish = room.plan.finish
        return finish.wall(0), finish.floor

    def _cell_name(self, label: str) -> str:
        taken = {cell.name for cell in self.cells}
        name, count = label, 1
        while name in taken:
            count += 1
            name = f"{label}.{count}"
        return name


def _nearest_wall(room: Room, at: Sequence[float], where: str) -> tuple[CellShape, int]:
    """The upright wall whose middle is nearest to `at`, both in the room's own space."""
    upright = [(cell, i) for cell in room.cells for i, wall in enumerate(cell.walls) if is_upright(wall.points)]
    if not upright:
        raise BuildError(where, "it has no upright wall")
    return min(upright, key=lambda item: distance_between(centre_of(item[0].walls[item[1]].points)[:2], (at[0], at[1])))


def _same_place(a: Gap, b: Gap) -> bool:
    """Whether two gaps have the same corners in their interior."""
    points_a = [a.cell.frame.local_to_global(p) for p in a.points]
    points_b = [b.cell.frame.local_to_global(p) for p in b.points]
    return len(points_a) == len(points_b) and all(
        min(distance_between(p, q) for q in points_b) < JOINT_TOLERANCE for p in points_a
    )


def _pane(cell: CellShape, material: str) -> Face:
    """A sheet midway through a doorway cell."""
    near, far = cell.walls[0].points, cell.walls[1].points
    # wall 1 has the winding of the room's own outline, wall 0 the opposite one: corner i faces corner n - 1 - i
    middle = tuple(centre_of([far[i], near[len(near) - 1 - i]]) for i in range(len(far)))
    return Face(middle, material, solid=False)
