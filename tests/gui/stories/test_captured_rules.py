"""A capture of a server's rules is opened: Compare names the rules by which its moves come out as recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from cellar_door.main import main
from editor.session.session import Session
from editor.session.sources import DEMO
from engine.build.demo import SPOTS
from engine.physics.rule_table import RULE_OF
from ui.docks.capture import CapturePanel
from ui.docks.compare.compare_dock import ComparePanel
from ui.docks.panel import is_seen
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """A run at the edge of the pit, recorded with one rule of the server."""
    spot = SPOTS["pit_edge"]
    place = ",".join(str(each) for each in (f"0x{spot.cell_id:08X}", *spot.origin, spot.heading + 30.0))
    (tmp_path / "in.walk").write_text("forward 2s run\n", encoding="utf-8")
    words = ["--start", place, "--script", str(tmp_path / "in.walk"), "--capture", str(tmp_path / "moves.jsonl")]
    assert main(["walk", DEMO, *words, "--rules", "retail,edge_slide_order=ace"]) == 0
    return tmp_path / "moves.jsonl"


@pytest.fixture
def demo(qtbot: QtBot, settings: QSettings, capture: Path) -> Iterator[MainWindow]:
    shown = MainWindow(Session(), settings)
    qtbot.addWidget(shown)
    with qtbot.waitActive(shown):
        shown.show()
        shown.activateWindow()
    with qtbot.waitSignal(shown.session.faults_changed, timeout=60_000):
        shown.open(DEMO)
    with qtbot.waitSignal(shown.session.capture_opened, timeout=60_000):
        shown.open(str(capture))
    yield shown
    shown.close()


def test_the_rule_of_a_captured_move_is_named(qtbot: QtBot, demo: MainWindow) -> None:
    differing = demo.docks.panel(CapturePanel).capture
    assert differing is not None
    numbers = differing.differing
    assert numbers
    command = demo.commands.find("compare-capture")
    assert command is not None
    command.trigger()
    panel = demo.docks.panel(ComparePanel)
    qtbot.waitUntil(lambda: is_seen(panel))
    qtbot.waitUntil(lambda: not demo.compare.calls.is_working, timeout=60_000)
    assert panel.stack.currentWidget() is panel.calls
    assert [row.key for row in panel.calls.view.table.rows] == numbers
    assert panel.calls.view.table.text(numbers[0], 3) == "edge_slide_order"
    assert RULE_OF["edge_slide_order"].ace in panel.calls.cause.text()
    assert panel.choose.text() == "Compare With Capture moves.jsonl"
    assert not demo.compare.is_on
    last = len(numbers) - 1
    view = panel.calls.view
    qtbot.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.table.index(last, 0)).center()
    )
    moves = demo.docks.panel(CapturePanel)
    assert moves.number == numbers[-1]
    qtbot.waitUntil(lambda: is_seen(moves))
    moves.show_capture(None)
    demo.document.tick()
    assert not demo.compare.calls.is_on
    assert panel.choose.text() == "Compare With"
