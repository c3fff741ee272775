"""Problems of rooms that are edited while another landblock is in view."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from editor.authoring.cell_edits import link_portal, room_of, set_cell_frame
from editor.document.document import Document
from editor.validation.problem_watch import ProblemWatch
from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.build.built import BuiltWorld
from engine.survey.checks.portals import SIDES
from engine.world.cells.ids import landblock_id
from engine.world.cells.portals import OUTSIDE
from engine.world.faults import PORTAL_LINK
from tests.editor.document.small_document import document_of


def two_houses() -> BuiltWorld:
    """A house of a hall and a study on each of two landblocks."""
    world = WorldBuilder()
    for name, block_id in (("west", 0xC95B), ("east", 0xCA5B)):
        inside = world.landblock(block_id).building(name, (108, 108), shell=walls(rect(-5, -4, 10, 8), 0, 3.2, "brick"))
        hall = inside.room(f"{name} hall", rect(-4.7, -3.7, 4.5, 7.4), height=2.8)
        study = inside.room(f"{name} study", rect(0.0, -3.7, 4.7, 7.4), height=2.8)
        inside.doorway(hall, study, width=1.2)
        inside.doorway(hall, OUTDOORS, (-2.4, -4), width=1.4, height=2.2, name=f"{name} entrance")
    return world.build()


def links(document: Document) -> list[int]:
    """The rooms with portals that do not fit together."""
    assert document.world is not None
    return [fault.where for fault in document.world.faults() if fault.what == PORTAL_LINK]


def test_undo_and_the_past_mend_what_is_told_of_a_landblock_that_is_not_in_view() -> None:
    built = two_houses()
    document = document_of(built, "west hall", (105.5, 108.0))
    watch = ProblemWatch(document)
    west, east = built.cell_id("west hall"), built.cell_id("east hall")
    document.session.show_landblock(landblock_id(west))
    watch.check()
    assert not links(document)
    inward = next(i for i, portal in enumerate(room_of(document.sim, west).portals) if not portal.leads_outside)
    document.tick()
    document.edit("Astray", *link_portal(document.sim, west, inward, OUTSIDE, -1, False))
    document.session.show_landblock(landblock_id(east))
    watch.check()
    wrong = links(document)
    assert wrong, "the room beyond leads to one that does not lead back"
    document.tick()
    document.go_to(1)
    document.go_to(0)
    watch.check()
    assert not links(document)
    document.go_to(2)
    watch.check()
    assert links(document) == wrong
    document.undo()
    watch.check()
    assert not links(document)


def test_geometric_findings_come_with_their_ids_and_go_with_the_undo(qtbot: QtBot) -> None:
    built = two_houses()
    document = document_of(built, "west hall", (105.5, 108.0))
    watch = ProblemWatch(document)
    west = built.cell_id("west study")
    document.session.show_landblock(landblock_id(west))
    watch.check()
    qtbot.waitUntil(lambda: not watch.is_searching)
    assert watch.findings.faults == []
    frame = room_of(document.sim, west).frame
    x, y, z = frame.origin
    document.edit("Move", *set_cell_frame(document.sim, west, frame.with_origin((x, y + 0.05, z))))
    watch.check()
    qtbot.waitUntil(lambda: any(fault.what == SIDES.id for fault in watch.findings.faults))
    fault = next(fault for fault in watch.findings.faults if fault.what == SIDES.id)
    assert "part by" in fault.reason
    document.undo()
    watch.check()
    qtbot.waitUntil(lambda: not watch.is_searching and not watch.findings.faults)
