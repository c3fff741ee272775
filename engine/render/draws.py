"""The draw objects that a scene gives to a renderer: one for each thing drawn by itself (rendering.md 13, 16 -
20).

Frames are those of the data: relative to the landblock `block_id` (any id in it serves). Draw objects are never changed
but replaced, so an upload stays valid for as long as the scene returns the same object; only `PartDraw.cells` follows
the world in place. Meshes and materials are shared; compare them by identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.geometry.quat import Quat
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.render.levels import Levels
from engine.render.materials import Material
from engine.render.mesh import Mesh

AS_AUTHORED: Final = 1
FACE_VIEWER: Final = 2
TURN_ABOUT_X: Final = 3
TURN_ABOUT_Y: Final = 4
TURN_ABOUT_Z: Final = 5
"""Degrade modes (18.5)."""


class Owner(Enum):
    """The owner of a part, for picking and the docks."""

    CELL = "cell"
    """A static object of a room; `PartDraw.home` is the room."""
    LAND = "land"
    """A landblock's object."""
    SCENERY = "scenery"
    BUILDING = "building"
    """A further part of a building's model; its shell is a `ShellDraw`."""
    ENTITY = "entity"
    PLAYER = "player"


@dataclass(frozen=True, eq=False)
class ShellDraw:
    """The walls of a room, or a building's shell. `materials[i]` is that of `mesh.subsets[i]`.

    `key` is the cell's id, or the building's object id. `light` is the light baked into the vertices of a room, without
    the ambient light (20.5); None where there is none, as on buildings, which the sun lights.
    """

    key: int
    block_id: int
    mesh: Mesh
    materials: tuple[Material, ...]
    frame: Frame
    sphere: Sphere
    light: NDArray[np.float32] | None
    version: int


@dataclass(eq=False)
class PartDraw:
    """One part of an object. A vertex v stands at frame · (scale ⊙ v); normals take 1/scale and are renormalised.

    `sphere` (the mesh's, posed) and `sort_center` are in landblock coordinates. `cells` are the ids of all cells that
    list it, `home` the one it is at home in. `billboard` is the degrade mode; `parts.facing_frame` applies it. `alpha`
    below 1 puts it among the blended (17.5); 0 or `hidden`: it is not drawn. `mesh`, `materials` and `billboard` are
    those of its first level of detail; `levels` has the others, if there are any.
    """

    key: tuple[int, int]
    object_id: int
    part: int
    model_id: int
    gfxobj_id: int
    owner: Owner
    home: int
    cells: tuple[int, ...]
    block_id: int
    mesh: Mesh
    materials: tuple[Material, ...]
    frame: Frame
    scale: Vec3
    sphere: Sphere
    sort_center: Vec3
    origin: Vec3
    """Of the whole object."""
    billboard: int = AS_AUTHORED
    alpha: float = 1.0
    hidden: bool = False
    version: int = 0
    levels: Levels | None = None


@dataclass(frozen=True, eq=False)
class TerrainDraw:
    """The ground of a landblock: 64 land cells of six vertices, those of cell `low` from 6·(low − 1) on (19.1). Or
    fewer squares, each `across` land cells wide, likewise from column to column (rendering.md M2).

    Vertices are in landblock coordinates and already sunk by 0.01 m; triangle t is polygon t of `terrain_mesh`. UVs are
    the cell's, untiled. `layers` has a row for each vertex, the same for all of a cell:

        0       base texture
        1 - 3   overlay textures, -1 where there is none
        4 - 6   their masks: 4 · mask + rotation
        7, 8    masks of the road, likewise; -1 where there is none
        9       the road's texture
        10, 11  zero

    Textures and masks are layers of the world's `TerrainLook`; where it has none, `layers` is None and the `colours`
    per vertex are drawn instead (19.3, simple fallback).
    """

    block_id: int
    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    uvs: NDArray[np.float32]
    layers: NDArray[np.int16] | None
    colours: NDArray[np.float32]
    min_z: float
    max_z: float
    version: int
    across: int = 1


@dataclass(frozen=True)
class Daylight:
    """Sun, ambient light and fog at one time (20.1, 20.3, 20.4). `sun` points towards the sun and is as long as it is
    bright; fog is linear between the two distances, None: there is none."""

    time: float
    sun: Vec3
    sun_colour: Vec3
    ambient_level: float
    ambient_colour: Vec3
    fog: tuple[float, float] | None
    fog_colour: Vec3


@dataclass(frozen=True, eq=False)
class DetailTexture:
    """The picture that walls of rooms are drawn again with (rendering.md M3), and how often it repeats where
    theirs does once."""

    pixels: NDArray[np.uint8]
    tiling: float


@dataclass(frozen=True, eq=False)
class SkyObjectDraw:
    """Something in the sky, drawn at the eye with depth test and without depth write or fog (20.2).

    `luminosity` is that of the surface unless it is given; UVs move by `uv_offset`; `alpha` is 1 − transparency.
    """

    index: int
    mesh: Mesh
    materials: tuple[Material, ...]
    rotation: Quat
    uv_offset: tuple[float, float]
    alpha: float
    luminosity: float | None
    after_landscape: bool
    weather: bool
    world_z: float | None
    """Its height in the world, where it only follows the eye's x and y; None: it is at the eye."""


@dataclass(frozen=True, eq=False)
class SkyDraw:
    """The sky at one time, its objects in the order in which they are drawn."""

    objects: tuple[SkyObjectDraw, ...]
    clear_colour: Vec3


@dataclass(frozen=True)
class LightSource:
    """A lamp of an object (20.5). `position` is in the landblock of `block_id`, `cells` those that the object is in."""

    object_id: int
    index: int
    block_id: int
    cells: tuple[int, ...]
    position: Vec3
    colour: Vec3
    intensity: float
    falloff: float
    dynamic: bool


@dataclass(frozen=True, eq=False)
class ParticleDraw:
    """The live particles of one emitter: `origins` (n, 3) in landblock coordinates, with a size and an alpha each.

    Particles are drawn in the turn of the cells of their object, as its parts are (13.3). Each is the mesh scaled by
    its size at its origin, turned as `billboard` says.
    """

    key: tuple[int, int]
    object_id: int
    cells: tuple[int, ...]
    block_id: int
    mesh: Mesh
    materials: tuple[Material, ...]
    billboard: int
    origins: NDArray[np.float64]
    scales: NDArray[np.float32]
    alphas: NDArray[np.float32]
    sphere: Sphere
    sort_center: Vec3
