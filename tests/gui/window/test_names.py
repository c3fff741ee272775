"""Names of cells, portals and models on the real window: given by F2 and menus, imported, exported, seen everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from editor.models.player import player_rows
from editor.session.session import Kind, Selection
from engine.world.loader.names_file import read_names, write_names
from engine.world.names import NameKey
from tests.gui.docks.live_hands import click_row, raise_dock
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.doors import DoorsPanel
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.pview.pview_dock import PViewPanel
from ui.docks.world import WorldPanel
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]

BLOCK, HALL, STUDY = 0x0007FFFF, 0x00070100, 0x00070101
IN_HALL = Selection(Kind.CELL, BLOCK, HALL)
PORTALS = 1


def answer(qtbot: QtBot, window: MainWindow, text: str) -> None:
    """Type a name into the question, and Enter."""
    qtbot.waitUntil(lambda: window.names.dialog is not None and window.names.dialog.isVisible())
    assert window.names.dialog is not None
    field = window.names.dialog.findChild(QLineEdit)
    assert field is not None
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.names.dialog is None)


def action_of(widget: QWidget, name: str) -> QAction:
    found = widget.findChild(QAction, name)
    assert found is not None
    return found


def test_f2_in_world_names_a_room_and_the_name_is_seen_everywhere(qtbot: QtBot, opened: MainWindow) -> None:
    world = opened.docks.panel(WorldPanel)
    raise_dock(qtbot, opened.docks.dock(WorldPanel))
    opened.session.select(IN_HALL)
    page = opened.centre.stack.currentIndex()
    world.tree.setFocus()
    qtbot.keyClick(world.tree, Qt.Key.Key_F2)
    answer(qtbot, opened, "Great Hall")
    assert opened.centre.stack.currentIndex() == page, "F2 showed the 3D view instead"
    assert world.tree.currentIndex().data() == "0x00070100 Great Hall"
    assert opened.document.stack.texts()[-1] == "Name 0x00070100 Great Hall"
    raise_dock(qtbot, opened.docks.dock(CellPanel))
    panel = opened.docks.panel(CellPanel)
    assert panel.title.text() == "0x00070100 Great Hall"
    assert panel.head_page.view.table.text("Name", 1) == "Great Hall"
    raise_dock(qtbot, opened.docks.dock(CellGraphPanel))
    graph = opened.docks.panel(CellGraphPanel)
    assert graph.view.nodes[IN_HALL].node.name == "Great Hall"
    opened.session.select(None)
    opened.session.select(IN_HALL)
    assert opened.status.selection.text() == "Cell Great Hall 0x00070100"
    titles = [thing.entry.title for thing in opened.palette_things.all()]
    assert "Great Hall 0x00070100" in titles


def test_undo_takes_a_name_away_again_in_every_dock(qtbot: QtBot, opened: MainWindow) -> None:
    opened.session.select(IN_HALL)
    raise_dock(qtbot, opened.docks.dock(CellPanel))
    opened.document.rename("Name", {NameKey.cell(HALL): "Great Hall"})
    panel = opened.docks.panel(CellPanel)
    assert panel.title.text() == "0x00070100 Great Hall"
    opened.document.undo()
    assert panel.title.text() == "0x00070100"
    world = opened.docks.panel(WorldPanel)
    assert world.model.index_of(IN_HALL).data() == "0x00070100"


def test_a_portals_name_is_given_to_both_of_its_sides(qtbot: QtBot, opened: MainWindow) -> None:
    opened.session.select(IN_HALL)
    raise_dock(qtbot, opened.docks.dock(CellPanel))
    panel = opened.docks.panel(CellPanel)
    panel.tabs.setCurrentIndex(PORTALS)
    click_row(qtbot, panel.portal_page.view, (HALL, 0))
    panel.portal_page.view.setFocus()
    qtbot.keyClick(panel.portal_page.view, Qt.Key.Key_F2)
    answer(qtbot, opened, "Oak door")
    assert panel.portal_page.view.table.text((HALL, 0), 0) == "0 Oak door"
    names = opened.document.sim.world.names
    room = panel.room
    assert room is not None
    beyond = room.portals[0]
    assert names.of_portal(beyond.other_cell_id, beyond.other_portal_id) == "Oak door"
    opened.document.undo()
    assert names.of_portal(beyond.other_cell_id, beyond.other_portal_id) == ""


def test_the_graph_finds_a_room_by_its_name(qtbot: QtBot, opened: MainWindow) -> None:
    opened.document.rename("Name", {NameKey.cell(STUDY): "Library"})
    raise_dock(qtbot, opened.docks.dock(CellGraphPanel))
    graph = opened.docks.panel(CellGraphPanel)
    qtbot.keyClicks(graph.search, "librar")
    qtbot.keyClick(graph.search, Qt.Key.Key_Return)
    assert opened.session.selection == Selection(Kind.CELL, BLOCK, STUDY)


def test_the_world_finds_a_room_by_its_name(qtbot: QtBot, opened: MainWindow) -> None:
    opened.document.rename("Name", {NameKey.cell(STUDY): "Library"})
    world = opened.docks.panel(WorldPanel)
    raise_dock(qtbot, opened.docks.dock(WorldPanel))
    qtbot.keyClicks(world.search, "library")
    model = world.tree.model()
    block = model.index(0, 0)
    assert model.rowCount(block) == 1
    assert model.index(0, 0, model.index(0, 0, block)).data() == "0x00070101 Library"


def test_markup_and_controls_in_a_name_stay_text(qtbot: QtBot, opened: MainWindow) -> None:
    opened.session.select(IN_HALL)
    raise_dock(qtbot, opened.docks.dock(CellPanel))
    opened.document.rename("Name", {NameKey.cell(HALL): "<b>Hall</b>\n<img src=x>\u202e"})
    title = opened.docks.panel(CellPanel).title.text()
    assert title.count("<\u2060") == title.count("<") == 3, "Qt would take it for HTML"
    assert "\u202e" not in title
    assert "\n" not in title


def test_names_go_out_and_come_in_as_a_file(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    opened.document.rename("Name", {NameKey.cell(HALL): "Great Hall"})
    opened.names.export_to(path)
    assert read_names(path).names == {NameKey.cell(HALL): "Great Hall"}
    opened.document.undo()
    opened.names.import_from(path)
    assert opened.document.sim.world.names.of_cell(HALL) == "Great Hall"
    assert opened.document.stack.texts()[-1] == "Import Names of mine.json"


def test_an_import_asks_before_it_replaces_a_name(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    path, names = tmp_path / "theirs.json", opened.document.sim.world.names
    write_names(path, "house", {NameKey.cell(HALL): "Hall", NameKey.cell(STUDY): "Study"})
    opened.document.rename("Name", {NameKey.cell(HALL): "Great Hall"})
    for button, kept in (("Cancel", "Great Hall"), ("Import and Replace", "Hall")):
        opened.names.import_from(path)
        box = opened.names.box
        assert box is not None
        qtbot.waitUntil(box.isVisible)
        assert box.text() == "theirs.json: The file has 1 new name and 1 name that replaces another one."
        assert box.informativeText() == "cell 0x00070100: Great Hall becomes Hall"
        wanted = next(found for found in box.buttons() if found.text().replace("&", "") == button)
        qtbot.mouseClick(wanted, Qt.MouseButton.LeftButton)
        assert names.of_cell(HALL) == kept
    assert names.of_cell(STUDY) == "Study"


def test_a_wrong_names_file_is_refused_in_one_sentence(opened: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text('{"cellar_door_names": 1, "names": [{"cell": "0x0007", "name": "x"}]}')
    opened.names.import_from(path)
    said = opened.banner.text
    assert "wrong.json was not imported: names[0].cell '0x0007' has 4 digits; an id has eight" in said


def test_the_rename_command_says_why_it_is_off(qtbot: QtBot, opened: MainWindow) -> None:
    opened.session.select(None)
    rename = opened.names.rename_action
    assert not rename.isEnabled()
    assert rename.toolTip() == "Select a cell, a landblock or a thing first."
    opened.session.select(IN_HALL)
    assert rename.isEnabled()
    rename.trigger()
    answer(qtbot, opened, "Hall of Kings")
    QApplication.processEvents()
    assert opened.document.sim.world.names.of_cell(HALL) == "Hall of Kings"


def test_pview_says_why_with_the_names_of_the_cells(qtbot: QtBot, opened: MainWindow) -> None:
    opened.document.rename("Name", {NameKey.cell(HALL): "Great Hall", NameKey.cell(STUDY): "Library"})
    raise_dock(qtbot, opened.docks.dock(PViewPanel))
    panel = opened.docks.panel(PViewPanel)
    opened.session.select(Selection(Kind.CELL, BLOCK, STUDY))
    panel.refresh()
    assert "Library 0x00070101" in panel.why.text()
    first = panel.cells.table.rows[0].values[1]
    assert first.text in ("0x00070100 Great Hall", "0x00070101 Library")
    assert first.copied == first.text[:10]


def test_player_and_doors_show_the_names_of_their_cells(qtbot: QtBot, opened: MainWindow) -> None:
    sim = opened.document.sim
    cell_id = sim.player.steered.place.cell_id
    door = sim.population.doors[0]
    opened.document.rename("Name", {NameKey.cell(cell_id): "Start", NameKey.cell(door.place_cell()): "Door's cell"})
    raise_dock(qtbot, opened.docks.dock(DoorsPanel))
    table = opened.docks.panel(DoorsPanel).view.table
    place = [column.title for column in table.columns].index("Cell")
    assert table.text(door.id, place) == f"0x{door.place_cell():08X} {sim.world.names.of_cell(door.place_cell())}"
    assert player_rows(sim)[0].values[1].text == f"0x{cell_id:08X} {sim.world.names.of_cell(cell_id)}"
