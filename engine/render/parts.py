"""The parts of objects where they stand: poses, scales, spheres, sort centres, billboards (rendering.md 18)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.dat.records import GfxObjDegradeInfo
from engine.dat.records.mesh import Degrade
from engine.geometry.frame import Frame, combine
from engine.geometry.quat import Quat, from_axis_angle, multiply
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, is_finite
from engine.render.draws import (
    AS_AUTHORED,
    FACE_VIEWER,
    TURN_ABOUT_X,
    TURN_ABOUT_Y,
    TURN_ABOUT_Z,
    Owner,
    PartDraw,
)
from engine.render.levels import Levels, Shown
from engine.render.materials import Material, Materials
from engine.render.mesh import Mesh, MeshCache
from engine.render.mesh_build import NO_SURFACE
from engine.world.cells.ids import landblock_id
from engine.world.cells.objects import GfxObj, Setup
from engine.world.faults import SURFACE, Fault
from engine.world.world import World

UNSCALED: Vec3 = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class PlacedObject:
    """One object where it stands: `home` is the cell that brought it, 0xXXYYFFFF for a landblock's own.

    `frame` is in the landblock of `home`, `pose` has a frame for each part, relative to the object.
    """

    object_id: int
    setup: Setup
    frame: Frame
    scale: float
    owner: Owner
    home: int
    pose: Sequence[Frame]


class Shapes:
    """Meshes with their materials, each made once for all objects that show it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.meshes = MeshCache()
        self.materials = Materials(world)
        self.faults: list[Fault] = []
        self._shown: dict[int, Shown | None] = {}
        self._levels: dict[int, Levels | None] = {}

    def shown(self, gfxobj: GfxObj) -> Shown | None:
        """The draw of a part; None for an empty mesh, and where the degrade table draws nothing."""
        key = gfxobj.id
        known = self._shown.get(key)
        if known is None and key not in self._shown:
            known = self._show(gfxobj)
            self._shown[key] = known
        return known

    def levels(self, gfxobj: GfxObj) -> Levels | None:
        """All levels of detail of a part; None for one that has no more than one."""
        key = gfxobj.id
        if key not in self._levels:
            table = self._table(gfxobj)
            self._levels[key] = Levels(table, lambda level: self._show_level(gfxobj, level)) if len(table) > 1 else None
        return self._levels[key]

    def _table(self, gfxobj: GfxObj) -> list[Degrade]:
        info = self._world.record(gfxobj.degrade_id) if gfxobj.degrade_id else None
        return info.degrades if isinstance(info, GfxObjDegradeInfo) else []

    def _show(self, gfxobj: GfxObj) -> Shown | None:
        """The first mesh of its degrade table, if it has one."""
        table = self._table(gfxobj)
        return self._show_level(gfxobj, table[0]) if table else self._show_mesh(gfxobj, AS_AUTHORED)

    def _show_level(self, gfxobj: GfxObj, level: Degrade) -> Shown | None:
        if level.gfxobj_id == 0:
            return None
        billboard = level.degrade_mode if AS_AUTHORED <= level.degrade_mode <= TURN_ABOUT_Z else AS_AUTHORED
        return self._show_mesh(self._world.gfxobj(level.gfxobj_id) or gfxobj, billboard)

    def _show_mesh(self, gfxobj: GfxObj, billboard: int) -> Shown | None:
        mesh = self.meshes.of(gfxobj)
        if mesh.is_empty:
            return None
        return Shown(gfxobj, mesh, self.materials_of(mesh, gfxobj.surfaces, gfxobj.id, gfxobj.id), billboard)

    def materials_of(
        self, mesh: Mesh, surfaces: Sequence[int], where: int, number: int, walls: bool = False
    ) -> tuple[Material, ...]:
        """A material for each subset of a mesh; `number` picks the colour of what has no surfaces. `walls`: it is the
        shell of a room."""
        of = self.materials.of_walls if walls else self.materials.of
        found: list[Material] = []
        for subset in mesh.subsets:
            if 0 <= subset.slot < len(surfaces):
                found.append(of(surfaces[subset.slot]))
            elif subset.slot == NO_SURFACE and not surfaces:
                found.append(self.materials.flat(number))
            else:
                fault = Fault(where, SURFACE, f"surface {subset.slot} of a list of {len(surfaces)}; drawn as a checker")
                if fault not in self.faults:
                    self.faults.append(fault)
                found.append(self.materials.missing)
        return tuple(found)


def resting_pose(setup: Setup) -> list[Frame]:
    """The pose without animation: placement Resting, else Default, else all parts at the object itself (18.1)."""
    return [setup.part_frame(index) for index in range(len(setup.parts))]


def part_draws(thing: PlacedObject, shapes: Shapes, version: int) -> list[PartDraw]:
    """The drawable parts of an object; the caller decides their cells."""
    found: list[PartDraw] = []
    for index, part in enumerate(thing.setup.parts):
        shown = None if part.gfxobj is None else shapes.shown(part.gfxobj)
        if shown is None:
            continue
        own = thing.pose[index] if index < len(thing.pose) else Frame()
        frame = combine(thing.frame, own, thing.scale)
        sx, sy, sz = part.scale if is_finite(part.scale) else UNSCALED
        scale = (sx * thing.scale, sy * thing.scale, sz * thing.scale)
        found.append(
            PartDraw(
                key=(thing.object_id, index),
                object_id=thing.object_id,
                part=index,
                model_id=thing.setup.id,
                gfxobj_id=shown.gfxobj.id,
                owner=thing.owner,
                home=thing.home,
                cells=(),
                block_id=landblock_id(thing.home),
                mesh=shown.mesh,
                materials=shown.materials,
                frame=frame,
                scale=scale,
                sphere=placed_sphere(shown.mesh.sphere, frame, scale),
                sort_center=sort_center(frame, scale, shown.gfxobj.sort_center),
                origin=thing.frame.origin,
                billboard=shown.billboard,
                version=version,
                levels=None if part.gfxobj is None else shapes.levels(part.gfxobj),
            )
        )
    return found


def placed_sphere(sphere: Sphere, frame: Frame, scale: Vec3) -> Sphere:
    """A mesh's sphere scaled and posed like its vertices."""
    x, y, z = sphere.center
    sx, sy, sz = scale
    stretch = max(abs(sx), abs(sy), abs(sz))
    return Sphere(frame.local_to_global((x * sx, y * sy, z * sz)), sphere.radius * stretch)


def sort_center(frame: Frame, scale: Vec3, center: Vec3) -> Vec3:
    """The sort key of a part within its cell: its position plus its scaled sort centre, unturned (13.2)."""
    x, y, z = frame.origin
    if not is_finite(center):
        return frame.origin
    return (x + scale[0] * center[0], y + scale[1] * center[1], z + scale[2] * center[2])


# --- billboards


def facing_frame(frame: Frame, billboard: int, eye: Vec3) -> Frame:
    """The frame of a part, turned to an eye in the same coordinates as its degrade mode has it (18.5).

    Such a mesh is viewed from its own −y side (dat-format.md B.5, 0x010005E8): a full billboard's +y points away from
    the eye, others turn as far towards that as a turn about one of their own axes goes.
    """
    if billboard == FACE_VIEWER:
        ox, oy, oz = frame.origin
        return frame.set_vector_heading((ox - eye[0], oy - eye[1], oz - eye[2]))
    turn = _turn_about(billboard, frame.global_to_local(eye))
    return frame if turn is None else frame.with_rotation(multiply(frame.rotation, turn))


def _turn_about(billboard: int, eye: Vec3) -> Quat | None:
    """The turn about a part's own x or z axis that brings its −y side, about y its +z side, round to the eye."""
    x, y, z = eye
    if billboard == TURN_ABOUT_X and (y != 0.0 or z != 0.0):
        return from_axis_angle((1.0, 0.0, 0.0), math.atan2(-z, -y))
    if billboard == TURN_ABOUT_Y and (x != 0.0 or z != 0.0):
        return from_axis_angle((0.0, 1.0, 0.0), math.atan2(x, z))
    if billboard == TURN_ABOUT_Z and (x != 0.0 or y != 0.0):
        return from_axis_angle((0.0, 0.0, 1.0), math.atan2(x, -y))
    return None
