"""Server data in the window: chosen from the menu, shown in the docks, remembered with its world."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from editor.models.entities import specs_now
from editor.session.server_index import WORTH_IT, folder_data
from engine.world.loader.entities_file import FILE_NAME, write_entities
from engine.world.server import model
from tests.gui.docks.live_hands import click_row, raise_dock
from tests.gui.opening.opening_hands import OPENING_MS, choose_file
from tests.sim.helpers.small_worlds import built, two_rooms
from tests.world.server.furnished import Place
from tests.world.server.worlds import destination_sql
from ui.docks.entities import EntitiesPanel
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
    data = folder_data(window.session.world)
    assert data is not None
    assert data.known is not None
    assert (data.counts()["weenies"], data.counts()["instances"]) == (WORTH_IT + 2, 2)
    assert [file.suffix for file in (tmp_path / "cache").iterdir()] == [".index"]
