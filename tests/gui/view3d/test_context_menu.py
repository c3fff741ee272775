"""What the 3D view offers at a point: each selection once, and a second one of what can be duplicated."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from pytestqt.qtbot import QtBot

from editor.authoring.cell_edits import room_of
from editor.authoring.static_edits import add_static
from editor.session.session import Kind, Selection
from engine.build.demo import ensure_demo
from engine.geometry.frame import Frame
from engine.world.cells.ids import landblock_id
from tests.gui.view3d.test_tools import menu_at
from tests.gui.view3d.view_hands import stand, view_of, viewport_of

pytestmark = pytest.mark.gui

LAND = 0xC95B0001
HIGH = 60.0
CONTROL = Qt.KeyboardModifier.ControlModifier


def test_the_menu_offers_each_selection_once(qtbot: QtBot, settings: QSettings) -> None:
    """The ground and its land cell are one thing."""
    with view_of(qtbot, settings, ensure_demo()) as window:
        stand(qtbot, window, LAND, (12.0, 12.0, HIGH), 45.0, -45.0)
        grounds = 0
        for at in (QPoint(200, 250), QPoint(320, 200), QPoint(400, 300)):
            menu = menu_at(qtbot, window, at)
            entries = [action.text() for action in menu.actions() if action.text().startswith("Select")]
            menu.close()
            assert len(entries) == len(set(entries))
            grounds += sum("ground of" in entry for entry in entries)
        assert grounds


def test_a_static_of_a_room_is_duplicated_by_its_key(qtbot: QtBot, settings: QSettings, house: Path) -> None:
    with view_of(qtbot, settings, house) as window:
        sim = window.document.sim
        room = next(cell for block in sim.world.loaded_landblocks() for cell in block.env_cells)
        model = sim.population.doors[0].setup.id
        spot = Frame((2.0, 2.0, 0.0))
        window.document.edit("Add", *add_static(sim, room.id, model, spot))
        first = room_of(sim, room.id).static_objects[-1]
        window.session.select(Selection(Kind.STATIC, landblock_id(room.id), first.id))
        stand(qtbot, window, room.id, (4.0, 1.0, 1.7), 300.0)
        viewport_of(window).setFocus()
        qtbot.keyClick(viewport_of(window), Qt.Key.Key_D, CONTROL)
        statics = room_of(sim, room.id).static_objects
        assert statics[-1].id != first.id
        assert math.dist(statics[-1].frame.origin, first.frame.origin) == pytest.approx(1.0)
        chosen = window.session.selection
        assert chosen is not None
        assert chosen.key == statics[-1].id
        assert window.document.stack.undo_text().startswith("Duplicate Static")
