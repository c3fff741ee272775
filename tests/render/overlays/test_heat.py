"""Heat maps of a flood: its depth, the number of views, and overdraw (rendering.md 23)."""

from __future__ import annotations

from engine.render.overlays.heat import RAMP, depth_of_traversal, overdraw, view_counts
from engine.render.overlays.palette import faint
from engine.visibility.records import FloodResult, VisibleCell
from engine.world.cells.cell import EnvCell
from engine.world.world import World
from tests.render.overlays.two_rooms import DOORWAY, HALL, STUDY, square


def flood(world: World) -> FloodResult:
    """The hall on the whole screen, in it the doorway, and in that two views of the study."""
    result = FloodResult(HALL)
    views = {
        HALL: [square(0.0, 0.0, 400.0)],
        DOORWAY: [square(100.0, 100.0, 100.0)],
        STUDY: [square(110.0, 110.0, 20.0), square(150.0, 110.0, 20.0)],
    }
    for depth, (cell_id, of_cell) in enumerate(views.items()):
        cell = world.graph.get_visible(cell_id)
        assert isinstance(cell, EnvCell)
        visible = VisibleCell(cell, of_cell, depth)
        visible.depth = depth
        result.cells.append(visible)
    result.cells[2].late_views = 1
    return result


def test_rooms_are_coloured_by_their_portal_depth(world: World) -> None:
    shown = depth_of_traversal([flood(world)], from_outside=False)
    assert [label.text for label in shown.labels] == ["0100 depth 0", "0102 depth 1", "0101 depth 2"]
    assert [polygon.line for polygon in shown.screen_polygons] == [RAMP[0], RAMP[1], RAMP[2], RAMP[2]]


def test_rooms_are_coloured_by_number_of_views_with_late_ones_labelled(world: World) -> None:
    shown = view_counts([flood(world)], from_outside=False)
    assert [label.text for label in shown.labels] == ["0100 1×", "0102 1×", "0101 2×, 1 late"]
    assert [polygon.line for polygon in shown.screen_polygons] == [RAMP[0], RAMP[0], RAMP[1], RAMP[1]]


def test_overdraw_counts_the_rooms_at_the_middle_of_each_view(world: World) -> None:
    shown = overdraw([flood(world)], from_outside=False)
    assert [label.text for label in shown.labels] == ["2 cells", "2 cells", "3 cells", "3 cells"]
    assert len({polygon.fill for polygon in shown.screen_polygons}) == 1


def test_from_outside_the_overlay_fills_rooms_instead_of_the_screen(world: World) -> None:
    for shown in (depth_of_traversal([flood(world)], True), view_counts([flood(world)], True)):
        assert not shown.screen_polygons
        assert shown.triangles
        assert len(shown.labels) == 3
    colours = {
        tuple(colour) for batch in depth_of_traversal([flood(world)], True).triangles for colour in batch.colours
    }
    assert colours == {faint(colour, 0.28) for colour in RAMP[:3]}
    assert overdraw([flood(world)], True).is_empty
