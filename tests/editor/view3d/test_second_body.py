"""What the 3D view reads of a second run: the ticks that both have, and the size of the second body."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from editor.document.document import Document
from editor.models.compare.watch import CompareWatch
from editor.view3d.second_body import LONGEST, TRAIL, SecondBody
from engine.geometry.vec import add
from engine.sim.tick.controls import Controls
from engine.visibility.camera import Camera, focal_of_screen, looking
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import FORWARD, built, two_rooms

RUN = Controls(forward=1.0, run=True)


class Desk(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.document: Document = document_of(built(two_rooms), at=(1.0, 2.0))
        self.watch = CompareWatch(self.document)
        self.body = SecondBody(self.document, self)
        self.body.look_at(self.watch)

    def camera(self) -> Camera:
        place = self.document.sim.player.steered.place
        return looking(
            place.cell_id, add(place.origin, (-4.0, 0.0, 1.5)), 90.0, 0.0, 800.0, 600.0, focal_of_screen(8, 6)
        )


@pytest.fixture
def desk(qapp: QApplication) -> Desk:
    return Desk()


def test_nothing_is_drawn_without_a_second_run(desk: Desk) -> None:
    desk.document.tick(FORWARD)
    assert desk.body.overlay(desk.camera()).is_empty
    desk.watch.compare_body([("run_skill", 1.0)])
    desk.watch.stop()
    assert desk.body.overlay(desk.camera()).is_empty


def test_both_ways_end_at_the_shown_tick(desk: Desk) -> None:
    desk.watch.compare_body([("run_skill", 1.0)])
    for _ in range(TRAIL + 10):
        desk.document.tick(RUN)
    history = desk.document.history
    assert history is not None
    for now in (history.end, 20, 1):
        desk.document.go_to(now)
        first, second = desk.body.samples()
        assert len(first) == len(second) == min(now, TRAIL)
        assert first[-1] == history.recording.samples[now - 1]
        assert second[-1] == desk.watch.sample_at(now - 1)
    desk.document.go_to(history.first)
    assert desk.body.samples() == ([], [])
    assert desk.body.overlay(desk.camera()).is_empty


def test_the_figure_is_as_large_as_the_second_body(desk: Desk) -> None:
    desk.watch.compare_body([("height", 1.0), ("run_skill", 1.0)])
    for _ in range(12):
        desk.document.tick(RUN)
    (figure,) = desk.body.overlay(desk.camera()).triangles
    assert np.ptp(figure.points.reshape(-1, 3)[:, 2]) < 1.4 < desk.document.sim.player.height


def test_a_long_name_is_cut_over_a_head(desk: Desk) -> None:
    desk.watch.compare_body([("run_skill", 1.0), ("jump_skill", 1.0), ("burden", 2.0), ("stamina", 1.0)])
    for _ in range(12):
        desk.document.tick(RUN)
    (label,) = desk.body.overlay(desk.camera()).labels
    assert label.text.startswith("◇ run_skill 1")
    assert len(label.text.rpartition(", ")[0]) <= LONGEST + 2


def test_slices_beyond_the_shown_tick_ask_for_no_picture(qtbot: QtBot, desk: Desk) -> None:
    for _ in range(200):
        desk.document.tick(FORWARD)
    desk.document.go_to(0)
    told: list[int] = []
    desk.body.changed.connect(lambda: told.append(desk.watch.compared))
    desk.watch.compare_body([("run_skill", 1.0)])
    qtbot.waitUntil(lambda: desk.watch.compared == 200)
    assert len(told) == 1, "that there is a second run"
