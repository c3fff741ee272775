"""Timeline by mouse and keys: scrub, zoom, pan, read values, jump to events, and continue from the past."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QSettings, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QMenu, QSplitter, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from editor.models.timeline.events import STOPS
from editor.session.session import Session
from engine.sim.edits.player import Teleport
from tests.gui.docks.live_hands import click_button, click_row, double_click_row, raise_dock, type_place
from tests.gui.docks.timeline_hands import drag, move, place, readings, turn_wheel
from ui.docks.doors import DoorsPanel
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.timeline.kept_choices import HIDDEN_KEY, PLOTS_KEY
from ui.docks.timeline.plot import NARROWEST, TimelinePlot
from ui.docks.timeline.timeline_dock import TimelinePanel
from ui.theme.theme import LIGHT
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL = 0x00070100
LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton


@pytest.fixture
def walked(qtbot: QtBot, opened: MainWindow) -> TimelinePanel:
    """Timeline in front, and a walk into the door between hall and study."""
    live = opened
    raise_dock(qtbot, live.docks.dock(PlayerPanel))
    raise_dock(qtbot, live.docks.dock(TimelinePanel))
    door = live.document.sim.population.doors[0]
    type_place(qtbot, live.docks.panel(PlayerPanel), HALL, (2.0, door.origin()[1], 0.0), 90.0)
    qtbot.mouseClick(live.docks.panel(PlayerPanel).pad.buttons["forward"], LEFT)
    live.clock.step(120)
    qtbot.waitUntil(lambda: not live.clock.is_stepping, timeout=20_000)
    return live.docks.panel(TimelinePanel)


def width_of(plot: TimelinePlot) -> float:
    """Ticks in view."""
    return plot.span.high - plot.span.low


# --- scrubbing and jumping


def test_pressing_and_dragging_shows_the_past_and_the_end_is_the_present(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel
) -> None:
    document, plot = opened.document, walked.plot
    port = plot.view.viewport()
    qtbot.mousePress(port, LEFT, pos=place(plot, 40, "height"))
    assert document.sim.tick_number == 40
    assert document.in_past
    assert plot.now == 40
    move(plot, place(plot, 70, "height"), LEFT)
    assert document.sim.tick_number == 70
    qtbot.mouseRelease(port, LEFT, pos=place(plot, 70, "height"))
    qtbot.mouseClick(port, LEFT, pos=QPoint(port.width() - 1, place(plot, 70, "height").y()))
    assert document.sim.tick_number == 120
    assert not document.in_past


def test_a_double_click_shows_the_tick_in_which_it_happened(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel
) -> None:
    hit = walked.events.chosen(STOPS)[0]
    key = next(row.key for row in walked.model.rows if isinstance(row.key, tuple) and row.key[0] == hit.tick)
    double_click_row(qtbot, walked.view, key)
    report = opened.document.sim.last_report
    assert report is not None
    assert report.tick == hit.tick
    assert report.collided_objects


def test_jumps_go_by_kind_and_say_when_there_is_nothing(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel
) -> None:
    walked.kinds.setCurrentText(STOPS)
    click_button(qtbot, walked, "timeline-before-button")
    hit = walked.events.chosen(STOPS)[0]
    assert opened.document.sim.tick_number == hit.tick + 1
    assert not walked.before_action.isEnabled()
    assert walked.before_action.toolTip() == "There are no earlier stops."
    assert len(walked.model.rows) == 1


def test_continuing_from_the_past_shortens_the_curves(qtbot: QtBot, opened: MainWindow, walked: TimelinePanel) -> None:
    qtbot.mouseClick(walked.plot.view.viewport(), LEFT, pos=place(walked.plot, 10, "height"))
    opened.time_bar.continue_action.trigger()
    assert len(walked.log) == 10
    assert walked.events.chosen(STOPS) == []
    opened.clock.step(1)
    assert len(walked.log) == len(walked.log.tick_cost) == len(walked.log.blocked) == 11


def test_a_click_in_the_list_alone_leads_nowhere(qtbot: QtBot, opened: MainWindow, walked: TimelinePanel) -> None:
    click_row(qtbot, walked.view, walked.model.rows[0].key)
    assert opened.document.sim.tick_number == 120
    walked.view.setFocus()
    qtbot.keyClick(walked.view, Qt.Key.Key_Return)
    assert opened.document.in_past


# --- marks


def test_a_mark_tells_its_event_and_a_click_shows_its_tick(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    tips: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda at, text, widget: tips.append(text))
    hit, plot = walked.events.chosen(STOPS)[0], walked.plot
    at = place(plot, hit.tick + 0.5, "events")
    move(plot, at + QPoint(0, 7))
    assert plot.hovered_tick == hit.tick, "a mark is as high as its lane"
    assert f"tick {hit.tick}" in tips[-1]
    assert hit.text in tips[-1]
    assert plot.view.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor
    qtbot.mouseClick(plot.view.viewport(), LEFT, pos=at - QPoint(5, 6))
    report = opened.document.sim.last_report
    assert report is not None
    assert report.tick == hit.tick
    assert isinstance(walked.view.key, tuple)
    assert walked.view.key[0] == hit.tick
    move(plot, at + QPoint(30, 0))
    assert plot.hovered_tick == -1


# --- zoom and pan


def test_the_wheel_zooms_about_the_mouse(qtbot: QtBot, walked: TimelinePanel) -> None:
    plot = walked.plot
    at = place(plot, 60)
    before = width_of(plot)
    turn_wheel(plot, at, 3)
    assert width_of(plot) == pytest.approx(before / 1.25**3)
    assert abs(place(plot, 60).x() - at.x()) <= 1
    turn_wheel(plot, at, -20)
    assert plot.is_fitted, "there is nothing beyond the session"
    turn_wheel(plot, at, 100)
    assert width_of(plot) == pytest.approx(8.0)


@pytest.mark.parametrize("button", [RIGHT, MIDDLE], ids=["right", "middle"])
def test_dragging_pans_all_lanes_and_stops_at_the_ends(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel, button: Qt.MouseButton
) -> None:
    plot = walked.plot
    turn_wheel(plot, place(plot, 60), 4)
    start, low, width = place(plot, 60), plot.span.low, width_of(plot)
    drag(qtbot, plot, button, start, 40)
    assert abs(place(plot, 60).x() - start.x() - 40) <= 1
    assert plot.span.low < low
    assert width_of(plot) == pytest.approx(width)
    assert opened.document.sim.tick_number == 120, "panning is not scrubbing"
    drag(qtbot, plot, button, place(plot, plot.span.low + 1), 5000)
    assert plot.span.low < 0 <= plot.tick_near(0) == 0
    turn_wheel(plot, place(plot, 10), -2, Qt.KeyboardModifier.ShiftModifier)
    assert plot.span.low > 0


def test_keys_zoom_fit_and_pan_while_the_plot_has_the_focus(qtbot: QtBot, walked: TimelinePanel) -> None:
    plot = walked.plot
    qtbot.mouseClick(plot.view.viewport(), LEFT, pos=place(plot, 60, "height"))
    before = width_of(plot)
    qtbot.keyClick(plot.view, Qt.Key.Key_Plus)
    assert width_of(plot) < before
    low = plot.span.low
    qtbot.keyClick(plot.view, Qt.Key.Key_Right)
    assert plot.span.low > low
    qtbot.keyClick(plot.view, Qt.Key.Key_0)
    assert plot.is_fitted
    turn_wheel(plot, place(plot, 60), 2)
    click_button(qtbot, walked, "timeline-fit-button")
    assert plot.is_fitted


def test_time_is_followed_until_the_hand_pans_away(qtbot: QtBot, opened: MainWindow, walked: TimelinePanel) -> None:
    plot, clock = walked.plot, opened.clock
    turn_wheel(plot, place(plot, 118), 8)
    width = width_of(plot)
    clock.step(60)
    qtbot.waitUntil(lambda: not clock.is_stepping, timeout=20_000)
    assert plot.span.low < 180 < plot.span.high
    assert width_of(plot) == pytest.approx(width)
    drag(qtbot, plot, RIGHT, place(plot, plot.span.low + 1), 2000)
    assert not walked.follow_action.isChecked()
    walked.log.read(opened.document.history)  # type: ignore[arg-type]  # a world is open
    seen = plot.span
    clock.run()
    qtbot.waitUntil(lambda: opened.document.sim.tick_number > 190, timeout=20_000)
    clock.pause()
    click_button(qtbot, walked, "timeline-follow-button")
    assert walked.follow_action.isChecked()
    assert plot.span.low > seen.low
    assert plot.span.low < opened.document.sim.tick_number < plot.span.high


def test_lanes_that_have_no_room_are_scrolled_to(qtbot: QtBot, walked: TimelinePanel) -> None:
    plot = walked.plot
    last = plot.views[-1]
    assert last.bottom > plot.plot_height
    turn_wheel(plot, place(plot, 60), -40, Qt.KeyboardModifier.ControlModifier)
    assert plot.views[-1].bottom <= plot.plot_height + 3.0
    assert plot.views[0].top < 0.0


# --- values and lanes


def test_the_crosshair_reads_every_lane(qtbot: QtBot, opened: MainWindow, walked: TimelinePanel) -> None:
    plot = walked.plot
    move(plot, place(plot, 30.5, "speed"))
    assert plot.cursor_tick == 30
    shown = readings(walked)
    history = opened.document.history
    assert history is not None
    sample = history.recording.samples[30]
    assert shown["cell"] == "0x00070100"
    assert shown["height"] == f"{sample.origin[2]:.2f} m"
    assert float(shown["speed"].split()[0]) > 2.0
    assert shown["heading"] == "90.0°"
    assert shown["keys"] == "forward"
    assert shown["contact"] == "on walkable"
    move(plot, place(plot, 115.5, "speed"))
    assert readings(walked)["contact"] == "on walkable, blocked"
    assert readings(walked)["speed"] == "0.00 m/s"
    dots = plot.dots(115)
    assert len(dots) >= 2


def test_a_teleport_leaves_a_gap_and_the_axis_as_it_was(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel
) -> None:
    plot, document = walked.plot, opened.document
    height = next(view for view in plot.views if view.lane.id == "height")
    low, high = height.low, height.high
    loft = next(cell for cell in (0x00070102, 0x00070101) if document.sim.graph.get_visible(cell) is not None)
    document.edit("Go", Teleport(loft, 1.0, 2.0, 3.0, 90.0))
    document.tick_many(10)
    assert walked.log.height.breaks.tolist()[-1] == 120
    height = next(view for view in plot.views if view.lane.id == "height")
    assert (height.low, height.high) == (low, high)
    speed = next(view for view in plot.views if view.lane.id == "speed")
    assert speed.high < 5.0


def test_lanes_are_chosen_in_a_menu_and_remembered(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel, settings: QSettings
) -> None:
    assert "tick-cost" not in readings(walked)
    walked.lanes_menu.aboutToShow.emit()
    entry = next(each for each in walked.lanes_menu.actions() if each.text().startswith("Cost of a tick"))
    assert not entry.isChecked()
    entry.trigger()
    assert readings(walked)["tick-cost"].endswith(" ms")
    assert settings.value(HIDDEN_KEY, [], type=list) == ["frame-cost"]
    other = MainWindow(Session(), settings)
    qtbot.addWidget(other)
    assert "tick-cost" in [lane.id for lane in other.docks.panel(TimelinePanel).shown_lanes]


def plot_menu(window: MainWindow, dock: type[PlayerPanel | DoorsPanel]) -> QMenu:
    """Plot, in the menu of a dock's rows."""
    view = window.docks.panel(dock).view
    menu = view.findChild(QMenu, f"{view.objectName()}-plot")
    assert menu is not None
    assert menu.menuAction() in view.actions()
    return menu


def entry_of(menu: QMenu, title: str) -> None:
    menu.aboutToShow.emit()
    next(each for each in menu.actions() if each.text().startswith(title)).trigger()


def test_a_number_of_a_row_is_plotted_and_removed(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel, settings: QSettings
) -> None:
    live = opened
    raise_dock(qtbot, live.docks.dock(DoorsPanel))
    player, doors = plot_menu(live, PlayerPanel), plot_menu(live, DoorsPanel)
    door = live.document.sim.population.doors[0]
    click_row(qtbot, live.docks.panel(DoorsPanel).view, door.id)
    entry_of(doors, "Open")
    raise_dock(qtbot, live.docks.dock(PlayerPanel))
    click_row(qtbot, live.docks.panel(PlayerPanel).view, "Velocity")
    entry_of(player, "Velocity x")
    click_row(qtbot, live.docks.panel(PlayerPanel).view, "Footing")
    assert not player.menuAction().isEnabled()
    live.clock.step(1)
    raise_dock(qtbot, live.docks.of(walked))
    door_plot = f"0x{door.id:08X}:open"
    assert settings.value(PLOTS_KEY, [], type=list) == [door_plot, "player:velocity.x"]
    assert readings(walked)[door_plot] == "0.000"
    assert readings(walked)["player:velocity.x"].endswith(" m/s")
    assert "Open" in [each.text() for each in doors.actions() if each.isChecked()]
    lane = next(view.lane for view in walked.plot.views if view.lane.id == door_plot)
    menu = walked.menu_for(lane)
    assert menu.actions()[0].text() == f"Remove {door.name} open"
    menu.actions()[0].trigger()
    assert door_plot not in readings(walked)
    assert settings.value(PLOTS_KEY, [], type=list) == ["player:velocity.x"]


def test_a_right_click_offers_what_can_be_done_with_a_lane(qtbot: QtBot, walked: TimelinePanel) -> None:
    qtbot.mouseClick(walked.plot.view.viewport(), RIGHT, pos=place(walked.plot, 60, "speed"))
    menu = walked.findChild(QMenu, "timeline-menu")
    assert menu is not None
    assert menu.isVisible()
    menu.actions()[0].trigger()
    menu.close()
    assert "speed" not in readings(walked)


# --- how it looks, and files


def has_ink(plot: TimelinePlot, colour: str) -> bool:
    """Something of a colour is drawn where the curves are."""
    image = plot.view.grab().toImage()
    wanted = QColor(colour).rgb()
    return any(image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height()))


def test_the_plot_is_drawn_with_and_without_ticks_in_both_themes(qtbot: QtBot, opened: MainWindow) -> None:
    panel = opened.docks.panel(TimelinePanel)
    raise_dock(qtbot, opened.docks.of(panel))
    assert panel.stack.currentWidget() is panel.empty_label
    opened.clock.step(50)
    qtbot.waitUntil(lambda: not opened.clock.is_stepping, timeout=20_000)
    assert panel.stack.currentWidget() is panel.plot
    assert has_ink(panel.plot, panel.plot.colours.visible)
    assert has_ink(panel.plot, panel.plot.colours.current)
    panel.set_colours(LIGHT)
    assert has_ink(panel.plot, LIGHT.visible)
    assert has_ink(panel.plot, LIGHT.base)


def test_the_curves_keep_room_beside_their_legend(qtbot: QtBot, walked: TimelinePanel) -> None:
    splitter = walked.stack.parentWidget()
    assert isinstance(splitter, QSplitter)
    handle = splitter.handle(1)
    qtbot.mousePress(handle, LEFT)
    qtbot.mouseMove(handle, QPoint(-2000, 10))
    qtbot.mouseRelease(handle, LEFT, pos=QPoint(-2000, 10))
    plot = walked.plot
    assert splitter.sizes()[0] < plot.sizeHint().width()
    assert plot.canvas.box.width() >= NARROWEST - plot.bar.width()
    assert has_ink(plot, plot.colours.visible)


def test_a_file_has_all_chosen_lanes(qtbot: QtBot, opened: MainWindow, walked: TimelinePanel, tmp_path: Path) -> None:
    picture, drawing, table = (tmp_path / f"curves.{suffix}" for suffix in ("png", "svg", "csv"))
    assert walked.save(str(picture))
    image = QImage(str(picture))
    assert image.height() > walked.plot.height(), "those too that had to be scrolled to"
    assert walked.save(str(drawing))
    renderer = QSvgRenderer(str(drawing))
    assert renderer.isValid()
    assert renderer.viewBox().size() == image.size()
    text = drawing.read_text()
    assert "0x00070100" in text
    assert ">height<" in text
    with qtbot.waitSignal(opened.document.said, timeout=20_000):
        assert walked.save(str(table))
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert len(rows) == 120
    assert rows[50]["cell"] == "0x00070100"
    assert not walked.save(str(tmp_path / "no" / "curves.csv"))


def test_the_window_starts_without_pyqtgraph() -> None:
    code = "import sys, ui.window.main_window; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_without_events_the_list_still_says_that_ticks_were_recorded(qtbot: QtBot, opened: MainWindow) -> None:
    panel = opened.docks.panel(TimelinePanel)
    raise_dock(qtbot, opened.docks.of(panel))
    assert panel.view.empty.startswith("Let time pass")
    panel.view.grab()  # nothing is left to paint
    paints = Paints(panel.view.viewport())
    opened.document.tick()
    assert panel.view.empty.startswith("No events of this kind yet")
    qtbot.waitUntil(lambda: paints.count > 0)


def test_the_list_says_how_long_a_stop_lasted_while_time_flows(
    qtbot: QtBot, opened: MainWindow, walked: TimelinePanel
) -> None:
    forward = opened.docks.panel(PlayerPanel).pad.buttons["forward"]
    (stop,) = opened.events.chosen(STOPS)
    before = stop.count
    opened.clock.run()
    qtbot.waitUntil(lambda: stop.count > before + 5)
    qtbot.mouseClick(forward, LEFT)  # released
    ended = opened.document.sim.tick_number
    qtbot.waitUntil(lambda: opened.document.sim.tick_number > ended + 10)
    qtbot.waitUntil(lambda: walked.model.rows[0].values[2].text == stop.line)
    assert opened.document.flowing
    opened.clock.pause()


def test_the_menu_of_an_event_asks_sweep_why(qtbot: QtBot, opened: MainWindow, walked: TimelinePanel) -> None:
    stop = walked.events.chosen(STOPS)[0]
    assert walked.why_action in walked.view.actions()
    assert not walked.why_action.isEnabled()
    click_row(qtbot, walked.view, next(row.key for row in walked.model.rows if row.values[-1].text == stop.line))
    assert walked.why_action.isEnabled()
    walked.why_action.trigger()
    sweep = opened.docks.panel(SweepPanel)
    assert sweep.watch.tick == stop.tick
    assert opened.viewing.substep is not None
    assert opened.viewing.substep.node.polygon_id == stop.contacts[0].polygon_id
