"""The first minute: three hints under the picture, each ticked off by doing it; then they go and do not come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton

from engine.entities.events import OPENED, OPENING
from engine.sim.tick.report import TickReport
from ui.theme.icons import set_icon
from ui.theme.theme import BETWEEN, EDGE, Colours
from ui.widgets.flow_layout import Flow

if TYPE_CHECKING:
    from ui.window.main_window import MainWindow

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
"""How long all three ticks are left to be seen."""


class Hints(QFrame):
    """Watches what is done in the window."""

    gone = Signal()
    """Done with, or closed."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._colours = window.colours
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
        set_icon(close, "close", window.colours)
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
        self._connect()
        self._show_all()

    def _connect(self) -> None:
        window = self._window
        window.live.document.ticked.connect(self._on_ticked)
        window.session.selection_changed.connect(self._on_selection)
        window.palette_sheet.asked.connect(self._on_asked)

    # --- what is done

    @property
    def done(self) -> list[str]:
        stored = self._window.settings.value(SETTING, [])
        return [stored] if isinstance(stored, str) else [str(name) for name in stored or []]  # type: ignore[attr-defined]

    def tick_off(self, name: str) -> None:
        """Something was done, hinted at or not."""
        done = self.done
        if name in done:
            return
        self._window.settings.setValue(SETTING, [*done, name])
        self._show_all()

    @Slot(object)
    def _on_ticked(self, report: TickReport) -> None:
        keys, viewing = self._window.live.clock.keys, self._window.viewing
        if viewing.camera.follows_player and (keys.forward or keys.turn or keys.side_step):
            self.tick_off(WALK)
        if any(event.what in (OPENING, OPENED) for event in report.events):
            self.tick_off(DOOR)

    @Slot()
    def _on_selection(self) -> None:
        """Only a hand with a mouse clicks; opening a world selects too."""
        if QApplication.mouseButtons() and self._window.session.selection is not None:
            self.tick_off(FIND)

    @Slot()
    def _on_asked(self) -> None:
        self.tick_off(FIND)

    # --- what is shown

    @Slot()
    def dismiss(self) -> None:
        """They do not come back by themselves."""
        self._window.settings.setValue(SETTING, list(HINTS))
        self._farewell.stop()
        self.hide()
        self.gone.emit()

    @Slot()
    def show_again(self) -> None:
        self._window.settings.setValue(SETTING, [])
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
