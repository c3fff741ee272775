"""A cell is removed from a stab list: PView loses it and gives the reason, Problems reports it, undo restores it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from engine.world.cells.ids import cell_text
from tests.gui.docks.live_hands import click_button, click_row, raise_dock
from tests.gui.docks.test_pview import EAST, EASTWARD, HALL, IN_HALL, STUDY, drawn
from tests.gui.view3d.view_hands import stand, view_of
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.problems import ProblemsView
from ui.docks.pview.pview_dock import CELLS_TAB, PViewPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def window(qtbot: QtBot, settings: QSettings, house: Path) -> Iterator[MainWindow]:
    with view_of(qtbot, settings, house) as shown:
        stand(qtbot, shown, HALL, IN_HALL, EAST)
        yield shown


def test_a_cell_removed_from_the_stab_list_is_lost_reported_and_restored(qtbot: QtBot, window: MainWindow) -> None:
    live, session = window, window.session
    panel = live.docks.panel(PViewPanel)
    raise_dock(qtbot, live.docks.of(panel))
    raise_dock(qtbot, live.docks.dock(CellPanel))
    qtbot.waitUntil(lambda: drawn(panel) == EASTWARD)

    # From the hall only the hall's own list counts.
    click_row(qtbot, panel.cells, (0, HALL), column=1)
    bar, page = live.docks.panel(CellPanel).tabs.tabBar(), live.docks.panel(CellPanel).stab_page
    qtbot.mouseClick(
        bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(live.docks.panel(CellPanel).tabs.indexOf(page)).center()
    )
    click_row(qtbot, page.view, STUDY)
    click_button(qtbot, live.docks.panel(CellPanel), "stab-remove-button")
    name = f"Remove {cell_text(STUDY)} from Stab List of {cell_text(HALL)}"
    assert live.document.stack.undo_text() == name

    qtbot.waitUntil(lambda: drawn(panel) == EASTWARD[:-1])
    window.navigation.go_to(cell_text(STUDY))
    stand(qtbot, window, HALL, IN_HALL, EAST)
    qtbot.waitUntil(lambda: "leads to it, but it is not in the stab list" in panel.why.text())
    click_button(qtbot, panel, "pview-decided-button")
    row = panel.portals.table.rows[panel.portals.table.row_of(panel.portals.key)]
    assert row.values[0].text == "■ not in the stab list"
    assert row.values[2].text == cell_text(STUDY)

    raise_dock(qtbot, window.docks.dock(ProblemsView))
    qtbot.waitUntil(
        lambda: any("can be seen from here" in fault.reason for fault in window.docks.panel(ProblemsView).model.faults)
    )
    assert window.docks.dock(ProblemsView).windowTitle() == "Problems (1)"

    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not window.docks.panel(ProblemsView).model.faults)
    raise_dock(qtbot, live.docks.of(panel))
    lists = panel.tabs.tabBar()
    qtbot.mouseClick(lists, Qt.MouseButton.LeftButton, pos=lists.tabRect(CELLS_TAB).center())
    qtbot.waitUntil(lambda: drawn(panel) == EASTWARD)
    assert session.selection is not None
    assert session.selection.key == STUDY
    assert "drawn, 5 of 5" in panel.why.text()
