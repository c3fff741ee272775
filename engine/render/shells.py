"""The walls of rooms with their baked light, shells of buildings, and lamps (rendering.md 16.6, 18.1, 20.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

from engine.dat.records import Setup as SetupRecord
from engine.geometry.frame import Frame
from engine.geometry.vec import is_finite
from engine.render.draws import LightSource, ShellDraw
from engine.render.light import bake, bakes_on
from engine.render.materials import argb
from engine.render.parts import UNSCALED, Shapes, placed_sphere
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import landblock_id
from engine.world.cells.objects import Setup


def room_shell(cell: EnvCell, shapes: Shapes, lights: Sequence[LightSource], version: int) -> ShellDraw:
    """A room's walls under static lamps."""
    mesh = shapes.meshes.of(cell.structure)
    bare = ShellDraw(
        cell.id,
        landblock_id(cell.id),
        mesh,
        shapes.materials_of(mesh, cell.surfaces, cell.id, cell.id, walls=True),
        cell.frame,
        placed_sphere(mesh.sphere, cell.frame, UNSCALED),
        None,
        version,
    )
    return lit(bare, lights, version)


def lit(shell: ShellDraw, lights: Sequence[LightSource], version: int) -> ShellDraw:
    """The same room under other lamps."""
    near = lights_on(shell, lights)
    return replace(shell, light=bake(shell.mesh, shell.frame, near), version=version)


def lights_on(shell: ShellDraw, lights: Sequence[LightSource]) -> list[LightSource]:
    """The lamps whose baked light reaches a shell."""
    sphere = shell.sphere
    return [light for light in lights if bakes_on(light, sphere.center, sphere.radius)]


def building_shell(building: Building, block_id: int, shapes: Shapes, version: int) -> ShellDraw | None:
    """A building's outside; None for a building whose model could not be loaded, or that shows nothing."""
    if building.shell is None:
        return None
    mesh = shapes.meshes.of(building.shell)
    if mesh.is_empty:
        return None
    return ShellDraw(
        building.id,
        landblock_id(block_id),
        mesh,
        shapes.materials_of(mesh, building.shell.surfaces, building.shell.id, building.model_id),
        building.frame,
        placed_sphere(mesh.sphere, building.frame, UNSCALED),
        None,
        version,
    )


@dataclass(frozen=True)
class LampOwner:
    """An object that may carry lamps."""

    object_id: int
    setup: Setup
    frame: Frame
    scale: float
    block_id: int
    cells: tuple[int, ...]
    dynamic: bool


def lamps_of(owner: LampOwner) -> list[LightSource]:
    """The lamps of an object's model where it stands, in the order of their list; not-a-numbers give no light."""
    record = owner.setup.record
    if not isinstance(record, SetupRecord):
        return []
    found: list[LightSource] = []
    for index, lamp in enumerate(record.lights):
        x, y, z = lamp.frame.origin
        s = owner.scale
        red, green, blue, _ = argb(lamp.color)
        at = owner.frame.local_to_global((x * s, y * s, z * s))
        if not (is_finite(at) and isfinite(lamp.intensity) and isfinite(lamp.falloff)):
            continue
        found.append(
            LightSource(
                owner.object_id,
                index,
                owner.block_id,
                owner.cells,
                at,
                (red, green, blue),
                lamp.intensity,
                lamp.falloff,
                owner.dynamic,
            )
        )
    return found
