"""What an opened world, project or recording shows first, and where file dialogs begin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from editor.session.sources import DEMO
from engine.geometry.vec import distance
from engine.render.viewer.rig import direction
from tests.gui.opening.opening_hands import OPENING_MS, saved_recording
from tests.gui.view3d.view_hands import rest, stand, view_of, viewer_of
from ui.widgets.save_folder import LAST
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

HALL = 0x00070100
CORNER = (0.6, 0.7, 1.9)


@pytest.fixture
def view(qtbot: QtBot, settings: QSettings, house: Path) -> Iterator[MainWindow]:
    with view_of(qtbot, settings, house) as window:
        yield window


def open_and_wait(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.open(str(path))
    rest(qtbot, window)


def test_a_world_opens_with_the_player_in_view(qtbot: QtBot, view: MainWindow) -> None:
    """From behind him where there is room for that: what is before him is seen over his head."""
    rig, pose = viewer_of(view).rig, viewer_of(view).player()
    assert 1.2 < distance(rig.eye, pose.pivot) < 3.0
    at = rig.camera(100.0, 100.0).project(pose.pivot)
    assert 0.0 < at.x / at.w < 100.0
    assert 0.0 < at.y / at.w < 100.0


def test_a_project_opens_with_the_view_it_was_saved_with(qtbot: QtBot, view: MainWindow, tmp_path: Path) -> None:
    stand(qtbot, view, HALL, CORNER, 37.0, -12.0)
    path = tmp_path / "seen.cellardoor"
    view.projects.keeper.save(path)
    stand(qtbot, view, HALL, (3.0, 2.0, 1.5), 200.0, 10.0)
    open_and_wait(qtbot, view, path)
    rig = viewer_of(view).rig
    assert rig.eye == pytest.approx(CORNER, abs=1e-6)
    assert (rig.heading, rig.pitch) == pytest.approx((37.0, -12.0))
    assert rig.cell_id == HALL


def test_a_recording_opens_at_its_beginning_behind_the_player(
    qtbot: QtBot, view: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view.clock.keys.forward = 1.0
    view.clock.step(25)
    qtbot.waitUntil(lambda: not view.clock.is_stepping)
    view.clock.keys.forward = 0.0
    path = saved_recording(qtbot, view, tmp_path / "a walk.cdrec", monkeypatch)
    open_and_wait(qtbot, view, path)
    history = view.document.history
    assert history is not None
    assert (history.now, history.end) == (0, 25)
    assert view.windowTitle().startswith("a walk")
    rig, pose = viewer_of(view).rig, viewer_of(view).player()
    ahead = direction(rig.heading, 0.0)
    assert sum(a * b for a, b in zip(ahead, direction(pose.heading, 0.0), strict=True)) > 0.9


def test_dialogs_begin_in_the_documents_and_then_where_something_was_opened(
    qtbot: QtBot, view: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def cancel(parent: object, title: str, name: str, *kinds: str) -> tuple[str, str]:
        asked.append(name)
        return ("", "")

    monkeypatch.setattr(QFileDialog, "getSaveFileName", cancel)
    application = QApplication.instance()
    assert application is not None
    application.setProperty(LAST, "")
    recording = view.commands.find("save-recording")
    assert recording is not None
    view.clock.step(1)
    recording.trigger()
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    assert Path(asked[-1]).parent in (documents, Path.home())
    picture = view.commands.find("save-picture")
    assert picture is not None
    project = tmp_path / "here" / "a.cellardoor"
    project.parent.mkdir()
    view.projects.keeper.save(project)
    open_and_wait(qtbot, view, project)
    picture.trigger()
    assert Path(asked[-1]) == project.parent / "picture.png"


def test_a_picture_taken_on_opening_shows_the_world_at_once(qtbot: QtBot, view: MainWindow) -> None:
    """The uploads before the first picture are made in slices; a screenshot does not wait for them."""
    assert view.viewport is not None
    with qtbot.waitSignal(view.session.faults_changed, timeout=OPENING_MS):
        view.open(DEMO)
    qtbot.waitUntil(lambda: view.viewing.scene is not None)
    view.viewport._release()
    view.viewport._on_switched()
    view.grab()
    assert view.viewport.is_getting_ready
    assert view.viewport.picture is None
    view.viewport.draw_at_once()
    view.grab()
    assert view.viewport.picture is not None
