"""Names stand beside the ids wherever the window shows one, and follow a rename at once."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from editor.session.session import Kind, Selection
from editor.view3d.dollhouse import Part
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.world.faults import Fault
from engine.world.names import NameKey
from tests.gui.docks.live_hands import raise_dock
from ui.docks.problems import ProblemsView
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

BLOCK, HALL, STUDY = 0x0007FFFF, 0x00070100, 0x00070101
IN_HALL = Selection(Kind.CELL, BLOCK, HALL)


def name(window: MainWindow, cell_id: int, text: str) -> None:
    assert window.document.rename("Name", {NameKey.cell(cell_id): text})


def test_the_map_names_its_rooms_where_there_is_room(qtbot: QtBot, opened: MainWindow) -> None:
    name(opened, HALL, "Great Hall")
    opened.map.fit()
    assert any(label.text().startswith("0100 Great Hall") for label in opened.map.labels.shown)
    name(opened, HALL, "A name that is much too long for a hall of this size, really")
    assert any(label.text().strip(" ☀") == "0100" for label in opened.map.labels.shown)
    opened.session.select(IN_HALL)
    shown = [label.text() for label in opened.map.labels.shown]
    assert any(text.startswith("0100 A name that is much too long") for text in shown), "selected: in full"


def test_the_maps_tooltips_name_rooms_and_models(opened: MainWindow) -> None:
    opened.document.rename("Name", {NameKey.cell(HALL): "Great Hall"})
    tips = [item.toolTip() for item in opened.map.scene().items()]
    assert any("0x00070100 Great Hall" in tip for tip in tips)


def test_the_status_line_and_the_chooser_follow_a_rename(qtbot: QtBot, opened: MainWindow) -> None:
    opened.session.select(IN_HALL)
    name(opened, HALL, "Great Hall")
    assert opened.status.selection.text() == "Cell Great Hall 0x00070100"
    name(opened, BLOCK, "Old House")
    assert opened.status.block.text().startswith("Old House 0x0007FFFF")
    assert opened.centre.blocks.currentText() == "0x0007FFFF Old House"
    opened.document.undo()
    assert opened.centre.blocks.currentText() == "0x0007FFFF"


def test_the_timeline_names_the_cells_of_lane_and_edits(qtbot: QtBot, opened: MainWindow) -> None:
    name(opened, HALL, "Great Hall")
    raise_dock(qtbot, opened.docks.dock(TimelinePanel))
    panel = opened.docks.panel(TimelinePanel)
    assert opened.document.edit("Teleport", Teleport(HALL, 3.0, 2.0, 0.1, 0.0))
    opened.document.tick_many(3, Controls())
    panel.refresh()
    assert panel.plot.legend.values()["cell"] == "0x00070100 Great Hall"
    assert any(row.values[-1].text == "teleport: Great Hall 0x00070100" for row in panel.model.rows)


def test_undo_says_the_name_of_what_it_takes_back(opened: MainWindow) -> None:
    name(opened, HALL, "Great Hall")
    assert opened.document.edit("Move 0x00070100", Teleport(HALL, 3.0, 2.0, 0.1, 0.0))
    undo = opened.commands.find("undo")
    assert undo is not None
    assert undo.text() == "Undo Move Great Hall 0x00070100"


def test_problems_name_their_cells(qtbot: QtBot, opened: MainWindow) -> None:
    name(opened, STUDY, "Library")
    name(opened, HALL, "Great Hall")
    raise_dock(qtbot, opened.docks.dock(ProblemsView))
    model = opened.docks.panel(ProblemsView).model
    model.set_faults([Fault(STUDY, "portal", f"leads to 0x{HALL:08X}")], frozenset({BLOCK}))
    model.show_names(opened.document.names)
    texts = [str(model.index(0, column).data()) for column in range(model.columnCount())]
    assert "0x00070101 Library" in texts
    assert "leads to Great Hall 0x00070100" in texts


def test_a_pinned_root_is_named(opened: MainWindow) -> None:
    name(opened, HALL, "Great Hall")
    opened.viewing.pin(HALL)
    texts = [box.itemText(row) for box in opened.findChildren(QComboBox) for row in range(box.count())]
    assert "Pinned Great Hall 0x00070100" in texts


def test_parts_of_a_dollhouse_have_their_names(opened: MainWindow) -> None:
    name(opened, BLOCK, "Old House")
    model = opened.viewing.dollhouse
    model.show_part(Part(cell_id=HALL))
    name(opened, HALL, "Great Hall")
    assert [text for _, text in model.parts()] == ["Landblock Old House", "Great Hall 0x00070100"]
