"""`bench ui`, its part on the Timeline: pan, zoom, the crosshair and appending over 100,000 recorded ticks.

The plot is shown on a window of 1200 x 420, where all lanes are in view, with the mouse events of a hand; a frame is a
mouse event and the painting that it leads to.
"""

from __future__ import annotations

import math
import os
import random
from dataclasses import replace
from statistics import median

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from benchmarks.figures import Figure
from benchmarks.ui_session import Stopwatch
from editor.document.document import Document
from editor.models.timeline.columns import Envelope, Stretches
from editor.models.timeline.events import KINDS, EventLog, TimelineEvent
from editor.models.timeline.lanes import Lane, LaneKind, standard_lanes
from editor.models.timeline.second_lanes import APART
from editor.models.timeline.tick_log import TickLog
from editor.session.session import Session
from ui.docks.timeline.plot import TimelinePlot
from ui.theme.theme import DARK, apply_theme

TICKS = 100_000
EVENTS = 4_000
FRAMES = 240
APPENDED = 200
FRAME_LIMIT = 16.0
APPEND_LIMIT = 1.0

Taken = tuple[float, float]
"""Milliseconds that passed, and that the thread was at work."""


def figures(core: str) -> list[Figure]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    if isinstance(application, QApplication):
        apply_theme(application, DARK)
    events = EventLog(Document(Session()))
    events.events = _events()
    log = _log(TICKS)
    plot = TimelinePlot(log, events)
    plot.resize(1200, 420)
    plot.now = TICKS
    plot.set_lanes(standard_lanes(log))
    plot.show()
    plot.fit()
    application.processEvents()
    found: list[Figure] = []
    for name, part in (("all in view", 1.0), ("a tenth in view", 0.1), ("a hundredth in view", 0.01)):
        found += _told(f"zoom of {TICKS:,} ticks, {name}", _zoom(plot, part), FRAME_LIMIT)
        found += _told(f"pan of {TICKS:,} ticks, {name}", _pan(plot, part), FRAME_LIMIT)
        found += _told(f"crosshair over {TICKS:,} ticks, {name}", _hover(plot, part), FRAME_LIMIT)
    for name, part in (("all in view", 1.0), ("a hundredth in view", 0.01)):
        times = _append(plot, log, part)
        found += _told(f"appending a tick to {TICKS:,}, {name}", times, APPEND_LIMIT)
    found += _beside_a_second_run(plot, log)
    plot.close()
    return found


def _beside_a_second_run(plot: TimelinePlot, log: TickLog) -> list[Figure]:
    """The same with the curves of a second run in the lanes, and the band of the distance."""
    second, distance = TickLog(), Envelope()
    _extend(second, len(log), np.random.default_rng(12))
    distance.extend(np.abs(log.height.values - second.height.values))
    columns = {"height": second.height, "speed": second.speed, "heading": second.heading}
    lanes = [replace(lane, second=columns.get(lane.id)) for lane in standard_lanes(log)]
    late = Stretches()
    late.extend(0x00070100 + (np.arange(len(log)) + 40) // 130 % 40)
    lanes[0] = replace(lanes[0], second_cells=late)
    lanes.insert(1, Lane(APART, APART, LaneKind.CURVE, "m", "second", distance, from_zero=True, filled=True))
    plot.names, plot.parting = ("retail", "ace"), TICKS // 2
    plot.set_lanes(lanes)
    found: list[Figure] = []
    for name, part in (("all in view", 1.0), ("a hundredth in view", 0.01)):
        found += _told(f"zoom of {TICKS:,} ticks of two runs, {name}", _zoom(plot, part), FRAME_LIMIT)
        found += _told(f"pan of {TICKS:,} ticks of two runs, {name}", _pan(plot, part), FRAME_LIMIT)
        found += _told(f"crosshair over {TICKS:,} ticks of two runs, {name}", _hover(plot, part), FRAME_LIMIT)
    return found


def _told(name: str, taken: list[Taken], limit: float) -> list[Figure]:
    """The times that passed, and those that this thread was at work, which others on the machine do not lengthen."""
    times, work = sorted(passed for passed, _ in taken), sorted(worked for _, worked in taken)
    nearly_all = len(times) * 95 // 100
    return [
        Figure(f"{name}, median", median(times), "ms", limit, limit),
        Figure(f"{name}, 95th percentile", times[nearly_all], "ms", limit, limit),
        Figure(f"{name}, at work, 95th percentile", work[nearly_all], "ms"),
    ]


def _log(count: int) -> TickLog:
    """A walk up and down stairs and through 40 cells, with keys, jumps to other places, and costs."""
    log, chance = TickLog(), np.random.default_rng(11)
    _extend(log, count, chance)
    return log


def _extend(log: TickLog, count: int, chance: np.random.Generator) -> None:
    first = len(log)
    numbers = np.arange(first, first + count)
    jumps = numbers[(numbers % 9_973 == 9_972)]
    heading = (numbers * 1.3) % 360.0
    wraps = numbers[(heading < 1.3) & (numbers > 0)]
    stairs = 94.0 + np.sin(numbers / 700.0) * 3.0 + chance.normal(scale=0.05, size=count)
    log.height.extend(np.asarray(stairs, np.float64), jumps)
    log.speed.extend(np.asarray(3.12 * np.abs(np.sin(numbers / 90.0)), np.float64))
    log.heading.extend(np.asarray(heading, np.float64), wraps)
    log.cells.extend(0x00070100 + numbers // 130 % 40)
    log.contact.extend(np.where(numbers % 400 < 380, 2, 0))
    log.keys.extend(numbers // 45 % 7)
    log.blocked.extend((numbers % 300 > 280).astype(np.int64))
    log.tick_cost.extend(1.0 + chance.random(count))
    log.frame_cost.extend(12.0 + chance.random(count) * 4.0)


def _events() -> list[TimelineEvent]:
    chance = random.Random(5)
    ticks = sorted(chance.randrange(TICKS) for _ in range(EVENTS))
    return [TimelineEvent(tick, KINDS[number % len(KINDS)], "something") for number, tick in enumerate(ticks)]


def _look_at(plot: TimelinePlot, part: float) -> None:
    """A part of all ticks, in the middle."""
    plot.fit()
    if part < 1.0:
        plot.set_range(TICKS * (0.5 - part / 2.0), TICKS * (0.5 + part / 2.0))
    QApplication.processEvents()


def _timed(plot: TimelinePlot, event: QMouseEvent | QWheelEvent) -> Taken:
    port = plot.view.viewport()
    watch = Stopwatch()
    QApplication.sendEvent(port, event)
    port.repaint()
    plot.legend.repaint()
    return watch.read()


def _zoom(plot: TimelinePlot, part: float) -> list[Taken]:
    """In and out again by a notch at a time."""
    _look_at(plot, part)
    return [_timed(plot, _wheel(plot, 120 if frame % 16 < 8 else -120)) for frame in range(FRAMES)][2:]


def _pan(plot: TimelinePlot, part: float) -> list[Taken]:
    """To and fro with the middle button held; what is all in view is looked at a little closer first."""
    _look_at(plot, min(part, 0.8))
    middle = QPoint(500, 200)
    held = Qt.MouseButton.MiddleButton
    _timed(plot, _mouse(plot, QEvent.Type.MouseButtonPress, middle, held))
    times = []
    for frame in range(FRAMES):
        at = middle + QPoint(round(300.0 * math.sin(frame * math.tau / 60.0)), 0)
        times.append(_timed(plot, _mouse(plot, QEvent.Type.MouseMove, at, held)))
    _timed(plot, _mouse(plot, QEvent.Type.MouseButtonRelease, middle, held))
    return times[2:]


def _hover(plot: TimelinePlot, part: float) -> list[Taken]:
    _look_at(plot, part)
    port, none = plot.view.viewport(), Qt.MouseButton.NoButton
    places = [QPoint(40 + 3 * frame, 60 + frame % 200) for frame in range(FRAMES)]
    assert port.rect().contains(places[-1])
    return [_timed(plot, _mouse(plot, QEvent.Type.MouseMove, at, none)) for at in places][2:]


def _append(plot: TimelinePlot, log: TickLog, part: float) -> list[Taken]:
    """One tick more, and the curves with it; what is painted of them comes with the next frame."""
    _look_at(plot, part)
    chance, times = np.random.default_rng(3), []
    if part < 1.0:
        plot.set_range(log.end - TICKS * part, log.end)
    for _ in range(APPENDED):
        watch = Stopwatch()
        _extend(log, 1, chance)
        plot.now = log.end
        plot.refresh()
        plot.follow_present()
        times.append(watch.read())
        QApplication.processEvents()
    return times


def _wheel(plot: TimelinePlot, delta: int) -> QWheelEvent:
    port, at = plot.view.viewport(), QPoint(500, 200)
    none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    place, world = QPointF(at), QPointF(port.mapToGlobal(at))
    return QWheelEvent(place, world, QPoint(), QPoint(0, delta), none, Qt.KeyboardModifier.NoModifier, phase, False)


def _mouse(plot: TimelinePlot, kind: QEvent.Type, at: QPoint, button: Qt.MouseButton) -> QMouseEvent:
    port, none = plot.view.viewport(), Qt.MouseButton.NoButton
    pressed = none if kind is QEvent.Type.MouseButtonRelease else button
    changed = none if kind is QEvent.Type.MouseMove else button
    world = QPointF(port.mapToGlobal(at))
    return QMouseEvent(kind, QPointF(at), world, changed, pressed, Qt.KeyboardModifier.NoModifier)
