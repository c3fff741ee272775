"""`bench view`, its part on pictures: whole frames of the demo world at 1280 x 800, drawn without a window by whatever
OpenGL the machine has; without a graphics card that is Mesa's rasteriser.

A frame is the events (flood and landscape), what the thread does to hand it to OpenGL (`submit`, processor time), and
the wait until it is drawn. The shortest of its times stands for a place: all else is what disturbed it.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median

from benchmarks import dollhouse, flight, samples_and_sky
from benchmarks.figures import Figure
from editor.authoring.static_edits import find_static, move_thing
from editor.pictures.contexts import offscreen_context
from engine.build.demo import SPOTS, ensure_demo
from engine.geometry.frame import Frame
from engine.geometry.vec import add, distance, scale
from engine.render.gl import api
from engine.render.gl.offscreen import OffscreenTarget
from engine.render.gl.renderer import GlRenderer
from engine.render.scene import Scene
from engine.render.viewer.rig import direction
from engine.sim.tick.simulation import Simulation
from engine.visibility.camera import Camera, focal_of_screen, looking
from engine.visibility.events import (
    AlphaFlush,
    BuildingShell,
    DefaultView,
    Land,
    LandCellVisit,
    Objects,
    Shell,
    Sky,
    Sun,
)
from engine.visibility.flood import Visibility
from engine.visibility.frame import INDOORS, FrameDriver, FrameOptions, FrameResult
from engine.visibility.records import VisibleCell
from engine.visibility.store import CellManager
from engine.visibility.view import full_screen
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import landblock_id
from engine.world.cells.objects import static_object_id
from engine.world.loader import open_world
from engine.world.world import World

WIDTH, HEIGHT = 1280, 800
EYE_HEIGHT = 1.5
FRAMES = 40

SUBMIT_LIMIT, FRAME_LIMIT, EXACT_RATIO, FIRST_LIMIT = 5.0, 33.0, 1.5, 700.0
"""Milliseconds, and how much longer an exact frame may take than a retail one."""

NUDGE = 0.05
AHEAD = 12.0
"""Metres that a thing is moved, and at which one is looked for."""

PLACES = {"inn": ("inn_common_room", 0.0), "street": ("street", 0.0)}
OTHER_PLACES = {"inn with a window": ("inn_common_room", 180.0), "dungeon": ("great_hall", 0.0)}


@dataclass(frozen=True)
class Cost:
    """Milliseconds of the quickest frame, part by part."""

    events: float
    submit: float
    whole: float
    usual_submit: float
    """The median of all frames, as the next one."""
    usual_whole: float


class Pictures:
    """The demo world, drawn."""

    def __init__(self, world: World, target: OffscreenTarget) -> None:
        self.sim = Simulation(world)
        self.world = world = self.sim.world
        self.scene = Scene(world, self.sim)
        self.world_view = WorldView(world)
        self.driver = FrameDriver(self.world_view, Visibility(world.graph))
        self.renderer = GlRenderer(self.scene)
        self.cells = CellManager(world.graph)
        self.target = target

    def go(self, place: str) -> None:
        """Load everything around a place and wake it, as if the player were there."""
        spot = SPOTS[place]
        self.cells.change_position(spot.cell_id, spot.origin)
        self.sim.surroundings.come_near(spot.cell_id, seen_outside=True)

    def events(self, place: str, turn: float, exact: bool) -> FrameResult:
        return self.driver.frame_events(camera_at(place, turn), SPOTS[place].cell_id, FrameOptions(exact))

    def draw(self, frame: FrameResult) -> None:
        """And wait until it is there."""
        self.renderer.draw(frame, self.target.framebuffer)
        api.finish()

    def close(self) -> None:
        self.renderer.close()
        self.scene.close()
        self.sim.close()


def figures(core: str) -> list[Figure]:
    promised = core == "compiled"
    with offscreen_context():
        target = OffscreenTarget(WIDTH, HEIGHT)
        with open_world(ensure_demo()) as world:
            pictures = Pictures(world, target)
            found = [figure for name in PLACES for figure in _place(pictures, name, *PLACES[name], promised)]
            for name in OTHER_PLACES:
                found += _place(pictures, name, *OTHER_PLACES[name], False)
            found += _all_cells(pictures)
            found += samples_and_sky.figures(pictures, {**PLACES, **OTHER_PLACES})
            found += dollhouse.figures(pictures, promised)
            found += _edits(pictures)
            pictures.close()
        found += _first_picture(target, promised)
        found += flight.figures(target, promised)
    return found


def camera_at(place: str, turn: float) -> Camera:
    spot = SPOTS[place]
    x, y, z = spot.origin
    focal = focal_of_screen(float(WIDTH), float(HEIGHT))
    return looking(spot.cell_id, (x, y, z + EYE_HEIGHT), spot.heading + turn, 0.0, float(WIDTH), float(HEIGHT), focal)


# --- whole frames


def _place(pictures: Pictures, name: str, place: str, turn: float, promised: bool) -> list[Figure]:
    pictures.go(place)
    retail = _cost(pictures, partial(pictures.events, place, turn, False))
    exact = _cost(pictures, partial(pictures.events, place, turn, True))
    limits = (SUBMIT_LIMIT, FRAME_LIMIT, EXACT_RATIO) if promised else (None, None, None)
    return [
        Figure(f"{name}: events, retail", retail.events, "ms"),
        Figure(f"{name}: submit, retail", retail.submit, "ms", limits[0], limits[0]),
        Figure(f"{name}: frame, retail", retail.whole, "ms", limits[1], limits[1]),
        Figure(f"{name}: submit, retail, median", retail.usual_submit, "ms"),
        Figure(f"{name}: frame, retail, median", retail.usual_whole, "ms"),
        Figure(f"{name}: submit, exact", exact.submit, "ms"),
        Figure(f"{name}: frame, exact", exact.whole, "ms"),
        Figure(f"{name}: exact to retail", exact.whole / retail.whole, "x", limits[2], limits[2]),
    ]


def _cost(pictures: Pictures, make: Callable[[], FrameResult]) -> Cost:
    pictures.scene.update()
    pictures.draw(make())
    events, submit, whole = [], [], []
    gc.collect()
    gc.disable()  # a window would collect while it waits for the next frame
    try:
        for _ in range(FRAMES):
            start = time.perf_counter()
            pictures.scene.update()
            frame = make()
            made = time.perf_counter()
            busy = time.thread_time()
            pictures.renderer.draw(frame, pictures.target.framebuffer)
            submit.append(time.thread_time() - busy)
            api.finish()
            whole.append(time.perf_counter() - start)
            events.append(made - start)
    finally:
        gc.enable()
    taken = (min(events), min(submit), min(whole), median(submit), median(whole))
    return Cost(*(seconds * 1000.0 for seconds in taken))


# --- what PView is for


def _all_cells(pictures: Pictures) -> list[Figure]:
    """The same eyes without it: every room and everything in the loaded landblocks, by depth alone."""
    found = []
    for name, (place, turn) in {**PLACES, "dungeon": OTHER_PLACES["dungeon"]}.items():
        pictures.go(place)
        seen = _cost(pictures, partial(pictures.events, place, turn, False))
        every = _cost(pictures, partial(everything, pictures, place, turn))
        found += [
            Figure(f"{name}: frame of all loaded cells, without PView", every.whole, "ms"),
            Figure(f"{name}: without PView to with it", every.whole / seen.whole, "x"),
        ]
    return found


def everything(pictures: Pictures, place: str, turn: float) -> FrameResult:
    """A frame with all rooms of the loaded landblocks, seen or not, after all of the landscape."""
    camera = camera_at(place, turn)
    frame = FrameResult(camera, SPOTS[place].cell_id, False)
    view = full_screen(camera)
    blocks = pictures.world_view.blocks()
    frame.events += [DefaultView(view), Sun(True), Sky([view])]
    visits = [LandCellVisit(block.block_id, low) for block in blocks if block.shows_terrain for low in range(1, 65)]
    frame.events.append(Land([view], visits, visits))
    for block in blocks:
        frame.events += [BuildingShell(each.building, each.block_id, [view]) for each in block.buildings]
    frame.events.append(Sun(False))
    rooms = [VisibleCell(cell, [view], 0) for block in blocks for cell in block.rooms if isinstance(cell, EnvCell)]
    frame.events += [Shell(room, INDOORS) for room in rooms]
    frame.events += [Objects(room, INDOORS) for room in rooms]
    frame.events += [Sun(True), AlphaFlush()]
    return frame


# --- edits and loading


def _edits(pictures: Pictures) -> list[Figure]:
    """The extra time of the first frame after an edit: at most that of a frame before it."""
    room_id = SPOTS[PLACES["inn"][0]].cell_id
    pictures.go("street")  # which the inn stands at
    tree = nearest_on_land(pictures.sim, "street", PLACES["street"][1])
    edits: tuple[tuple[str, str, Callable[[], None]], ...] = (
        ("inn", "other surfaces of the room", partial(_turn_surfaces, pictures.world, room_id)),
        ("inn", "a moved static of the room", _Nudge(pictures.sim, static_object_id(room_id, 0))),
        ("street", "a moved static on the land", _Nudge(pictures.sim, tree)),
    )
    return [figure for name, what, edit in edits for figure in _edit(pictures, name, what, edit)]


def _edit(pictures: Pictures, name: str, what: str, edit: Callable[[], None]) -> list[Figure]:
    place, turn = PLACES[name]
    pictures.go(place)
    still = _cost(pictures, partial(pictures.events, place, turn, False)).whole

    def edited() -> float:
        edit()
        start = time.perf_counter()
        pictures.scene.update()
        pictures.draw(pictures.events(place, turn, False))
        return (time.perf_counter() - start) * 1000.0

    first = min(edited() for _ in range(6))
    return [
        Figure(f"{name}: frame after {what}", first, "ms"),
        Figure(f"{name}: cost of {what}", max(first - still, 0.0), "ms", still, still),
    ]


def _turn_surfaces(world: World, room_id: int) -> None:
    """Every wall with the surface of the next."""
    old = world.graph.peek(room_id)
    assert isinstance(old, EnvCell)
    surfaces = [*old.surfaces[1:], old.surfaces[0]]
    room = EnvCell(old.id, old.frame, old.structure, old.portals, old.stab_list, old.flags, surfaces)
    room.static_objects = old.static_objects
    world.graph.replace_cell(room)


class _Nudge:
    """Moves a static thing a little and back again, by the edits that the window makes."""

    def __init__(self, sim: Simulation, static_id: int) -> None:
        self.sim = sim
        self.static_id = static_id
        self.step = NUDGE

    def __call__(self) -> None:
        place = find_static(self.sim, self.static_id)
        assert place is not None
        frame = Frame(add(place.frame.origin, (self.step, 0.0, 0.0)), place.frame.rotation)
        for edit in move_thing(self.sim, self.static_id, frame):
            self.sim.apply_edit(edit)
        self.step = -self.step


def nearest_on_land(sim: Simulation, place: str, turn: float) -> int:
    """The landblock's own static thing nearest to a point a little ahead of the eye."""
    spot = SPOTS[place]
    block_id = landblock_id(spot.cell_id)
    ahead = add(spot.origin, scale(direction(spot.heading + turn, 0.0), AHEAD))
    things = [find_static(sim, static_id) for static_id in sorted(sim.population.statics.things)]
    there = [each for each in things if each and not each.in_a_room and landblock_id(each.cell_id) == block_id]
    return min(there, key=lambda each: distance(each.frame.origin, ahead)).id


def _first_picture(target: OffscreenTarget, promised: bool) -> list[Figure]:
    """Time from requesting a landblock to its first picture, in a program that has drawn another one."""

    def arrive() -> float:
        with open_world(ensure_demo()) as world:
            pictures = Pictures(world, target)
            pictures.go("great_hall")
            pictures.draw(pictures.events("great_hall", 0.0, False))
            start = time.perf_counter()
            pictures.go("street")
            pictures.scene.update()
            pictures.draw(pictures.events("street", 0.0, False))
            taken = time.perf_counter() - start
            pictures.close()
        return taken * 1000.0

    limit = FIRST_LIMIT if promised else None
    return [Figure("landblock to first picture", min(arrive() for _ in range(3)), "ms", limit, limit)]
