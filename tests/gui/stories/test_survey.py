"""A door that was moved by mistake: a survey finds who gets by it, shows it, leads the player there, and mends it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from editor.models.survey.watch import Stage
from editor.session.session import Session
from engine.build import WorldBuilder, rect
from engine.findings.finding import Found
from engine.sim.edits.entities import MoveEntity
from tests.gui.docks.live_hands import raise_dock
from tests.gui.stories.actions import Actions
from ui.docks.survey.survey_dock import SurveyPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

BESIDE = "doors.way-beside"


@pytest.fixture
def house(qtbot: QtBot, settings: QSettings, tmp_path: Path) -> Iterator[MainWindow]:
    """A hall and a study, and the door between them moved 1.2 m aside from its doorway."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 4, 4), height=2.8)
    study = world.room("study", rect(4.2, 0, 3, 4), height=2.8)
    world.door(hall, study, width=1.4, name="door")
    world.build().write(tmp_path / "house")
    settings.setValue("centre", "3d")
    shown = MainWindow(Session(), settings)
    qtbot.addWidget(shown)
    with qtbot.waitActive(shown):
        shown.show()
        shown.activateWindow()
    with qtbot.waitSignal(shown.session.faults_changed, timeout=60_000):
        shown.open(str(tmp_path / "house"))
    door = shown.document.sim.population.doors[0]
    x, y, z = door.frame.origin
    shown.document.edit("Move Door", MoveEntity(door.id, door.cell_id, x, y + 1.2, z, door.frame.heading()))
    yield shown
    shown.close()


def test_a_way_by_a_door_is_found_shown_and_mended(qtbot: QtBot, house: MainWindow) -> None:
    hands, watch = Actions(), house.survey
    raise_dock(qtbot, house.docks.dock(SurveyPanel))
    panel = house.docks.panel(SurveyPanel)
    assert isinstance(panel, SurveyPanel)

    def press(name: str) -> None:
        made = panel.findChild(QAbstractButton, f"survey-{name}-button")
        assert made is not None
        assert made.isEnabled(), made.toolTip()
        hands.click(made)

    def search(name: str) -> None:
        press(name)
        qtbot.waitUntil(lambda: watch.stage in (Stage.DONE, Stage.DEAD))
        assert watch.stage is Stage.DONE, watch.text
        panel.refresh()

    search("start")
    found = by_the_door(house)
    assert found is not None
    row = panel.found.table.row_of(found.key)
    hands.click(panel.found.viewport(), panel.found.visualRect(panel.found.table.index(row, 2)).center())
    assert house.viewing.reach.marked == found
    press("show")
    assert house.viewing.ghost.walk is not None
    before = house.document.sim.player.place_cell()
    with qtbot.waitSignal(house.survey_actions.player.ended) as ended:
        press("take")
    assert ended.args is not None
    assert ended.args[1], ended.args[0]
    hands.press(QApplication.focusWidget() or house, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert house.document.sim.player.place_cell() == before
    press("fix")
    assert house.document.stack.undo_text().startswith(found.fix.name if found.fix is not None else "?")
    qtbot.waitUntil(lambda: watch.result is not None and watch.result.is_stale(found))
    panel.refresh()
    search("go-on")
    assert by_the_door(house) is None
    assert hands.count == 7


def by_the_door(window: MainWindow) -> Found | None:
    """The finding about the way beside the door."""
    return next((found for found in window.survey.found if found.check == BESIDE), None)
