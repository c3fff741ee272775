"""The demo village with a server's data beside it: its doors are listed, used and saved with the project."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from editor.project.project_file import load_project
from editor.session.sources import DEMO
from engine.geometry.vec import Vec3
from engine.physics.place import Place
from engine.sim.edits.doors import LockDoor
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation
from engine.world.server import model
from tests.gui.docks.live_hands import click_row, raise_dock
from tests.gui.opening.opening_hands import OPENING_MS, drop
from tests.gui.projects.project_hands import save_as
from tests.gui.view3d.view_hands import viewport_of
from tests.world.server.worlds import instance_sql, link_sql, weenie_sql, write
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

DOOR, LEVER, CHEST = 412, 286, 143
NUMBER = 0x7F0
"""Of the first of the server's things; the village's own have lower ones."""


def sim_of(window: MainWindow) -> Simulation:
    sim = window.session.simulation
    assert sim is not None
    return sim


@pytest.fixture
def village(qtbot: QtBot, window: MainWindow) -> MainWindow:
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.open(DEMO)
    return window


def ahead(window: MainWindow, metres: float) -> Vec3:
    """The place in front of the player."""
    return sim_of(window).player.steered.place.frame().local_to_global((0.0, metres, 0.0))


def teleport(window: MainWindow, to: Place) -> None:
    """Stand him there, with his back to the houses: another opening has put him elsewhere."""
    x, y, z = to.origin
    window.document.edit("Teleport", Teleport(to.cell_id, x, y, z, to.turn.heading() + 180.0))


def guid(window: MainWindow, number: int) -> int:
    cell_id = sim_of(window).player.place_cell()
    return 0x70000000 | (cell_id >> 16) << 12 | (NUMBER + number)


def write_server(window: MainWindow, folder: Path) -> Path:
    """A content folder of a server: a door 2.2 m behind the player, a lever that opens it, and a chest."""
    setup = next(door.setup for door in sim_of(window).population.doors if door.name == "Front Door")
    models: dict[int, object] = {1: setup.id}
    weenies = folder / "sql" / "weenies"
    write(
        weenies / "Door" / "00412 Door.sql",
        weenie_sql(DOOR, model.DOOR, "Server Door", int={93: 8}, float={11: 300, 54: 0.5}, d_i_d=models),
    )
    write(weenies / "Lever" / "00286 Lever.sql", weenie_sql(LEVER, model.SWITCH, "Lever", d_i_d=models))
    write(weenies / "Chest" / "00143 Chest.sql", weenie_sql(CHEST, model.CHEST, "Chest", d_i_d=models))
    outdoors = sim_of(window).player.place_cell() & 0xFFFF0000
    write(
        folder / "sql" / "landblocks" / f"{outdoors >> 16:04X}.sql",
        f"DELETE FROM `landblock_instance` WHERE `landblock` = 0x{outdoors >> 16:04X};\n",
        instance_sql(guid(window, 0), DOOR, outdoors, ahead(window, -2.2)),
        link_sql(guid(window, 0), guid(window, 1)),
        instance_sql(guid(window, 1), LEVER, outdoors, ahead(window, -7.0), is_link_child=True),
        instance_sql(guid(window, 2), CHEST, outdoors, ahead(window, -8.0)),
    )
    return folder


def test_the_village_has_the_server_s_doors(qtbot: QtBot, village: MainWindow, tmp_path: Path) -> None:
    folder, start = write_server(village, tmp_path / "content"), sim_of(village).player.steered.place.copy()
    door_id, lever_id, chest_id = (guid(village, number) for number in range(3))
    with qtbot.waitSignal(village.session.faults_changed, timeout=OPENING_MS):
        assert drop(village, folder)
    assert village.session.source == DEMO
    teleport(village, start)

    raise_dock(qtbot, village.docks.dock(DoorsPanel))
    doors = village.docks.panel(DoorsPanel)
    click_row(qtbot, doors.view, door_id)
    assert doors.door is not None
    assert (doors.door.name, doors.door.reset_interval) == ("Server Door", 300.0)
    assert "it is used from within 0.5 m" in doors.use_action.toolTip()
    assert doors.use_action.isEnabled(), "the editor uses it from anywhere"

    raise_dock(qtbot, village.docks.dock(EntitiesPanel))
    entities = village.docks.panel(EntitiesPanel)
    assert [entities.view.table.row_of(number) >= 0 for number in (door_id, lever_id, chest_id)] == [True] * 3
    click_row(qtbot, entities.view, lever_id)
    assert village.session.selection is not None
    assert village.session.selection.key == lever_id
    assert sim_of(village).population.entity(lever_id).activates == [door_id]

    village.document.edit("Lock", LockDoor(door_id, True))
    village.projects.save_action.trigger()
    save_as(qtbot, village, tmp_path / "mine.cellardoor")
    qtbot.waitUntil((tmp_path / "mine.cellardoor").exists)
    kept = load_project(tmp_path / "mine.cellardoor")
    assert kept.server is not None
    assert kept.server.paths == ("content",)


def test_the_player_uses_a_door_from_within_its_use_radius(qtbot: QtBot, village: MainWindow, tmp_path: Path) -> None:
    folder, start = write_server(village, tmp_path / "content"), sim_of(village).player.steered.place.copy()
    with qtbot.waitSignal(village.session.faults_changed, timeout=OPENING_MS):
        assert drop(village, folder)
    teleport(village, start)
    door = sim_of(village).population.door(guid(village, 0))
    viewport = viewport_of(village)
    said: list[str] = []
    village.document.refused.connect(said.append)
    viewport.setFocus()
    if not viewport.walking.is_on:
        QTest.keyClick(viewport, Qt.Key.Key_Tab)
    assert viewport.walking.is_on
    QTest.keyClick(viewport, Qt.Key.Key_E)
    assert len(said) == 1
    assert said[0].startswith("Server Door is ")
    assert said[0].endswith(" m away; it is used from within 0.5 m.")
    start.origin = ahead(village, 1.2)
    teleport(village, start)
    QTest.keyClick(viewport, Qt.Key.Key_E)
    assert len(said) == 1, said
    qtbot.waitUntil(lambda: door.is_open, timeout=OPENING_MS)
