"""Text copied from tables and trees, and pictures saved to files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from editor.session.session import Kind, Selection
from engine.sim.edits.entities import MoveEntity
from tests.gui.docks.live_hands import raise_dock
from ui.docks.details import DetailsView
from ui.docks.entities import EntitiesPanel
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.docks.world import WorldPanel
from ui.window.main_window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.locale]

CTRL = Qt.KeyboardModifier.ControlModifier


def copied(qtbot: QtBot, view: QWidget) -> list[list[str]]:
    """Press Ctrl+C in a view; the copied lines, split into fields."""
    QGuiApplication.clipboard().clear()
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_C, CTRL)
    return [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]


def test_the_tree_of_the_world_is_copied_row_by_row(qtbot: QtBot, opened: MainWindow) -> None:
    raise_dock(qtbot, opened.docks.dock(WorldPanel))
    tree = opened.docks.panel(WorldPanel).tree
    opened.navigation.go_to("0x00070101")
    assert [row[:3] for row in copied(qtbot, tree)] == [["cell", "0x00070101", "0x00070101"]]
    qtbot.keyClick(tree, Qt.Key.Key_A, CTRL)
    rows = copied(qtbot, tree)
    assert {row[0] for row in rows} >= {"landblock", "cell", "entity"}
    assert len(rows) > 4


def test_a_table_is_copied_at_full_precision(qtbot: QtBot, opened: MainWindow) -> None:
    player = opened.docks.panel(PlayerPanel)
    raise_dock(qtbot, opened.docks.of(player))
    rows = copied(qtbot, player.view)
    position = next(row for row in rows if row[0] == "Position")
    assert [float(part) for part in position[1:4]] == list(opened.document.sim.player.steered.place.origin)


def test_all_details_are_copied_row_by_row_at_full_precision(qtbot: QtBot, opened: MainWindow) -> None:
    view, sim = opened.docks.panel(DetailsView), opened.document.sim
    door = sim.population.doors[0]
    opened.document.edit("Move", MoveEntity(door.id, door.place_cell(), 6.1, 1.0 / 3.0, 0.0, 0.0))
    opened.docks.bring(opened.docks.dock(DetailsView))
    opened.navigation.go_to(f"0x{door.id:08X}")
    view.clearSelection()
    rows = copied(qtbot, view)
    assert ["origin", *(repr(part) for part in door.place_frame().origin)] in rows
    opened.navigation.go_to("0x00070101")
    view.expandAll()
    qtbot.keyClick(view, Qt.Key.Key_A, CTRL)
    rows = copied(qtbot, view)
    assert len(rows) > view.topLevelItemCount()
    view.clearSelection()
    view.collapseAll()
    assert copied(qtbot, view) == rows, "folded ones too"


def test_state_bits_are_copied_with_their_values(qtbot: QtBot, opened: MainWindow) -> None:
    entities, sim = opened.docks.panel(EntitiesPanel), opened.document.sim
    raise_dock(qtbot, opened.docks.of(entities))
    opened.session.select(Selection(Kind.ENTITY, 0x0007FFFF, sim.population.doors[0].id))
    entities.tabs.setCurrentWidget(entities.bit_view)
    titles, *rows = copied(qtbot, entities.bit_view)
    assert titles[-1] == "On"
    state = sum(int(row[1], 16) for row in rows if row[-1] == "yes")
    assert state == sim.population.state_of(sim.population.doors[0].id) != 0
    assert {row[-1] for row in rows} == {"yes", "no"}


def test_the_tree_of_a_sweep_is_copied_as_rows_with_all_of_its_numbers(qtbot: QtBot, opened: MainWindow) -> None:
    sweep = opened.docks.panel(SweepPanel)
    raise_dock(qtbot, opened.docks.of(sweep))
    opened.docks.panel(PlayerPanel).pad.keys["forward"].setChecked(True)
    opened.clock.step(2)
    qtbot.waitUntil(lambda: bool(sweep.watch.sweeps))
    titles, first, *rest = copied(qtbot, sweep.tree)
    assert {len(row) for row in (first, *rest)} == {len(titles)}
    assert first[:2] == ["0", "sweep"]
    after = [float(first[titles.index(f"after {axis}")]) for axis in "xyz"]
    assert after == list(opened.document.sim.player.steered.place.origin)
    assert {row[1] for row in rest} >= {"sub-step", "cell"}


@pytest.mark.parametrize("name", ["graph-save", "timeline-save", "pview-save"])
def test_the_picture_of_a_dock_is_saved_by_its_command(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    file = tmp_path / "picture.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(file.with_suffix("")), ""))
    saver = next(command for command in opened.commands.commands() if command.action.objectName() == name)
    assert saver.where == "File › Save Picture"
    saver.action.trigger()
    assert not QImage(str(file)).isNull()
    assert opened.status.currentMessage() == f"Saved {file}"


@pytest.mark.parametrize("text", ["Save 3D View or Map…", "Save Whole Window…"])
def test_pictures_of_view_and_window_are_saved_and_failures_reported(
    opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    file = tmp_path / "picture.png"
    names = iter([str(file), str(tmp_path / "no" / "picture.png")])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (next(names), ""))
    saver: QAction = next(c.action for c in opened.commands.commands() if c.action.text() == text)
    saver.trigger()
    assert QImage(str(file)).width() > 200
    saver.trigger()
    assert opened.banner.isVisible()
    assert "cannot be written" in opened.banner.label.text()


def test_no_picture_overwrites_an_open_file(opened: MainWindow, house: Path) -> None:
    file = house / "client_portal.dat"
    before = file.read_bytes()
    assert not opened.save_picture(opened.grab(), str(file))
    assert "one of the files that are read" in opened.banner.label.text()
    assert not opened.docks.panel(TimelinePanel).save(str(file))
    assert file.read_bytes() == before
