"""An entity in the world: its model, its state, where it stands, and the body or motion it may have
(physics.md 8.1, 8.7)."""

from __future__ import annotations

from engine.entities.bodies import EntityBody
from engine.entities.body_state import visit_body, visit_performer
from engine.entities.motion_player import MotionPlayer
from engine.entities.state_io import StateIO
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.objects.physics_object import ShadowShape
from engine.physics.objects.shapes import occupancy_sphere, shapes_from_setup
from engine.world.cells.objects import Setup


class Entity:
    """One thing with an id. Its PhysicsState is the registry's; a body, if it has one, holds the same bits.

    `spec` is how the entity was asked for, packed: two entities of one spec differ in nothing but what has happened.
    """

    id: int
    name: str
    kind: str
    setup: Setup
    scale: float
    flags: int
    spec: bytes
    opens_doors: bool
    """The entity uses closed doors that it bumps into (9.2)."""
    lets_everybody_in: bool
    activates: list[int]
    """The ids of the doors that using it, or stepping on it, uses: what a switch or a plate is linked to."""
    guests: list[int]
    """The ids of the entities that may enter the cells that it guards, if it is a house's barrier (6.5)."""
    cell_id: int
    frame: Frame
    body: EntityBody | None
    motions: MotionPlayer | None

    def __init__(
        self, entity_id: int, name: str, kind: str, setup: Setup, scale: float, flags: int, cell_id: int, frame: Frame
    ) -> None:
        self.id = entity_id
        self.name = name
        self.kind = kind
        self.setup = setup
        self.scale = scale
        self.flags = flags
        self.spec = b""
        self.opens_doors = False
        self.lets_everybody_in = False
        self.activates = []
        self.guests = []
        self.cell_id = cell_id
        self.frame = frame
        self.body = None
        self.motions = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(0x{self.id:08X} {self.name!r})"

    def shapes(self) -> list[ShadowShape]:
        """Return the shapes that bodies collide with."""
        return shapes_from_setup(self.setup, self.scale, self.collision_pose())

    def collision_pose(self) -> list[Frame] | None:
        """The pose that its parts collide in, where that is not the setup's placement (8.3)."""
        return None

    def sorting_sphere(self) -> Sphere:
        """The sphere that its cells are searched with."""
        return occupancy_sphere(self.setup)

    def body_spheres(self) -> list[Sphere]:
        """The spheres that the entity sweeps with, unscaled; a body without any is swept as a small dummy sphere."""
        return [sphere.copy() for sphere in self.setup.spheres]

    def place_cell(self) -> int:
        body = self.body
        return self.cell_id if body is None else body.place.cell_id

    def place_frame(self) -> Frame:
        """Its frame in the landblock of `place_cell`."""
        body = self.body
        return self.frame if body is None else body.place.frame()

    def origin(self) -> Vec3:
        body = self.body
        return self.frame.origin if body is None else body.place.origin

    def pose(self, seconds: float) -> list[Frame]:
        """The frames at which its parts are drawn at a time of the simulation, relative to the entity."""
        pose: list[Frame] = []
        motions = self.motions
        if motions is not None:
            pose = motions.pose(seconds)
        setup = self.setup
        return [pose[i] if i < len(pose) else setup.part_frame(i) for i in range(len(setup.parts))]

    def visit(self, io: StateIO) -> None:
        """Visit everything that changes about the entity except its registration."""
        body = self.body
        if body is not None:
            visit_body(io, body)
            if body.performer is not None:
                visit_performer(io, body.performer)
        else:
            self.cell_id = io.integer("cell", self.cell_id)
            origin = io.vec("origin", self.frame.origin)
            rotation = io.quat("rotation", self.frame.rotation)
            if io.reading:
                self.frame = Frame(origin, rotation)
        motions = self.motions
        if motions is not None:
            motions.visit(io)
