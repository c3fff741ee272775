"""Rooms: a floor plan with heights and finishes, made into one convex cell, or several when the plan is concave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.build.cells import CellShape, StandingThing
from engine.build.errors import BuildError
from engine.build.materials import PLAIN, Finish
from engine.build.models import Mesh, Model
from engine.build.shapes.faces import Face
from engine.build.shapes.floor_plan import SEAM, PlanPart, Point2, checked_plan, convex_parts, plan_area
from engine.build.shapes.solids import Slope, cut_body, inside_out, is_convex_body, prism
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import Vec3

SMALLEST_HEIGHT = 1e-2

JUST_ABOVE = 1e-2
"""An object on a floor may have its foot a little below it, by rounding."""


@dataclass(frozen=True)
class RoomPlan:
    """A room's shape and look, without its position.

    plan      floor plan; corners in either order, concave ones are split into convex cells
    floor     height of the floor, or a Slope
    height    from floor to ceiling, parallel to it
    finish    materials
    slopes    planes that cut the room from above: the sides of a roof
    """

    plan: tuple[Point2, ...]
    floor: float | Slope = 0.0
    height: float = 3.0
    finish: Finish = PLAIN
    slopes: tuple[Slope, ...] = ()

    def hulls(self, where: str) -> list[list[Face]]:
        """The walls of each convex part, looking inwards; the largest part first."""
        plan = checked_plan(self.plan, where)
        if plan[0] != (float(self.plan[0][0]), float(self.plan[0][1])):
            # turned round by checked_plan: edge i of the author's plan is now edge n - 2 - i
            count = len(plan)
            order = {(count - 2 - i) % count: i for i in range(count)}
        else:
            order = {i: i for i in range(len(plan))}
        if self.height < SMALLEST_HEIGHT:
            raise BuildError(where, f"a height of {self.height} m leaves no room")
        parts = sorted(convex_parts(plan, where), key=lambda part: -plan_area(part.points))
        bodies = [self._body(part, order) for part in parts]
        for body in bodies:
            if len(body) < 4 or not is_convex_body(body):
                raise BuildError(where, "floor, ceiling and slopes leave no convex room over the plan")
        return [inside_out(body) for body in bodies]

    def _body(self, part: PlanPart, order: dict[int, int]) -> list[Face]:
        finish = self.finish
        sides = [finish.wall(0 if edge == SEAM else order[edge]) for edge in part.edges]
        if isinstance(self.floor, Slope):
            ceiling = self.floor.raised(self.height)
            low = min(self.floor.height_at(x, y) for x, y in part.points) - 1.0
            high = max(ceiling.height_at(x, y) for x, y in part.points) + 1.0
            body = prism(part.points, low, high, "", sides=sides, cap=finish.ceiling, base=finish.floor)
            normal, d = self.floor.plane()
            body = cut_body(body, ((-normal[0], -normal[1], -normal[2]), -d), finish.floor)
            body = cut_body(body, ceiling.plane(), finish.ceiling)
        else:
            top = self.floor + self.height
            body = prism(part.points, self.floor, top, "", sides=sides, cap=finish.ceiling, base=finish.floor)
        for slope in self.slopes:
            body = cut_body(body, slope.plane(), finish.ceiling)
        return body


@dataclass(eq=False)
class Room:
    """A room in its interior. `cells` are its convex parts; `frame` places them."""

    name: str
    plan: RoomPlan
    frame: Frame
    cells: list[CellShape]

    def cell_at(self, x: float, y: float, z: float) -> CellShape:
        """The part of the room that contains a point of the interior, or one just above it."""
        for height in (z, z + JUST_ABOVE):
            for cell in self.cells:
                if cell.contains((x, y, height)):
                    return cell
        raise BuildError(f"room {self.name!r}", f"({x:g}, {y:g}, {z:g}) is not inside it")

    def floor_at(self, x: float, y: float) -> float:
        """Height of the floor over a point of the interior's plan."""
        local = self.frame.global_to_local((x, y, 0.0))
        floor = self.plan.floor
        height = floor.height_at(local[0], local[1]) if isinstance(floor, Slope) else floor
        return self.frame.local_to_global((local[0], local[1], height))[2]

    def standing_point(self, at: Sequence[float]) -> Vec3:
        """`at` as a point of the interior: (x, y) stands on the floor, (x, y, z) is taken as it is."""
        x, y = float(at[0]), float(at[1])
        return (x, y, float(at[2]) if len(at) > 2 else self.floor_at(x, y))

    def put(self, model: Mesh | Model, at: Sequence[float], heading: float = 0.0) -> StandingThing:
        """Place a static object; coordinates and heading are those of the interior.

        It belongs to the part of the room that contains its foot.
        """
        x, y, z = self.standing_point(at)
        thing = StandingThing(model, Frame((x, y, z), from_heading(heading)))
        self.cell_at(x, y, z).things.append(thing)
        return thing

    def build_in(self, faces: Sequence[Face]) -> None:
        """Make faces part of the room itself: steps, a pillar, a well's rim. Coordinates are those of the room.

        They must lie inside one convex part of the room.
        """
        for face in faces:
            points = [self.frame.local_to_global(p) for p in face.points]
            home = next((cell for cell in self.cells if all(cell.contains(p) for p in points)), None)
            if home is None:
                raise BuildError(
                    f"room {self.name!r}", f"a built-in face at {face.points[0]} is not inside one cell of it"
                )
            home.inner.append(face)


@dataclass(frozen=True)
class Joint:
    """A doorway that a dungeon piece always has, in the piece's own space: where its wall is and how large it is.

    Without a width the whole wall is open.
    """

    at: Point2
    width: float | None = None
    height: float | None = None
    sill: float = 0.0


@dataclass(eq=False)
class Piece:
    """A room to be placed many times; all placings share one CellStruct. Spec: dat-format.md 3.4."""

    name: str
    plan: RoomPlan
    joints: list[Joint] = field(default_factory=list)
    built_in: list[Face] = field(default_factory=list)
    things: list[StandingThing] = field(default_factory=list)

    def joint(self, at: Point2, *, width: float | None = None, height: float | None = None, sill: float = 0.0) -> Piece:
        """Add a doorway in the wall nearest to `at`; give width and height, or neither for the whole wall."""
        if (width is None) != (height is None):
            raise BuildError(f"piece {self.name!r}", "a joint needs both width and height, or neither for a whole wall")
        self.joints.append(Joint(at, width, height, sill))
        return self

    def build_in(self, faces: Sequence[Face]) -> Piece:
        """Faces that every placing has: steps, a pillar."""
        self.built_in += faces
        return self

    def put(self, model: Mesh | Model, at: Vec3, heading: float = 0.0) -> Piece:
        """A static object that every placing has: coordinates and heading in the piece's own space."""
        self.things.append(StandingThing(model, Frame(at, from_heading(heading))))
        return self


def make_room(name: str, plan: RoomPlan, frame: Frame) -> Room:
    """The room's cells; parts after the first are called "name.2", "name.3"."""
    hulls = plan.hulls(f"room {name!r}")
    cells = [CellShape(name if i == 0 else f"{name}.{i + 1}", frame, hull) for i, hull in enumerate(hulls)]
    return Room(name, plan, frame, cells)
