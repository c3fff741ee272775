"""The image test of rendering.md 24.3: what OpenGL draws of the reference's scenes, against a ray for each pixel."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.render.gl.renderer import DrawOptions, GlRenderer
from engine.visibility.camera import Camera
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from tests.render.gl.conftest import Targets
from tests.render.gl.helpers.box_rooms import NOTHING, OUTDOORS, WALLS, BoxRooms, BoxScene, Tracer, wall_colour
from tests.shared import needs_shared
from tests.visibility.cases.spec_cases import HEIGHT, WIDTH, Scene, camera_at, camera_of, interior_cases
from tests.visibility.helpers.small_scenes import SmallScene, portal, two_rooms

pytestmark = [needs_shared, pytest.mark.conformance]

Picture = NDArray[np.uint8]

MAGENTA = (1.0, 0.0, 1.0)
EQUAL = 0.995
NEAR_EDGE = 2
"""In pixels: a pixel within 1.5 of an edge has one of another wall at most this far away."""


def drawn(targets: Targets, spec: BoxRooms, root: int, camera: Camera, exact: bool) -> Picture:
    scene = BoxScene(spec)
    driver = FrameDriver(WorldView(spec.world), Visibility(spec.world.graph))
    target = targets(int(WIDTH), int(HEIGHT))
    renderer = GlRenderer(scene)
    frame = driver.frame_events(camera, root, FrameOptions(exact))
    renderer.draw(frame, target.framebuffer, DrawOptions(clear=MAGENTA))
    picture: Picture = target.pixels()[:, :, :3].copy()
    renderer.close()
    scene.close()
    return picture


def painted_labels(spec: BoxRooms, labels: NDArray[np.int32]) -> Picture:
    """The labels' colours; outdoors there is an empty sky."""
    haze = [round(channel * 255.0) for channel in BoxScene(spec).sky().clear_colour]
    picture = np.zeros((*labels.shape, 3), np.uint8)
    for label in np.unique(labels).tolist():
        colour = haze if label == OUTDOORS else wall_colour(*divmod(label, WALLS))
        picture[labels == label] = (255, 0, 255) if label == NOTHING else colour
    return picture


def beside_edges(labels: NDArray[np.int32], reach: int) -> NDArray[np.bool_]:
    """Pixels that have one of another label no farther away than this."""
    edge = np.zeros(labels.shape, np.bool_)
    padded = np.pad(labels, reach, mode="edge")
    height, width = labels.shape
    for down in range(2 * reach + 1):
        for across in range(2 * reach + 1):
            edge |= padded[down : down + height, across : across + width] != labels
    return edge


def different(picture: Picture, expected: Picture) -> NDArray[np.bool_]:
    apart: NDArray[np.bool_] = np.abs(picture.astype(np.int16) - expected.astype(np.int16)).max(axis=2) > 1
    return apart


def assert_same(spec: BoxRooms, picture: Picture, labels: NDArray[np.int32]) -> None:
    expected = painted_labels(spec, labels)
    wrong = different(picture, expected)
    assert 1.0 - wrong.mean() >= EQUAL
    assert not (wrong & ~beside_edges(labels, NEAR_EDGE)).any()


@pytest.mark.parametrize("case", interior_cases(), ids=lambda case: case["id"])
def test_every_pixel_shows_the_wall_that_its_ray_hits(case: Any, targets: Targets) -> None:
    """In both modes, whose rays differ only where the two sides of a portal do."""
    spec = Scene(case["scene"])
    root, camera = spec.id(case["root"]), camera_of(case)
    labels = Tracer(spec, root, camera, clipped=True).labels()
    assert_same(spec, drawn(targets, spec, root, camera, exact=True), labels)
    if has_inexact_portals(spec):
        labels = Tracer(spec, root, camera, clipped=False).labels()
    assert_same(spec, drawn(targets, spec, root, camera, exact=False), labels)


def has_inexact_portals(spec: Scene) -> bool:
    cells = [spec.world.graph.peek(cell_id) for cell_id in spec.source.ids.values()]
    return any(not portal.exact_match for cell in cells if isinstance(cell, EnvCell) for portal in cell.portals)


class Rooms:
    """Rooms beyond those of the reference, in the same form."""

    def __init__(self, rooms: dict[str, Any]) -> None:
        self._rooms = rooms
        small = SmallScene(rooms)
        self.world, self.id, self._names = small.world, small.id, small.source.names

    def name(self, cell_id: int) -> str:
        return self._names[cell_id]

    def box(self, room: str) -> list[float]:
        return [float(value) for value in self._rooms[room]["box"]]


def bigger_inside() -> dict[str, Any]:
    """A room of ten metres, and behind its door a hall that extends back over it on all sides."""
    rooms = two_rooms()
    rooms["B"]["box"] = [-30, 10, -5, 40, 60, 20]
    rooms["A"]["box"] = [0, 0, 0, 10, 10, 4]
    side = [[10, 3, 3], [10, 5, 3], [10, 5, 0], [10, 3, 0]]
    rooms["A"]["portals"].append(portal(side, "C", 0))
    rooms["A"]["stab"] = ["B", "C"]
    # Its north end is within B, and its door is the side door of A.
    rooms["C"] = {"box": [10, 0, 0, 25, 30, 4], "stab": ["A"], "portals": [portal(list(reversed(side)), "A", 1)]}
    return rooms


@pytest.mark.parametrize("heading", [0.0, 30.0, 60.0, 75.0, 90.0])
def test_in_exact_mode_overlapping_rooms_do_not_show_through_each_other(heading: float, targets: Targets) -> None:
    spec = Rooms(bigger_inside())
    root, camera = spec.id("A"), camera_at((4.0, 3.5, 1.6), heading)
    labels = Tracer(spec, root, camera, clipped=True).labels()
    assert_same(spec, drawn(targets, spec, root, camera, exact=True), labels)


def free_door() -> dict[str, Any]:
    """A room with a door in its middle, and behind the door a hall that is longer than the room."""
    door = [[6, 6, 3], [4, 6, 3], [4, 6, 0], [6, 6, 0]]
    return {
        "A": {"box": [0, 0, 0, 10, 10, 4], "stab": ["B"], "portals": [portal(door, "B", 0)]},
        "B": {"box": [-5, 6, -1, 15, 40, 6], "stab": ["A"], "portals": [portal(list(reversed(door)), "A", 0)]},
    }


@pytest.mark.parametrize("heading", [-20.0, 0.0, 15.0])
def test_in_exact_mode_walls_behind_an_opening_do_not_hide_its_view(heading: float, targets: Targets) -> None:
    """The seal of the opening keeps out the room's own back wall, which is nearer."""
    spec = Rooms(free_door())
    root, camera = spec.id("A"), camera_at((5.0, 2.0, 1.6), heading)
    labels = Tracer(spec, root, camera, clipped=True).labels()
    assert (labels // WALLS == (spec.id("B") & 0xFF)).mean() > 0.02
    assert_same(spec, drawn(targets, spec, root, camera, exact=True), labels)


def test_in_retail_mode_overlapping_rooms_show_through_each_other(targets: Targets) -> None:
    spec = Rooms(bigger_inside())
    root, camera = spec.id("A"), camera_at((4.0, 3.5, 1.6), 60.0)
    labels = Tracer(spec, root, camera, clipped=True).labels()
    picture = drawn(targets, spec, root, camera, exact=False)
    assert different(picture, painted_labels(spec, labels)).mean() > 1.0 - EQUAL


@pytest.mark.parametrize("name", ["loop_of_four", "late_widening", "octagons", "cottage"])
def test_pictures_from_random_eyes_match_their_rays(name: str, targets: Targets) -> None:
    random = Random(name)
    spec = Scene(name)
    for _ in range(3):
        room = random.choice(sorted(spec.source.ids))
        x0, y0, z0, x1, y1, z1 = spec.box(room)
        eye = (
            random.uniform(x0 + 0.3, x1 - 0.3),
            random.uniform(y0 + 0.3, y1 - 0.3),
            random.uniform(z0 + 0.3, z1 - 0.3),
        )
        camera = camera_at(eye, random.uniform(0.0, 360.0), random.uniform(-40.0, 40.0))
        exact = random.random() < 0.7
        labels = Tracer(spec, spec.id(room), camera, clipped=exact).labels()
        assert_same(spec, drawn(targets, spec, spec.id(room), camera, exact), labels)
