"""Furniture is moved and a stab list repaired, the demo world exported as data files, and the export opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QTreeWidget, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from editor.session.sources import DEMO
from engine.sim.edits.doors import LockDoor
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.objects import static_object_id
from tests.gui.docks.live_hands import click_button, click_row, raise_dock, type_in
from tests.world.loader.scenes import two_rooms
from ui.docks.cell.cell_dock import CellPanel
from ui.window.dialogs.data_files_dialog import ExportDataFilesDialog
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

ROOM = 0xC95B0101
TABLE = static_object_id(ROOM, 0)


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow) -> MainWindow:
    with qtbot.waitSignal(window.session.faults_changed):
        window.open(DEMO)
    return window


def room_of(window: MainWindow) -> EnvCell:
    room = window.document.sim.graph.get_visible(ROOM)
    assert isinstance(room, EnvCell)
    return room


def cell_page(qtbot: QtBot, window: MainWindow, title: str) -> CellPanel:
    panel = window.docks.panel(CellPanel)
    raise_dock(qtbot, window.docks.of(panel))
    bar = panel.tabs.tabBar()
    index = next(i for i in range(bar.count()) if title in bar.tabText(i))
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(index).center())
    return panel


def ask(qtbot: QtBot, window: MainWindow) -> ExportDataFilesDialog:
    """Choose File > Export > Data Files."""
    action = next(entry for entry in window.menus["File"].actions() if entry.text().replace("&", "") == "Export")
    menu = action.menu()
    assert isinstance(menu, QMenu)
    entry = menu.actions()[0]
    assert entry.text().replace("&", "") == "Data Files…"
    entry.trigger()
    qtbot.waitUntil(lambda: window.data_files.dialog is not None and window.data_files.dialog.isVisible())
    assert window.data_files.dialog is not None
    return window.data_files.dialog


def choose(qtbot: QtBot, dialog: ExportDataFilesDialog, folder: Path) -> None:
    field = dialog.findChild(QLineEdit, "export-folder")
    assert field is not None
    field.selectAll()
    qtbot.keyClicks(field, str(folder))
    found = dialog.findChild(QPushButton, "export-button")
    assert found is not None
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def rows(dialog: ExportDataFilesDialog) -> dict[str, list[tuple[str, str, str]]]:
    """The records and what changes in them."""
    tree = dialog.findChild(QTreeWidget, "export-records")
    assert tree is not None
    found = {}
    for at in range(tree.topLevelItemCount()):
        item = tree.topLevelItem(at)
        assert item is not None
        found[item.text(0)] = [texts(item.child(index)) for index in range(item.childCount())]
    return found


def texts(item: QTreeWidgetItem | None) -> tuple[str, str, str]:
    assert item is not None
    return item.text(0), item.text(1), item.text(2)


def edit(qtbot: QtBot, window: MainWindow) -> tuple[float, int]:
    """Move the first thing of the room, and take the last cell out of its stab list."""
    window.navigation.go_to(cell_text(ROOM))
    page = cell_page(qtbot, window, "Statics").static_page
    click_row(qtbot, page.view, TABLE)
    x = room_of(window).static_objects[0].frame.origin[0] + 0.5
    type_in(qtbot, page.place.numbers["x"], x)
    assert room_of(window).static_objects[0].frame.origin[0] == pytest.approx(x, abs=1e-3)
    panel = cell_page(qtbot, window, "Stab")
    gone = room_of(window).stab_list[-1]
    click_row(qtbot, panel.stab_page.view, gone)
    click_button(qtbot, panel, "stab-remove-button")
    assert gone not in room_of(window).stab_list
    return room_of(window).static_objects[0].frame.origin[0], gone


def test_an_edited_demo_is_exported_and_the_export_opened(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    x, gone = edit(qtbot, opened)
    out = tmp_path / "repaired"
    dialog = ask(qtbot, opened)
    listed = rows(dialog)
    assert list(listed) == [f"{cell_text(ROOM)} EnvCell"]
    fields = {field: (before, after) for field, before, after in listed[f"{cell_text(ROOM)} EnvCell"]}
    assert fields["objects[0].frame.origin"][1].startswith(f"({x:.6g}")
    assert any(field.startswith("visible_cells[") and after == "nothing" for field, (_, after) in fields.items())

    choose(qtbot, dialog, out)
    qtbot.waitUntil(lambda: "Exported 1 changed record" in opened.statusBar().currentMessage())
    assert {path.name for path in out.iterdir()} >= {"client_cell_1.dat", "client_portal.dat", "entities.json"}

    with qtbot.waitSignal(opened.session.faults_changed):
        opened.open(str(out))
    assert room_of(opened).static_objects[0].frame.origin[0] == x
    assert gone not in room_of(opened).stab_list
    dialog = ask(qtbot, opened)
    assert rows(dialog) == {}
    assert not dialog.export_button.isEnabled()
    assert dialog.export_button.toolTip() == "Nothing has changed that data files could hold."
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_a_moved_door_is_listed_with_the_reason(qtbot: QtBot, opened: MainWindow) -> None:
    door = opened.document.sim.population.doors[0]
    opened.document.edit("Lock", LockDoor(door.id, not door.locked))
    dialog = ask(qtbot, opened)
    ((text, _, _),) = rows(dialog)["Not in data files"]
    assert text.startswith(f"{door.name} ({cell_text(door.id)}) was changed: doors come from entities.json")
    assert not dialog.export_button.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_loose_records_and_a_refused_folder(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    edit(qtbot, opened)
    dialog = ask(qtbot, opened)
    click_button(qtbot, dialog, "export-loose")
    choose(qtbot, dialog, tmp_path / "loose")
    qtbot.waitUntil(lambda: "Exported 1 changed record as 1 file" in opened.statusBar().currentMessage())
    kept = tmp_path / "loose" / "client_cell_1" / f"{cell_text(ROOM)}.bin"
    assert kept.read_bytes()[:4] == ROOM.to_bytes(4, "little")

    source = opened.document.sim.world.path
    assert source is not None
    choose(qtbot, ask(qtbot, opened), source)
    qtbot.waitUntil(opened.banner.isVisible)
    assert "is the folder of the open world; choose another one" in opened.banner.label.text()


def test_a_scene_has_nothing_to_export(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    scene = tmp_path / "scene.json"
    scene.write_text(json.dumps(two_rooms()), encoding="utf-8")
    assert window.data_files.action.toolTip() == "Open a world first."
    with qtbot.waitSignal(window.session.faults_changed):
        window.open(str(scene))
    assert not window.data_files.action.isEnabled()
    assert "does not come from a data folder" in window.data_files.action.toolTip()


def test_an_export_can_be_cancelled(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    edit(qtbot, opened)
    choose(qtbot, ask(qtbot, opened), tmp_path / "cancelled")
    opened.centre.progress.cancel()
    qtbot.waitUntil(lambda: opened.centre.progress.job is None)
    qtbot.waitUntil(lambda: not (tmp_path / "cancelled").exists())
