"""The demo world gets a server's data, a door of it is moved, both are exported, and the exports opened."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QTreeWidget, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from cellar_door.main import main
from editor.session.sources import DEMO, open_source
from engine.geometry.frame import Frame
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.entities import AddEntity, spec_text
from engine.world.cells.ids import cell_text
from engine.world.entity_spec import EntitySpec
from engine.world.server import model
from engine.world.server.model import Place
from engine.world.server.writing.layout import InstanceRow, LinkRow, landblock_text
from tests.editor.export.server_exports import differing
from tests.gui.docks.live_hands import click_button, click_row, raise_dock, type_in
from tests.gui.opening.opening_hands import OPENING_MS, choose_file
from tests.gui.stories.files.test_export_data_files import ask as ask_for_data_files
from tests.gui.stories.files.test_export_data_files import choose, edit, room_of, texts
from tests.world.server.worlds import weenie_sql, write
from ui.docks.entities import EntitiesPanel
from ui.window.dialogs.server_data_dialog import ExportServerDataDialog
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

ROOM = 0xC95B0101
DOOR, OTHER, LEVER = 0x7C95B200, 0x7C95B201, 0x7C95B202
FILE = "C95B.sql"
RICH = "<b>Vault</b> Door"


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """Two doors and a lever in a room of the demo world, with a door's model of it."""
    with open_source(DEMO) as world:
        door = next(spec for spec in world.entities if spec.kind == "door")
        room = next(spec for spec in world.entities if spec.cell_id >> 16 == ROOM >> 16).frame.origin
    x, y, z = room
    folder = tmp_path / "server"
    for wcid, kind, name in ((412, model.DOOR, RICH), (286, model.SWITCH, "Lever")):
        write(folder / "weenies" / f"{wcid}.sql", weenie_sql(wcid, kind, name, d_i_d={1: door.setup_id}, int={93: 8}))
    upright, then = (1.0, 0.0, 0.0, 0.0), "2021-11-29 06:19:28"
    instances = [
        InstanceRow(guid, wcid, Place(ROOM, (x + number, y, z), upright), guid == LEVER, then, "It")
        for number, (guid, wcid) in enumerate(((DOOR, 412), (OTHER, 412), (LEVER, 286)))
    ]
    text = landblock_text(ROOM >> 16, instances, [LinkRow(DOOR, LEVER, then, "Lever", 286)])
    write(folder / "landblocks" / FILE, text)
    return folder


def furnish(qtbot: QtBot, window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Open server data from the menu."""
    choose_file(monkeypatch, folder)
    action = window.commands.find("server-folder")
    assert action is not None
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        action.trigger()


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, server: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.open(DEMO)
    furnish(qtbot, window, server, monkeypatch)
    return window


def panel_at(qtbot: QtBot, window: MainWindow, guid: int) -> EntitiesPanel:
    """The list of entities, with a row clicked."""
    panel = window.docks.panel(EntitiesPanel)
    raise_dock(qtbot, window.docks.dock(EntitiesPanel))
    click_row(qtbot, panel.view, guid)
    return panel


def ask(qtbot: QtBot, window: MainWindow) -> ExportServerDataDialog:
    """Choose File > Export > Server Data."""
    action = next(entry for entry in window.menus["File"].actions() if entry.text().replace("&", "") == "Export")
    menu = action.menu()
    assert isinstance(menu, QMenu)
    entry = menu.actions()[1]
    assert entry.text().replace("&", "") == "Server Data…"
    entry.trigger()
    qtbot.waitUntil(lambda: window.server_export.dialog is not None and window.server_export.dialog.isVisible())
    assert window.server_export.dialog is not None
    return window.server_export.dialog


def listed(dialog: ExportServerDataDialog) -> dict[str, list[tuple[str, str, str]]]:
    tree = dialog.findChild(QTreeWidget, "export-records")
    assert tree is not None
    found: dict[str, list[tuple[str, str, str]]] = {}
    for at in range(tree.topLevelItemCount()):
        item = tree.topLevelItem(at)
        assert item is not None
        found[f"{item.text(0)} {item.text(2)}".strip()] = [texts(item.child(at)) for at in range(item.childCount())]
    return found


def into(qtbot: QtBot, dialog: ExportServerDataDialog, folder: Path) -> None:
    field, button = dialog.findChild(QLineEdit, "export-folder"), dialog.findChild(QPushButton, "export-button")
    assert field is not None
    assert button is not None
    field.selectAll()
    qtbot.keyClicks(field, str(folder))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def door_x(window: MainWindow, guid: int = DOOR) -> float:
    return window.document.sim.population.entity(guid).place_frame().origin[0]


def test_a_moved_door_is_exported_with_the_rooms_and_both_are_opened(
    qtbot: QtBot, opened: MainWindow, server: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened
    doors = [door.name for door in window.document.sim.population.doors]
    assert doors.count(RICH) == 2, "the server's doors stand beside the demo's own"
    table_x, _ = edit(qtbot, window)
    panel = panel_at(qtbot, window, DOOR)
    x = round(door_x(window) + 0.75, 3)
    type_in(qtbot, panel.place.numbers["x"], x)
    assert door_x(window) == pytest.approx(x)

    choose(qtbot, ask_for_data_files(qtbot, window), tmp_path / "client")
    qtbot.waitUntil(lambda: "Exported 1 changed record" in window.statusBar().currentMessage())
    dialog = ask(qtbot, window)
    (found,) = listed(dialog).items()
    assert found[0].startswith(f"instance {cell_text(DOOR)} ")
    assert found[0].endswith("changed in landblock 0xC95B")
    assert [(field, after) for field, _, after in found[1] if field == "origin_X"] == [("origin_X", f"{x:g}")]
    into(qtbot, dialog, tmp_path / "sql")
    qtbot.waitUntil(lambda: "Exported 1 changed row as 1 file" in window.statusBar().currentMessage())

    before = (server / "landblocks" / FILE).read_text(encoding="utf-8")
    after = (tmp_path / "sql" / FILE).read_text(encoding="utf-8")
    (row, changed), (_, comment) = differing(before, after)
    assert row.split(", ")[:3] == changed.split(", ")[:3]
    assert changed.split(", ")[3] == f"{x:g}"
    assert comment.startswith(f"/* @teleloc {cell_text(ROOM)} [")

    patched = tmp_path / "patched"
    shutil.copytree(server, patched)
    shutil.copytree(tmp_path / "sql", patched / "patches" / "landblocks")
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.open(str(tmp_path / "client"))
    furnish(qtbot, window, patched, monkeypatch)
    assert door_x(window) == pytest.approx(x, rel=5.1e-6)
    assert room_of(window).static_objects[0].frame.origin[0] == table_x
    dialog = ask(qtbot, window)
    assert listed(dialog) == {}
    assert not dialog.export_button.isEnabled()
    assert dialog.export_button.toolTip() == "Nothing has changed that server data could hold."
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert main(["diff", str(server), str(patched)]) == 1


def test_a_copy_and_a_removal_are_listed_with_their_links(qtbot: QtBot, opened: MainWindow, tmp_path: Path) -> None:
    panel = panel_at(qtbot, opened, LEVER)
    click_button(qtbot, panel, "entity-duplicate-button")
    panel = panel_at(qtbot, opened, OTHER)
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: opened.document.sim.population.find(OTHER) is None)
    dialog = ask(qtbot, opened)
    titles = list(listed(dialog))
    assert [title.split()[-4] for title in titles] == ["removed", "added", "added"]
    assert titles[1].startswith("instance 0x7C95B203 Lever")
    assert titles[2].startswith(f"link {cell_text(DOOR)} to 0x7C95B203")
    into(qtbot, dialog, tmp_path / "sql")
    qtbot.waitUntil(lambda: "Exported 3 changed rows as 1 file" in opened.statusBar().currentMessage())
    assert "0x7C95B201" not in (tmp_path / "sql" / FILE).read_text(encoding="utf-8")


def test_a_new_thing_gets_the_weenie_that_is_chosen(qtbot: QtBot, opened: MainWindow) -> None:
    sim = opened.document.sim
    door = sim.population.entity(DOOR)
    frame = Frame(door.place_frame().origin, (1.0, 0.0, 0.0, 0.0))
    crate = EntitySpec(0x80000001, "Crate", "object", door.setup.id, ROOM, frame, 0x408)
    opened.document.edit("Add", AddEntity(spec_text(crate)))
    opened.document.edit("Lock", LockDoor(DOOR, True))
    dialog = ask(qtbot, opened)
    assert not dialog.export_button.isEnabled()
    said = [text for text, _, _ in listed(dialog)["Not in server data"]]
    assert any(text.startswith("Crate (0x80000001) is new: no weenie is known") for text in said)
    assert any("was locked: that belongs to its weenie" in text for text in said)
    button = dialog.findChild(QPushButton, "export-weenie")
    assert button is not None
    assert not button.isEnabled()
    item = _item(dialog, "Crate")
    qtbot.mouseClick(dialog.tree.viewport(), Qt.MouseButton.LeftButton, pos=dialog.tree.visualItemRect(item).center())
    for number, answer in ((99, "there is no weenie 99"), (412, "")):
        click_button(qtbot, dialog, "export-weenie")
        question = dialog.asked
        assert question is not None
        qtbot.waitUntil(question.isVisible)
        field = question.findChild(QLineEdit)
        assert field is not None
        field.selectAll()
        qtbot.keyClicks(field, str(number))
        qtbot.keyClick(question, Qt.Key.Key_Return)
        if answer:
            assert any(answer in text for text, _, _ in listed(dialog)["Not in server data"])
            rect = dialog.tree.visualItemRect(_item(dialog, "Crate"))
            qtbot.mouseClick(dialog.tree.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    qtbot.waitUntil(dialog.export_button.isEnabled)
    assert any(title.startswith("instance 0x7C95B203") for title in listed(dialog))
    assert not button.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def _item(dialog: ExportServerDataDialog, text: str) -> QTreeWidgetItem:
    found = dialog.tree.findItems(text, Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive)
    assert found
    return found[0]


def test_a_world_without_server_data_and_refused_folders(
    qtbot: QtBot, window: MainWindow, server: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert window.server_export.action.toolTip() == "Open a world first."
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.open(DEMO)
    assert window.server_export.action.toolTip() == "This world was opened without server data."
    furnish(qtbot, window, server, monkeypatch)
    panel = panel_at(qtbot, window, DOOR)
    type_in(qtbot, panel.place.numbers["x"], door_x(window) + 0.5)
    before = (server / "landblocks" / FILE).read_bytes()
    into(qtbot, ask(qtbot, window), server / "landblocks")
    qtbot.waitUntil(window.banner.isVisible)
    assert f"{FILE}: it is one of the files that are read" in window.banner.label.text()
    assert (server / "landblocks" / FILE).read_bytes() == before
    (server / "landblocks" / FILE).write_bytes(before + b"INSERT INTO landblock_instance (")
    window.server_export.action.trigger()
    assert "C95B.sql: line " in window.banner.label.text()
    assert window.server_export.dialog is None
