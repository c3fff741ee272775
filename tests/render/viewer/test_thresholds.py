"""The free camera on and around every threshold of a house, a few micrometres at a time: nothing flashes (rendering.md
9, 21.5, 24.9, 25)."""

from __future__ import annotations

import pytest

from engine.geometry.vec import Vec3
from engine.render.viewer.free_fly import FreeFly
from engine.visibility.frame import FrameDriver
from engine.visibility.world_view import WorldView
from engine.world.cells.ids import is_env_cell
from engine.world.cells.landdefs import block_offset
from tests.render.viewer.walks import runs
from tests.visibility.helpers.frames import EXACT, assert_rules, driver_of
from tests.visibility.helpers.worlds import VILLAGE, house_world

PLANES = (-5.5, -5.1, -0.1, 0.1, 5.1, 5.5)
"""The positions of the house's openings along its y axis, street to yard."""

AROUND = (-0.02, -0.002, -0.001, -0.0005, -0.0003, -0.0002, -0.0001, -0.00002, 0.0)
STEPS = (*AROUND, *[-step for step in reversed(AROUND[:-1])])
LANDSCAPE = 0


def in_house(x: float, y: float) -> Vec3:
    block = house_world().landblock(VILLAGE)
    assert block is not None
    return block.buildings[0].frame.local_to_global((x, y, 1.4))


def go_to(rig: FreeFly, y: float, x: float = 0.1) -> None:
    px, py, pz = in_house(x, y)
    dx, dy, _ = block_offset(rig.latch.cell_id, VILLAGE)
    rig.latch.update_free_cell((px + dx, py + dy, pz))
    rig.cell_id, rig.eye, rig.block_id = rig.latch.cell_id, rig.latch.eye, rig.latch.cell_id | 0xFFFF


def drawn(driver: FrameDriver, rig: FreeFly, exact: bool) -> frozenset[int]:
    """The rooms that the frame draws, and whether it draws the landscape."""
    frame = driver.frame_events(rig.camera(640.0, 480.0), rig.cell_id, EXACT if exact else None)
    assert_rules(frame)
    return frozenset([*frame.visible_ids(), *([LANDSCAPE] if frame.landscape_views else [])])


@pytest.mark.parametrize("pitch", [0.0, -40.0])
@pytest.mark.parametrize("heading", [0.0, 30.0, 90.0, 120.0, 175.0, 210.0, 255.0, 300.0])
def test_an_eye_on_a_threshold_sees_what_both_sides_see(heading: float, pitch: float) -> None:
    """Through the whole house: at each opening, the view everywhere within a few millimetres has what both ends
    show."""
    driver = driver_of(house_world())
    rig = FreeFly(WorldView(house_world()))
    rig.place(VILLAGE & 0xFFFF0000 | 0x25, in_house(0.1, -6.0), heading, pitch)
    for plane in PLANES:
        for reach in range(1, len(AROUND)):
            way = STEPS[reach - 1 : len(STEPS) - reach + 1]
            seen = []
            for step in way:
                go_to(rig, plane + step)
                seen.append(drawn(driver, rig, heading == 30.0))
            for before in range(len(seen)):
                for behind in range(before + 2, len(seen)):
                    both = seen[before] & seen[behind]
                    assert all(both <= between for between in seen[before:behind]), (plane, way[before], way[behind])
            for step in reversed(way):
                go_to(rig, plane + step)
        go_to(rig, plane + 0.1)


def test_the_root_changes_once_at_each_threshold_both_ways() -> None:
    rig = FreeFly(WorldView(house_world()))
    rig.place(VILLAGE & 0xFFFF0000 | 0x25, in_house(0.1, -6.0))
    there = []
    for plane in PLANES:
        for step in STEPS:
            go_to(rig, plane + step)
            there.append(rig.cell_id)
    rooms = runs(there)
    assert [is_env_cell(cell_id) for cell_id in rooms] == [False, True, True, True, True, True, False]
    back = []
    for plane in reversed(PLANES):
        for step in reversed(STEPS):
            go_to(rig, plane + step)
            back.append(rig.cell_id)
    assert runs(back) == rooms[::-1]
