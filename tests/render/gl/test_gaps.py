"""No pixel inside a room is background in an exact picture (rendering.md 14.4, 24.8).

The clear colour is magenta: a pixel that keeps it was not drawn at all. Rooms confined to their views leave such pixels
because each view may be a pixel smaller than its opening (5.1). Others are between two walls, where a corner of one is
on the edge of the other.
"""

from __future__ import annotations

import numpy as np
import pytest

from editor.pictures.contexts import offscreen_context
from engine.render.gl.offscreen import OffscreenContext, OffscreenTarget
from engine.render.gl.renderer import DrawOptions, GlRenderer
from engine.render.scene import Scene
from engine.visibility.camera import Camera
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions, FrameResult
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.loader import open_world
from engine.world.world import World
from tests.render.gl.conftest import Targets
from tests.render.gl.helpers.demo_pictures import (
    HEIGHT,
    MAGENTA,
    WIDTH,
    DemoPictures,
    Mask,
    Picture,
    camera_at,
    magenta,
)
from tests.render.gl.helpers.random_rooms import looks
from tests.shared import SHARED, needs_shared
from tests.visibility.helpers.brute_force import BruteForce

THROUGH_ROOMS = {
    "three rooms of the inn": (0xC95B0100, (58.531, 106.884, 21.468), -23.294, -4.014),
    "a passage of the dungeon": (0x00070165, (19.14, -27.506, -5.573), 41.124, -3.153),
    "the foot of the dungeon's stairs": (0x0007011E, (0.423, -6.834, 0.89), 1.831, -19.999),
}
"""Eyes before a row of rooms; the flood has no view of the last one where some pixels see it."""


def eye_of(name: str) -> tuple[int, Camera]:
    cell_id, eye, heading, pitch = THROUGH_ROOMS[name]
    return cell_id, camera_at(cell_id, eye, heading, pitch)


def without_gaps(demo: DemoPictures, frame: FrameResult) -> Picture:
    """The rooms, each confined to its views."""
    bare = FrameResult(frame.camera, frame.root_id, frame.exact)
    bare.events, bare.flood = frame.events, frame.flood
    bare.landscape_views, bare.land_in_gaps = frame.landscape_views, frame.land_in_gaps
    return demo.picture(bare, MAGENTA)


def background(picture: Picture) -> Mask:
    found: Mask = (picture == (255, 0, 255)).all(axis=2)
    return found


def assert_rooms(demo: DemoPictures, count: int, seed: int) -> None:
    for cell, camera in looks(demo.world, count, seed):
        picture = demo.picture(demo.frame(camera, cell.id, exact=True), MAGENTA)
        assert magenta(picture) == 0, (cell, camera.eye, camera.forward)


def test_no_pixel_is_background_from_random_eyes_in_the_demo_world(demo: DemoPictures) -> None:
    assert_rooms(demo, 300, 77)


@pytest.mark.slow
def test_no_pixel_is_background_from_thousands_of_eyes_in_the_demo_world(demo: DemoPictures) -> None:
    assert_rooms(demo, 2000, 78)


@pytest.mark.parametrize("name", THROUGH_ROOMS)
def test_an_exact_frame_draws_the_rooms_that_the_flood_drops(name: str, demo: DemoPictures) -> None:
    root_id, camera = eye_of(name)
    frame = demo.frame(camera, root_id, exact=True)
    assert frame.flood is not None
    bare, picture = without_gaps(demo, frame), demo.picture(frame, MAGENTA)
    gaps = background(bare)
    assert gaps.sum() >= 8
    assert magenta(picture) == 0
    assert not (picture != bare)[~gaps].any()
    # A ray for each pixel says which room is seen there, and the flood has no view of that room at that pixel.
    brute = BruteForce(demo.world.graph, camera)
    regions, found = brute.regions(root_id), brute.masks(frame.flood)
    left_out = [region & ~found.get(cell_id, brute.nothing()) & gaps for cell_id, region in regions.items()]
    assert sum(map(np.sum, left_out)) >= 8


@pytest.mark.parametrize("name", THROUGH_ROOMS)
def test_a_filled_gap_shows_the_room_that_its_rays_see(name: str, demo: DemoPictures, targets: Targets) -> None:
    """On a screen of four times the size, the client's own picture has it: nothing is smaller than a pixel there."""
    root_id, camera = eye_of(name)
    frame = demo.frame(camera, root_id, exact=True)
    gaps = background(without_gaps(demo, frame))
    picture = demo.picture(frame, MAGENTA).astype(np.int16)
    camera = magnified(camera, 4)
    target = targets(4 * WIDTH, 4 * HEIGHT)
    demo.renderer.draw(demo.frame(camera, root_id), target.framebuffer, MAGENTA)
    large = target.pixels()[:, :, :3].astype(np.int16)
    for row, column in zip(*np.nonzero(gaps), strict=True):
        there = large[max(0, 4 * row - 2) : 4 * row + 6, max(0, 4 * column - 2) : 4 * column + 6]
        assert np.abs(there - picture[row, column]).max(axis=2).min() <= 24, (row, column)


def magnified(camera: Camera, by: int) -> Camera:
    return Camera(
        camera.block_id,
        camera.eye,
        camera.forward,
        camera.right,
        camera.up,
        camera.width * by,
        camera.height * by,
        camera.focal * by,
    )


def test_retail_and_unfinished_pictures_fill_no_gaps(demo: DemoPictures) -> None:
    root_id, camera = eye_of("a passage of the dungeon")
    assert demo.frame(camera, root_id).gaps == []
    frame = demo.frame(camera, root_id, exact=True)
    steps = DrawOptions(clear=MAGENTA.clear, steps=len(frame.events) - 1)
    assert (background(demo.picture(frame, steps)) == background(without_gaps(demo, frame))).all()


def test_gaps_are_filled_after_a_lost_context(context: OffscreenContext) -> None:
    root_id, camera = eye_of("three rooms of the inn")
    with offscreen_context():
        demo = DemoPictures()
        assert magenta(demo.picture(demo.frame(camera, root_id, exact=True), MAGENTA)) == 0
    with offscreen_context():
        demo.renderer.invalidate()
        demo.target = OffscreenTarget(WIDTH, HEIGHT)
        assert magenta(demo.picture(demo.frame(camera, root_id, exact=True), MAGENTA)) == 0
        demo.close()
    context.make_current()


# --- incomplete sets of rooms


@needs_shared
def test_dumped_rooms_show_background_only_where_rooms_are_missing(targets: Targets) -> None:
    """The dumps lack some rooms of those houses, and have no landscape around them."""
    target = targets(WIDTH, HEIGHT)
    with open_world(SHARED / "fixtures") as world:
        scene = Scene(world)
        driver = FrameDriver(WorldView(world), Visibility(world.graph))
        renderer = GlRenderer(scene)
        options = DrawOptions(clear=MAGENTA.clear, solid_colours=True)
        for cell, camera in looks(world, 150, 5):
            frame = driver.frame_events(camera, cell.id, FrameOptions(exact=True))
            renderer.draw(frame, target.framebuffer, options)
            shown = background(target.pixels()[:, :, :3])
            assert not (shown & ~widened(not_there(world, cell, camera))).any(), (cell, camera.eye, camera.forward)
        renderer.close()
        scene.close()


def not_there(world: World, root: EnvCell, camera: Camera) -> Mask:
    """The pixels whose rays leave the rooms that the flood may see."""
    brute = BruteForce(world.graph, camera)
    allowed = root.stab_set | {root.id}
    found = brute.nothing()
    for cell_id, region in brute.regions(root.id).items():
        cell = world.graph.peek(cell_id)
        if isinstance(cell, EnvCell):
            for index, portal in enumerate(cell.portals):
                other = world.graph.peek(portal.other_cell_id)
                if not isinstance(other, EnvCell) or other.id not in allowed:
                    found |= brute.through(cell, index, region)
    return found


def widened(mask: Mask) -> Mask:
    """Including the adjacent pixels."""
    grown = np.pad(mask, 1)
    rows = grown[:-2] | grown[1:-1] | grown[2:]
    found: Mask = rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:]
    return found
