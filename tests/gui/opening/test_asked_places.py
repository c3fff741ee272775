"""The window shows the landblock and the cell that were asked for, and only those."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from editor.session.loading import Request
from editor.session.session import Kind, Selection
from engine.build.demo import SPOTS
from engine.world.cells.ids import cell_text
from tests.gui.opening.opening_hands import OPENING_MS, drop, picker, saved_capture, write_scenes
from ui.docks.graph.graph_dock import CellGraphPanel
from ui.docks.world import WorldPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

DUNGEON = 0x0007FFFF
PASSAGE = 0x00070102
CTRL = Qt.KeyboardModifier.ControlModifier


def open_demo(qtbot: QtBot, window: MainWindow, place: int = 0) -> None:
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.session.open_request(Request("demo", place=place))
    qtbot.waitUntil(lambda: place != 0 or window.session.selection is not None)


@pytest.fixture
def demo(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """The window with the demo open, in the village."""
    open_demo(qtbot, window)
    qtbot.waitUntil(lambda: window.status.selection.text() == "Entity Front Door")
    return window


@pytest.mark.parametrize(
    ("place", "selected"),
    [(DUNGEON, Selection(Kind.LANDBLOCK, DUNGEON, DUNGEON)), (PASSAGE, Selection(Kind.CELL, DUNGEON, PASSAGE))],
)
def test_a_place_of_the_demo_that_is_asked_for_is_in_view(
    qtbot: QtBot, window: MainWindow, place: int, selected: Selection
) -> None:
    open_demo(qtbot, window, place)
    later: list[bool] = []
    QTimer.singleShot(0, lambda: later.append(True))
    qtbot.waitUntil(lambda: bool(later))  # what was put off until then has happened
    graph = window.docks.panel(CellGraphPanel)
    assert window.session.landblock_id == DUNGEON
    assert window.session.selection == selected
    assert window.status.block.text().startswith("0x0007FFFF")
    qtbot.waitUntil(lambda: Selection(Kind.CELL, DUNGEON, PASSAGE) in graph.view.nodes)
    assert window.document.sim.player.place_cell() >> 16 == DUNGEON >> 16


def test_another_world_opens_in_its_own_landblock(qtbot: QtBot, demo: MainWindow, house: Path) -> None:
    """Rows of the old world that go must not choose one of their neighbours in the new one."""
    demo.docks.bring(demo.docks.dock(WorldPanel))
    demo.opening.ask_for_landblock()
    qtbot.keyClicks(picker(demo).search, "0007")
    qtbot.keyClick(picker(demo).search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: demo.session.landblock_id == DUNGEON)
    with qtbot.waitSignal(demo.session.faults_changed, timeout=OPENING_MS):
        demo.open(str(house))
    assert demo.session.landblock_id == DUNGEON
    assert demo.session.selection == Selection(Kind.LANDBLOCK, DUNGEON, DUNGEON)
    assert demo.status.block.text().startswith("0x0007FFFF")


def test_go_to_id_goes_to_a_cell_of_a_landblock_that_is_not_open(qtbot: QtBot, demo: MainWindow) -> None:
    panel = demo.docks.panel(WorldPanel)
    demo.ask_for_id()
    qtbot.keyClicks(panel.search, "0x00070102")
    assert panel.offer.isVisible()
    assert panel.offer.text() == "Open Landblock 0x0007 and Go to 0x00070102"
    qtbot.keyClick(panel.search, Qt.Key.Key_Return)
    assert demo.session.selection == Selection(Kind.CELL, DUNGEON, PASSAGE)
    assert not panel.offer.isVisible()


def test_go_to_id_goes_to_a_cell_in_view(qtbot: QtBot, opened: MainWindow) -> None:
    opened.ask_for_id()
    qtbot.keyClicks(opened.docks.panel(WorldPanel).search, "0x00070101")
    qtbot.keyClick(opened.docks.panel(WorldPanel).search, Qt.Key.Key_Return)
    assert opened.session.selection == Selection(Kind.CELL, DUNGEON, 0x00070101)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0xA9B40141", "This world has no landblock 0xA9B4."),
        ("42.1N 33.6E", "This world has no landblock 0xA9B4."),
        ("0x00070101 [1 2]", "2 numbers between its brackets"),
        ("no such thing", "No row contains this text."),
    ],
)
def test_go_to_id_says_what_the_world_lacks(qtbot: QtBot, opened: MainWindow, text: str, why: str) -> None:
    panel = opened.docks.panel(WorldPanel)
    opened.ask_for_id()
    qtbot.keyClicks(panel.search, text)
    assert panel.why_not.isVisible()
    assert why in panel.why_not.text()
    panel.search.clear()
    assert not panel.why_not.isVisible()


def test_go_to_id_stands_at_a_pasted_place_of_a_landblock_not_open(qtbot: QtBot, demo: MainWindow) -> None:
    panel, spot = demo.docks.panel(WorldPanel), SPOTS["great_hall"]
    x, y, z = spot.origin
    QGuiApplication.clipboard().setText(f"@teleloc {cell_text(spot.cell_id)} {x}, {y}, {z}")
    demo.ask_for_id()
    qtbot.keyClick(panel.search, Qt.Key.Key_V, CTRL)
    assert panel.offer.text().startswith(f"Stand at {cell_text(spot.cell_id)}")
    qtbot.mouseClick(panel.offer, Qt.MouseButton.LeftButton)
    assert demo.session.landblock_id == DUNGEON
    player = demo.document.sim.player
    assert player.place_cell() == spot.cell_id
    assert player.soles() == pytest.approx(spot.origin, abs=1e-3)


def test_the_world_of_a_capture_is_looked_for_beside_it_and_asked_for_again(
    qtbot: QtBot, window: MainWindow, opened: MainWindow, house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.clock.keys.forward = 1.0  # who stands still makes no moves to save
    window.clock.step(5)
    folder = tmp_path / "moves"
    folder.mkdir()
    path = saved_capture(window, folder / "a.jsonl", monkeypatch)
    scenes = write_scenes(tmp_path / "hall.json", "hall")
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        assert drop(window, scenes)
    with qtbot.waitSignal(window.session.asked, timeout=OPENING_MS):
        assert drop(window, path)
    begun: list[str] = []
    answers = [str(folder), str(house)]

    def answer(parent: QWidget, title: str, begin: str = "") -> str:
        begun.append(begin)
        return answers.pop(0)

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", answer)
    with qtbot.waitSignal(window.session.open_failed, timeout=OPENING_MS):
        find_folder(window)
    assert "moves is neither a data folder" in window.banner.text
    with qtbot.waitSignal(window.session.capture_opened, timeout=OPENING_MS):
        find_folder(window)
    assert begun == [str(folder), str(folder)]


def find_folder(window: MainWindow) -> None:
    """Choose Its World › Data or Dump Folder…, which the banner offers."""
    menu = window.banner.offered.defaultAction().menu()
    assert isinstance(menu, QMenu)
    assert window.banner.offered.isVisible()
    menu.actions()[0].trigger()


def test_the_palette_leads_to_named_spots_doors_and_portals_of_the_demo(qtbot: QtBot, demo: MainWindow) -> None:
    sheet, sim = demo.palette_sheet, demo.document.sim
    for typed, cell_id in (
        ("stand at great hall", SPOTS["great_hall"].cell_id),
        ("stand in 0x00070102", PASSAGE),
        ("stand at portal 0 of 0x00070102", PASSAGE),
    ):
        sheet.ask()
        qtbot.keyClicks(sheet.field, typed)
        qtbot.keyClick(sheet.field, Qt.Key.Key_Return)
        assert sim.player.place_cell() == cell_id, typed
        assert demo.session.landblock_id == DUNGEON


def test_other_worlds_have_no_named_spots(qtbot: QtBot, opened: MainWindow) -> None:
    titles = [thing.entry.title for thing in opened.palette_sheet._things.all()]
    assert "Stand at Great hall" not in titles
    assert any(title.startswith("Stand Behind ") for title in titles)
    assert "Stand at Portal 0 of 0x00070100" in titles
