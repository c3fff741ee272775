"""The first minute: three hints under the picture, each ticked off by doing it; then they go and do not come back."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton

from editor.document.clock import Clock
from editor.view3d.view import View3D
from engine.entities.events import OPENED, OPENING
from engine.sim.tick.report import TickReport
from ui.context import WindowContext
from ui.theme.icons import set_icon
from ui.theme.theme import BETWEEN, EDGE, Colours
from ui.widgets.flow_layout import Flow
from ui.widgets.stored_list import stored_list

SETTING: Final = "hints-done"
WALK: Final = "walk"
DOOR: Final = "door"
FIND: Final = "find"
HINTS: Final = {
    WALK: "<key>Tab</key>, then walk with <key>W A S D</key>",
    DOOR: "<key>E</key> opens the door in front",
    FIND: "Click anything; <key>Ctrl+P</key> finds every command",
}
STRONG: Final = '<span style="font-weight:600">'
"""The heavier of the two weights that we bring along; bold would be smeared."""

FAREWELL_MS: Final = 2500
"""Time for which all three ticks stay visible."""


class Hints(QFrame):
    """Ticks off each hint when the user does it."""

    gone = Signal()
    """Done with, or closed."""

    def __init__(self, context: WindowContext, clock: Clock, viewing: View3D) -> None:
        super().__init__(context.window)
        self._session = context.session
        self._settings = context.settings
        self._clock = clock
        self._viewing = viewing
        self._colours = context.theme.colours
        self.setObjectName("hints")
        self.setAccessibleName("First steps")
        self.setWhatsThis("The first steps, each ticked off when you have done it. Help > Show Hints brings them back.")
        self.labels: dict[str, QLabel] = {}
        flow = Flow()
        flow.setSpacing(2 * EDGE)
        for name in HINTS:
            label = self.labels[name] = QLabel(self)
            label.setObjectName(f"hint-{name}")
            label.setTextFormat(Qt.TextFormat.RichText)
            flow.addWidget(label)
        close = QToolButton(self)
        close.setObjectName("hints-close")
        close.setAccessibleName("Close the hints")
        close.setToolTip("Close; Help > Show Hints brings them back")
        close.setAutoRaise(True)
        set_icon(close, "close", self._colours)
        close.clicked.connect(self.dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, BETWEEN, BETWEEN, BETWEEN)
        row.setSpacing(BETWEEN)
        row.addLayout(flow, 1)
        row.addWidget(close)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._farewell = QTimer(self)
        self._farewell.setSingleShot(True)
        self._farewell.timeout.connect(self.dismiss)
        context.document.ticked.connect(self._on_ticked)
        context.session.selection_changed.connect(self._on_selection)
        context.commands.add("show-hints", "Show Hints", self.show_again, tip="Show the first steps again")
        self._show_all()

    # --- ticking off

    @property
    def done(self) -> list[str]:
        return stored_list(self._settings, SETTING)

    def tick_off(self, name: str) -> None:
        """Tick off a hint."""
        done = self.done
        if name in done:
            return
        self._settings.setValue(SETTING, [*done, name])
        self._show_all()

    @Slot(object)
    def _on_ticked(self, report: TickReport) -> None:
        keys, viewing = self._clock.keys, self._viewing
        if viewing.camera.follows_player and (keys.forward or keys.turn or keys.side_step):
            self.tick_off(WALK)
        if any(event.what in (OPENING, OPENED) for event in report.events):
            self.tick_off(DOOR)

    @Slot()
    def _on_selection(self) -> None:
        """Count only selections by mouse: opening a world selects too."""
        if QApplication.mouseButtons() and self._session.selection is not None:
            self.tick_off(FIND)

    @Slot()
    def on_palette(self) -> None:
        """The palette was opened."""
        self.tick_off(FIND)

    # --- showing

    @Slot()
    def dismiss(self) -> None:
        """Close the hints for good."""
        self._settings.setValue(SETTING, list(HINTS))
        self._farewell.stop()
        self.hide()
        self.gone.emit()

    @Slot()
    def show_again(self) -> None:
        self._settings.setValue(SETTING, [])
        self._show_all()

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        self._show_words()

    def _show_all(self) -> None:
        done = self.done
        self._show_words()
        if len(done) < len(HINTS):
            self._farewell.stop()
            self.show()
        elif self.isVisible():
            self._farewell.start(FAREWELL_MS)
        else:
            self.hide()

    def _show_words(self) -> None:
        done, colours = self.done, self._colours
        for number, (name, hint) in enumerate(HINTS.items(), start=1):
            words = hint.replace("<key>", STRONG).replace("</key>", "</span>")
            if name in done:
                text = _coloured("✓", colours.accepted) + " &nbsp;" + _coloured(words, colours.dim)
            else:
                text = _coloured(f"{STRONG}{number}</span>", colours.accent) + f" &nbsp;{words}"
            self.labels[name].setText(text)


def _coloured(text: str, colour: str) -> str:
    return f'<span style="color:{colour}">{text}</span>'
