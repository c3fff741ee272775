"""Where the keys go: a list keeps Home and End, an opened world gives them to the picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.session.session import Kind, Session
from engine.render.viewer.viewer import View
from tests.gui.docks.live_hands import click_row, raise_dock
from tests.gui.view3d.view_hands import rest, view_of, viewer_of, viewport_of
from ui.docks.entities import EntitiesPanel
from ui.docks.world import WorldPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


def test_home_in_a_list_leaves_the_camera_and_goes_to_the_first_row(
    qtbot: QtBot, settings: QSettings, house: Path
) -> None:
    with view_of(qtbot, settings, house) as window:
        raise_dock(qtbot, window.docks.dock(EntitiesPanel))
        window.viewing.camera.look_through(View.CHASE)
        rest(qtbot, window)
        rows = window.docks.panel(EntitiesPanel).view
        click_row(qtbot, rows, rows.table.rows[-1].key)
        rest(qtbot, window)
        before = viewer_of(window).rig.eye
        QTest.keyClick(rows, Qt.Key.Key_Home)
        rest(qtbot, window)
        assert viewer_of(window).view is View.CHASE
        assert viewer_of(window).rig.eye == pytest.approx(before, abs=1e-3)


def test_end_drops_to_the_floor_and_alt_end_leads_to_the_present(
    qtbot: QtBot, settings: QSettings, house: Path
) -> None:
    with view_of(qtbot, settings, house) as window:
        present, drop = window.commands.find("to-present"), window.commands.find("view-drop")
        assert present is not None
        assert drop is not None
        assert not {keys.toString() for keys in present.shortcuts()} & {keys.toString() for keys in drop.shortcuts()}
        window.clock.step(3)
        window.document.go_to(1)
        QTest.keyClick(viewport_of(window), Qt.Key.Key_End)
        assert window.document.in_past
        QTest.keyClick(viewport_of(window), Qt.Key.Key_End, Qt.KeyboardModifier.AltModifier)
        assert not window.document.in_past


def test_a_reopened_world_has_the_keys_in_its_picture(qtbot: QtBot, settings: QSettings, house: Path) -> None:
    settings.setValue("centre", "3d")
    window = MainWindow(Session(), settings)
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    for _ in range(2):
        raise_dock(qtbot, window.docks.dock(WorldPanel))
        window.docks.panel(WorldPanel).search.setFocus()
        with qtbot.waitSignal(window.session.faults_changed, timeout=20_000):
            window.open(str(house))
        qtbot.waitUntil(lambda: QApplication.focusWidget() is viewport_of(window))
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, Qt.Key.Key_Tab)
    assert viewer_of(window).view is View.CHASE
    selection = window.session.selection  # of the opening itself: no click was needed that would select a cell
    assert selection is None or selection.kind is Kind.LANDBLOCK
    window.close()


def test_a_world_that_opens_leaves_the_keys_to_somebody_who_writes(
    qtbot: QtBot, settings: QSettings, house: Path
) -> None:
    with view_of(qtbot, settings, house) as window:
        raise_dock(qtbot, window.docks.dock(WorldPanel))
        search = window.docks.panel(WorldPanel).search
        search.setFocus()
        QTest.keyClicks(search, "0x")
        with qtbot.waitSignal(window.session.faults_changed, timeout=20_000):
            window.open(str(house))
        assert QApplication.focusWidget() is search
