"""Landblocks arrive while the window is idle."""

from __future__ import annotations

import gc

import pytest
from pytestqt.qtbot import QtBot

from editor.view3d.streaming import LandblockStreaming
from engine.render.viewer.viewer import Viewer
from engine.world.faults import WorldError
from engine.world.landblock import Landblock
from tests.render.viewer.test_arrivals import around, patient, plain, see, shown


def begun(viewer: Viewer) -> LandblockStreaming:
    arriving = LandblockStreaming()
    arriving.begin(viewer.arrivals)
    see(viewer)
    arriving.go_on()
    return arriving


def test_landblocks_arrive_after_a_frame_has_requested_them(qtbot: QtBot) -> None:
    viewer = patient(plain().load())
    arriving = begun(viewer)
    told: list[int] = []
    arriving.shown.connect(lambda: told.append(len(shown(viewer))))
    qtbot.waitUntil(lambda: shown(viewer) == around(0x50))
    assert told == sorted(told)
    assert told[-1] == 16
    assert gc.get_freeze_count() > 0
    arriving.end()
    assert gc.get_freeze_count() == 0
    viewer.close()


def test_an_unloadable_landblock_is_logged_and_the_others_arrive(
    qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    world = plain().load()
    load = world.source.load_landblock

    def failing(block_id: int) -> Landblock | None:
        if block_id >> 16 == 0x5251:
            raise WorldError("it is torn")
        return load(block_id)

    world.source.load_landblock = failing  # type: ignore[method-assign]
    viewer = patient(world)
    arriving = begun(viewer)
    qtbot.waitUntil(lambda: len(shown(viewer)) == 15)
    assert [record.getMessage() for record in caplog.records] == [
        "a landblock around the eye cannot be shown: it is torn"
    ]
    arriving.end()
    viewer.close()
