"""Small dumps in the fixtures' form: two rooms of 6 x 6 x 3 m in a half-turned frame, joined by a doorway, one with an
exit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.world.loader.scenes import Corner, Json, Mesh, box, opening_at

BLOCK = 0xA9B40000
HALL = BLOCK | 0x101
SIDE_ROOM = BLOCK | 0x102
SHELL = 0x01000A2B

HALF_TURN = {"M11": -1, "M12": 8.74228e-08, "M13": 0, "M21": -8.74228e-08, "M22": -1, "M23": 0, "M31": 0, "M32": 0}


def matrix(origin: Corner) -> Json:
    x, y, z = origin
    return {**HALF_TURN, "M33": 1, "M14": 0, "M24": 0, "M34": 0, "M41": x, "M42": y, "M43": z, "M44": 1}


def polygon(key: int, corners: list[Corner]) -> Json:
    return {
        "Id": key,
        "NumPoints": len(corners),
        "SidesType": 0,
        "Plane": {"Normal": {"X": 0, "Y": 0, "Z": float("nan")}, "D": 0},  # is not read
        "Vertices": [{"X": x, "Y": y, "Z": z} for x, y, z in corners],
    }


def room(cell_id: int, shift: float, doors: tuple[bool, bool], portals: list[Json], seen: list[int]) -> Json:
    """A room from x = `shift` to `shift` + 6 in the frame that both share."""
    mesh = Mesh()
    box(mesh, (6.0, 6.0, 3.0), True, doors)
    for x, towards, there in ((0.0, 1, doors[0]), (6.0, -1, doors[1])):
        if there:
            opening_at(mesh, x, towards)
    moved = [(x + shift, y, z) for x, y, z in mesh.vertices]
    solid = [[moved[key] for key in poly["v"]] for poly in mesh.polys]
    openings = [[moved[key] for key in poly["v"]] for poly in mesh.portal_polys]
    return {
        "CellId": cell_id,
        "WorldTransform": matrix((130.5, 11.5, 94.0)),
        "ResolvedPolygons": [polygon(key, corners) for key, corners in enumerate(solid)],
        "PortalPolygons": [polygon(key, corners) for key, corners in enumerate(solid + openings)],
        "Portals": portals,
        "VisibleCellIds": seen,
    }


def portal(other: int, polygon_id: int, flags: int) -> Json:
    return {"OtherCellId": other, "PolygonId": polygon_id, "Flags": flags}


def hall() -> Json:
    """A room with an exit at x = 0 and the doorway at x = 6; 10 solid polygons."""
    return room(HALL, 0.0, (True, True), [portal(0xFFFF, 10, 7), portal(0x102, 11, 3)], [SIDE_ROOM])


def side_room() -> Json:
    return room(SIDE_ROOM, 6.0, (True, False), [portal(0x101, 8, 3)], [HALL])


def shell() -> Json:
    mesh = Mesh()
    box(mesh, (12.0, 6.0, 3.5), False, (False, False))
    corners = [[mesh.vertices[key] for key in poly["v"]] for poly in mesh.polys]
    return {
        "GfxObjId": SHELL,
        "BoundingSphereOrigin": {"X": 6, "Y": 3, "Z": 1.75},
        "BoundingSphereRadius": 7,
        "ResolvedPolygons": [polygon(key, points) for key, points in enumerate(corners)],
    }


def write_dumps(folder: Path, *dumps: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for dump in dumps:
        model = "GfxObjId" in dump
        name = f"0x{dump['GfxObjId' if model else 'CellId']:08X}{'.gfxobj' if model else ''}.json"
        (folder / name).write_text(json.dumps(dump))
    return folder
