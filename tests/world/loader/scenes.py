"""A small scene in the goldens' form, easy to picture, to break on purpose and to write as data files.

Two rooms of 6 x 6 x 3 m stand side by side, 0x0100 and 0x0101, in landblock 0x0101; a doorway joins them at x = 54,
another leads from 0x0100 outdoors at x = 48. A shell stands around both on flat ground at 20 m, with a barrel and a
door slab.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.dat.ids import DatKind
from engine.dat.records import Environment, KeyedStruct, LandBlock
from engine.dat.records.base import DatRecord
from engine.dat.records.catalogue import write_record
from engine.dat.writer import write_database
from engine.world.loader.json_form import JsonNode
from engine.world.loader.scene_records import read_scene

BLOCK = 0x01010000
BLOCK_ID = BLOCK | 0xFFFF
ENVIRONMENT_ID = 0x0D000001

Json = dict[str, Any]
Corner = tuple[float, float, float]

DOORWAY = (2.0, 4.0, 2.5)
"""The y range, and the height."""


class Mesh:
    """Polygons over one list of vertices, in the goldens' form."""

    def __init__(self) -> None:
        self.vertices: list[Corner] = []
        self.polys: list[Json] = []
        self.portal_polys: list[Json] = []

    def add(self, *corners: Corner, portal: bool = False) -> int:
        target = self.portal_polys if portal else self.polys
        target.append({"id": len(target), "v": [self._vertex(corner) for corner in corners], "sides": 0})
        return len(target) - 1

    def _vertex(self, corner: Corner) -> int:
        if corner not in self.vertices:
            self.vertices.append(corner)
        return self.vertices.index(corner)


def wall_facing_x(mesh: Mesh, x: float, size: Corner, towards: int, doorway: bool) -> list[int]:
    """The wall at `x`, seen from the side `towards` (+1 or -1), around the doorway if there is one."""
    _, depth, height = size
    low, high, top = DOORWAY
    pieces = [(0.0, depth, 0.0, height)]
    if doorway:
        pieces = [(0.0, low, 0.0, height), (high, depth, 0.0, height), (low, high, top, height)]
    ids = []
    for y0, y1, z0, z1 in pieces:
        corners = [(x, y0, z0), (x, y1, z0), (x, y1, z1), (x, y0, z1)]
        ids.append(mesh.add(*(corners if towards > 0 else corners[::-1])))
    return ids


def opening_at(mesh: Mesh, x: float, towards: int) -> int:
    low, high, top = DOORWAY
    corners: list[Corner] = [(x, low, 0.0), (x, high, 0.0), (x, high, top), (x, low, top)]
    return mesh.add(*(corners if towards > 0 else corners[::-1]), portal=True)


def box(mesh: Mesh, size: Corner, inwards: bool, doors: tuple[bool, bool]) -> list[tuple[Json, list[int]]]:
    """The six sides of a box as (plane, polygons): planes face into the box, polygons according to `inwards`."""
    width, depth, height = size
    turn = 1 if inwards else -1

    def side(*corners: Corner) -> list[int]:
        return [mesh.add(*(corners if inwards else corners[::-1]))]

    a, b, c, d = (0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)
    return [
        ({"plane": [0.0, 0.0, 1.0, 0.0]}, side(*((x, y, 0.0) for x, y in (a, b, c, d)))),
        ({"plane": [0.0, 0.0, -1.0, height]}, side(*((x, y, height) for x, y in (d, c, b, a)))),
        ({"plane": [1.0, 0.0, 0.0, 0.0]}, wall_facing_x(mesh, 0.0, size, turn, doors[0])),
        ({"plane": [-1.0, 0.0, 0.0, width]}, wall_facing_x(mesh, width, size, -turn, doors[1])),
        (
            {"plane": [0.0, 1.0, 0.0, 0.0]},
            side((b[0], 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, height), (b[0], 0.0, height)),
        ),
        (
            {"plane": [0.0, -1.0, 0.0, depth]},
            side((0.0, depth, 0.0), (width, depth, 0.0), (width, depth, height), (0.0, depth, height)),
        ),
    ]


def chain(sides: list[tuple[Json, list[int]]], sphere: list[float]) -> Json:
    """The physics tree of a convex room: one plane after the other, each solid behind."""
    everything = sorted(key for _, keys in sides for key in keys)
    node: Json = {"leaf": 0, "solid": 0, "sphere": sphere, "polys": everything}
    for number, (plane, keys) in enumerate(reversed(sides)):
        solid: Json = {"leaf": number + 1, "solid": 1, "sphere": sphere, "polys": keys}
        node = {**plane, "sphere": sphere, "pos": node, "neg": solid}
    return node


def room(low: int, origin: Corner, doors: tuple[bool, bool], portals: list[Json], stab: list[int]) -> Json:
    mesh = Mesh()
    sides = box(mesh, (6.0, 6.0, 3.0), True, doors)
    for x, towards, there in ((0.0, 1, doors[0]), (6.0, -1, doors[1])):
        if there:
            opening_at(mesh, x, towards)
    return {
        "id": low,
        "origin": list(origin),
        "quat": [1.0, 0.0, 0.0, 0.0],
        "vertices": [list(corner) for corner in mesh.vertices],
        "polys": mesh.polys,
        "portal_polys": mesh.portal_polys,
        "physics_bsp": chain(sides, [3.0, 3.0, 1.5, 5.0]),
        "cell_planes": [plane["plane"] for plane, _ in sides],
        "portals": portals,
        "stab": stab,
        "seen_outside": True,
    }


def slab(size: Corner) -> Json:
    mesh = Mesh()
    sides = box(mesh, size, False, (False, False))
    node: Json = {"leaf": 0, "solid": 1, "sphere": [0.0, 0.0, 0.0, 8.0], "polys": list(range(len(mesh.polys)))}
    for number, (plane, _) in enumerate(reversed(sides)):
        outside: Json = {"leaf": number + 1, "solid": 0, "sphere": [0.0, 0.0, 0.0, 0.0], "polys": []}
        node = {**plane, "sphere": [0.0, 0.0, 0.0, 16.0], "pos": node, "neg": outside}
    return {
        "vertices": [list(corner) for corner in mesh.vertices],
        "polys": mesh.polys,
        "portal_polys": [],
        "physics_bsp": node,
    }


def two_rooms() -> Json:
    """The scene, fresh at each call and free to be changed."""
    return {
        "name": "two rooms",
        "landblock": BLOCK >> 16,
        "terrain": {"heights": [10] * 81, "types": [0] * 81, "height": 10},
        "cells": [
            room(
                0x100,
                (48.0, 48.0, 20.0),
                (True, True),
                [
                    {"flags": 3, "poly": 0, "other": 65535, "other_portal": 0},
                    {"flags": 3, "poly": 1, "other": 0x101, "other_portal": 0},
                ],
                [0x101],
            ),
            room(
                0x101,
                (54.0, 48.0, 20.0),
                (True, False),
                [{"flags": 3, "poly": 0, "other": 0x100, "other_portal": 1}],
                [0x100],
            ),
        ],
        "building": {
            "cell": 19,
            "origin": [48.0, 48.0, 20.0],
            "quat": [1.0, 0.0, 0.0, 0.0],
            "parts": [slab((12.0, 6.0, 4.0))],
            "portals": [{"flags": 3, "other": 0x100, "other_portal": 0, "stab": [0x100, 0x101]}],
        },
        "objects": [
            {
                "id": 0x70000001,
                "static": True,
                "cell": 0x101,
                "origin": [58.0, 50.0, 20.0],
                "quat": [1.0, 0.0, 0.0, 0.0],
                "state": 8,
                "cylspheres": [{"low": [0.0, 0.0, 0.0], "r": 0.5, "h": 1.25}],
            },
            {
                "id": 0x70000002,
                "static": False,
                "cell": 0x100,
                "origin": [54.0, 50.0, 20.0],
                "quat": [1.0, 0.0, 0.0, 0.0],
                "state": 8,
                "parts": [slab((0.25, 2.0, 2.5))],
                "sorting_sphere": {"c": [0.0, 1.0, 1.25], "r": 1.75},
            },
        ],
        "moves": [],
        "queries": [],
    }


# --- the same as data files


def scene_records(scene: Json) -> tuple[dict[int, DatRecord], dict[int, DatRecord]]:
    """The portal and cell records with the content of the scene."""
    made = read_scene(JsonNode(scene, "scene"))
    structures = [KeyedStruct(key, structure) for key, structure in enumerate(made.structures)]
    portal: dict[int, DatRecord] = dict(made.setups)
    for model_id, model in made.gfxobjs.items():
        portal[model_id] = replace(model, polygons=[])  # seen ones need a drawing tree; scenes have none
    portal[ENVIRONMENT_ID] = Environment(ENVIRONMENT_ID, structures)
    cell: dict[int, DatRecord] = {room.id: room for room in made.cells}
    for block_id, land in made.land.items():
        middle = block_id == made.block_id
        cell[block_id] = LandBlock(block_id, int(middle and made.info is not None), land.terrain, land.heights)
    if made.info is not None:
        cell[made.info.id] = made.info
    return portal, cell


def record_bytes(records: dict[int, DatRecord]) -> dict[int, bytes]:
    return {record_id: write_record(record) for record_id, record in records.items()}


def write_folder(folder: Path, portal: dict[int, DatRecord], cell: dict[int, DatRecord]) -> Path:
    """A data folder with these records."""
    for kind, records in ((DatKind.PORTAL, portal), (DatKind.CELL, cell)):
        write_database(folder / kind.file_name, kind, sorted(record_bytes(records).items()))
    return folder
