"""The collision shapes of setups, and the shapes of a thing where it stands (physics.md 8.2, 8.3)."""

from __future__ import annotations

from typing import Final

from engine.geometry.constants import DUMMY_SPHERE_RADIUS
from engine.geometry.frame import Frame, combine
from engine.geometry.quat import IDENTITY
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.objects.parts import BodyPart
from engine.physics.objects.physics_object import (
    BSP,
    CYLINDER,
    EXTENT,
    SPHERE,
    ShadowEntry,
    ShadowShape,
    bound_of,
)
from engine.world.cells.objects import Setup

DUMMY_SPHERE: Final = Sphere((0.0, 0.0, DUMMY_SPHERE_RADIUS), DUMMY_SPHERE_RADIUS)


def shapes_from_setup(setup: Setup, scale: float, pose_override: list[Frame] | None = None) -> list[ShadowShape]:
    """Return all shapes of a setup: cylinders, else spheres, and every part that has a physics tree (8.3).

    The parts without a tree are added as extents; a setup that has nothing else does not collide. An
    animated thing collides in the pose of its motion (`pose_override`); for a closed door that is not its placement.
    """
    shapes: list[ShadowShape] = []
    for cyl in setup.cyl_spheres:
        if cyl.radius > 0.0:
            height = cyl.height if cyl.height > 0.0 else 4.0 * cyl.radius
            shapes.append(
                ShadowShape(
                    None, _scaled(cyl.low_point, scale), IDENTITY, scale, CYLINDER, cyl.radius * scale, height * scale
                )
            )
    if not setup.cyl_spheres:
        for sphere in setup.spheres:
            if sphere.radius > 0.0:
                radius = sphere.radius * scale
                shapes.append(
                    ShadowShape(None, _scaled(sphere.center, scale), IDENTITY, scale, SPHERE, radius, 2.0 * radius)
                )
    for index, part in enumerate(setup.parts):
        gfxobj = part.gfxobj
        if gfxobj is None:
            continue
        if pose_override is not None and index < len(pose_override):
            frame = pose_override[index]
        else:
            frame = setup.part_frame(index)
        origin = _scaled(frame.origin, scale)
        size = part.scale[2] * scale
        tree = gfxobj.physics_tree
        if tree is None or size == 0.0 or size != size:  # nor is a part of no size in anybody's way
            shapes.append(ShadowShape(gfxobj, origin, frame.rotation, scale, EXTENT, 0.0, 0.0))
            continue
        bound = tree.root.sphere
        radius = bound.radius if bound.radius > 0.0 else 1.0
        shapes.append(ShadowShape(gfxobj, origin, frame.rotation, size, BSP, radius * scale, 0.0))
    solid = [shape for shape in shapes if shape.collision_type != EXTENT]
    return shapes if solid else solid


def occupancy_sphere(setup: Setup) -> Sphere:
    """The sphere that finds the cells of a setup without cylinders: its unscaled sorting sphere (physics.md #19).

    Without parts there is nothing that could be sorted, and the client takes its dummy sphere.
    """
    return setup.sorting_sphere if setup.parts else DUMMY_SPHERE


def _scaled(v: Vec3, scale: float) -> Vec3:
    return (v[0] * scale, v[1] * scale, v[2] * scale)


class PlacedShapes:
    """The shapes of a thing where it stands: the rows that bodies collide with, and the parts that its cells are
    searched with. It never changes, so simulations of one world share those of the things that its records place."""

    shapes: list[ShadowShape]
    cell_id: int
    frame: Frame
    rows: list[ShadowEntry]
    bound: Sphere | None
    parts: list[BodyPart]
    cell_ids: list[int]
    """The cells that the first simulation found; those that find the same ones share the list."""

    def __init__(self, entity_id: int, shapes: list[ShadowShape], cell_id: int, frame: Frame) -> None:
        self.shapes = shapes
        self.cell_id = cell_id
        self.frame = frame
        self.rows = []
        self.parts = []
        self.cell_ids = []
        self.bound = None
        for shape in shapes:
            placed = combine(frame, shape.local_frame)
            if shape.collision_type != EXTENT:
                self.rows.append(ShadowEntry(entity_id, shape, cell_id, placed))
            gfxobj = shape.gfxobj
            if gfxobj is not None:
                self.parts.append(BodyPart(gfxobj, cell_id, placed, gfxobj.bounding_sphere, gfxobj.box))
        self.bound = bound_of(self.rows)
