"""Picking in the demo world agrees with its pixels, drawn one by one from all triangles of the frame."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from engine.build.demo import SPOTS, ensure_demo
from engine.render.draws import Owner
from engine.render.materials import SubsetKind
from engine.render.picking.hits import Hit, HitKind, PickMode
from engine.render.picking.pick import Picker
from engine.render.scene import Scene
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation
from engine.visibility.camera import Camera, focal_of_fov, looking
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions, FrameResult
from engine.visibility.world_view import WorldView
from engine.world.loader import open_world
from tests.render.pixel import PixelReplay, Seen

WIDTH, HEIGHT = 480.0, 320.0
EYE = 1.5
ROOMS = ("cottage_parlour", "inn_common_room", "cellar", "landing", "inn_kitchen", "crossing", "great_hall", "pit_edge")
PLACES = (*ROOMS, "street", "market", "garden", "cottage_outside_front_door", "crossing_outside")


class Demo:
    """The demo world with its player in the parlour, and frames from any of its spots."""

    def __init__(self) -> None:
        self.sim = Simulation(open_world(ensure_demo()))
        self.world = self.sim.world
        spot = SPOTS["cottage_parlour"]
        self.sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
        self.scene = Scene(self.world, self.sim)
        self.picker = Picker(self.scene)
        self.replay = PixelReplay(self.scene)
        self.driver = FrameDriver(WorldView(self.world), Visibility(self.world.graph))

    def look(self, place: str, turn: float = 0.0, pitch: float = 0.0) -> tuple[FrameResult, Camera]:
        spot = SPOTS[place]
        x, y, z = spot.origin
        focal = focal_of_fov(HEIGHT, 1.178)
        camera = looking(spot.cell_id, (x, y, z + EYE), spot.heading + turn, pitch, WIDTH, HEIGHT, focal)
        self.world.graph.get_visible(spot.cell_id)
        return self.driver.frame_events(camera, spot.cell_id, FrameOptions(exact=True)), camera


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    made = Demo()
    yield made
    made.sim.close()
    made.world.loaded.close()


def name_of(hit: Hit | None) -> tuple[str, int] | None:
    if hit is None or hit.kind is HitKind.PORTAL:
        return None
    return {
        HitKind.POLYGON: ("wall", hit.cell_id),
        HitKind.PART: ("thing", hit.object_id),
        HitKind.TERRAIN: ("ground", hit.cell_id),
        HitKind.BUILDING: ("building", hit.object_id),
    }[hit.kind]


def disagrees(hit: Hit | None, seen: Seen | None) -> bool:
    if hit is None or seen is None or hit.kind is HitKind.PORTAL:
        return name_of(hit) != (None if seen is None else seen.name)
    return name_of(hit) != seen.name and abs(hit.t - seen.t) > 1e-3 * hit.t


def is_cut_out(demo: Demo, seen: Seen | None) -> bool:
    """The pixel shows a thing with holes, which pixels drawn one by one do not look through."""
    parts = demo.scene.parts_of(seen.name[1]) if seen is not None and seen.name[0] == "thing" else []
    return any(material.kind is SubsetKind.CLIP for part in parts for material in part.materials)


def is_steady(demo: Demo, frame: FrameResult, x: float, y: float) -> bool:
    """The pixels around it show the same: no border is near, where views are a pixel smaller than openings."""
    shown = {
        None if seen is None else seen.name
        for dx in (-2.0, 0.0, 2.0)
        for dy in (-2.0, 0.0, 2.0)
        for seen in [demo.replay.seen(frame, x + dx, y + dy)]
    }
    return len(shown) == 1


def compare(demo: Demo, place: str, looks: int, pixels: int) -> None:
    dice = random.Random(place)
    for _ in range(looks):
        frame, camera = demo.look(place, dice.uniform(0.0, 360.0), dice.uniform(-25.0, 15.0))
        for _ in range(pixels):
            x, y = dice.uniform(3.0, WIDTH - 3.0), dice.uniform(3.0, HEIGHT - 3.0)
            hit, seen = demo.picker.pick(frame, camera, x, y), demo.replay.seen(frame, x, y)
            if disagrees(hit, seen) and not is_cut_out(demo, seen) and is_steady(demo, frame, x, y):
                found = None if hit is None else (name_of(hit), hit.t)
                pytest.fail(f"({x:.1f}, {y:.1f}) of {camera}: picked {found}, saw {seen}")


@pytest.mark.parametrize("place", PLACES)
def test_picking_finds_what_the_pixel_shows(demo: Demo, place: str) -> None:
    compare(demo, place, 2, 12)


@pytest.mark.slow
@pytest.mark.parametrize("place", sorted(SPOTS))
def test_picking_at_random_spots_finds_what_the_pixel_shows(demo: Demo, place: str) -> None:
    compare(demo, place, 5, 16)


def test_a_picked_point_is_on_the_ray_at_its_distance(demo: Demo) -> None:
    frame, camera = demo.look("inn_common_room")
    hit = demo.picker.pick(frame, camera, 200.0, 150.0)
    assert hit is not None
    back = camera.project(hit.point)
    assert (back.x / back.w, back.y / back.w) == pytest.approx((200.0, 150.0), abs=1e-3)
    nx, ny, nz = hit.normal
    assert nx * nx + ny * ny + nz * nz == pytest.approx(1.0)


def test_picking_finds_a_doors_part_and_the_portal_behind_it(demo: Demo) -> None:
    frame, camera = demo.look("cottage_inside_front_door")
    hit = demo.picker.pick(frame, camera, WIDTH / 2.0, HEIGHT / 2.0 + 10.0)
    assert hit is not None
    assert hit.kind is HitKind.PART
    assert hit.drawn is not None
    assert hit.drawn.owner is Owner.ENTITY
    assert hit.object_id in {door.id for door in demo.sim.population.doors}
    portal = demo.picker.pick(frame, camera, WIDTH / 2.0, HEIGHT / 2.0 + 10.0, PickMode.PORTAL)
    assert portal is not None
    assert portal.kind is HitKind.PORTAL


def test_from_the_street_picking_finds_an_opening_and_the_ground(demo: Demo) -> None:
    frame, camera = demo.look("cottage_outside_front_door")
    x, y = WIDTH / 2.0, HEIGHT / 2.0 + 10.0
    opening = demo.picker.pick(frame, camera, x, y, PickMode.APERTURE)
    assert opening is not None
    assert opening.kind is HitKind.PORTAL
    assert opening.object_id == frame.look_ins[0].building.id  # type: ignore[union-attr]  # a look-in has one
    ground = demo.picker.pick(frame, camera, x, HEIGHT - 4.0, PickMode.LANDCELL)
    assert ground is not None
    assert (ground.kind, ground.cell_id & 0xFFFF <= 0x40) == (HitKind.TERRAIN, True)


def test_picking_through_lists_the_visible_object_among_many(demo: Demo) -> None:
    frame, camera = demo.look("cottage_outside_front_door")
    x, y = WIDTH / 2.0, HEIGHT / 2.0 + 10.0
    hit = demo.picker.pick(frame, camera, x, y)
    hits = demo.picker.pick_through(frame, camera, x, y)
    assert hit in hits
    assert {HitKind.PART, HitKind.PORTAL, HitKind.POLYGON} <= {other.kind for other in hits}
