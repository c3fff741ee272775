"""A recording of an earlier version opens, and the window says what of its world that one cannot tell."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from engine.sim.recording_file import save_recording
from tests.gui.opening.opening_hands import OPENING_MS, drop
from tests.sim.helpers.golden_runs import Run, in_demo, recorded
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui


def test_the_banner_says_what_an_earlier_recording_cannot_tell(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    recording = recorded(Run("street", "retail", lambda: in_demo("street")), 30)
    recording.source = "demo"
    recording.identity["0xC95BFFFF"] = "0" * 32
    save_recording(recording, tmp_path / "a.cdrec")
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        assert drop(window, tmp_path / "a.cdrec")
    assert "recorded by an earlier version" in window.banner.text
    assert "0xC95BFFFF" in window.banner.text
    assert window.document.history is not None
    assert window.document.history.end == recording.end
