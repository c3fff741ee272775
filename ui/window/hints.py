"""The first minute: three hints under the picture, each ticked off by doing it; then they go and do not come back."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton

from editor.document.clock import Clock
from editor.models.doors_ahead import door_ahead
from engine.sim.tick.report import TickReport
from ui.context import WindowContext
from ui.theme.icons import set_icon
from ui.theme.theme import BETWEEN, EDGE, Colours
from ui.view3d.keymap import Walk
from ui.widgets.flow_layout import Flow
from ui.widgets.stored_list import stored_list
from ui.window.central_area import Centre

SETTING: Final = "hints-done"
WALK: Final = "walk"
DOOR: Final = "door"
FIND: Final = "find"
HINTS: Final = (WALK, DOOR, FIND)
STRONG: Final = '<span style="font-weight:600">'
"""The heavier of the two weights that we bring along; bold would be smeared."""

ANYTHING: Final = "Click anything; <key>Ctrl+P</key> finds every command"

FAREWELL_MS: Final = 2500
"""Time for which all three ticks stay visible."""


class Hints(QFrame):
    """Ticks off each hint when the user does it."""

    gone = Signal()
    """Done with, or closed."""

    def __init__(self, context: WindowContext, clock: Clock, centre: Centre) -> None:
        super().__init__(context.window)
        viewing = centre.viewing
        self._centre = centre
        self._shown: list[str] = []
        self._doors: dict[int, bool] = {}
        """Whether each known door was open."""
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
        context.document.changed.connect(self._on_changed)
        viewing.switched.connect(self._follow)
        centre.turned.connect(self._follow)
        if centre.viewport is not None:
            centre.viewport.walking.keymap_changed.connect(self._follow)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow)
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
        keys = self._clock.keys
        if keys.forward or keys.turn or keys.side_step:
            self.tick_off(WALK)

    @Slot()
    def _on_changed(self) -> None:
        """A door counts by whatever it was opened: a key, a button of a dock, the palette."""
        if not self.isVisible():
            return
        sim = self._viewing.sim
        doors = {} if sim is None else {door.id: door.is_open for door in sim.population.doors}
        if any(is_open and self._doors.get(door_id) is False for door_id, is_open in doors.items()):
            self.tick_off(DOOR)
        self._doors = doors
        self._follow()

    @Slot()
    def _on_selection(self) -> None:
        """Count selections by mouse, and by keys in a list: opening a world selects too."""
        chosen = QApplication.mouseButtons() or isinstance(QApplication.focusWidget(), QAbstractItemView)
        if chosen and self._session.selection is not None:
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

    @Slot()
    def _follow(self) -> None:
        """Show the words that fit the keys, the camera and the focus of now."""
        if self.isVisible() and self._words() != self._shown:
            self._show_words()

    def _words(self) -> list[str]:
        """The hints, with the keys that work from where the focus is."""
        viewport = self._centre.viewport
        if viewport is None:
            return ["Hold the keys of the <key>Player</key> dock to walk", "Use a door in <key>Doors</key>", ANYTHING]
        keymap, walks = viewport.walking.keymap, viewport.walking.is_on
        has_keys = (
            viewport.isVisible() and self.window().focusWidget() is viewport
        )  # also while another window is active
        lead = [] if has_keys else [_key("F2")]
        lead += [] if walks else [_key("Tab")]
        way, use = _key(keymap.way), _key(keymap.text(Walk.USE))
        ahead = self._viewing.sim is not None and door_ahead(self._viewing.sim) is not None
        door = f"{use} opens the door in front" if ahead else f"walk up to a door, {use} opens it"
        walk = f"walk with {way}; right-drag turns" if walks else f"walk with {way}"
        return [_sentence([*lead, walk]), _sentence([*lead, door]), ANYTHING]

    def _show_words(self) -> None:
        """The next hint has a bright number."""
        done, colours = self.done, self._colours
        self._shown = self._words()
        following = next((name for name in HINTS if name not in done), "")
        for number, (name, hint) in enumerate(zip(HINTS, self._shown, strict=True), start=1):
            words = hint.replace("<key>", STRONG).replace("</key>", "</span>")
            if name in done:
                text = _coloured("✓", colours.accepted) + " &nbsp;" + _coloured(words, colours.dim)
            else:
                colour = colours.accent if name == following else colours.dim
                text = _coloured(f"{STRONG}{number}</span>", colour) + f" &nbsp;{words}"
            self.labels[name].setText(text)


def _key(text: str) -> str:
    return f"<key>{text}</key>"


def _sentence(parts: list[str]) -> str:
    """Steps one after the other: "F2, Tab, then walk with W A S D"."""
    *lead, last = parts
    text = f"{', '.join(lead)}, then {last}" if lead else last
    return text[0].upper() + text[1:]


def _coloured(text: str, colour: str) -> str:
    return f'<span style="color:{colour}">{text}</span>'
