"""Landblocks arrive in the picture piece by piece, before the eye is over them."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from itertools import pairwise

import pytest

from engine.build import WorldBuilder
from engine.build.built import BuiltWorld
from engine.build.shapes.furniture import rock
from engine.render.viewer.viewer import Viewer
from engine.visibility.events import Land
from engine.visibility.frame import FrameResult
from engine.world.faults import WorldError
from engine.world.landblock import Landblock
from engine.world.world import World

COLUMNS = 6
MIDDLE = 0x5151


@cache
def plain() -> BuiltWorld:
    """Three rows of flat landblocks with a rock each, from 0x5050 to 0x5552, and flat ones around them."""
    world = WorldBuilder()
    for column in range(COLUMNS):
        for row in range(3):
            land = world.landblock((0x50 + column) << 8 | (0x50 + row), height=10.0)
            land.put(rock(1.0), (80.0, 80.0))
    return world.build()


def patient(world: World, x: float = 100.0) -> Viewer:
    """A patient view, with the eye over the middle row, south of its centre, looking east."""
    viewer = Viewer(world, patient=True)
    fly_to(viewer, x)
    return viewer


def fly_to(viewer: Viewer, x: float) -> None:
    """In metres from the west edge of the middle landblock."""
    column, rest = divmod(x, 192.0)
    cell_id = ((0x51 + int(column)) << 24) | 0x00510000 | (int(rest // 24.0) * 8 + 4)
    viewer.free.place(cell_id, (rest, 90.0, 20.0), 90.0)


def shown(viewer: Viewer) -> list[int]:
    """The landblocks of the landscape, without the last four digits."""
    return [block.block_id >> 16 for block in viewer.world_view.blocks()]


def see(viewer: Viewer) -> FrameResult:
    return viewer.frame(640.0, 400.0)


def work_on(viewer: Viewer) -> None:
    assert viewer.arrivals is not None
    viewer.arrivals.work(lambda: False)


def around(column: int) -> list[int]:
    """The landblocks wanted by an eye south-east of the centre of the landblock one column on."""
    return [(column + x) << 8 | (0x4F + y) for x in range(4) for y in range(4)]


def test_the_eyes_landblock_comes_at_once_and_its_neighbours_one_by_one() -> None:
    viewer = patient(plain().load())
    frame = see(viewer)
    assert shown(viewer) == [MIDDLE]
    assert any(isinstance(event, Land) for event in frame.events)
    arrivals = viewer.arrivals
    assert arrivals is not None
    counts = [1]
    while arrivals.is_busy:
        loaded = len(viewer.graph.landblocks())
        arrivals.work(lambda: True)
        assert len(viewer.graph.landblocks()) <= loaded + 1
        counts.append(len(shown(viewer)))
    assert shown(viewer) == around(0x50)
    assert all(later - before in (0, 1) for before, later in pairwise(counts))
    viewer.close()


def test_the_next_landblocks_arrive_before_the_eye() -> None:
    viewer = patient(plain().load())
    see(viewer)
    work_on(viewer)
    assert shown(viewer) == around(0x50)
    loaded = viewer.graph.landblocks()
    fly_to(viewer, 200.0)
    see(viewer)
    assert viewer.graph.landblocks() == loaded
    fly_to(viewer, 300.0)
    see(viewer)
    work_on(viewer)
    assert shown(viewer) == sorted({*around(0x50), *around(0x51)})
    viewer.close()


def test_a_landblock_is_withheld_until_the_renderer_is_ready() -> None:
    class Slow:
        """Needs three pieces for each landblock."""

        def __init__(self) -> None:
            self.asked: list[tuple[str, int]] = []

        def outdoors_of(self, block_id: int) -> Generator[None, None, None]:
            for _ in range(3):
                self.asked.append(("outdoors", block_id >> 16))
                yield

        def rooms_of(self, block_id: int) -> Generator[None, None, None]:
            assert block_id >> 16 in shown(viewer)
            self.asked.append(("rooms", block_id >> 16))
            yield

    viewer = patient(plain().load())
    arrivals = viewer.arrivals
    assert arrivals is not None
    slow = arrivals.drawer = Slow()
    see(viewer)
    arrivals.work(lambda: True)
    (first,) = {block_id >> 16 for block_id in viewer.graph.landblocks()} - {MIDDLE}
    while ("outdoors", first) not in slow.asked or len(slow.asked) < 3:
        assert shown(viewer) == [MIDDLE]
        arrivals.work(lambda: True)
    arrivals.work(lambda: True)
    assert shown(viewer) == sorted([first, MIDDLE])
    work_on(viewer)
    assert [word for word, _ in slow.asked] == ["outdoors", "outdoors", "outdoors", "rooms"] * 15
    viewer.close()


def test_a_landblock_that_fails_to_load_does_not_block_the_others() -> None:
    world = plain().load()
    load = world.source.load_landblock

    def failing(block_id: int) -> Landblock | None:
        if block_id >> 16 == 0x5251:
            raise WorldError("it is torn")
        return load(block_id)

    world.source.load_landblock = failing  # type: ignore[method-assign]
    viewer = patient(world)
    see(viewer)
    with pytest.raises(WorldError):
        work_on(viewer)
    work_on(viewer)
    assert shown(viewer) == [block for block in around(0x50) if block != 0x5251]
    viewer.close()


def test_an_impatient_view_has_all_nine_landblocks_in_its_first_frame() -> None:
    viewer = Viewer(plain().load())
    fly_to(viewer, 100.0)
    see(viewer)
    assert viewer.arrivals is None
    assert shown(viewer) == [0x5000 + 0x100 * x + y for x in range(3) for y in range(0x50, 0x53)]
    viewer.close()


def test_closing_a_view_leaves_nothing_withheld() -> None:
    viewer = patient(plain().load())
    arrivals = viewer.arrivals
    assert arrivals is not None
    see(viewer)
    arrivals.work(lambda: True)
    assert len(shown(viewer)) == 1
    arrivals.close()
    assert len(shown(viewer)) == 2
    viewer.close()
