"""Landblocks: an outdoor one with ground, buildings and things on it, or a dungeon (dat-format.md 2, 4.5)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.build.cells import StandingThing
from engine.build.entities import Entity
from engine.build.errors import BuildError
from engine.build.ground import BLOCK, BlockGround, GroundVertices
from engine.build.interiors import Interior
from engine.build.materials import Finish
from engine.build.models import Mesh, Model
from engine.build.shapes.shells import Body
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.world.entity_spec import REPORT_COLLISIONS


class Landblock:
    """One landblock being described. `ground` is None in a dungeon, whose heights are all zero."""

    number: int
    interiors: list[Interior]
    things: list[StandingThing]
    entities: list[Entity]
    ground: BlockGround | None

    def __init__(self, number: int, ground: GroundVertices | None, finish: Finish) -> None:
        if not (0 <= number <= 0xFEFE and number & 0xFF <= 0xFE):
            raise BuildError("landblock", f"0x{number:04X} is not one: columns and rows go from 00 to FE")
        self.number = number
        self.interiors = []
        self.things = []
        self.entities = []
        self._finish = finish
        self._where = f"landblock 0x{number:04X}"
        self.ground = None if ground is None else BlockGround(ground, number >> 8, number & 0xFF, self._where)

    def interior(
        self, name: str, at: Sequence[float] = (0.0, 0.0, 0.0), heading: float = 0.0, *, finish: Finish | None = None
    ) -> Interior:
        """Begin a group of rooms whose origin is `at`; (x, y) puts it on the ground."""
        if any(other.name == name for other in self.interiors):
            raise BuildError(f"interior {name!r}", f"{self._where} already has one of that name")
        interior = Interior(name, self._placed(at, heading), finish or self._finish)
        self.interiors.append(interior)
        return interior

    def building(
        self,
        name: str,
        at: Sequence[float],
        heading: float = 0.0,
        *,
        shell: Sequence[Body],
        finish: Finish | None = None,
    ) -> Interior:
        """Begin a building: an interior inside a shell of convex bodies, given in the building's space."""
        if self.ground is None:
            raise BuildError(f"building {name!r}", "a dungeon has no outdoors to build on")
        interior = self.interior(name, at, heading, finish=finish)
        interior.shell(shell)
        return interior

    def put(self, model: Mesh | Model, at: Sequence[float], heading: float = 0.0) -> StandingThing:
        """Place a static object outdoors; (x, y) stands on the ground."""
        if self.ground is None:
            raise BuildError(self._where, "a dungeon has no outdoors to put things on: put them in a room")
        thing = StandingThing(model, self._placed(at, heading))
        self.things.append(thing)
        return thing

    def entity(
        self,
        name: str,
        kind: str,
        model: Model,
        at: Sequence[float],
        heading: float = 0.0,
        *,
        state: int = REPORT_COLLISIONS,
        scale: float = 1.0,
        **extra: bool | int | float | str,
    ) -> Entity:
        """Place an entity outdoors; (x, y) stands on the ground. `extra` goes into its record as given."""
        if self.ground is None:
            raise BuildError(f"entity {name!r}", "a dungeon has no outdoors: place it with its interior")
        frame = self._placed(at, heading)
        if not (0.0 <= frame.origin[0] < BLOCK and 0.0 <= frame.origin[1] < BLOCK):
            raise BuildError(f"entity {name!r}", f"({at[0]:g}, {at[1]:g}) is not in {self._where}")
        entity = Entity(name, kind, model, frame, None, state, scale, dict(extra))
        self.entities.append(entity)
        return entity

    def _placed(self, at: Sequence[float], heading: float) -> Frame:
        x, y = float(at[0]), float(at[1])
        ground = 0.0 if self.ground is None or len(at) > 2 else self.ground.height_at(x, y)
        z = float(at[2]) if len(at) > 2 else ground
        return Frame((x, y, z), from_heading(heading))
