"""How overlays show a flood: portals by status, view polygons, drawing order."""

from __future__ import annotations

import pytest

from engine.render.overlays import flood
from engine.render.overlays.geometry import Lines, OverlayGeometry
from engine.render.overlays.palette import EXIT_PORTAL, SELECTED
from engine.visibility import records
from engine.visibility.records import FloodResult, PortalPiece, PortalRecord, VisibleCell
from engine.world.cells.cell import EnvCell
from engine.world.world import World
from tests.render.overlays.two_rooms import DOORWAY, HALL, STUDY, square


def seen(world: World, status: str = records.OPEN) -> FloodResult:
    """The hall seen from inside, its only portal in the given state; the doorway is visible if that is OPEN."""
    result = FloodResult(HALL)
    hall = world.graph.get_visible(HALL)
    doorway = world.graph.get_visible(DOORWAY)
    assert isinstance(hall, EnvCell)
    assert isinstance(doorway, EnvCell)
    visible = VisibleCell(hall, [square(0.0, 0.0, 400.0)], 0)
    record = PortalRecord(HALL, 0, DOORWAY, status, 0)
    record.pieces = [PortalPiece(0, [], square(100.0, 100.0, 50.0), status)]
    visible.portals = [record]
    result.cells = [visible]
    if status == records.OPEN:
        behind = VisibleCell(doorway, [square(100.0, 100.0, 50.0)], 1)
        behind.parent_id, behind.parent_portal, behind.depth = HALL, 0, 1
        result.cells.append(behind)
    result.by_id = {cell.cell_id: cell for cell in result.cells}
    result.portals = [record]
    return result


def thick_lines(geometry: OverlayGeometry) -> list[Lines]:
    return [lines for lines in geometry.lines if lines.width >= 2.0]


def test_every_status_has_its_own_sign() -> None:
    statuses = {value for name, value in vars(records).items() if name.isupper() and isinstance(value, str)}
    assert set(flood.SIGNS) == statuses
    assert len({sign.word for sign in flood.SIGNS.values()}) == len(statuses)


def test_an_open_portal_is_a_solid_line_labelled_with_its_area(world: World) -> None:
    shown = flood.portal_statuses([seen(world)], frozenset({HALL}))
    assert [label.text for label in shown.labels] == ["0100.0 ✓ open 2,500 px"]
    assert len(thick_lines(shown)) == 1
    assert shown.triangles


@pytest.mark.parametrize("status", [records.WRONG_SIDE, records.CLIPPED, records.NO_SLOT, records.NOT_LOADED])
def test_a_dropped_portal_is_dashed_and_labelled_with_the_reason(world: World, status: str) -> None:
    shown = flood.portal_statuses([seen(world, status)], frozenset({HALL}))
    assert thick_lines(shown) == []
    assert shown.triangles == []
    assert shown.labels[0].text == f"0100.0 {flood.SIGNS[status].word}"


def test_only_the_portals_of_the_requested_cells_have_labels(world: World) -> None:
    assert flood.portal_statuses([seen(world)], frozenset({STUDY})).labels == []


def test_pieces_of_one_portal_are_counted(world: World) -> None:
    result = seen(world)
    result.portals[0].pieces.append(PortalPiece(0, [], square(200.0, 100.0, 10.0), records.OPEN))
    result.portals[0].pieces.append(PortalPiece(0, [], None, records.SLIVER))
    assert flood.status_words(result.portals[0]) == "✓ open 2 pieces 2,600 px"


def test_the_selected_cells_view_is_on_top(world: World) -> None:
    shown = flood.view_polygons([seen(world)], HALL)
    assert [polygon.line == SELECTED for polygon in shown.screen_polygons] == [False, True]
    assert shown.screen_polygons[1].points[0] == (0.0, 400.0)
    assert all(polygon.vertices for polygon in shown.screen_polygons)
    assert {label.text for label in shown.labels} == {"0100, 4 edges", "0102, 4 edges"}


def test_the_view_of_the_outdoors_is_hatched(world: World) -> None:
    result = seen(world)
    result.outside = [square(10.0, 10.0, 20.0)]
    shown = flood.view_polygons([result], 0)
    assert [polygon.line for polygon in shown.screen_polygons if polygon.hatched] == [EXIT_PORTAL]


def test_the_first_room_drawn_has_the_number_one(world: World) -> None:
    shown = flood.draw_order([seen(world)], 0)
    assert [label.text for label in shown.labels] == ["2 · 0100", "1 · 0102"]


def test_a_late_view_is_marked_in_the_order(world: World) -> None:
    result = seen(world)
    result.cells[1].late_views = 1
    assert flood.draw_order([result], 0).labels[1].text.endswith("↷")
