"""A second run in the docks and the Timeline by mouse: what differs is marked, and the chosen one can only be read."""

from __future__ import annotations

from typing import TypeVar

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel, QToolTip, QTreeWidgetItem, QWidget
from pytestqt.qtbot import QtBot

from editor.document.beside import SECOND_SHOWN
from editor.models import entities
from editor.models.compare.watch import CompareWatch
from editor.models.doors import STATE
from editor.models.live_table import DIFFERS_ROLE, LiveTable
from editor.models.player import VALUE
from editor.models.sweep.steps import NODE_ROLE
from editor.models.timeline.second_lanes import APART
from editor.session.session import Kind, Selection
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.world.cells.ids import landblock_id
from tests.gui.docks.live_hands import click_button, raise_dock
from tests.gui.docks.timeline_hands import move, place, readings
from ui.docks.cell.cell_dock import CellPanel
from ui.docks.details import DetailsView
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.panel import LivePanel
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.theme.theme import DARK, LIGHT, Colours
from ui.theme.theme_state import Theme
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

P = TypeVar("P", bound=LivePanel)
HALL = 0x00070100
RUN = Controls(forward=1.0, run=True)
TICKS = 24
SLOW = [("run_skill", 20.0)]
NEAR = 24
"""How far a pixel may be from a colour."""


@pytest.fixture
def compared(qtbot: QtBot, opened: MainWindow) -> CompareWatch:
    """A run through the hall, with a slower body beside it."""
    document = opened.document
    document.edit("stand", Teleport(HALL, 1.0, 2.0, 0.0, 90.0))
    assert opened.compare.compare_body(SLOW)
    document.tick_many(TICKS, RUN)
    qtbot.waitUntil(lambda: opened.compare.compared == TICKS)
    return opened.compare


def panel_of(qtbot: QtBot, window: MainWindow, kind: type[P]) -> P:
    raise_dock(qtbot, window.docks.dock(kind))
    return window.docks.panel(kind)


def marked(table: LiveTable, key: object, column: int) -> bool:
    return bool(table.index(table.row_of(key), column).data(DIFFERS_ROLE))


def pixels(widget: QWidget, colour: str) -> int:
    """How many are of a colour, as far as text is smoothed."""
    image, wanted = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32), QColor(colour)
    found = 0
    for y in range(image.height()):
        for x in range(image.width()):
            seen = image.pixelColor(x, y)
            parts = zip(seen.getRgb()[:3], wanted.getRgb()[:3], strict=True)  # type: ignore[index]
            found += all(abs(a - b) < NEAR for a, b in parts)
    return found


# --- docks


def test_what_differs_is_marked_and_tells_the_other_value(
    qtbot: QtBot, opened: MainWindow, compared: CompareWatch
) -> None:
    panel = panel_of(qtbot, opened, PlayerPanel)
    assert marked(panel.model, "Position", VALUE)
    assert not marked(panel.model, "Cell", VALUE)
    second = compared.second_at(opened.document.sim.tick_number)
    assert second is not None
    tip = panel.model.index(panel.model.row_of("Position"), VALUE).data(Qt.ItemDataRole.ToolTipRole)
    assert f"{second.player.origin()[0]:.3f}" in tip
    assert pixels(panel.view.viewport(), DARK.second) > 100
    compared.stop()
    assert not marked(panel.model, "Position", VALUE)
    assert pixels(panel.view.viewport(), DARK.second) == 0


def test_marks_follow_the_tick_that_is_shown(qtbot: QtBot, opened: MainWindow, compared: CompareWatch) -> None:
    panel = panel_of(qtbot, opened, PlayerPanel)
    opened.document.go_to(0)
    assert not marked(panel.model, "Position", VALUE)
    opened.document.go_to(TICKS // 2)
    assert marked(panel.model, "Position", VALUE)


def test_the_second_run_is_shown_with_a_strip_that_leads_back(
    qtbot: QtBot, opened: MainWindow, compared: CompareWatch
) -> None:
    panel = panel_of(qtbot, opened, PlayerPanel)
    assert panel.findChild(QWidget, "second-strip") is None
    own = panel.model.text("Position", VALUE)
    compared.shows_second = True
    label = panel.findChild(QLabel, "second-strip-label")
    assert label is not None
    assert label.isVisible()
    assert compared.names[1] in label.text()
    second = compared.second_at(opened.document.sim.tick_number)
    assert second is not None
    assert f"{second.player.origin()[0]:.3f}" in panel.model.text("Position", VALUE)
    tip = panel.model.index(panel.model.row_of("Position"), VALUE).data(Qt.ItemDataRole.ToolTipRole)
    assert f"{opened.document.sim.player.origin()[0]:.3f}" in tip
    assert panel.numbers["run_skill"].value() == 20.0
    assert panel.numbers["run_skill"].prefix() == "≠ "
    assert f"{compared.names[0]}: {opened.document.sim.player.number('run_skill'):g}" in (
        panel.numbers["run_skill"].toolTip()
    )
    assert panel.numbers["radius"].prefix() == ""
    click_button(qtbot, panel, "second-strip-back")
    assert not compared.shows_second
    assert not label.isVisible()
    assert panel.model.text("Position", VALUE) == own


def test_the_second_run_can_only_be_read(qtbot: QtBot, opened: MainWindow, compared: CompareWatch) -> None:
    refused: list[str] = []
    opened.document.refused.connect(refused.append)
    doors = panel_of(qtbot, opened, DoorsPanel)
    door = opened.document.sim.population.doors[0]
    doors.view.follow(door.id)
    compared.shows_second = True
    assert not doors.hold_action.isEnabled()
    assert SECOND_SHOWN in doors.hold_action.toolTip()
    assert not opened.document.edit("Open", OpenDoor(door.id))
    assert refused == [f"Open: {SECOND_SHOWN}"]
    assert not door.is_open
    compared.shows_second = False
    assert doors.hold_action.isEnabled()


def test_a_door_that_stands_otherwise_is_marked_in_both_docks(
    qtbot: QtBot, opened: MainWindow, compared: CompareWatch
) -> None:
    door = opened.document.sim.population.doors[0]
    opened.document.edit("Open", OpenDoor(door.id))
    assert compared.compare_before_edits()
    opened.document.tick_many(3)
    qtbot.waitUntil(lambda: compared.compared == len(opened.document.history.recording))  # type: ignore[union-attr]
    doors = panel_of(qtbot, opened, DoorsPanel)
    qtbot.waitUntil(lambda: marked(doors.model, door.id, STATE))
    assert doors.model.other_text(door.id, STATE) == "closed"
    listed = panel_of(qtbot, opened, EntitiesPanel)
    assert marked(listed.model, door.id, entities.STATE)
    assert marked(listed.model, door.id, entities.NAME), "the column of the state may be out of sight"


def test_docks_keep_up_while_one_walks(qtbot: QtBot, opened: MainWindow, compared: CompareWatch) -> None:
    panel = panel_of(qtbot, opened, PlayerPanel)
    compared.shows_second = True
    for _ in range(5):
        opened.document.tick(RUN)
        second = compared.second_at(opened.document.sim.tick_number)
        assert second is not None
        assert f"{second.player.origin()[0]:.3f}" in panel.model.text("Position", VALUE)


def test_sweep_marks_where_both_part_and_shows_either(qtbot: QtBot, opened: MainWindow, compared: CompareWatch) -> None:
    before = opened.document.sim.state_hash()
    panel = panel_of(qtbot, opened, SweepPanel)
    assert panel.watch.tick == TICKS - 1
    first = panel.model.index(0, 0)
    assert first.data(DIFFERS_ROLE), "asked to go elsewhere"
    assert compared.names[1] in first.data(Qt.ItemDataRole.ToolTipRole)
    line = first.data(NODE_ROLE).line
    compared.shows_second = True
    second: QModelIndex = panel.model.index(0, 0)
    assert second.data(NODE_ROLE).line != line
    assert panel.summary.toolTip() or compared.names[1] in panel.watch.title
    compared.shows_second = False
    assert panel.model.index(0, 0).data(NODE_ROLE).line == line
    assert opened.document.sim.state_hash() == before


def test_details_mark_what_differs_and_name_the_second_run(
    qtbot: QtBot, opened: MainWindow, compared: CompareWatch
) -> None:
    player = opened.document.sim.player
    opened.session.select(Selection(Kind.ENTITY, landblock_id(HALL), player.id))
    raise_dock(qtbot, opened.docks.dock(DetailsView))
    details = opened.docks.panel(DetailsView)

    def rows() -> dict[str, QTreeWidgetItem]:
        return {item.text(0): item for item in details.findItems("*", Qt.MatchFlag.MatchWildcard)}

    qtbot.waitUntil(lambda: rows()["origin"].data(1, DIFFERS_ROLE) is True)
    assert compared.names[1] in rows()["origin"].toolTip(1)
    assert not rows()["kind"].data(1, DIFFERS_ROLE)
    compared.shows_second = True
    qtbot.waitUntil(lambda: "◇ run" in rows())
    assert compared.names[1] in rows()["◇ run"].text(1)
    assert rows()["origin"].data(1, DIFFERS_ROLE)
    compared.stop()
    qtbot.waitUntil(lambda: "◇ run" not in rows() and not rows()["origin"].data(1, DIFFERS_ROLE))


def test_cell_shows_the_cell_of_the_chosen_run(qtbot: QtBot, opened: MainWindow, compared: CompareWatch) -> None:
    panel = panel_of(qtbot, opened, CellPanel)
    compared.shows_second = True
    assert panel.findChild(QLabel, "second-strip-label") is not None
    assert panel.head_page.why_not == SECOND_SHOWN


# --- Timeline


@pytest.fixture
def timeline(qtbot: QtBot, opened: MainWindow, compared: CompareWatch) -> TimelinePanel:
    panel = panel_of(qtbot, opened, TimelinePanel)
    qtbot.waitUntil(lambda: len(panel.plot.log) == TICKS and panel.plot.parting is not None)
    return panel


def test_the_lane_of_the_distance_comes_and_goes_with_the_second_run(
    opened: MainWindow, compared: CompareWatch, timeline: TimelinePanel
) -> None:
    assert [lane.id for lane in timeline.shown_lanes][:2] == ["cell", APART]
    assert timeline.plot.parting is not None
    compared.stop()
    assert APART not in [view.lane.id for view in timeline.plot.views]
    assert timeline.plot.names == ("", "")
    assert timeline.plot.legend.second_values() == {}


def test_the_crosshair_reads_both_runs(
    opened: MainWindow, compared: CompareWatch, timeline: TimelinePanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    tips: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda at, text, widget: tips.append(text))
    plot = timeline.plot
    tick = 15
    difference = compared.difference_at(tick)
    assert difference is not None
    move(plot, place(plot, tick + 0.5, "cell"))
    assert readings(timeline)[APART] == f"{difference.distance:.3f} m"
    assert plot.legend.second_values()["height"] == f"{difference.second.origin[2]:.2f} m"
    assert f"tick {tick}" in tips[-1]
    assert all(name in tips[-1] for name in compared.names)
    move(plot, place(plot, tick + 0.5, APART))
    assert f"{difference.distance:.3f} m apart" in tips[-1]


@pytest.mark.parametrize("colours", [DARK, LIGHT], ids=["dark", "light"])
def test_both_runs_are_drawn_in_both_themes(
    opened: MainWindow, compared: CompareWatch, timeline: TimelinePanel, colours: Colours
) -> None:
    opened.theme.choose(Theme.LIGHT if colours is LIGHT else Theme.DARK)
    plot = timeline.plot
    with_second = pixels(plot.view.viewport(), colours.second)
    assert with_second > 40
    compared.stop()
    assert pixels(plot.view.viewport(), colours.second) < with_second / 4
    opened.theme.choose(Theme.DARK)


def test_the_band_is_higher_where_they_are_farther_apart(timeline: TimelinePanel) -> None:
    plot = timeline.plot
    view = next(view for view in plot.views if view.lane.id == APART)
    image = plot.view.grab().toImage()
    ground = QColor(DARK.base)

    def filled(tick: int) -> int:
        x = round(plot.x_of(tick + 0.5))
        top = round(plot.canvas.box.top() + view.top)
        return sum(image.pixelColor(x, top + y) != ground for y in range(int(view.height)))

    assert filled(12) > filled(4) > 0


def test_a_press_in_the_lane_of_the_distance_shows_that_tick(
    qtbot: QtBot, opened: MainWindow, timeline: TimelinePanel
) -> None:
    port = timeline.plot.view.viewport()
    at = place(timeline.plot, 10, APART)
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=QPoint(at.x(), at.y()))
    assert opened.document.sim.tick_number == 10


def test_continuing_from_the_past_shortens_the_second_run_too(
    qtbot: QtBot, opened: MainWindow, compared: CompareWatch, timeline: TimelinePanel
) -> None:
    opened.document.go_to(10)
    opened.document.continue_here()
    qtbot.waitUntil(lambda: compared.compared == 10)
    assert len(compared.distance) == 10
    lane = next(lane for lane in timeline.shown_lanes if lane.id == APART)
    assert lane.column is compared.distance
