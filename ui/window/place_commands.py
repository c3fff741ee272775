"""Commands that move the player to a place as text, and copy his."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QKeySequence

from editor.document.document import NOTHING_OPEN
from editor.document.moving_player import move_player_to_text
from editor.session.session import Kind, Selection
from engine.world.cells.ids import landblock_id
from ui.context import WindowContext
from ui.docks.place_menu import copy_place

NOWHERE = "The player is in no cell yet."


def add_place_commands(context: WindowContext) -> None:
    """Register pasting a place and copying the player's."""
    commands, document = context.commands, context.document

    def paste() -> None:
        move_player_to_text(document, QGuiApplication.clipboard().text())

    def copy() -> None:
        sim = document.sim
        place = landblock_id(sim.player.place_cell())
        copy_place(document, Selection(Kind.ENTITY, place, sim.player.id))

    def why_not_copy() -> str:
        if document.simulation is None:
            return NOTHING_OPEN
        return "" if document.player_is_somewhere else NOWHERE

    commands.add(
        "paste-place",
        "Paste Place",
        paste,
        QKeySequence.StandardKey.Paste,
        tip="Put the player at the place on the clipboard: 0xA9B40170 [84.1 131.5 66.0], @teleloc …, 42.1N 33.6E",
        condition=lambda: document.why_not_edit,
    )
    commands.add(
        "copy-player-place",
        "Copy Player's Place",
        copy,
        "Ctrl+Shift+C",
        tip="Copy where the player is, as the client's /loc says it",
        condition=why_not_copy,
    )
    document.started.connect(commands.refresh)
