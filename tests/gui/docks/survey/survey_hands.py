"""A world with a pit that nobody gets out of, and what a user's hands do with its survey."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from editor.models.survey.watch import Stage
from engine.build import WorldBuilder, rect
from tests.gui.docks.live_hands import click_button, raise_dock
from ui.docks.survey.survey_dock import SurveyPanel
from ui.window.main_window import MainWindow

HALL, STUDY, PIT = 0x00070100, 0x00070101, 0x00070102
PIT_FOUND = "stuck.pit"


def pit_world(folder: Path) -> Path:
    """A hall with a hatch over a pit of 5 m, and a study behind a closed door."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 4, 4), height=2.8)
    study = world.room("study", rect(4.2, 0, 3, 4), height=2.8)
    pit = world.room("pit", rect(0, 0, 4, 4), floor=-5.0, height=4.8)
    world.door(hall, study, name="door")
    world.hatch(hall, pit, rect(2.4, 2.4, 1.2, 1.2))
    world.build().write(folder)
    return folder


def open_world(qtbot: QtBot, window: MainWindow, source: Path) -> SurveyPanel:
    """Open a world and bring the dock to the front."""
    with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
        window.open(str(source))
    raise_dock(qtbot, window.docks.dock(SurveyPanel))
    panel = window.docks.panel(SurveyPanel)
    assert isinstance(panel, SurveyPanel)
    return panel


def button(panel: SurveyPanel, name: str) -> QAbstractButton:
    found = panel.findChild(QAbstractButton, f"survey-{name}-button")
    assert found is not None
    return found


def press(qtbot: QtBot, panel: SurveyPanel, name: str) -> None:
    click_button(qtbot, panel, f"survey-{name}-button")


def search(qtbot: QtBot, panel: SurveyPanel) -> None:
    """Start, and wait until all is searched."""
    press(qtbot, panel, "start")
    wait_done(qtbot, panel)


def wait_done(qtbot: QtBot, panel: SurveyPanel) -> None:
    ended = (Stage.DONE, Stage.DEAD)
    qtbot.waitUntil(lambda: panel.watch.stage in ended)
    assert panel.watch.stage is Stage.DONE, panel.watch.text
    panel.refresh()
