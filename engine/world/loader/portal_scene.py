"""Worlds of rooms that consist only of portals, boxes and stab lists: the scenes of rendering.md 24.4.

A file holds several named scenes, each with the named rooms of one landblock. A room may have a frame of its own
(`origin`, `rotation` as w, x, y, z); its polygons and its box are in that frame. Numbers are used as written, even NaN:
the behaviour of a flood with bad polygons is part of what such scenes test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite, nan
from pathlib import Path
from typing import Final

from engine.geometry.compile.cell import compile_cell
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.quat import IDENTITY, Quat, normalize, quat_length
from engine.geometry.vec import Vec3, add
from engine.world.cells.cell import SEEN_OUTSIDE, Building, CellStruct, EnvCell
from engine.world.cells.ids import FIRST_ENV_CELL, LAST_ENV_CELL, landblock_id
from engine.world.cells.objects import GfxObj, Setup
from engine.world.cells.portals import (
    EXACT_MATCH,
    LEADS_OUTSIDE,
    NO_PORTAL,
    OUTSIDE,
    SIDE,
    BldPortal,
    CellPortal,
    widen_portal_id,
)
from engine.world.faults import Fault, WorldError
from engine.world.landblock import Landblock
from engine.world.loader.json_form import JsonNode, read_json
from engine.world.source import WorldSource
from engine.world.world import World

BLOCK: Final = 0x01010000
"""The landblock of all scenes."""

ENVIRONMENT: Final = 0x0D000001

OUT: Final = "OUT"
"""The name of the outdoors behind a portal."""

SCENES_KEY: Final = "scenes"

MAX_INDEX: Final = 0x7FFFFFFF
MAX_PIXELS: Final = 100_000.0


class PortalScenes:
    """A file of scenes, with the screen that it is meant for if it gives one."""

    def __init__(self, root: JsonNode) -> None:
        self.file = root.file
        self.scenes = {str(name): root.field(SCENES_KEY).field(str(name)) for name in root.field(SCENES_KEY).mapping()}
        viewport, focal = root.optional("viewport"), root.optional("focal")
        self.viewport = None if viewport is None else viewport_of(viewport)
        self.focal = None if focal is None else pixels_of(focal)

    @staticmethod
    def open(path: Path) -> PortalScenes:
        return PortalScenes(read_json(path))

    def name_of(self, wanted: str | None) -> str:
        """The scene with this name, or the only one when no name is given; otherwise raises a WorldError that lists
        them all."""
        names = list(self.scenes)
        if wanted is None and len(names) == 1:
            return names[0]
        if wanted is not None and wanted in self.scenes:
            return wanted
        reason = "holds several scenes" if wanted is None else f"has no scene {wanted!r}"
        if not names:
            reason = "holds no scene"
        raise WorldError(f"{reason}: {', '.join(names)}" if names else reason, self.file)

    def source(self, wanted: str | None = None, shift: Vec3 = (0.0, 0.0, 0.0)) -> PortalSceneSource:
        """One of the scenes, its rooms moved by `shift`."""
        name = self.name_of(wanted)
        source = PortalSceneSource(name, self.scenes[name], shift)
        source.viewport, source.focal = self.viewport, self.focal
        return source


class PortalSceneSource(WorldSource):
    """One scene; everything is built at once. `ids` has the cells by their names in the file, `viewport` and `focal`
    the screen that it is meant for."""

    def __init__(self, name: str, scene: JsonNode, shift: Vec3) -> None:
        super().__init__(name, "portal scene")
        self.viewport: tuple[float, float] | None = None
        self.focal: float | None = None
        self.ids: dict[str, int] = {}
        for room in scene.mapping():
            self.id_of(str(room), scene)
        self.cells = [_room(self, scene.field(room), self.ids[room], shift) for room in list(self.ids)]
        self.names = {cell_id: room for room, cell_id in self.ids.items()}
        """The ids of all rooms, including those that are only referenced."""

    def id_of(self, room: str, where: JsonNode) -> int:
        """The id of a room; a referenced room that the scene lacks gets one too."""
        known = self.ids.get(room)
        if known is None:
            low = FIRST_ENV_CELL + len(self.ids)
            if low > LAST_ENV_CELL:
                raise where.error("has more rooms than a landblock has ids")
            known = BLOCK | low
            self.ids[room] = known
        return known

    def landblock_ids(self) -> list[int]:
        return [landblock_id(BLOCK)]

    def load_landblock(self, block_id: int) -> Landblock | None:
        if landblock_id(block_id) != landblock_id(BLOCK):
            return None
        return Landblock(block_id, None, self.cells, num_cells=len(self.cells))

    def cell_struct(self, environment_id: int, index: int) -> CellStruct | None:
        if environment_id != ENVIRONMENT or not 0 <= index < len(self.cells):
            return None
        return self.cells[index].structure

    def gfxobj(self, gfxobj_id: int) -> GfxObj | None:
        return None

    def setup(self, model_id: int) -> Setup | None:
        return None

    def model_ids(self) -> list[int]:
        return []

    def record_counts(self) -> dict[str, int]:
        return {"cells": len(self.cells), "landblocks": 1}

    def model_faults(self) -> Iterator[Fault]:
        return iter(())

    def shape_faults(self) -> Iterator[Fault]:
        return iter(())

    def close(self) -> None:
        """Do nothing: no file is open."""


def portal_scene_world(source: PortalSceneSource, path: Path | None = None) -> World:
    """The scene as a world, its rooms loaded."""
    world = World(source, path)
    world.graph.load_landblock(BLOCK)
    return world


def _room(source: PortalSceneSource, room: JsonNode, cell_id: int, shift: Vec3) -> EnvCell:
    origin, rotation = room.optional("origin"), room.optional("rotation")
    frame = Frame(
        add(_point(origin), shift) if origin is not None else shift,
        IDENTITY if rotation is None else _rotation(rotation),
    )
    portals = [_portal(source, portal, index) for index, portal in enumerate(room.list_of("portals"))]
    polygons = {portal.polygon_id: portal.polygon for portal in portals if portal.polygon is not None}
    walls = _walls(room.optional("box"))
    corners = [vertex for polygon in [*polygons.values(), *walls] for vertex in polygon.vertices]
    structure = CellStruct(
        ENVIRONMENT,
        cell_id - BLOCK - FIRST_ENV_CELL,
        corners,
        polygons,
        list(polygons),
        {},
        None,
        compile_cell(walls, []),
        None,
        None,
    )
    seen_outside = room.optional("seen_outside")
    flags = SEEN_OUTSIDE if seen_outside is not None and is_set(seen_outside) else 0
    stab_list = [source.id_of(other.text(), other) for other in room.list_of("stab")]
    cell = EnvCell(cell_id, frame, structure, portals, stab_list, flags, [])
    cell.portals_left_out = True
    return cell


def _portal(source: PortalSceneSource, portal: JsonNode, index: int) -> CellPortal:
    to = portal.field("to").text()
    exact, side, back = portal.optional("exact"), portal.optional("side"), portal.optional("back")
    flags = LEADS_OUTSIDE if to == OUT else 0
    flags |= EXACT_MATCH if exact is None or is_set(exact) else 0
    flags |= 0 if side is not None and is_set(side) else SIDE
    return CellPortal(
        flags,
        index,
        polygon_of(portal, index),
        OUTSIDE if to == OUT else source.id_of(to, portal),
        _matching_portal(back),
    )


def scene_building(source: PortalSceneSource, portals: JsonNode, shift: Vec3) -> tuple[Building, list[str]]:
    """The house of 24.6 around a scene's rooms, moved by `shift`: its portals, and their names in the same order."""
    names = [str(name) for name in portals.mapping()]
    entries = [_building_portal(source, portals.field(name), index) for index, name in enumerate(names)]
    return Building(BLOCK, 0, 0, Frame(shift), None, entries, 0), names


def _building_portal(source: PortalSceneSource, portal: JsonNode, index: int) -> BldPortal:
    side, back = portal.optional("side"), portal.optional("back")
    return BldPortal(
        EXACT_MATCH | (0 if side is not None and is_set(side) else SIDE),
        source.id_of(portal.field("to").text(), portal),
        _matching_portal(back),
        [source.id_of(other.text(), other) for other in portal.list_of("stab")],
        index,
        polygon_of(portal, index),
    )


def _matching_portal(back: JsonNode | None) -> int:
    """Read an index, which the neighbour need not have; as in the records, 0xFFFF is none, and so is null."""
    index = NO_PORTAL if back is None or back.value is None else back.integer(-MAX_INDEX, MAX_INDEX)
    return widen_portal_id(index) if 0 <= index <= 0xFFFF else index


def polygon_of(portal: JsonNode, index: int) -> Polygon | None:
    """The outline of a portal; None for a portal without one."""
    poly = portal.optional("poly")
    if poly is None or poly.value is None:
        return None
    return Polygon(index, [_point(corner) for corner in poly.items()])


def _walls(box: JsonNode | None) -> list[Polygon]:
    """The six sides of a room, seen from inside; a room without a box contains nothing."""
    if box is None:
        return []
    x0, y0, z0, x1, y1, z1 = [entry.double() for entry in box.exactly(6)]
    if not (x0 < x1 and y0 < y1 and z0 < z1 and isfinite(x1 - x0 + y1 - y0 + z1 - z0)):
        raise box.error("should be the least corner and the greatest")
    outlines: Sequence[list[Vec3]] = (
        [(x0, y0, z0), (x1, y0, z0), (x1, y1, z0), (x0, y1, z0)],
        [(x0, y0, z1), (x0, y1, z1), (x1, y1, z1), (x1, y0, z1)],
        [(x0, y0, z0), (x0, y0, z1), (x1, y0, z1), (x1, y0, z0)],
        [(x0, y1, z0), (x1, y1, z0), (x1, y1, z1), (x0, y1, z1)],
        [(x0, y0, z0), (x0, y1, z0), (x0, y1, z1), (x0, y0, z1)],
        [(x1, y0, z0), (x1, y0, z1), (x1, y1, z1), (x1, y1, z0)],
    )
    return [Polygon(index, outline) for index, outline in enumerate(outlines)]


def _point(node: JsonNode) -> Vec3:
    """A null is NaN: writers that keep to standard JSON use it."""
    x, y, z = [nan if entry.value is None else entry.double() for entry in node.exactly(3)]
    return (x, y, z)


def _rotation(node: JsonNode) -> Quat:
    """A rotation in doubles, as the points are; of any length, since authors round to a few digits."""
    w, x, y, z = [entry.double() for entry in node.exactly(4)]
    if not isfinite(quat_length((w, x, y, z))):
        raise node.error("should be a rotation: w, x, y, z")
    return normalize((w, x, y, z))


def pixels_of(node: JsonNode) -> float:
    value = node.double()
    if not 0.0 < value <= MAX_PIXELS:
        raise node.error("should be a number of pixels")
    return value


def viewport_of(node: JsonNode) -> tuple[float, float]:
    width, height = node.exactly(2)
    return (pixels_of(width), pixels_of(height))


def is_set(node: JsonNode) -> bool:
    """A switch: 0 or 1, false or true."""
    return node.boolean() if isinstance(node.value, bool) else node.integer(0, 1) == 1
