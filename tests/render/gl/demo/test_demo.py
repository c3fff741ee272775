"""What the demo world's pictures must show, whatever their details (rendering.md 24.8, 11.5, 12.5, 12.6).

The clear colour is magenta: a pixel that keeps it was not drawn at all.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.build.demo import SPOTS
from engine.geometry.vec import Vec3
from engine.render.gl.renderer import DrawOptions
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.entities import MoveEntity
from engine.visibility.events import BuildingShell, Objects, Punch, Sky
from engine.visibility.frame import FrameResult
from engine.visibility.free_cell import FreeCell
from engine.visibility.view import ViewPoly
from engine.world.cells.ids import is_interior
from engine.world.cells.landdefs import get_outside_cell_id
from tests.render.gl.helpers.demo_pictures import (
    HEIGHT,
    MAGENTA,
    WIDTH,
    DemoPictures,
    Look,
    Mask,
    Picture,
    camera_at,
    far_apart,
    magenta,
)

BOTH_MODES = pytest.mark.parametrize("exact", [True, False], ids=["exact", "retail"])

ROOMS = [
    *(Look("cottage_parlour", turn, pitch) for turn, pitch in ((0.0, 0.0), (120.0, -20.0), (240.0, 35.0))),
    *(Look("cottage_kitchen", turn, pitch) for turn, pitch in ((-10.0, 19.5), (80.0, 0.0), (182.0, 2.0))),
    *(Look("inn_common_room", turn, pitch) for turn, pitch in ((0.0, 0.0), (180.0, -13.0), (294.7, -36.8))),
    *(Look("landing", turn, pitch) for turn, pitch in ((168.0, 39.0), (282.0, 24.0))),
    *(Look("dungeon_sunken_hall", turn, pitch) for turn, pitch in ((39.0, 18.0), (-46.0, 16.0))),
    *(Look(place) for place in ("upstairs", "cellar", "inn_kitchen", "crossing", "great_hall", "pit")),
    Look("dungeon_store", 222.7, -2.5),
]


def inside(views: list[ViewPoly]) -> Mask:
    """The pixels whose centres are in any of these views."""
    mask = np.zeros((HEIGHT, WIDTH), np.bool_)
    rows, columns = np.indices((HEIGHT, WIDTH)) + 0.5
    for view in views:
        own = np.ones((HEIGHT, WIDTH), np.bool_)
        for v in view.vertices:
            own &= (columns - v.x) * v.edge_y - (rows - v.y) * v.edge_x >= 0.0
        mask |= own
    return mask


def inner(mask: Mask, by: int = 2) -> Mask:
    """The mask without the pixels at its border."""
    for _ in range(by):
        grown = np.pad(mask, 1, mode="edge")
        mask = mask & grown[:-2, 1:-1] & grown[2:, 1:-1] & grown[1:-1, :-2] & grown[1:-1, 2:]
    return mask


@BOTH_MODES
@pytest.mark.parametrize("look", ROOMS, ids=lambda look: f"{look.place}-{look.turn:g}-{look.pitch:g}")
def test_inside_a_room_every_pixel_is_drawn(look: Look, exact: bool, demo: DemoPictures) -> None:
    assert magenta(demo.look(look, exact, MAGENTA)) == 0


def test_slivers_dropped_by_the_flood_are_under_two_pixels_wide(demo: DemoPictures) -> None:
    """A distant corridor, seen through less than a pixel of its mouth (5.1)."""
    store = Look("dungeon_store")
    camera = camera_at(store.root_id, store.eye, SPOTS[store.place].heading)
    picture = demo.picture(demo.frame(camera, store.root_id), MAGENTA)
    missing = (picture == (255, 0, 255)).all(axis=2)
    assert 0 < missing.sum() < 30
    assert not (missing[:-1, :-1] & missing[1:, :-1] & missing[:-1, 1:] & missing[1:, 1:]).any()


@BOTH_MODES
@pytest.mark.parametrize("place", ["dungeon_start", "great_hall", "dungeon_sunken_hall", "spiral_top"])
def test_a_dungeon_shows_nothing_of_the_outdoors_in_any_direction(place: str, exact: bool, demo: DemoPictures) -> None:
    for turn in range(0, 360, 45):
        look = Look(place, float(turn))
        frame = demo.frame(look.camera(), look.root_id, exact)
        assert not frame.landscape_views
        assert not any(isinstance(event, Sky) for event in frame.events)
        assert magenta(demo.picture(frame, MAGENTA)) == 0


# --- out of a door


def open_front_door(demo: DemoPictures) -> int:
    door = next(entity.guid for entity in demo.world.entities if entity.name == "Front Door")
    demo.sim.apply_edit(OpenDoor(door))
    for _ in range(60):
        demo.sim.tick()
    return door


@BOTH_MODES
def test_the_open_door_of_a_cottage_shows_the_outdoors(exact: bool, own_demo: DemoPictures) -> None:
    demo = own_demo
    door = open_front_door(demo)
    spot = SPOTS["cottage_inside_front_door"]
    x, y, z = spot.origin
    camera = camera_at(spot.cell_id, (x, y + 1.2, z + 1.5), spot.heading)
    frame = demo.frame(camera, spot.cell_id, exact)
    assert frame.flood is not None
    picture = demo.picture(frame, MAGENTA)
    leaf = far_apart(picture, demo.picture(frame, DrawOptions(without=frozenset({door}))), 2)
    opening = inner(inside(frame.flood.outside) & ~leaf)
    assert leaf.sum() > 1000
    assert opening.sum() > 10_000
    # The same eye, given an outdoor root, sees the same landscape where no wall of the house is.
    land_id = SPOTS["cottage_outside_front_door"].cell_id
    outdoors = demo.picture(demo.frame(camera, land_id, exact))
    assert far_apart(picture, outdoors)[opening].mean() < 0.005
    assert sky_and_ground(picture, opening)
    assert magenta(picture) == 0


@BOTH_MODES
def test_an_open_leaf_shows_in_the_room_it_swung_into_without_its_doorway(exact: bool, own_demo: DemoPictures) -> None:
    """Physics registers it only in the doorway, which this eye, close to the leaf, looks past."""
    demo = own_demo
    door = next(entity.guid for entity in demo.world.entities if entity.name == "Kitchen Door")
    demo.sim.apply_edit(OpenDoor(door))
    for _ in range(60):
        demo.sim.tick()
    demo.scene.update()
    leaf = max(demo.scene.parts_of(door), key=lambda part: part.sphere.radius)
    x, y, z = leaf.sphere.center
    room = SPOTS["inn_common_room"].cell_id
    camera = camera_at(room, (x - 0.2, y - 0.77, z), -5.0)
    frame = demo.frame(camera, room, exact)
    assert leaf.home not in frame.visible_ids()
    without = demo.picture(frame, DrawOptions(without=frozenset({door})))
    assert far_apart(demo.picture(frame), without, 2).mean() > 0.5


def test_a_room_shows_all_of_an_open_leaf_inside_it(own_demo: DemoPictures) -> None:
    """Its handle too, which reaches through no opening."""
    demo = own_demo
    doors = [door.id for door in demo.sim.population.doors]
    for door in doors:
        demo.sim.apply_edit(OpenDoor(door))
    for _ in range(60):
        demo.sim.tick()
    demo.scene.update()
    swung = 0
    for part in (part for door in doors for part in demo.scene.parts_of(door)):
        block = demo.world.landblock(part.block_id)
        rooms = [] if block is None else [cell.id for cell in block.env_cells if cell.point_in_cell(part.sphere.center)]
        assert set(rooms) <= set(part.cells)
        swung += part.home not in rooms
    assert swung > 2 * len(doors)


@BOTH_MODES
def test_a_leaf_that_opens_outwards_shows_from_inside_and_beside_the_house(exact: bool, own_demo: DemoPictures) -> None:
    """It has swung onto the land, out of the doorway in which alone physics registers it."""
    demo = own_demo
    door = next(door for door in demo.sim.population.doors if door.name == "Front Door")
    cell_id, frame = door.place_cell(), door.place_frame()
    demo.sim.apply_edit(MoveEntity(door.id, cell_id, *frame.origin, frame.heading() + 180.0))
    demo.sim.apply_edit(OpenDoor(door.id))
    for _ in range(60):
        demo.sim.tick()
    x, y, z = SPOTS["cottage_outside_front_door"].origin
    beside = camera_at(SPOTS["garden"].cell_id, (x + 4.0, y - 0.6, z + 1.6), 270.0)
    views = ((Look("cottage_parlour", -120.0).camera(), "cottage_parlour", 1500), (beside, "garden", 3000))
    for camera, place, least in views:
        shown = demo.frame(camera, SPOTS[place].cell_id, exact)
        without = demo.picture(shown, DrawOptions(without=frozenset({door.id})))
        assert far_apart(demo.picture(shown), without).sum() > least, place
    demo.sim.apply_edit(MoveEntity(door.id, cell_id, *frame.origin, frame.heading()))


def sky_and_ground(picture: Picture, opening: Mask) -> bool:
    """Something blue and something that is not, in the opening."""
    red, _, blue = (picture[:, :, channel].astype(int)[opening] for channel in range(3))
    return bool((blue > red + 20).mean() > 0.05 and (blue < red).mean() > 0.05)


# --- times of day


def test_the_sky_is_bright_by_day_starry_by_night_and_changes_smoothly(demo: DemoPictures) -> None:
    up = Look("street", 0.0, 50.0)

    def brightness(time: float) -> float:
        demo.scene.time_of_day = time
        return float(demo.look(up)[HEIGHT // 4 : HEIGHT // 2].mean())

    assert brightness(0.5) > 130.0
    assert brightness(0.0) < 40.0
    stars = demo.look(up)[: HEIGHT // 2].max(axis=2)
    assert 20 < (stars > 150).sum() < 2000
    hours = [brightness(0.7 + 0.005 * step) for step in range(40)]
    demo.scene.time_of_day = 0.5
    assert max(abs(later - before) for before, later in pairwise(hours)) < 20.0


# --- into a house, and through it


@BOTH_MODES
def test_from_the_street_an_opening_shows_the_room_behind_it(exact: bool, demo: DemoPictures) -> None:
    look = Look("crossing_outside")
    frame = demo.frame(look.camera(), look.root_id, exact)
    picture = demo.picture(frame, MAGENTA)
    assert frame.look_ins
    room = frame.look_ins[-1].cells[0]
    seen = inner(inside(room.views))
    assert seen.sum() > 4000
    assert magenta(picture) == 0
    # The same eye, given that room as its root, sees the same walls through the opening.
    from_within = demo.picture(demo.frame(look.camera(), room.cell_id, exact))
    assert far_apart(picture, from_within)[seen].mean() < 0.01


@BOTH_MODES
def test_through_a_house_with_two_openings_the_landscape_behind_it_shows(exact: bool, demo: DemoPictures) -> None:
    look = Look("crossing_outside")
    frame = demo.frame(look.camera(), look.root_id, exact)
    house = next(event.building for event in frame.events if isinstance(event, Punch))
    picture = demo.picture(frame)
    without = demo.picture(without_building(frame, house.id))
    views = [view for flood in frame.look_ins for cell in flood.cells for view in cell.views]
    seen = inner(inside(views))
    through = seen & ~far_apart(picture, without, 0)
    # A window and an arch: some hundred pixels of the inn beyond, in one piece.
    assert inner(through, 3).sum() > 100
    assert far_apart(picture, without)[seen].mean() > 0.5


def without_building(frame: FrameResult, building_id: int) -> FrameResult:
    """The same frame without a house and its rooms."""
    gone = {cell.cell_id for flood in frame.look_ins for cell in flood.cells}
    found = FrameResult(frame.camera, frame.root_id, frame.exact)
    for event in frame.events:
        if isinstance(event, BuildingShell | Punch) and event.building.id == building_id:
            continue
        cell_id = event.cell_id if isinstance(event, Objects) else getattr(getattr(event, "cell", None), "id", 0)
        if cell_id not in gone:
            found.events.append(event)
    return found


# --- over thresholds


def walk(demo: DemoPictures, start: int, way: tuple[Vec3, Vec3], heading: float, exact: bool) -> list[Picture]:
    """A hundred frames of a camera that carries its cell along."""
    latch = FreeCell(demo.world_view)
    (ax, ay, az), (bx, by, bz) = way
    found: list[Picture] = []
    roots: list[int] = []
    for step in range(100):
        t = step / 99.0
        eye = (ax + (bx - ax) * t, ay + (by - ay) * t, az + (bz - az) * t)
        if step == 0:
            demo.world.graph.get_visible(start)
            latch.place(start, eye)
        else:
            latch.update_free_cell(eye)
        roots.append(latch.cell_id)
        frame = demo.frame(camera_at(latch.cell_id, eye, heading), latch.cell_id, exact)
        found.append(demo.picture(frame, MAGENTA))
    assert len(set(roots)) > 1
    assert any(is_interior(root) for root in roots)
    return found


Blocks = NDArray[np.float64]


def flashes(a: Blocks, b: Blocks, c: Blocks) -> int:
    """Blocks of 20 x 20 pixels whose colour is far from both the frame before and the frame after, while those two are
    nearly equal. The joints of a wall that passes by do not change the colour of a block."""
    away = np.minimum(np.abs(b - a).max(axis=2), np.abs(b - c).max(axis=2))
    return int(((away > 20.0) & (np.abs(a - c).max(axis=2) < 10.0)).sum())


def blocks(picture: Picture) -> Blocks:
    """The mean colours of its blocks."""
    means: Blocks = picture.reshape(HEIGHT // 20, 20, WIDTH // 20, 20, 3).mean(axis=(1, 3))
    return means


WALKS = {
    "in through the arch": (0xC95B0024, ((109.0, 74.6, 21.5), (109.3, 78.6, 21.5)), 0.0),
    "out of the arch": (0xC95B012A, ((109.0, 79.0, 21.5), (109.2, 75.2, 21.5)), 200.0),
    "from room to room": (0xC95B0102, ((61.0, 111.6, 21.5), (58.4, 111.2, 21.5)), 275.0),
}


@pytest.mark.parametrize(
    ("name", "exact"),
    [
        ("in through the arch", True),
        ("from room to room", False),
        pytest.param("in through the arch", False, marks=pytest.mark.slow),
        pytest.param("from room to room", True, marks=pytest.mark.slow),
        pytest.param("out of the arch", True, marks=pytest.mark.slow),
        pytest.param("out of the arch", False, marks=pytest.mark.slow),
    ],
)
def test_a_hundred_frames_over_a_threshold_never_flash(name: str, exact: bool, demo: DemoPictures) -> None:
    start, way, heading = WALKS[name]
    pictures = walk(demo, start, way, heading, exact)
    assert [magenta(picture) for picture in pictures] == [0] * 100
    seen = [blocks(picture) for picture in pictures]
    assert sum(map(flashes, seen, seen[1:], seen[2:])) == 0
    # A flash would be noticed.
    assert flashes(seen[0], blocks(np.full_like(pictures[0], (255, 0, 255))), seen[0]) > 300


@pytest.mark.parametrize("exact", [False, True])
def test_an_onlooker_at_the_frames_own_eye_sees_the_same_picture(demo: DemoPictures, exact: bool) -> None:
    """In a dungeon where no thing reaches through a portal; outdoors the rooms would be drawn over the landscape."""
    look = Look("dungeon_start")
    frame = demo.frame(look.camera(), look.root_id, exact)
    own = demo.picture(frame)
    demo.renderer.draw(frame, demo.target.framebuffer, onlooker=look.camera())
    assert far_apart(own, demo.target.pixels()[:, :, :3], 2).mean() < 0.001


@pytest.mark.parametrize(
    ("cell_id", "eye", "heading", "pitch"),
    [
        (0xC95B011B, (98.863, 111.45, 24.378), 77.0, 23.8),
        (0x00070141, (-6.825, -36.847, -0.574), 355.0, 3.8),
        (0x00070122, (-11.894, -12.558, 2.397), 13.4, 29.4),
    ],
)
def test_an_opening_of_less_than_a_pixel_leaves_no_line_in_an_exact_picture(
    cell_id: int, eye: Vec3, heading: float, pitch: float, demo: DemoPictures
) -> None:
    """The client's own picture has such a line: the flood does not pass through the opening."""
    camera = camera_at(cell_id, eye, heading, pitch)
    assert magenta(demo.picture(demo.frame(camera, cell_id), MAGENTA)) > 0
    assert magenta(demo.picture(demo.frame(camera, cell_id, True), MAGENTA)) == 0


def test_the_sky_stands_at_the_corner_of_the_eyes_landblock(demo: DemoPictures) -> None:
    """A player who walks through a landblock comes nearer to what he sees there, and the next one starts over
    (rendering.md C8)."""

    def clouds(block_id: int, x: float) -> Picture:
        eye = (x, 96.0, 90.0)
        root_id = get_outside_cell_id(block_id, eye)
        return demo.picture(demo.frame(camera_at(root_id, eye, 0.0, 70.0), root_id))

    here = clouds(0xC95BFFFF, 20.0)
    assert (clouds(0xC95BFFFF, 170.0) != here).mean() > 0.05
    assert (clouds(0xCA5BFFFF, 20.0) != here).mean() < 0.001
