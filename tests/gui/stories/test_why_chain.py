"""Why did he fall: from the lost contact to the door that he slid along, and on to the key that closed it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from editor.models.sweep.steps import NODE_ROLE, node_on
from editor.session.session import Kind
from engine.sim.trace.tree import TraceNode
from engine.sim.why.answer import CauseKind
from tests.editor.models.why_chain.hatch_world import door_by_a_hatch, slide_over_the_edge
from tests.gui.docks.live_hands import raise_dock
from tests.gui.stories.actions import Actions
from tests.gui.view3d.view_hands import view_of
from ui.docks.panel import is_seen
from ui.docks.player.player_dock import PlayerPanel
from ui.docks.sweep.sweep_dock import SweepPanel
from ui.docks.why.chain_view import ChainView
from ui.docks.why.why_dock import WhyPanel
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.gui

MOST_ACTIONS = 3


@pytest.fixture(scope="module")
def cellar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cellar")
    door_by_a_hatch().build().write(folder)
    return folder


@pytest.fixture
def fallen(qtbot: QtBot, settings: QSettings, cellar: Path) -> Iterator[MainWindow]:
    """After the player has slid along the closed door and over the edge of the hatch."""
    with view_of(qtbot, settings, cellar) as window:
        slide_over_the_edge(window.document)
        raise_dock(qtbot, window.docks.dock(PlayerPanel))
        yield window


def middle_of_link(view: ChainView, number: int) -> QPoint:
    index = view.model().index(number, 0)
    view.scrollTo(index)
    return view.visualRect(index).center()


def middle_of_row(panel: PlayerPanel, name: str) -> QPoint:
    index = panel.model.index(panel.model.row_of(name), 1)
    panel.view.scrollTo(index)
    return panel.view.visualRect(index).center()


def test_from_a_lost_contact_to_the_door_takes_three_actions(qtbot: QtBot, fallen: MainWindow) -> None:
    player, why = fallen.docks.panel(PlayerPanel), fallen.docks.panel(WhyPanel)
    (door,) = fallen.document.sim.population.doors
    lost = fallen.document.sim.tick_number - 1
    user = Actions()
    user.click(player.view.viewport(), middle_of_row(player, "Contact plane"))
    user.press(player.view, Qt.Key.Key_Y, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: why.chains.shown is not None and why.chains.shown.is_done)
    assert is_seen(why)
    assert why.question.text() == f"Contact plane of the player is none after tick {lost}"
    user.click(why.view.viewport(), middle_of_link(why.view, 1))
    assert user.count <= MOST_ACTIONS

    link = why.view.link
    assert link is not None
    assert "slid along Front Door" in link.sentence
    selection = fallen.session.selection
    assert selection is not None
    assert (selection.kind, selection.key) == (Kind.ENTITY, door.id)
    assert fallen.viewing.cause is not None
    assert fallen.viewing.cause.link is link
    words = f"Front Door, polygon 0, tick {link.tick}"
    qtbot.waitUntil(lambda: words in labels(fallen))


def labels(window: MainWindow) -> set[str]:
    """The words in the picture that was drawn last."""
    last = window.viewing.last
    return set() if last is None else {label.text for label in last.overlays.labels}


def test_each_link_is_a_place_in_time_by_the_arrow_keys(qtbot: QtBot, fallen: MainWindow) -> None:
    player, why = fallen.docks.panel(PlayerPanel), fallen.docks.panel(WhyPanel)
    history = fallen.document.history
    assert history is not None
    user = Actions()
    user.click(player.view.viewport(), middle_of_row(player, "Contact plane"))
    user.press(player.view, Qt.Key.Key_Y, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: why.chains.shown is not None and why.chains.shown.is_done)
    why.view.setFocus()
    assert not why.view.currentIndex().isValid(), "focus alone goes nowhere"
    shown = []
    for _ in range(len(why.model.links)):
        user.press(why.view, Qt.Key.Key_Down)
        shown.append(history.now - 1)
    assert shown == [link.tick for link in why.model.links]
    assert history.in_past
    assert why.stale.isVisible()
    last = why.view.link
    assert last is not None
    assert last.kind is CauseKind.KEY
    assert why.since.text().startswith("changed in tick"), "going there asks nothing anew"


def test_a_link_leads_to_the_row_of_the_sweep_that_decided(qtbot: QtBot, fallen: MainWindow) -> None:
    player, why = fallen.docks.panel(PlayerPanel), fallen.docks.panel(WhyPanel)
    user = Actions()
    user.click(player.view.viewport(), middle_of_row(player, "Contact plane"))
    user.press(player.view, Qt.Key.Key_Y, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: why.chains.shown is not None and why.chains.shown.is_done)
    user.click(why.view.viewport(), middle_of_link(why.view, 1))
    link = why.view.link
    assert link is not None
    why.view.setFocus()
    user.press(why.view, Qt.Key.Key_S)
    sweep = fallen.docks.panel(SweepPanel)
    qtbot.waitUntil(lambda: is_seen(sweep))
    assert sweep.watch.tick == link.tick
    node = sweep.tree.currentIndex().siblingAtColumn(0).data(NODE_ROLE)
    assert isinstance(node, TraceNode)
    assert link.trace_path is not None
    assert node == node_on(sweep.watch.sweeps, link.trace_path)
    assert node.line == link.row
    raise_dock(qtbot, fallen.docks.of(why))
    user.click(why.view.viewport(), middle_of_link(why.view, 2))
    (reason,) = [action for action in why.view.actions() if action.objectName() == "why-sweep"]
    assert not reason.isEnabled()
    assert reason.toolTip() == "No sweep decided this link."


def test_another_cause_of_a_link_is_asked_by_its_button(qtbot: QtBot, fallen: MainWindow) -> None:
    player, why = fallen.docks.panel(PlayerPanel), fallen.docks.panel(WhyPanel)
    user = Actions()
    user.click(player.view.viewport(), middle_of_row(player, "Contact plane"))
    user.press(player.view, Qt.Key.Key_Y, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: why.chains.shown is not None and why.chains.shown.is_done)
    user.click(why.view.viewport(), middle_of_link(why.view, 1))
    buttons = {each.text(): each for each in why.of_link.findChildren(QAbstractButton) if each.isVisible()}
    user.click(buttons["Forward key of the player?"])
    qtbot.waitUntil(lambda: why.chains.shown is not None and why.chains.shown.is_done)
    assert why.question.text().startswith("Forward key of the player is")
    assert why.model.links[0].kind is CauseKind.KEY
    user.press(why, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert why.question.text().startswith("Contact plane of the player is none")


def test_sweep_follows_where_it_is_on_the_screen_too(qtbot: QtBot, fallen: MainWindow) -> None:
    fallen.docks.choose_layout("debug")
    player, why = fallen.docks.panel(PlayerPanel), fallen.docks.panel(WhyPanel)
    sweep = fallen.docks.panel(SweepPanel)
    qtbot.waitUntil(lambda: is_seen(sweep) and is_seen(player))
    user = Actions()
    user.click(player.view.viewport(), middle_of_row(player, "Contact plane"))
    user.press(player.view, Qt.Key.Key_Y, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: why.chains.shown is not None and why.chains.shown.is_done and is_seen(why))
    user.click(why.view.viewport(), middle_of_link(why.view, 0))
    link = why.view.link
    assert link is not None
    node = sweep.tree.currentIndex().siblingAtColumn(0).data(NODE_ROLE)
    assert isinstance(node, TraceNode)
    assert node.line == link.row
    assert fallen.viewing.substep is not None
    assert is_seen(why), "it stays in front"
