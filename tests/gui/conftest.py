"""The real window under a real display; every test gets one of its own, with settings that nobody else sees."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.session.session import Session
from engine.build import WorldBuilder, rect
from tests.gui.projects.project_hands import lock_door
from ui.theme.theme import DARK, apply_theme
from ui.window.application import DIALOGS, QT_DIALOGS, create_application
from ui.window.main_window import MainWindow
from ui.window.project_actions import Projects


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """The application as the program makes it, in place of the plugin's plain one."""
    os.environ[DIALOGS] = QT_DIALOGS  # the system's own dialogs cannot be clicked from here
    application = create_application(["tests"])
    apply_theme(application, DARK)
    return application


@pytest.fixture(autouse=True)
def collecting(request: pytest.FixtureRequest) -> Iterator[None]:
    """The application's collector works while its events do; tests of other folders, in the same process, have none."""
    if "qapp" in request.fixturenames:
        gc.disable()
    yield
    gc.enable()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data files of a house of two rooms, with a loft over one of them and a door between the two."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4), height=2.8)
    study = world.room("study", rect(6.2, 0, 4, 4), height=2.8)
    loft = world.room("loft", rect(0, 0, 6, 4), floor=3.0, height=2.5)
    world.door(hall, study)
    world.hatch(loft, hall, rect(4, 1, 1.5, 2))
    folder = tmp_path_factory.mktemp("house")
    world.build().write(folder)
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    """As of somebody who knows the first steps and looked at the map last; the 3D view has tests of its own."""
    made = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    made.setValue("centre", "map")
    made.setValue("hints-done", ["walk", "door", "find"])
    return made


@pytest.fixture(autouse=True)
def discarding(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows go without a question about unsaved edits, but for the tests that are about it (`asking`)."""
    if "asking" not in request.fixturenames:
        monkeypatch.setattr(Projects, "may_leave", lambda self, then: True)
        monkeypatch.setattr(Projects, "can_go", True)


@pytest.fixture
def window(qtbot: QtBot, settings: QSettings) -> Iterator[MainWindow]:
    shown = MainWindow(Session(), settings)
    qtbot.addWidget(shown)
    with qtbot.waitActive(shown):
        shown.show()
        shown.activateWindow()
    yield shown
    shown.close()


@pytest.fixture
def opened(qtbot: QtBot, window: MainWindow, house: Path) -> MainWindow:
    """The window with the house open."""
    with qtbot.waitSignal(window.session.faults_changed, timeout=20_000):
        window.open(str(house))
    return window


@pytest.fixture
def asking(window: MainWindow) -> Iterator[MainWindow]:
    """Unsaved edits are asked about; at the end of the test there are none."""
    yield window
    if window.projects.box is not None:
        window.projects.box.reject()
    window.document.stack.set_clean()


@pytest.fixture
def edited(qtbot: QtBot, asking: MainWindow, opened: MainWindow) -> MainWindow:
    """The house with its door locked by a key."""
    lock_door(qtbot, opened)
    return opened
