"""Small worlds of rooms and portals, written like the scenes of rendering.md 24.4."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from engine.visibility.camera import Camera, looking
from engine.visibility.flood import flood_interior
from engine.visibility.options import FloodOptions
from engine.visibility.records import FloodResult
from engine.world.loader.json_form import JsonNode
from engine.world.loader.portal_scene import BLOCK, PortalSceneSource, portal_scene_world

Rooms = Mapping[str, Mapping[str, Any]]

DOOR = [[4, 10, 0], [6, 10, 0], [6, 10, 3], [4, 10, 3]]
"""In the north wall of a ten-metre-square room, seen from inside."""

BACK = list(reversed(DOOR))


def portal(poly: Any, to: str, back: int = -1, side: int = 0, exact: int = 1) -> dict[str, Any]:
    return {"poly": poly, "side": side, "to": to, "back": back, "exact": exact}


def two_rooms(**changes: Any) -> dict[str, Any]:
    """A room and another north of it, joined by DOOR; `changes` apply to the first room's portal."""
    return {
        "A": {"box": [0, 0, 0, 10, 10, 4], "stab": ["B"], "portals": [{**portal(DOOR, "B", 0), **changes}]},
        "B": {"box": [0, 10, 0, 10, 20, 4], "stab": ["A"], "portals": [portal(BACK, "A", 0)]},
    }


def endless() -> dict[str, Any]:
    """Two rooms that share a whole wall, each of which leads into the other through both of its ends."""
    north, south = [[0, 10, 0], [10, 10, 0], [10, 10, 4], [0, 10, 4]], [[0, 0, 4], [10, 0, 4], [10, 0, 0], [0, 0, 0]]
    far = [[0, 20, 0], [10, 20, 0], [10, 20, 4], [0, 20, 4]]
    return {
        "A": {"stab": ["B"], "portals": [portal(north, "B", 0), portal(south, "B", 1)]},
        "B": {"stab": ["A"], "portals": [portal(list(reversed(north)), "A", 0), portal(far, "A", 1)]},
    }


class SmallScene:
    def __init__(self, rooms: Rooms) -> None:
        # Goes through text, so that every number is what a file would give.
        self.source = PortalSceneSource("small", JsonNode(json.loads(json.dumps(rooms)), "small"), (0.0, 0.0, 0.0))
        self.world = portal_scene_world(self.source)

    def id(self, room: str) -> int:
        return self.source.ids[room]

    def flood(self, root: str, camera: Camera, options: FloodOptions | None = None) -> FloodResult:
        return flood_interior(self.world.graph, self.id(root), camera, options)

    def draw(self, result: FloodResult) -> list[str]:
        return [self.source.names[visible.cell_id] for visible in result.cells]

    def statuses(self, result: FloodResult) -> dict[str, list[str]]:
        return {
            self.source.names[visible.cell_id]: [record.status for record in visible.portals]
            for visible in result.cells
        }


def eye_at(x: float, y: float, z: float = 1.5, heading: float = 0.0, pitch: float = 0.0) -> Camera:
    return looking(BLOCK, (x, y, z), heading, pitch, 640.0, 480.0, 240.0)
