"""Server data in the window: chosen from the menu, shown in the docks, remembered with its world."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from editor.models.entities import specs_now
from editor.session.server_index import WORTH_IT, folders_of
from engine.world.loader.entities_file import FILE_NAME, write_entities
from engine.world.server import model
from tests.gui.docks.live_hands import click_row, raise_dock
from tests.gui.opening.opening_hands import OPENING_MS, choose_file, drop, picker, refusal
from tests.sim.helpers.small_worlds import built, two_rooms
from tests.world.server.furnished import Place
from tests.world.server.test_layers import database_of_patches
from tests.world.server.worlds import destination_sql, weenie_sql, write
from ui.docks.entities import EntitiesPanel
from ui.docks.problems import ProblemsView
from ui.opening.server_asking import ServerRow
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

RICH = "<b>Server</b> Door"
"""The name of the server's door: shown as it is, never as markup."""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(built(two_rooms), tmp_path / "server")
    place.made.write(tmp_path / "world")
    write_entities(tmp_path / "world" / FILE_NAME, [])
    place.weenie(412, model.DOOR, RICH, int={93: 8}, float={11: 300})
    place.weenie(5, model.HOOK, "Hook")
    place.instances(place.here(0, 412), place.here(1, 5))
    return place


def action(window: MainWindow, name: str) -> QAction:
    found = window.commands.find(name)
    assert found is not None
    return found


def names(window: MainWindow) -> list[str]:
    sim = window.session.simulation
    assert sim is not None
    return sorted(entity.name for entity in sim.population.ordered)


def run(qtbot: QtBot, window: MainWindow, command: str) -> None:
    """Choose a command from the menu, and wait for the world."""
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        action(window, command).trigger()


def open_world(qtbot: QtBot, window: MainWindow, place: Place) -> None:
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.opening.open(str(place.folder.parent / "world"))


def test_the_servers_doors_stand_here_and_are_remembered(
    qtbot: QtBot, window: MainWindow, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not action(window, "server-folder").isEnabled()
    open_world(qtbot, window, place)
    assert names(window) == []
    assert not action(window, "server-hooks").isEnabled()
    choose_file(monkeypatch, place.folder)
    run(qtbot, window, "server-folder")
    assert names(window) == [RICH]
    run(qtbot, window, "server-hooks")
    assert names(window) == [RICH, "Hook"]
    assert action(window, "server-hooks").isChecked()
    open_world(qtbot, window, place)
    assert names(window) == [RICH, "Hook"]
    run(qtbot, window, "reload")
    assert names(window) == [RICH, "Hook"]
    run(qtbot, window, "server-none")
    assert names(window) == []
    open_world(qtbot, window, place)
    assert names(window) == []


def test_what_is_no_server_data_leaves_the_world_open(
    qtbot: QtBot, window: MainWindow, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_world(qtbot, window, place)
    world = window.session.world
    choose_file(monkeypatch, place.folder.parent / "world")
    with qtbot.waitSignal(window.session.open_failed, timeout=OPENING_MS):
        action(window, "server-folder").trigger()
    assert window.session.world is world
    assert "it has no SQL files" in window.banner.label.text()


def test_remembered_data_that_has_gone_is_a_fault_of_the_world(
    qtbot: QtBot, window: MainWindow, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_world(qtbot, window, place)
    choose_file(monkeypatch, place.folder)
    run(qtbot, window, "server-folder")
    place.folder.rename(place.folder.parent / "elsewhere")
    open_world(qtbot, window, place)
    assert names(window) == []
    assert window.session.world is not None
    reasons = [fault.reason for fault in window.session.world.faults()]
    assert any("its server data cannot be read" in reason and "no such file" in reason for reason in reasons)


def test_the_docks_show_names_as_plain_text(
    qtbot: QtBot, window: MainWindow, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_world(qtbot, window, place)
    choose_file(monkeypatch, place.folder)
    run(qtbot, window, "server-folder")
    sim = window.session.simulation
    assert sim is not None
    assert [spec.name for spec in specs_now(sim, place.block_id)] == [RICH]


def test_a_portal_is_gone_through_from_its_row(
    qtbot: QtBot, window: MainWindow, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = place.made.cell_id("study")
    place.weenie(8, model.PORTAL, "Way", destination_sql(8, study, (8.0, 2.0, 0.0)))
    place.instances(place.here(0, 412), place.here(2, 8))
    open_world(qtbot, window, place)
    choose_file(monkeypatch, place.folder)
    run(qtbot, window, "server-folder")
    panel = window.docks.panel(EntitiesPanel)
    raise_dock(qtbot, window.docks.dock(EntitiesPanel))
    click_row(qtbot, panel.view, place.guid(0))
    assert not panel.follow_action.isVisible()
    click_row(qtbot, panel.view, place.guid(2))
    assert panel.follow_action.isVisible()
    panel.follow_action.trigger()
    sim = window.session.simulation
    assert sim is not None
    qtbot.waitUntil(lambda: sim.player.place_cell() == study)
    assert sim.player.origin()[:2] == (8.0, 2.0)


def test_a_large_folder_is_indexed_in_the_background(
    qtbot: QtBot,
    window: MainWindow,
    place: Place,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CELLAR_DOOR_CACHE", str(tmp_path / "cache"))
    for number in range(WORTH_IT):
        place.weenie(1000 + number, model.GENERIC, f"Thing {number}")
    open_world(qtbot, window, place)
    choose_file(monkeypatch, place.folder)
    run(qtbot, window, "server-folder")
    job = window.server_data.indexing
    assert job is not None
    qtbot.waitUntil(lambda: job.is_done)
    (data,) = folders_of(window.session.world)
    assert data.known is not None
    assert (data.counts()["weenies"], data.counts()["instances"]) == (WORTH_IT + 2, 2)
    assert [file.suffix for file in (tmp_path / "cache").iterdir()] == [".index"]


def test_damage_in_any_landblock_is_a_problem_once_the_files_are_indexed(
    qtbot: QtBot, window: MainWindow, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(place.folder / "landblocks" / "0102.sql", "INSERT INTO `landblock_instance` broken(")
    open_world(qtbot, window, place)
    choose_file(monkeypatch, place.folder)
    run(qtbot, window, "server-folder")
    raise_dock(qtbot, window.docks.dock(ProblemsView))
    listed = window.docks.panel(ProblemsView)
    qtbot.waitUntil(lambda: any("0102.sql: line 1" in fault.reason for fault in listed.model.faults))


# --- several places


def places(window: MainWindow) -> list[str]:
    return [] if window.session.server is None else list(window.session.server.paths)


def patch(place: Place) -> Path:
    """A folder of patches with another name for the door's kind."""
    models: dict[int, object] = {1: place.door.setup_id}
    folder = place.folder.parent / "new"
    write(folder / "weenies" / "412.sql", weenie_sql(412, model.DOOR, "Gate", d_i_d=models))
    return folder


def test_patches_are_put_on_top_moved_and_taken_away(
    qtbot: QtBot, window: MainWindow, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = patch(place)
    open_world(qtbot, window, place)
    choose_file(monkeypatch, place.folder)
    run(qtbot, window, "server-folder")

    def change(*buttons: str) -> None:
        action(window, "server-places").trigger()
        dialog = window.server_data.dialog
        assert dialog is not None
        qtbot.waitUntil(dialog.isVisible)
        for name in buttons:
            button = dialog.findChild(QPushButton, name)
            assert button is not None
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
            dialog.buttons.button(dialog.buttons.StandardButton.Ok).click()

    choose_file(monkeypatch, top)
    change("server-add-folder")
    assert names(window) == ["Gate"]
    change("server-up")
    assert names(window) == [RICH]
    assert places(window) == [str(top), str(place.folder)]
    open_world(qtbot, window, place)
    assert places(window) == [str(top), str(place.folder)], "remembered in their order"
    change("server-remove")
    assert places(window) == [str(top)]
    assert names(window) == []
    change("server-remove")
    assert places(window) == []


def test_a_choice_kept_by_an_earlier_version_is_read(window: MainWindow, place: Place) -> None:
    kept = json.dumps(["/world", str(place.folder), "hooks"])
    window.settings.setValue("server_data", [kept, '["/b", [1]]', '["/c", []]'])
    choices = window.server_data.choices()
    assert [(choice.paths, choice.also) for choice in choices.values()] == [((str(place.folder),), ("hooks",))]


# --- dropped, and opened as if it were a world


def test_dropped_server_data_stands_in_the_open_world(qtbot: QtBot, window: MainWindow, place: Place) -> None:
    open_world(qtbot, window, place)
    for path, expected in ((place.folder, RICH), (patch(place) / "weenies" / "412.sql", "Gate")):
        with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
            assert drop(window, path)
        assert names(window) == [expected]
    database = database_of_patches(place.folder.parent / "world.db")
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        assert drop(window, database)
    assert [Path(path).name for path in places(window)] == ["server", "412.sql", "world.db"]


def test_server_data_without_a_world_says_what_it_is(qtbot: QtBot, window: MainWindow, place: Place) -> None:
    assert "is a folder of a server's SQL files, not a world; open a world first" in refusal(
        qtbot, window, place.folder
    )


def test_opened_server_data_offers_to_stand_in_the_open_world(qtbot: QtBot, window: MainWindow, place: Place) -> None:
    open_world(qtbot, window, place)
    with qtbot.waitSignal(window.session.asked, timeout=OPENING_MS):
        window.opening.open(str(place.folder))
    assert "is a folder of a server's SQL files, not a world" in window.banner.label.text()
    assert names(window) == []
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        qtbot.mouseClick(window.banner.offered, Qt.MouseButton.LeftButton)
    assert names(window) == [RICH]
    assert not window.banner.isVisible()


# --- with the world


def enter(qtbot: QtBot, window: MainWindow, place: Place) -> None:
    qtbot.keyClicks(picker(window).search, f"{place.block_id >> 16:04X}")
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        qtbot.mouseClick(picker(window).open_button, Qt.MouseButton.LeftButton)


def test_server_data_is_chosen_with_the_landblock(
    qtbot: QtBot, window: MainWindow, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("editor.session.loading.ASKED_FROM", 1)
    with qtbot.waitSignal(window.session.asked, timeout=OPENING_MS):
        window.opening.open(str(place.folder.parent / "world"))
    dialog = picker(window)
    row = dialog.findChild(ServerRow)
    assert row is not None
    assert row.label.text() == "Server data: none"
    choose_file(monkeypatch, place.folder.parent / "world")
    row.button.menu().actions()[0].trigger()
    assert row.label.text() == "■ world holds no server data."
    choose_file(monkeypatch, place.folder)
    row.button.menu().actions()[0].trigger()
    assert row.label.text() == "Server data: server"
    enter(qtbot, window, place)
    assert names(window) == [RICH]
    with qtbot.waitSignal(window.session.asked, timeout=OPENING_MS):
        window.opening.open(str(place.folder.parent / "world"))
    again = picker(window).findChild(ServerRow)
    assert again is not None
    assert again.label.text() == "Server data: server", "it is remembered with the world"
    again.none_action.trigger()
    enter(qtbot, window, place)
    assert names(window) == []
