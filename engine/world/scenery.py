"""Scenery: trees and rocks that no record holds; every client derives the same from the terrain words.
Spec: dat-format.md chapter 6.

All hashes are 32-bit unsigned; gx and gy are global vertex numbers. Positions, heights and scales are single precision,
as the client holds them (physics.md 13.12, "load").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.geometry.constants import CELL_LENGTH, VERTEX_DIM
from engine.geometry.elementary import power
from engine.geometry.frame import Frame, heading_of
from engine.geometry.polygon import Polygon
from engine.geometry.quat import IDENTITY, Quat, from_heading, quat_is_valid
from engine.geometry.vec import Vec3, r24
from engine.world.cells.ids import block_x, block_y
from engine.world.cells.landdefs import in_block
from engine.world.cells.terrain import SQUARES, VERTICES, Terrain, scenery_index, surface_height, terrain_type
from engine.world.faults import SCENERY, Fault, Severity

MASK: Final = 0xFFFFFFFF

# The constants K of step 3, plus the object's number in its scene.
FREQUENCY: Final = 23399
DISPLACE_X: Final = 45773
DISPLACE_Y: Final = 72719
SCALE: Final = 32593
ROTATION: Final = 63127


@dataclass(frozen=True, slots=True)
class SceneObject:
    """One kind of thing that a scene may put at a vertex, as its record describes it."""

    model_id: int
    base_origin: Vec3 = (0.0, 0.0, 0.0)
    base_rotation: Quat = IDENTITY
    frequency: float = 1.0
    displace_x: float = 0.0
    displace_y: float = 0.0
    min_scale: float = 1.0
    max_scale: float = 1.0
    max_rotation: float = 0.0  # degrees
    min_slope: float = 0.0  # of the ground normal's z
    max_slope: float = 1.0
    align: bool = False
    weenie: bool = False  # only the server spawns it


@dataclass(frozen=True, slots=True)
class SceneryTables:
    """The region and the scene records in plain form.

    `terrain_scenes[terrain type][scenery index]` numbers an entry of `scene_types`, which lists scene ids; `scene`
    answers the objects of a scene, None when its record cannot be had.
    """

    terrain_scenes: Sequence[Sequence[int]]
    scene_types: Sequence[Sequence[int]]
    scene: Callable[[int], Sequence[SceneObject] | None]


@dataclass(frozen=True, slots=True)
class PlacedScenery:
    """A thing that stands on the land: object `index` of a scene, chosen at terrain vertex `vertex`."""

    model_id: int
    frame: Frame
    scale: float
    scene_id: int
    index: int
    vertex: int


# --- hashes


def scene_hash(gx: int, gy: int) -> int:
    """Chooses the scene of a vertex (step 2)."""
    return (gy * (712977289 * gx + 1813693831) - 1109124029 * gx + 2139937281) & MASK


def object_hash(gx: int, gy: int, k: int) -> int:
    """Decides about one property of an object (step 3)."""
    return (1813693831 * gy - k * (1360117743 * gx * gy + 1888038839) - 1109124029 * gx) & MASK


def turn_hash(gx: int, gy: int) -> int:
    """Turns the displacement by quarters (step 4)."""
    return (1813693831 * gy - gx * (1870387557 * gy + 1109124029) - 402451965) & MASK


def unit(value: int) -> float:
    """A hash as a number in [0, 1)."""
    return value * 2.0**-32


# --- placing


@dataclass(frozen=True, slots=True)
class _Site:
    """A terrain vertex: its number in the landblock, its place there and in the world."""

    vertex: int
    vx: int
    vy: int
    gx: int
    gy: int

    def chance(self, k: int) -> float:
        """H(k) of step 3."""
        return unit(object_hash(self.gx, self.gy, k))


class _Complaints:
    """The faults of the tables, each reported once however many vertices meet it."""

    def __init__(self, where: int) -> None:
        self._where = where
        self._by_reason: dict[str, Fault] = {}

    def add(self, reason: str) -> None:
        self._by_reason.setdefault(reason, Fault(self._where, SCENERY, reason, Severity.WARNING))

    def all(self) -> list[Fault]:
        return list(self._by_reason.values())


def place_scenery(
    terrain: Terrain,
    tables: SceneryTables,
    building_cells: Collection[int] = (),
    sorting_radius: Callable[[int], float] | None = None,
) -> tuple[list[PlacedScenery], list[Fault]]:
    """Return all scenery of a landblock in the order of its vertices, and the faults of the tables.

    `building_cells` are the land cells (low halves) that own a building. With `sorting_radius`, the radius of a model's
    sorting sphere, things that reach out of the landblock are left out (step 9, which not every reader takes).
    """
    placed: list[PlacedScenery] = []
    complaints = _Complaints(terrain.cell_id)
    for site in _sites(terrain):
        scene_id = _choose_scene(site, terrain.words[site.vertex], tables, complaints)
        if scene_id is None:
            continue
        objects = tables.scene(scene_id)
        if objects is None:
            complaints.add(f"scene 0x{scene_id:08X} is not there")
            continue
        for index, thing in enumerate(objects):
            ground = _find_ground(thing, index, site, terrain, building_cells)
            if ground is None:
                continue
            origin, polygon = ground
            scale = _choose_scale(thing, index, site)
            rotation = _choose_rotation(thing, index, site, polygon)
            if scale is None or not quat_is_valid(rotation):
                what = "scale" if scale is None else "orientation"
                complaints.add(f"object {index} of scene 0x{scene_id:08X} has no usable {what}")
            elif sorting_radius is None or in_block(origin, sorting_radius(thing.model_id) * scale):
                frame = Frame(origin, rotation)
                placed.append(PlacedScenery(thing.model_id, frame, scale, scene_id, index, site.vertex))
    return placed, complaints.all()


def _sites(terrain: Terrain) -> Iterator[_Site]:
    west, south = SQUARES * block_x(terrain.cell_id), SQUARES * block_y(terrain.cell_id)
    for vertex in range(VERTICES):
        vx, vy = divmod(vertex, VERTEX_DIM)
        yield _Site(vertex, vx, vy, west + vx, south + vy)


def _choose_scene(site: _Site, word: int, tables: SceneryTables, complaints: _Complaints) -> int | None:
    """Steps 1 and 2."""
    kind, entry = terrain_type(word), scenery_index(word)
    if kind >= len(tables.terrain_scenes) or entry >= len(tables.terrain_scenes[kind]):
        complaints.add(f"terrain type {kind} has no scene type for scenery index {entry}")
        return None
    scene_type = tables.terrain_scenes[kind][entry]
    if scene_type >= len(tables.scene_types):
        complaints.add(f"terrain type {kind} names scene type {scene_type}, the region has {len(tables.scene_types)}")
        return None
    scenes = tables.scene_types[scene_type]
    if not scenes:
        return None
    return scenes[len(scenes) * scene_hash(site.gx, site.gy) >> 32]


def _find_ground(
    thing: SceneObject, index: int, site: _Site, terrain: Terrain, building_cells: Collection[int]
) -> tuple[Vec3, Polygon] | None:
    """Steps 3 to 7: the place and its triangle, unless chance, the block's edge, a road, a building or the slope
    refuses it."""
    if thing.weenie or thing.model_id == 0 or not site.chance(FREQUENCY + index) < thing.frequency:
        return None
    dx, dy = _displace(thing, index, site)
    x, y = r24(CELL_LENGTH * site.vx + dx), r24(CELL_LENGTH * site.vy + dy)
    if not in_block((x, y, 0.0)) or terrain.on_road(x, y):
        return None
    square = terrain.square_under(x, y)
    if square is None or square.low in building_cells:
        return None
    polygon = square.find_terrain_poly((x, y, 0.0))
    if polygon is None or not thing.min_slope <= polygon.normal[2] <= thing.max_slope:
        return None
    return (x, y, r24(surface_height(polygon, x, y))), polygon


def _displace(thing: SceneObject, index: int, site: _Site) -> tuple[float, float]:
    """Step 4."""
    x, y, _ = thing.base_origin
    if thing.displace_x > 0.0:
        x += site.chance(DISPLACE_X + index) * thing.displace_x
    if thing.displace_y > 0.0:
        y += site.chance(DISPLACE_Y + index) * thing.displace_y
    quarters = turn_hash(site.gx, site.gy) >> 30
    return ((x, y), (-y, x), (-x, -y), (y, -x))[quarters]


def _choose_scale(thing: SceneObject, index: int, site: _Site) -> float | None:
    """Step 8; None where the client would continue with an infinity or a NaN."""
    low, high = thing.min_scale, thing.max_scale
    if not (0.0 < low < math.inf and 0.0 < high < math.inf):
        return None
    if low == high:
        return high
    return r24(low * power(high / low, site.chance(SCALE + index)))


def _choose_rotation(thing: SceneObject, index: int, site: _Site, ground: Polygon) -> Quat:
    """Step 8. On level ground, whose normal points nowhere, an aligned thing faces west: IEEE's atan2(-0, -0)."""
    if thing.align:
        nx, ny, _ = ground.normal
        return from_heading(heading_of((-(nx + 0.0), -(ny + 0.0), 0.0)))
    if thing.max_rotation > 0.0:
        return from_heading(site.chance(ROTATION + index) * thing.max_rotation)
    return thing.base_rotation
