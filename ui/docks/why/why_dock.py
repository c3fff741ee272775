"""Why: since when a value is as it is, and by what, as a chain of causes to go through in time and space."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from editor.document.clock import Clock
from editor.document.document import NOTHING_OPEN, Document
from editor.models.why import ValueAsked
from editor.models.why_chain.chains import WhyChains
from editor.models.why_chain.wording import LOOKING, as_text, asked_text, ended_text, question_text, since_text
from editor.process.plain_text import action_text, plain, plain_lines
from editor.session.session import Kind
from editor.view3d.cause_mark import CauseMark, selection_of_link
from engine.entities.entity import Entity
from engine.sim.why.answer import Asked, CauseKind, Link
from engine.sim.why.values import title_of
from ui.docks.panel import LivePanel
from ui.docks.parts import action, allow, bar, button, column
from ui.docks.why.chain_view import ChainModel, ChainView
from ui.docks.why_menu import KEY, empty, fill
from ui.theme.theme import EDGE, GROUP, Colours
from ui.widgets.elided_label import ElidedLabel

EMPTY: Final = (
    f"Ask since when a value is as it is, and by what: Why This Value? ({KEY}, or the right button) on a row of "
    "Player, Doors, Entities or Details or on a lane of the Timeline, or Ask above."
)
NO_LINKS: Final = "Nothing is known of it."
NO_QUESTION: Final = "Ask about a value first."
NO_LINK: Final = "Select a link first."
NO_ROW: Final = "No sweep decided this link."
NOT_PLAYERS: Final = "Sweep shows the player's sweeps; another body's decided this."
NO_PLACE: Final = "This link has no place."
IS_NOW: Final = "The answer is about the tick that is shown."
ASKS: Final = "Ask about a value of the player, or of the selected entity"
LONGEST: Final = 34
"""Characters of the button of another question."""

OF_THE_FIRST: Final = "Why answers about your own run; Compare has the button that shows it."


class WhyPanel(LivePanel):
    """The question, the chain of its causes, and what can be done with the selected one."""

    about = (
        "Since when a value is as it is, and by what, link by link back through the recording. Why This Value? in "
        "the menus of other docks asks. Select a link to go to its tick and its place, also by the arrow keys; Enter "
        "brings it into view, S shows its row in Sweep. The answer stays while time runs, until you ask again."
    )
    link_shown = Signal(object)
    """The `CauseMark` to show in the picture, or None."""
    link_framed = Signal()
    """Bring it into view."""
    trace_wanted = Signal(int, object)
    """A tick, and the row of its trace to show in Sweep."""
    trace_shown = Signal(int, object)
    """The same, if Sweep is on the screen."""

    def __init__(self, document: Document, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(document, "why-panel", parent)
        self.clock = clock
        self.chains = WhyChains(document, self)
        self.model = ChainModel(self)
        self.question = _wrapped("why-question", self)
        self.since = _wrapped("why-since", self)
        self.since.setProperty("dim", True)
        self.stale = _wrapped("why-stale", self)
        self.stale.setProperty("dim", True)
        self.view = ChainView(self.model, EMPTY, self)
        self.view.selectionModel().currentChanged.connect(self._on_current)
        self.view.clicked.connect(self._on_clicked)
        self.view.doubleClicked.connect(self.frame)
        self.ended = ElidedLabel("why-ended", self)
        self.ended.setProperty("dim", True)
        self._make_actions()
        self._lay_out()
        self._going = False
        self._others: list[QToolButton] = []
        self.chains.changed.connect(self._show)
        self._show()

    # --- making

    def _make_actions(self) -> None:
        chains = self.chains
        self.back_action = action(self, "Previous Question", chains.go_back, "Alt+Left", "why-back")
        self.back_action.setIconText("◀")
        self.on_action = action(self, "Next Question", chains.go_on, "Alt+Right", "why-on")
        self.on_action.setIconText("▶")
        self.again_action = action(self, "Ask Again Now", self.ask_again, "R", "why-again")
        self.text_action = action(self, "Copy the Chain as Text", self.copy_text, name="why-copy-text")
        self.text_action.setIconText("Copy")
        self.frame_action = action(self.view, "Bring Into View", self.frame, "Return", "why-frame")
        self.sweep_action = action(self.view, "Show in Sweep", self.show_trace, "S", "why-sweep")
        self.copy_action = action(self.view, "Copy", self.copy_text, name="why-copy")
        self.copy_action.setShortcut(QKeySequence.StandardKey.Copy)
        for made in (self.frame_action, self.sweep_action, self.copy_action):
            made.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.ask_button = QToolButton(self)
        self.ask_button.setText("Ask")
        self.ask_button.setObjectName("why-ask-button")
        self.ask_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.ask_menu = QMenu(self.ask_button)
        self.ask_menu.aboutToShow.connect(self._fill_ask_menu)
        self.ask_button.setMenu(self.ask_menu)
        self.commands.add_menu("why-ask", self.ask_menu, "Ask")

    def _lay_out(self) -> None:
        box = column(self)
        tools = (button(self.back_action, self), button(self.on_action, self), self.ask_button)
        box.addLayout(bar(*tools, button(self.again_action, self), button(self.text_action, self)))
        for label in (self.question, self.since, self.stale):
            label.setContentsMargins(EDGE, 0, EDGE, GROUP)
            box.addWidget(label)
        box.addWidget(self.view, 1)
        self.ended.setContentsMargins(EDGE, GROUP, EDGE, GROUP)
        box.addWidget(self.ended)
        self.of_link = QWidget(self)
        buttons = (button(self.sweep_action, self.of_link), button(self.frame_action, self.of_link, "Frame"))
        self.link_bar = bar(*buttons)
        self.of_link.setLayout(self.link_bar)
        box.addWidget(self.of_link)

    def set_colours(self, colours: Colours) -> None:
        super().set_colours(colours)
        self.view.set_colours(colours)

    # --- asking

    @Slot(object)
    def ask(self, asked: ValueAsked) -> None:
        """Answer a question of another dock, but for what it shows of a second run, which is not recorded."""
        if asked.tick is None and self.document.shows_second:
            self.document.refused.emit(OF_THE_FIRST)
            return
        self._ask(asked)

    def _ask(self, asked: ValueAsked) -> None:
        sim = self.document.simulation
        if sim is None:
            self.document.refused.emit(NOTHING_OPEN)
            return
        self.chains.ask(asked.entity_id, asked.path, title_of(sim, asked.entity_id, asked.path), asked.tick)

    def ask_again(self) -> None:
        self.chains.ask_again()

    def _ask_branch(self, asked: Asked) -> None:
        self._ask(ValueAsked(asked.entity, asked.path, asked.tick))

    @Slot()
    def _fill_ask_menu(self) -> None:
        empty(self.ask_menu)
        sim, selection = self.document.simulation, self.document.session.selection
        if sim is None:
            self.ask_menu.addAction(NOTHING_OPEN).setEnabled(False)
            return
        subjects: list[Entity] = [sim.player]
        if selection is not None and selection.kind is Kind.ENTITY and selection.key != sim.player.id:
            found = sim.population.find(selection.key)
            subjects += [] if found is None else [found]
        for subject in subjects:
            name = "The Player" if subject is sim.player else subject.name
            menu = self.ask_menu.addMenu(action_text(name))
            fill(menu, sim, subject.id, self._ask)

    # --- showing

    def refresh(self) -> None:
        """The answer stays; only what it says of the shown tick is new."""
        self._show_actions()

    @Slot()
    def _show(self) -> None:
        shown, sim = self.chains.shown, self.document.simulation
        self.question.setVisible(shown is not None)
        self.since.setVisible(shown is not None)
        self.ended.setVisible(shown is not None)
        if shown is None or sim is None:
            self.model.show((), [])
            self.view.empty = EMPTY
        else:
            self.question.setText(plain(question_text(shown)))
            self.since.setText(plain(since_text(shown)))
            self.ended.show_text(ended_text(shown))
            self.model.show(shown.chain.links, [self._also(link) for link in shown.chain.links])
            self.view.empty = NO_LINKS if shown.is_done else LOOKING
            self.ended.setVisible(bool(shown.chain.links))
        self.view.viewport().update()
        self._show_link()
        self._show_actions()

    def _also(self, link: Link) -> str:
        """What else can be asked from a link, in a line."""
        titles = [self._title(asked) for asked in link.leads_to[1:]]
        return f"also ask: {', '.join(titles)}" if titles else ""

    def _title(self, asked: Asked) -> str:
        sim = self.document.simulation
        return asked.path if sim is None else title_of(sim, asked.entity, asked.path)

    def _show_actions(self) -> None:
        chains, shown, link = self.chains, self.chains.shown, self.view.link
        allow(
            self.back_action, "" if chains.can_go_back else "There is no earlier question.", "Show the question before"
        )
        allow(self.on_action, "" if chains.can_go_on else "There is no later question.", "Show the question after")
        is_old = shown is not None and shown.asked.tick != chains.now
        why_not = NO_QUESTION if shown is None else "" if is_old else IS_NOW
        allow(self.again_action, why_not, "Ask the same about the tick that is shown")
        why_none = NO_QUESTION if shown is None else ""
        allow(self.text_action, why_none, "Copy the question and all its links as text")
        allow(self.copy_action, why_none, "Copy the question and all its links as text")
        allow(self.frame_action, NO_LINK if link is None else "", "Bring its place into view")
        allow(self.sweep_action, self._why_no_row(link), "Show the row of the trace that decided")
        is_open = self.document.simulation is not None
        self.ask_button.setEnabled(is_open)
        self.ask_button.setToolTip(ASKS if is_open else NOTHING_OPEN)
        text = ""
        if shown is not None and is_old:
            text = f"Asked {asked_text(shown)}; the window shows {self._shown_tick}."
        self.stale.setText(plain(text))
        self.stale.setVisible(bool(text))

    @property
    def _shown_tick(self) -> str:
        history = self.document.history
        if history is None or history.now == history.first:
            return "the beginning"
        return f"tick {history.now - 1:,}"

    def _why_no_row(self, link: Link | None) -> str:
        sim = self.document.simulation
        if link is None or sim is None:
            return NO_LINK
        if link.trace_path is None:
            return NO_ROW
        return "" if link.swept in (0, sim.player.id) else NOT_PLAYERS

    # --- a link

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, previous: QModelIndex) -> None:
        self._show_link()
        self._show_actions()
        if self.view.link is not None:
            self.go_to_link()

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        """Go there again: the window may show another tick by now."""
        self.go_to_link()

    def _show_link(self) -> None:
        """The other questions that the selected link leads to, as buttons."""
        link = self.view.link
        self.of_link.setVisible(link is not None)
        for old in self._others:
            self.link_bar.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._others = []
        for number, asked in enumerate(() if link is None else link.leads_to[1:]):
            made = QToolButton(self.of_link)
            made.setObjectName(f"why-also-{number}")
            title = self._title(asked)
            words = title if len(title) <= LONGEST else f"{title[: LONGEST - 1]}…"
            made.setText(action_text(f"{words[:1].upper()}{words[1:]}?"))
            made.setToolTip(plain_lines(f"Ask why {title} was as it was after tick {asked.tick:,}"))
            made.clicked.connect(lambda checked=False, asked=asked: self._ask_branch(asked))
            self.link_bar.addWidget(made)
            self._others.append(made)
            made.show()

    def go_to_link(self) -> None:
        """Show the tick of the selected link, what did it, and its place in the picture."""
        link = self.view.link
        if link is None or self._going:
            return
        self._going = True
        try:
            self.clock.pause()
            self.document.go_to(link.tick if link.kind is CauseKind.START else link.tick + 1)
            sim = self.document.simulation
            if sim is not None:
                selection = selection_of_link(link, sim)
                if selection is not None:
                    self.chosen.emit(selection)
                self.link_shown.emit(CauseMark(link, sim.tick_number))
            if link.trace_path is not None and not self._why_no_row(link):
                self.trace_shown.emit(link.tick, link.trace_path)
        finally:
            self._going = False

    @Slot()
    def frame(self) -> None:
        """Bring the place of the selected link into view."""
        if self.view.link is not None:
            self.go_to_link()
            self.link_framed.emit()

    def show_trace(self) -> None:
        """Show the row of the trace that decided, in Sweep."""
        link = self.view.link
        if link is not None and link.trace_path is not None:
            self.trace_wanted.emit(link.tick, link.trace_path)

    # --- copying

    def copy_text(self) -> None:
        """Copy the question and all its links as lines."""
        shown = self.chains.shown
        if shown is not None:
            asked = {each for link in shown.chain.links for each in link.leads_to}
            QGuiApplication.clipboard().setText(as_text(shown, {each: self._title(each) for each in asked}))


def _wrapped(name: str, parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label
