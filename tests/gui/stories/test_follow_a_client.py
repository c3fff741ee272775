"""A client writes its capture, line by line, in a process of its own; the window follows it until it ends elsewhere."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from editor.models.following.live_capture import LiveCapture
from editor.session.session import Session
from editor.session.sources import DEMO
from engine.build.demo import SPOTS, ensure_demo
from engine.geometry.vec import Vec3
from engine.render.overlays.palette import CLIENT
from engine.render.viewer.viewer import View
from engine.sim.captures.form import CaptureRecord
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world
from tests.gui.docks.live_hands import click_button
from tests.gui.opening.opening_hands import choose_file
from tests.gui.view3d.view_hands import redraw, viewer_of, viewport_of
from tests.sim.live.captures import ended_elsewhere, lines, walked
from ui.docks.capture import CapturePanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

WRITER = """
import sys
source, target = sys.argv[1:]
with open(source, "rb") as lines, open(target, "wb") as client:
    for count in sys.stdin:
        for _ in range(int(count)):
            client.write(next(lines))
            client.flush()
        print(count, end="", flush=True)
"""
WRONG = 12
"""The record that is altered."""


class Client:
    """The second process: writes as many lines as it is told to, each flushed."""

    def __init__(self, source: Path, target: Path) -> None:
        words = [sys.executable, "-c", WRITER, str(source), str(target)]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def write(self, count: int) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(count, file=self._process.stdin, flush=True)
        assert self._process.stdout.readline() == f"{count}\n"

    def end(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def records() -> list[CaptureRecord]:
    """A run of two seconds along the street before the cottage."""
    spot = SPOTS["cottage_outside_front_door"]
    with open_world(ensure_demo()) as world:
        sim = Simulation(world)
        sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading + 180.0))
        made = walked(sim, (2.0, Controls(forward=1.0, run=True)))
        sim.close()
    return [*made[:WRONG], ended_elsewhere(made[WRONG]), *made[WRONG + 1 :]]


@pytest.fixture
def window(qtbot: QtBot, settings: QSettings) -> Iterator[MainWindow]:
    settings.setValue("centre", "3d")
    shown = MainWindow(Session(), settings)
    qtbot.addWidget(shown)
    with qtbot.waitActive(shown):
        shown.show()
        shown.activateWindow()
    yield shown
    shown.close()


@pytest.fixture
def demo(qtbot: QtBot, window: MainWindow) -> MainWindow:
    with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
        window.open(DEMO)
    return window


@pytest.fixture
def client(tmp_path: Path, records: list[CaptureRecord]) -> Iterator[Client]:
    (tmp_path / "prepared.jsonl").write_bytes(lines(records))
    made = Client(tmp_path / "prepared.jsonl", tmp_path / "live.jsonl")
    yield made
    made.end()


def command(window: MainWindow, name: str) -> QAction:
    found = window.commands.find(name)
    assert found is not None
    return found


def follow(qtbot: QtBot, window: MainWindow, path: Path) -> LiveCapture:
    """Choose a file in the dialog, which may not exist yet."""
    command(window, "follow-capture").trigger()
    dialog = window.findChild(QFileDialog, "follow-dialog")
    assert dialog is not None
    dialog.fileSelected.emit(str(path))
    dialog.reject()
    live = window.following.live
    assert live is not None
    qtbot.waitUntil(lambda: live.following.news.is_open)
    return live


def client_at(window: MainWindow) -> Vec3 | None:
    stand = window.viewing.client.stand
    return None if stand is None else stand.origin


def count_of(live: LiveCapture) -> int:
    return live.count


def pixels_of_client(window: MainWindow) -> int:
    """Pixels of the picture that have the hue of the client's body."""
    image = window.centre.stack.grab().toImage()
    wanted = CLIENT
    found = 0
    for y in range(0, image.height(), 2):
        for x in range(0, image.width(), 2):
            colour = image.pixelColor(x, y)
            r, g, b = colour.red(), colour.green(), colour.blue()
            if r > 90 and abs(g / r - wanted[1] / wanted[0]) < 0.06 and abs(b / r - wanted[2] / wanted[0]) < 0.06:
                found += 1
    return found


def test_a_client_is_followed_stopped_at_a_difference_and_followed_on(
    qtbot: QtBot, demo: MainWindow, client: Client, records: list[CaptureRecord], tmp_path: Path
) -> None:
    sim = demo.document.simulation
    assert sim is not None
    before, tick = sim.state_hash(), sim.tick_number
    command(demo, "follow-pauses").trigger()
    assert demo.settings.value("follow-pauses", type=bool) is True
    live = follow(qtbot, demo, tmp_path / "live.jsonl")
    assert "Following live.jsonl" in demo.status.followed.text()

    client.write(5)
    qtbot.waitUntil(lambda: count_of(live) == 5)
    qtbot.waitUntil(lambda: client_at(demo) == pytest.approx(records[4].result.position, abs=1e-3))
    client.write(5)
    qtbot.waitUntil(lambda: client_at(demo) == pytest.approx(records[9].result.position, abs=1e-3))
    redraw(qtbot, demo)
    assert pixels_of_client(demo) > 50

    client.write(20)
    qtbot.waitUntil(lambda: live.following.is_paused)
    panel, sweep = demo.docks.panel(CapturePanel), demo.docks.panel(SweepPanel)
    qtbot.waitUntil(lambda: panel.number == WRONG)
    assert count_of(live) == WRONG + 1
    assert [panel.table.text(WRONG, column) for column in (1, 2, 4)] == ["■ differs", "■ differs", "position"]
    assert sweep.watch.title == f"live.jsonl, tick {WRONG}, by the rules of retail: ■ differs from the recording"
    assert len(sweep.watch.sweeps) == 1
    assert not sweep.visibleRegion().isEmpty()
    assert "ours" in panel.detail.toPlainText()
    assert "Paused live.jsonl · 13 records · ■ 1 differs (retail), 1 (ACE)" in demo.status.followed.text()

    click_button(qtbot, panel, "follow-go-on-button")
    qtbot.waitUntil(lambda: count_of(live) == 30)
    qtbot.waitUntil(lambda: client_at(demo) == pytest.approx(records[29].result.position, abs=1e-3))
    client.write(10)
    qtbot.waitUntil(lambda: count_of(live) == 40)
    command(demo, "follow-stop").trigger()
    qtbot.waitUntil(lambda: live.following.job.is_done)
    client.write(10)
    qtbot.waitUntil(lambda: not demo.status.followed.isVisible())
    assert count_of(live) == 40
    assert "no longer followed" in panel.summary.text()
    assert len(panel.table.rows) == 40
    assert (sim.state_hash(), sim.tick_number) == (before, tick), "the simulation stays the user's"


def keep(qtbot: QtBot, window: MainWindow, text: str) -> None:
    """Write a condition into Stop When."""
    qtbot.keyClick(window, Qt.Key.Key_F9)
    dialog = window.stop_when.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.isActiveWindow, timeout=10_000)
    qtbot.keyClicks(dialog.line, text)
    if dialog.line.popup.isVisible():
        qtbot.keyClick(dialog.line.popup, Qt.Key.Key_Escape)
    qtbot.mouseClick(dialog.add_button, Qt.MouseButton.LeftButton)
    assert dialog.line.text() == ""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=10_000)


def test_the_following_pauses_at_a_condition_and_goes_on(
    qtbot: QtBot, demo: MainWindow, client: Client, records: list[CaptureRecord], tmp_path: Path
) -> None:
    far = "moved more than 0.5 m in a tick"
    wanted = {WRONG: far}
    wanted |= {at: "cell changes" for at, r in enumerate(records) if r.result.cell_id != r.input.cell_id}
    assert len(wanted) > 1
    keep(qtbot, demo, "cell changes")
    keep(qtbot, demo, "door Front Door opens")
    live = follow(qtbot, demo, tmp_path / "live.jsonl")
    keep(qtbot, demo, far)
    assert demo.stop_when.dialog is not None
    shown = {row.values[0].text: row.values[0].tip for row in demo.stop_when.dialog.model.rows}
    assert shown["cell changes"] == ""
    assert shown["door Front Door opens"].endswith("“door X opens”: a capture says nothing of doors.")
    client.write(len(records))
    panel = demo.docks.panel(CapturePanel)
    for number, why in sorted(wanted.items()):
        qtbot.waitUntil(lambda at=number: live.following.paused_at == at)  # type: ignore[misc]  # bound at once
        qtbot.waitUntil(lambda at=number: panel.number == at)  # type: ignore[misc]  # bound at once
        assert demo.status.followed.text().startswith(f"Paused live.jsonl at {why} · {number + 1} record")
        assert demo.status.currentMessage() == f"Paused live.jsonl: {why}"
        assert panel.table.rows[-1].values[4].text.startswith(f"▸ {why}")
        assert f"paused at {why}; Go On follows on" in panel.summary.text()
        click_button(qtbot, panel, "follow-go-on-button")
    qtbot.waitUntil(lambda: count_of(live) == len(records))
    qtbot.waitUntil(lambda: panel.table.rows[-1].key == len(records) - 1)
    assert [row.key for row in panel.table.rows if row.values[4].text.startswith("▸")] == sorted(wanted)


def test_the_camera_follows_the_client_and_not_the_player(
    qtbot: QtBot, demo: MainWindow, client: Client, records: list[CaptureRecord], tmp_path: Path
) -> None:
    live = follow(qtbot, demo, tmp_path / "live.jsonl")
    client.write(10)
    qtbot.waitUntil(lambda: client_at(demo) is not None)
    command(demo, "follow-camera").trigger()
    viewer = viewer_of(demo)
    assert demo.viewing.camera.view is View.CHASE
    client.write(40)
    qtbot.waitUntil(lambda: count_of(live) == 50)
    qtbot.waitUntil(lambda: viewer.player().origin == pytest.approx(records[49].result.position, abs=1e-3))
    assert viewer.player().name == "client"
    assert not viewport_of(demo).walking.is_on, "the keys do not walk the user's player"
    command(demo, "follow-camera").trigger()
    assert demo.viewing.camera.follows_player is False


def test_what_was_followed_is_saved_and_opens_like_any_capture(
    qtbot: QtBot,
    demo: MainWindow,
    client: Client,
    records: list[CaptureRecord],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not command(demo, "save-followed").isEnabled()
    live = follow(qtbot, demo, tmp_path / "live.jsonl")
    client.write(20)
    qtbot.waitUntil(lambda: count_of(live) == 20)
    saved = tmp_path / "saved.jsonl"
    choose_file(monkeypatch, saved)
    qtbot.waitUntil(command(demo, "save-followed").isEnabled)
    command(demo, "save-followed").trigger()
    qtbot.waitUntil(saved.exists)
    assert saved.read_bytes() == lines(records[:20])
    choose_file(monkeypatch, tmp_path / "live.jsonl")
    command(demo, "save-followed").trigger()
    qtbot.waitUntil(lambda: "cannot be written" in demo.banner.label.text())
    with qtbot.waitSignal(demo.session.capture_opened, timeout=60_000):
        demo.open(str(saved))
    panel = demo.docks.panel(CapturePanel)
    assert panel.summary.text() == "saved.jsonl: ■ 1 of 20 moves comes out differently"
    assert demo.following.live is None, "the opened capture takes its place"


def test_following_ends_with_the_world(
    qtbot: QtBot, demo: MainWindow, client: Client, house: Path, tmp_path: Path
) -> None:
    live = follow(qtbot, demo, tmp_path / "live.jsonl")
    client.write(5)
    qtbot.waitUntil(lambda: client_at(demo) is not None)
    with qtbot.waitSignal(demo.session.faults_changed, timeout=60_000):
        demo.open(str(house))
    qtbot.waitUntil(lambda: live.following.job.is_done)
    assert client_at(demo) is None
    assert demo.docks.panel(CapturePanel).capture is None
    assert not command(demo, "follow-stop").isEnabled()


def test_a_file_named_at_the_start_is_followed_once_a_world_is_open(
    qtbot: QtBot, window: MainWindow, client: Client, tmp_path: Path
) -> None:
    window.following.follow(tmp_path / "live.jsonl")
    client.write(3)
    with qtbot.waitSignal(window.session.faults_changed, timeout=60_000):
        window.open(DEMO)
    live = window.following.live
    assert live is not None
    qtbot.waitUntil(lambda: count_of(live) == 3)


def test_an_old_file_is_caught_up_with_while_the_window_stays_alive(
    qtbot: QtBot, demo: MainWindow, records: list[CaptureRecord], tmp_path: Path
) -> None:
    path = tmp_path / "old.jsonl"
    session = [dataclasses.replace(record, timestamp_ms=float(number)) for number, record in enumerate(records)]
    path.write_bytes(lines(session) * 20 + b"no record\n")
    seen: list[Vec3 | None] = []
    demo.viewing.client.changed.connect(lambda: seen.append(client_at(demo)))
    live = follow(qtbot, demo, path)
    qtbot.waitUntil(lambda: count_of(live) == 20 * len(records), timeout=120_000)
    assert len(set(seen)) > 10, "it is shown on the way"
    panel = demo.docks.panel(CapturePanel)
    qtbot.waitUntil(lambda: "of 20 sessions" in panel.summary.text())
    qtbot.waitUntil(lambda: "1 line without a record" in panel.summary.text())
    assert len(panel.table.rows) < 500
