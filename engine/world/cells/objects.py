"""Models and the things placed in the world: GfxObj, Setup, static objects, and the base of shadow entries
(physics.md 6.2, 6.7, 8.2-8.3; dat-format.md 3.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.geometry.box import Box
from engine.geometry.bsp import PhysicsTree
from engine.geometry.drawing_bsp import DrawingNode
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import Vec3
from engine.world.faults import Fault

RESTING: Final = 0x65
"""The placement key of a thing that stands in the world (dat-format.md A.4)."""

DEFAULT_PLACEMENT: Final = 0

FIRST_SETUP_ID: Final = 0x02000000
NO_PARENT: Final = 0xFFFFFFFF

_STATIC_OBJECT_ID: Final = 1 << 48


MakePolygons = Callable[[], dict[int, Polygon]]
MakeDrawingTree = Callable[[], "DrawingNode | None"]


def is_setup_id(model_id: int) -> bool:
    """Models are named by a GfxObj (0x01......) or a Setup (0x02......) id."""
    return model_id >> 24 == FIRST_SETUP_ID >> 24


def static_object_id(owner_id: int, index: int) -> int:
    """The id of the `index`-th static thing of a cell or landblock record.

    Data files give static things no id, and things are told apart by id (physics.md 6.5), so each gets one made of its
    owner's id and its place in the list: the same on every load, and above all 32-bit ids of entities.
    """
    return _STATIC_OBJECT_ID | (owner_id << 16) | index


class ShadowObject:
    """The entry in a cell's `shadow_objects` that makes a thing collidable there.

    Cells only hold the list. `engine.physics` derives its rows from this class and reads them back with a checked cast,
    which compiled code does by comparing a type pointer; the shape, pose and state that rows carry are physics'
    business.
    """

    object_id: int

    def __init__(self, object_id: int) -> None:
        self.object_id = object_id


class GfxObj:
    """A mesh: its polygons by id, the trees over them, and bounds in its own space.

    What is only seen, the visible polygons and the drawing tree, may be made when it is first asked for (`see_later`).
    `bounding_sphere` is what physics tests (the physics tree's root sphere, else the drawing tree's, else None);
    `drawing_sphere` is the drawing tree's. `drawn_flat`: it always turns to the camera, so its box says nothing about
    the land that it covers (physics.md #20). `record` holds what drawing needs beyond the shape (surfaces
    and texture coordinates).
    """

    id: int
    physics_polygons: dict[int, Polygon]
    physics_tree: PhysicsTree | None
    bounding_sphere: Sphere | None
    drawing_sphere: Sphere | None
    box: Box
    sort_center: Vec3
    surfaces: list[int]
    degrade_id: int
    drawn_flat: bool
    record: object
    faults: list[Fault]
    _polygons: dict[int, Polygon]
    _make_polygons: MakePolygons | None
    _drawing_tree: DrawingNode | None
    _make_drawing_tree: MakeDrawingTree | None

    def __init__(
        self,
        gfxobj_id: int,
        polygons: dict[int, Polygon],
        physics_polygons: dict[int, Polygon],
        physics_tree: PhysicsTree | None,
        drawing_tree: DrawingNode | None,
        bounding_sphere: Sphere | None,
        drawing_sphere: Sphere | None,
        box: Box,
        sort_center: Vec3,
        surfaces: list[int],
        degrade_id: int,
        record: object,
    ) -> None:
        self.id = gfxobj_id
        self._polygons = polygons
        self._make_polygons = None
        self.physics_polygons = physics_polygons
        self.physics_tree = physics_tree
        self._drawing_tree = drawing_tree
        self._make_drawing_tree = None
        self.bounding_sphere = bounding_sphere
        self.drawing_sphere = drawing_sphere
        self.box = box
        self.sort_center = sort_center
        self.surfaces = surfaces
        self.degrade_id = degrade_id
        self.drawn_flat = False
        self.record = record
        self.faults = []

    def __repr__(self) -> str:
        return f"GfxObj(0x{self.id:08X})"

    def see_later(self, make_polygons: MakePolygons, make_drawing_tree: MakeDrawingTree) -> None:
        """Make the visible polygons and the drawing tree when they are first asked for."""
        self._make_polygons = make_polygons
        self._make_drawing_tree = make_drawing_tree

    @property
    def polygons(self) -> dict[int, Polygon]:
        """The visible polygons."""
        make = self._make_polygons
        if make is not None:
            self._make_polygons = None
            self._polygons = make()
        return self._polygons

    @property
    def drawing_tree(self) -> DrawingNode | None:
        make = self._make_drawing_tree
        if make is not None:
            self._make_drawing_tree = None
            self._drawing_tree = make()
        return self._drawing_tree


class SetupPart:
    """One mesh of a setup; `gfxobj` is None when it could not be loaded."""

    gfxobj_id: int
    gfxobj: GfxObj | None
    scale: Vec3
    parent: int

    def __init__(self, gfxobj_id: int, gfxobj: GfxObj | None, scale: Vec3, parent: int = NO_PARENT) -> None:
        self.gfxobj_id = gfxobj_id
        self.gfxobj = gfxobj
        self.scale = scale
        self.parent = parent


class Setup:
    """A model assembled of parts, with the shapes that collide and the numbers that movement needs.

    A bare GfxObj that stands for a model is a setup of one part at the origin whose id is the GfxObj's.
    """

    id: int
    parts: list[SetupPart]
    placements: dict[int, list[Frame]]
    cyl_spheres: list[CylSphere]
    spheres: list[Sphere]
    height: float
    radius: float
    step_up_height: float
    step_down_height: float
    sorting_sphere: Sphere
    selection_sphere: Sphere
    allow_free_heading: bool
    default_animation: int
    default_script: int
    default_motion_table: int
    default_sound_table: int
    default_script_table: int
    record: object
    faults: list[Fault]

    def __init__(
        self,
        setup_id: int,
        parts: list[SetupPart],
        placements: dict[int, list[Frame]],
        cyl_spheres: list[CylSphere],
        spheres: list[Sphere],
        sorting_sphere: Sphere,
        selection_sphere: Sphere,
        record: object = None,
    ) -> None:
        self.id = setup_id
        self.parts = parts
        self.placements = placements
        self.cyl_spheres = cyl_spheres
        self.spheres = spheres
        self.height = 0.0
        self.radius = 0.0
        self.step_up_height = 0.0
        self.step_down_height = 0.0
        self.sorting_sphere = sorting_sphere
        self.selection_sphere = selection_sphere
        self.allow_free_heading = False
        self.default_animation = 0
        self.default_script = 0
        self.default_motion_table = 0
        self.default_sound_table = 0
        self.default_script_table = 0
        self.record = record
        self.faults = []

    def __repr__(self) -> str:
        return f"Setup(0x{self.id:08X})"

    def has_physics_bsp(self) -> bool:
        """At least one part has a physics tree; what a static thing's HAS_PHYSICS_BSP state is made of (8.3)."""
        for part in self.parts:
            gfxobj = part.gfxobj
            if gfxobj is not None and gfxobj.physics_tree is not None:
                return True
        return False

    def part_frame(self, index: int) -> Frame:
        """The frame of part `index`: Resting, else Default, else the origin (physics.md #21).

        Without either the client leaves the part at its landblock's corner; ours stays with the object.
        """
        frames = self.placements.get(RESTING)
        if frames is None:
            frames = self.placements.get(DEFAULT_PLACEMENT)
        if frames is None or index >= len(frames):
            return Frame()
        return frames[index]


class StaticObject:
    """A model placed once and for all by a cell's or a landblock's record, in landblock coordinates.

    `solid` holds the collision shapes that physics makes of it, once for all simulations of the world.
    """

    id: int
    model_id: int
    frame: Frame
    scale: float
    solid: object

    def __init__(self, object_id: int, model_id: int, frame: Frame, scale: float = 1.0) -> None:
        self.id = object_id
        self.model_id = model_id
        self.frame = frame
        self.scale = scale
        self.solid = None

    def __repr__(self) -> str:
        return f"StaticObject(0x{self.model_id:08X} at {self.frame.origin!r})"
