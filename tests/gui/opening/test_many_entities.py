"""The window on a world with a long list of entities: it opens a landblock, counts the entities not listed, and lists
the same problems as the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from cellar_door.main import main
from editor.session.loading import Request
from engine.sim.edits.catalogue import name_of
from engine.world.entity_limits import PLAYER_ID
from engine.world.loader.entities_file import FILE_NAME, read_entities, write_entities
from tests.gui.opening.opening_hands import OPENING_MS
from tests.many_landblocks import write_many
from ui.docks.doors import DoorsPanel
from ui.docks.entities import EntitiesPanel
from ui.docks.problems import ProblemsView
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

COLUMNS, ROWS = 12, 12
FIRST, OTHER = 0x0505FFFF, 0x0A0AFFFF


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A door on each of 144 landblocks; the first three are invalid."""
    folder = write_many(tmp_path_factory.mktemp("many"), COLUMNS, ROWS, 1, COLUMNS * ROWS)
    listed, _ = read_entities(folder / FILE_NAME)
    wrong = (replace(listed[0], guid=0), replace(listed[1], guid=PLAYER_ID), replace(listed[2], scale=1000.1))
    write_entities(folder / FILE_NAME, [*wrong, *listed[3:]])
    return folder


@pytest.fixture
def open_in(qtbot: QtBot, window: MainWindow, many: Path) -> MainWindow:
    with qtbot.waitSignal(window.session.opened, timeout=OPENING_MS):
        window.session.open_request(Request(str(many), place=FIRST))
    return window


def test_docks_list_live_entities_and_count_the_rest(qtbot: QtBot, open_in: MainWindow) -> None:
    window = open_in
    sim = window.session.simulation
    assert sim is not None
    assert len(sim.population.doors) == 9
    for panel in (window.docks.panel(DoorsPanel), window.docks.panel(EntitiesPanel)):
        window.docks.bring(window.docks.of(panel))
        panel.refresh()
        assert panel.not_open.text() == "132 more in 132 landblocks that are not open"
        assert panel.not_open.isVisible()
    window.palette_sheet.ask()
    qtbot.keyClicks(window.palette_sheet.field, "132 more")
    assert [line.entry.title for line in window.palette_sheet.lines.found][:1] == [
        "132 more in 132 landblocks that are not open"
    ]
    window.palette_sheet.leave()


def test_a_viewed_landblock_comes_to_life_and_a_project_stays_unedited(open_in: MainWindow) -> None:
    window = open_in
    sim = window.session.simulation
    assert sim is not None
    assert not sim.surroundings.has(OTHER)
    window.session.show_landblock(OTHER)
    assert sim.surroundings.has(OTHER)
    assert len(sim.population.doors) == 10
    assert window.docks.panel(DoorsPanel).not_open.text() == "131 more in 131 landblocks that are not open"
    keeper = window.projects.keeper
    assert not keeper.is_dirty
    assert {name_of(edit) for edit in keeper.project().now} <= {"place_entity", "set_state", "set_velocity"}


def test_problems_and_the_check_name_the_same_entities(
    open_in: MainWindow, many: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = {fault.reason for fault in open_in.docks.panel(ProblemsView).model.faults if fault.what == "entity"}
    assert main(["inspect", str(many), "--check", "--json"]) == 1
    told = {fault["reason"] for fault in json.loads(capsys.readouterr().out) if fault["what"] == "entity"}
    assert shown == told
    assert len(shown) == 3
