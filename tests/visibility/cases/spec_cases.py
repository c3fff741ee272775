"""The scenes and cases of rendering.md 24, read from the JSON files beside its pages."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.visibility.camera import Camera, looking
from engine.visibility.records import FloodResult
from engine.visibility.view import ViewPoly
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.portals import CellPortal
from engine.world.loader.json_form import JsonNode
from engine.world.loader.portal_scene import (
    BLOCK,
    PortalScenes,
    PortalSceneSource,
    portal_scene_world,
    scene_building,
)
from engine.world.world import World
from tests.visibility.helpers.screens import corners, same_outline

PAGES = Path(__file__).resolve().parents[3] / "docs" / "reference" / "visibility"
SCENES, INTERIOR, LOOK_IN = (f"conformance-{name}.json" for name in ("scenes", "interior", "look-in"))

WIDTH, HEIGHT, FOCAL = 640.0, 480.0, 240.0

NOWHERE: Vec3 = (0.0, 0.0, 0.0)


@cache
def blocks() -> list[Any]:
    """The three files: scenes, interior cases, look-in cases."""
    return [json.loads((PAGES / name).read_text(encoding="utf-8")) for name in (SCENES, INTERIOR, LOOK_IN)]


def interior_cases() -> list[Any]:
    found: list[Any] = blocks()[1]
    return found


def look_in_cases() -> list[Any]:
    found: list[Any] = blocks()[2]["cases"]
    return found


class Scene:
    """A scene of the reference as a world, moved if asked."""

    def __init__(self, name: str, shift: Vec3 = NOWHERE) -> None:
        scenes = PortalScenes(JsonNode(blocks()[0], SCENES))
        self.source: PortalSceneSource = scenes.source(name, shift)
        self.world: World = portal_scene_world(self.source)
        self.shift = shift

    def id(self, room: str) -> int:
        return self.source.ids[room]

    def name(self, cell_id: int) -> str:
        return self.source.names.get(cell_id, cell_text(cell_id))

    def box(self, room: str) -> list[float]:
        return [float(value) for value in blocks()[0]["scenes"][self.source.name][room]["box"]]

    def turn_half(self, room: str, about: tuple[float, float]) -> EnvCell:
        """Turns a room's frame by half a turn with its origin at `about`; the room stays where it is (24.10)."""
        old = self.world.graph.peek(self.id(room))
        assert isinstance(old, EnvCell)
        x, y, z = old.frame.origin
        portals = []
        for portal in old.portals:
            assert portal.polygon is not None
            points = [(about[0] - p[0], about[1] - p[1], p[2]) for p in portal.polygon.vertices]
            polygon = Polygon(portal.polygon_id, points)
            portals.append(
                CellPortal(portal.flags, portal.polygon_id, polygon, portal.other_cell_id, portal.other_portal_id)
            )
        frame = Frame((x + about[0], y + about[1], z), (0.0, 0.0, 0.0, 1.0))
        turned = EnvCell(old.id, frame, old.structure, portals, old.stab_list, old.flags, [])
        self.world.graph.replace_cell(turned)
        return turned

    def building(self) -> tuple[Building, list[str]]:
        portals = JsonNode(blocks()[2], LOOK_IN).field("building_portals")
        return scene_building(self.source, portals, self.shift)

    def draw(self, result: FloodResult) -> list[str]:
        return [self.name(visible.cell_id) for visible in result.cells]


def camera_at(eye: Vec3, heading: float, pitch: float = 0.0) -> Camera:
    return looking(BLOCK, eye, heading, pitch, WIDTH, HEIGHT, FOCAL)


def camera_of(case: Any) -> Camera:
    x, y, z = (float(value) for value in case["eye"])
    return camera_at((x, y, z), float(case["heading"]), float(case["pitch"]))


def assert_outlines(found: list[ViewPoly], expected: list[Any], slack: float = 0.01) -> None:
    """Asserts that the views have these outlines, in this order and corner for corner (24.1)."""
    outlines = [corners(view) for view in found]
    assert len(outlines) == len(expected), outlines
    for outline, wanted in zip(outlines, expected, strict=True):
        assert same_outline(outline, wanted, slack), (outline, wanted)


def assert_views(scene: Scene, result: FloodResult, views: Any, root: str = "", slack: float = 0.01) -> None:
    """Asserts the views of all cells except the root, which the cases never list because it sees the whole screen."""
    assert {scene.name(visible.cell_id) for visible in result.cells} - {root} == set(views)
    for visible in result.cells:
        if scene.name(visible.cell_id) != root:
            assert_outlines(visible.views, views[scene.name(visible.cell_id)], slack)
