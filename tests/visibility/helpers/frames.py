"""Draws frames in tests, and asserts the rules that every frame keeps (rendering.md 24.7)."""

from __future__ import annotations

from engine.visibility.camera import Camera
from engine.visibility.events import (
    SKY,
    STAMP,
    WEATHER,
    ZCLEAR,
    AlphaFlush,
    BuildingShell,
    DefaultView,
    DrawInside,
    FrameEvent,
    Land,
    Objects,
    Punch,
    Seal,
    Shell,
    Sky,
    Stamp,
    Sun,
    Weather,
    ZClear,
)
from engine.visibility.flood import Visibility
from engine.visibility.frame import INDOORS, FrameDriver, FrameOptions, FrameResult
from engine.visibility.options import FloodOptions
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_env_cell
from engine.world.world import World

EXACT = FrameOptions(exact=True)


def driver_of(world: World, options: FloodOptions | None = None) -> FrameDriver:
    return FrameDriver(WorldView(world), Visibility(world.graph, options))


def frame_of(world: World, camera: Camera, root_id: int, options: FrameOptions | None = None) -> FrameResult:
    return driver_of(world).frame_events(camera, root_id, options)


def assert_rules(frame: FrameResult) -> None:
    """Asserts the rules of 24.7, 11.2, 12.4 and 13.4 for any frame."""
    events = frame.events
    if not events:
        assert frame.message
        return
    flood = frame.flood
    indoors = is_env_cell(frame.root_id)
    assert isinstance(events[0], DrawInside if indoors else DefaultView)
    assert isinstance(events[-1], AlphaFlush)
    assert (flood is not None) == indoors
    landscape = flood is None or bool(flood.outside)
    assert bool(frame.landscape_views) == landscape
    above = [event.name for event in events if isinstance(event, Sky | Weather)]
    assert above in ([[SKY], [SKY, WEATHER]] if landscape else [[]]), "no weather for a player in a room"
    cleared = [event.name for event in events if isinstance(event, ZClear | Stamp)]
    assert cleared == ([STAMP, ZCLEAR] if landscape and indoors else [])
    _assert_sun(events, frame)
    _assert_indoor_order(events, frame)
    _assert_shells(events, frame)
    _assert_buildings(events, frame)
    _assert_land(events)


def _assert_sun(events: list[FrameEvent], frame: FrameResult) -> None:
    """The sun is on for the landscape, off for every shell and for the things in rooms, and on at the end."""
    on: bool | None = None
    for event in events:
        if isinstance(event, Sun):
            on = event.on
        elif isinstance(event, Sky | Land | BuildingShell | Weather):
            assert on is True
        elif isinstance(event, Shell | Objects):
            assert on is False
    assert on is True


def _assert_indoor_order(events: list[FrameEvent], frame: FrameResult) -> None:
    """The order is landscape, flush, stamp, clear, seals, rooms."""
    flood = frame.flood
    if flood is None:
        assert not any(isinstance(event, Seal | ZClear | Stamp) for event in events)
        return
    own = [event for event in events if isinstance(event, Shell | Objects) and event.look_in == INDOORS]
    first_room = next(i for i, event in enumerate(events) if event in own)
    if not flood.outside:
        assert not any(isinstance(event, Seal | Land | Punch) for event in events)
        return
    clear = next(i for i, event in enumerate(events) if isinstance(event, ZClear))
    assert isinstance(events[clear - 1], Stamp)
    assert isinstance(events[clear - 2], AlphaFlush)
    assert clear < first_room
    for i, event in enumerate(events):
        if isinstance(event, Seal):
            assert clear < i < first_room
            assert event.piece.view_index == event.view_index
            assert len(event.piece.points) >= 3
        elif isinstance(event, Sky | Land | Punch | BuildingShell | Weather):
            assert i < clear
    sealed = [event.piece.view for event in events if isinstance(event, Seal)]
    assert all(view in sealed for view in flood.outside)


def _assert_shells(events: list[FrameEvent], frame: FrameResult) -> None:
    """Rooms come in the reverse of the draw list; in a retail frame, each at most once between stamps."""
    drawn: set[int] = set()
    order: dict[int, list[int]] = {}
    for event in events:
        if isinstance(event, Stamp):
            drawn.clear()
        elif isinstance(event, Shell):
            if not frame.exact:
                assert event.visible.cell_id not in drawn
            drawn.add(event.visible.cell_id)
            order.setdefault(event.look_in, []).append(event.visible.cell_id)
    for look_in, shells in order.items():
        flood = frame.flood if look_in == INDOORS else frame.look_ins[look_in]
        assert flood is not None
        backwards = [visible.cell_id for visible in flood.cells[::-1]]
        assert [cell_id for cell_id in backwards if cell_id in shells] == shells
        if frame.exact:
            assert shells == backwards
    if not frame.exact and frame.flood is not None:
        assert len(order.get(INDOORS, [])) == len(frame.flood.cells)
    for i, event in enumerate(events):
        if frame.exact and isinstance(event, Shell):
            things, flush = events[i + 1], events[i + 2]
            assert isinstance(things, Objects)
            assert things.visible is event.visible
            assert isinstance(flush, AlphaFlush)


def _assert_buildings(events: list[FrameEvent], frame: FrameResult) -> None:
    """After a flush, each view has the punches of a building, then its rooms, then its shell; an exact frame punches
    all views at once. A punch without a visible room behind it is wrong."""
    for flood in frame.look_ins:
        assert flood.rejected == ""
        assert flood.punch is not None
        assert not flood.outside
    punches = [event for event in events if isinstance(event, Punch)]
    assert len(punches) == len(frame.look_ins)
    for number, punch in enumerate(punches):
        at = events.index(punch)
        before = events[at - 1]
        if isinstance(before, Punch):
            assert before.building is punch.building
        elif isinstance(before, AlphaFlush):
            assert before.level == 0.0
        else:
            assert isinstance(before, Sun)
            assert not frame.exact
            assert number > 0
            assert punches[number - 1].building is punch.building
            assert punches[number - 1].view_index < punch.view_index
        rooms = [i for i, e in enumerate(events) if isinstance(e, Shell | Objects) and e.look_in == number]
        assert min(rooms) > at
        shell = [i for i, e in enumerate(events) if isinstance(e, BuildingShell) and e.building is punch.building]
        assert len(shell) <= 1
        if shell:
            assert shell[0] > max(rooms)
            others = [e for e in events[at : shell[0]] if isinstance(e, Punch)]
            assert all(other.building is punch.building for other in others)
    assert all(flood.rejected for flood in frame.rejected)


def _assert_land(events: list[FrameEvent]) -> None:
    """No landcell draws its ground or its things twice, and things never come before their ground."""
    ground: list[int] = []
    things: list[int] = []
    for event in events:
        if isinstance(event, Land):
            ground += [visit.cell_id for visit in event.cells]
            things += [visit.cell_id for visit in event.objects]
            assert not set(event.cells) & set(things[: len(things) - len(event.objects)])
    assert len(ground) == len(set(ground))
    assert len(things) == len(set(things))
    assert set(ground) <= set(things)


def rooms_drawn(frame: FrameResult) -> list[int]:
    """The rooms whose walls the frame draws, in drawing order."""
    return [event.visible.cell_id for event in frame.events if isinstance(event, Shell)]


def rooms_of(world: World, block_id: int) -> list[EnvCell]:
    block = world.landblock(block_id)
    assert block is not None
    return block.env_cells
