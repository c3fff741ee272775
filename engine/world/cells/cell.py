"""The cells: rooms (EnvCell), squares of land (LandCell), the structures that rooms share, and buildings
(physics.md 6.2, 6.3).

A cell is data and three questions: is this point, sphere or box inside. How bodies move through cells, the transit and
cell-list routines, is `engine.physics`; which cell is meant by an id is `engine.world.graph`. Code that walks a mixed
list of cells asks `cell.is_interior`, never for the class. Everything about a cell is in the frame of its landblock,
but for what is said to be "in the cell's own frame": its polygons, trees and portals.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.box import Box
from engine.geometry.bsp import PhysicsTree
from engine.geometry.cell_bsp import OUTSIDE, CellNode
from engine.geometry.drawing_bsp import DrawingNode
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.world.cells.objects import GfxObj, MakeDrawingTree, ShadowObject, StaticObject
from engine.world.cells.portals import BldPortal, CellPortal
from engine.world.cells.terrain import NOT_WATER, Terrain
from engine.world.faults import Fault

SEEN_OUTSIDE: Final = 0x1
HAS_STATIC_OBJECTS: Final = 0x2
HAS_RESTRICTION: Final = 0x8

NO_RESTRICTION: Final = 0


class CellStruct:
    """The shape of a room, shared by all cells that name the same environment and structure; never changed in place.

    `polygons` are the visible ones (portals name these), `physics_polygons` those that collide; both by their ids and
    in the structure's own frame. `cell_tree` None: cells of this shape contain nothing and cannot be found. `record`
    holds what drawing needs beyond the shape.
    """

    environment_id: int
    index: int
    vertices: list[Vec3]
    polygons: dict[int, Polygon]
    portal_ids: list[int]
    physics_polygons: dict[int, Polygon]
    physics_tree: PhysicsTree | None
    cell_tree: CellNode | None
    record: object
    faults: list[Fault]
    _drawing_tree: DrawingNode | None
    _make_drawing_tree: MakeDrawingTree | None

    def __init__(
        self,
        environment_id: int,
        index: int,
        vertices: list[Vec3],
        polygons: dict[int, Polygon],
        portal_ids: list[int],
        physics_polygons: dict[int, Polygon],
        physics_tree: PhysicsTree | None,
        cell_tree: CellNode | None,
        drawing_tree: DrawingNode | None,
        record: object,
    ) -> None:
        self.environment_id = environment_id
        self.index = index
        self.vertices = vertices
        self.polygons = polygons
        self.portal_ids = portal_ids
        self.physics_polygons = physics_polygons
        self.physics_tree = physics_tree
        self.cell_tree = cell_tree
        self._drawing_tree = drawing_tree
        self._make_drawing_tree = None
        self.record = record
        self.faults = []

    def see_later(self, make_drawing_tree: MakeDrawingTree) -> None:
        """Make the drawing tree when it is first asked for; neither physics nor visibility does."""
        self._make_drawing_tree = make_drawing_tree

    @property
    def has_drawing_tree(self) -> bool:
        """Asked without making it; a damaged one may still turn out to be none."""
        return self._make_drawing_tree is not None or self._drawing_tree is not None

    @property
    def drawing_tree(self) -> DrawingNode | None:
        make = self._make_drawing_tree
        if make is not None:
            self._make_drawing_tree = None
            self._drawing_tree = make()
        return self._drawing_tree

    def __repr__(self) -> str:
        return f"CellStruct(0x{self.environment_id:08X}/{self.index})"


class ObjCell:
    """The base of all cells. The trees are None on land and on a room that came without them.

    `object_list` and `shadow_objects` say what is in the cell during a run. They alone change; `fork` gives each
    simulation a cell with lists of its own, and everything else is shared.
    """

    id: int
    frame: Frame
    is_interior: bool
    water_type: int
    restriction_object: int
    stab_list: list[int]
    stab_set: set[int]
    seen_outside: bool
    static_objects: list[StaticObject]
    object_list: list[int]
    shadow_objects: list[ShadowObject]
    physics_tree: PhysicsTree | None
    cell_tree: CellNode | None
    faults: list[Fault]

    def __init__(self, cell_id: int, frame: Frame, is_interior: bool) -> None:
        self.id = cell_id
        self.frame = frame
        self.is_interior = is_interior
        self.water_type = NOT_WATER
        self.restriction_object = NO_RESTRICTION
        self.stab_list = []
        self.stab_set = set()
        self.seen_outside = not is_interior
        self.static_objects = []
        self.object_list = []
        self.shadow_objects = []
        self.physics_tree = None
        self.cell_tree = None
        self.faults = []

    def __repr__(self) -> str:
        return f"{type(self).__name__}(0x{self.id:08X})"

    def fork(self) -> ObjCell:
        """The same cell with nothing in it yet, for another simulation."""
        forked = ObjCell(self.id, self.frame, self.is_interior)
        forked._share(self)
        return forked

    def _share(self, original: ObjCell) -> None:
        self.water_type = original.water_type
        self.restriction_object = original.restriction_object
        self.stab_list = original.stab_list
        self.stab_set = original.stab_set
        self.seen_outside = original.seen_outside
        self.static_objects = original.static_objects
        self.physics_tree = original.physics_tree
        self.cell_tree = original.cell_tree
        self.faults = original.faults

    def point_in_cell(self, p: Vec3) -> bool:
        """Whether the cell contains a point of its landblock's frame."""
        return False

    def point_in_tree(self, p: Vec3) -> bool:
        """Whether the cell's shape alone contains a point, as the server tests it (rule `portalless_cell`)."""
        return False

    def sphere_intersects_cell(self, sphere: Sphere) -> int:
        """OUTSIDE, PARTIALLY or ENTIRELY for a sphere in the cell's own frame; land answers OUTSIDE, it has no tree."""
        return OUTSIDE

    def box_intersects_cell(self, box: Box) -> bool:
        """Whether a box in the cell's own frame reaches into the cell."""
        return False

    def set_stab_list(self, ids: list[int]) -> None:
        """Put the full ids of the cells that are seen from here, in the order of the record."""
        self.stab_list = ids
        self.stab_set = set(ids)


class EnvCell(ObjCell):
    """A room: a shared structure in a frame of its own, with its portals.

    A room without a portal contains no point: nobody can stand in it, though its walls are solid
    (physics.md #33). `portals_left_out`: its source is one of those whose rooms count as having a portal,
    because they were cut out of a world without them (dumps, golden scenes, the cases of the specification).
    """

    structure: CellStruct
    portals: list[CellPortal]
    portals_left_out: bool
    surfaces: list[int]
    flags: int

    def __init__(
        self,
        cell_id: int,
        frame: Frame,
        structure: CellStruct,
        portals: list[CellPortal],
        stab_list: list[int],
        flags: int,
        surfaces: list[int],
    ) -> None:
        super().__init__(cell_id, frame, True)
        self.structure = structure
        self.portals = portals
        self.portals_left_out = False
        self.surfaces = surfaces
        self.flags = flags
        self.seen_outside = (flags & SEEN_OUTSIDE) != 0
        self.physics_tree = structure.physics_tree
        self.cell_tree = structure.cell_tree
        self.set_stab_list(stab_list)

    def fork(self) -> EnvCell:
        forked = EnvCell(self.id, self.frame, self.structure, self.portals, [], self.flags, self.surfaces)
        forked._share(self)
        forked.portals_left_out = self.portals_left_out
        return forked

    def point_in_cell(self, p: Vec3) -> bool:
        tree = self.cell_tree
        if tree is None or (len(self.portals) == 0 and not self.portals_left_out):
            return False
        return tree.point_inside_cell_bsp(self.frame.global_to_local(p))

    def point_in_tree(self, p: Vec3) -> bool:
        tree = self.cell_tree
        return tree is not None and tree.point_inside_cell_bsp(self.frame.global_to_local(p))

    def sphere_intersects_cell(self, sphere: Sphere) -> int:
        tree = self.cell_tree
        if tree is None:
            return OUTSIDE
        return tree.sphere_intersects_cell_bsp(sphere)

    def box_intersects_cell(self, box: Box) -> bool:
        tree = self.cell_tree
        if tree is None:
            return False
        return tree.box_intersects_cell_bsp(box.corners())

    def has_exit(self) -> bool:
        """One of the portals leads outdoors."""
        return any(portal.leads_outside for portal in self.portals)


class SortCell(ObjCell):
    """A cell that can own a building."""

    building: Building | None

    def __init__(self, cell_id: int, frame: Frame) -> None:
        super().__init__(cell_id, frame, False)
        self.building = None

    def fork(self) -> SortCell:
        forked = SortCell(self.id, self.frame)
        forked._share(self)
        forked.building = self.building
        return forked


class LandCell(SortCell):
    """A square of 24 m of its landblock's terrain, in landblock coordinates; a point is inside whatever its height."""

    terrain: Terrain

    def __init__(self, cell_id: int, terrain: Terrain, original: LandCell | None = None) -> None:
        """`original` is the cell of which this one is a fork; only its occupants are not taken over."""
        super().__init__(cell_id, Frame() if original is None else original.frame)
        self.terrain = terrain
        if original is None:
            self.water_type = terrain.cell_water_type(cell_id)
        else:
            self._share(original)
            self.building = original.building

    def fork(self) -> LandCell:
        return LandCell(self.id, self.terrain, self)

    @property
    def polygons(self) -> list[Polygon]:
        """The square's two triangles."""
        return self.terrain.polygons(self.id)

    def find_terrain_poly(self, p: Vec3) -> Polygon | None:
        """The first of the two triangles that the point lies over or under (10.3)."""
        return self.terrain.find_terrain_poly(self.id, p)

    def point_in_cell(self, p: Vec3) -> bool:
        return self.terrain.find_terrain_poly(self.id, p) is not None

    def point_in_tree(self, p: Vec3) -> bool:
        return self.point_in_cell(p)

    def water_depth(self, p: Vec3) -> float:
        """How far feet at the point sink below the surface (10.5)."""
        return self.terrain.water_depth(self.id, p)


class Building:
    """A shell on the land with entries into rooms. It belongs to the land cell that contains its origin.

    `shell` is the model's first part, the only one that collides; None when the model could not be loaded.
    """

    id: int
    cell_id: int
    model_id: int
    frame: Frame
    shell: GfxObj | None
    portals: list[BldPortal]
    leaf_count: int
    faults: list[Fault]

    def __init__(
        self,
        object_id: int,
        cell_id: int,
        model_id: int,
        frame: Frame,
        shell: GfxObj | None,
        portals: list[BldPortal],
        leaf_count: int,
    ) -> None:
        self.id = object_id
        self.cell_id = cell_id
        self.model_id = model_id
        self.frame = frame
        self.shell = shell
        self.portals = portals
        self.leaf_count = leaf_count
        self.faults = []

    def __repr__(self) -> str:
        return f"Building(0x{self.model_id:08X} in 0x{self.cell_id:08X})"
