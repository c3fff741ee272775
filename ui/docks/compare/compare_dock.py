"""Compare: what is compared with what, where both runs part, what does it, the gaps, and how a server takes it."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from editor.document.clock import Clock
from editor.document.document import Document
from editor.models.compare.rows import GAPS, SERVER, gap_rows, headline, progress, server_rows, server_text
from editor.models.compare.watch import CompareWatch
from editor.models.live_table import Column, LiveTable
from editor.process.plain_text import plain
from ui.docks.compare.calls_page import CallsPage
from ui.docks.compare.parting_page import PartingPage
from ui.docks.compare.sweeps_page import SweepsPage
from ui.docks.panel import LivePanel, is_seen
from ui.docks.parts import bar, column, tabs
from ui.docks.table import LiveView
from ui.docks.words import shortened, show_text, words
from ui.theme.theme import EDGE, Colours

EMPTY: Final = (
    "The same keys can run a second time beside this run, with one thing different: other rules, a single rule, "
    "another body, the world before its edits, or another recording.\n\nChoose one with Compare With. This dock then "
    "says where both runs part, which rule does it, and whether they meet again."
)
TOGETHER: Final = "The bodies are never apart."
TAKEN: Final = "No move that a server would refuse or correct."
PARTING_PAGE: Final = 0
SERVER_PAGE: Final = 3
PACE_S: Final = 0.25


class ComparePanel(LivePanel):
    """The chooser and the headline above, pages below."""

    about = (
        "Runs the same keys a second time beside this run, with one thing different: other rules, a single rule, "
        "another body, the world before its edits, or another recording. Compare With chooses it; then this dock says "
        "where both part, which rule does it, for how long they are apart, and how a server would take the moves."
    )
    move_wanted = Signal(int)
    """The number of a captured move that is to be shown."""
    rules_wanted = Signal()
    """The table of rules is to be opened."""

    def __init__(self, document: Document, clock: Clock, watch: CompareWatch, parent: QWidget | None = None) -> None:
        super().__init__(document, "compare-panel", parent)
        self.clock = clock
        self.watch = watch
        self.choose = QToolButton(self)
        self.choose.setObjectName("compare-with")
        self.choose.setText("Compare With")
        self.choose.setToolTip("Choose what runs beside this run")
        self.choose.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.sides: list[QToolButton] = []
        self.headline = words("compare-headline", self)
        self.progress = words("compare-progress", self)
        self.progress.setProperty("dim", True)
        self.empty = QLabel(EMPTY, self)
        self.empty.setObjectName("nothing")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        self.parting = PartingPage(self)
        self.sweeps = SweepsPage(self)
        self.gaps = self._list(GAPS, "compare-gaps", "Gaps between the bodies", TOGETHER)
        self.server = self._list(SERVER, "compare-server", "Moves that a server would not take", TAKEN)
        self.server_word = words("compare-server-word", self)
        self.pages = tabs(self, "compare-pages")
        served = QWidget(self)
        box = column(served)
        box.addWidget(self.server_word)
        box.addWidget(self.server, 1)
        for page, title in ((self.parting, "Cause"), (self.sweeps, "Sweeps"), (self.gaps, "Gaps"), (served, "Server")):
            self.pages.addTab(page, title)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.pages)
        self.calls = CallsPage(watch.calls, self)
        self.stack.addWidget(self.calls)
        self.add_view(self.calls.view)
        self.bar = bar(self.choose)
        self.top = QVBoxLayout()
        self.top.setContentsMargins(0, 0, 0, 0)
        self.top.addWidget(self.headline)
        self.top.addWidget(self.progress)
        whole = column(self)
        whole.addLayout(self.bar)
        whole.addLayout(self.top)
        whole.addWidget(self.stack, 1)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._on_changed)
        self._shown_at = 0.0
        self.add_view(self.parting.view)
        self.parting.tick_wanted.connect(self.go_to)
        self.parting.rules_wanted.connect(self.rules_wanted)
        self.calls.move_wanted.connect(self.move_wanted)
        self.pages.currentChanged.connect(self._on_page)
        watch.changed.connect(self._on_watch)
        watch.shown_changed.connect(self._on_changed)
        self.refresh()

    def _list(self, columns: Sequence[Column], name: str, title: str, empty: str) -> LiveView:
        """Rows that lead to ticks by a click, and by Enter."""
        view = LiveView(LiveTable(columns, self), name, title, empty, self)
        view.clicked.connect(self._on_clicked)
        view.acted.connect(self._on_acted)
        return self.add_view(view)

    def offer(self, menu: QMenu, sides: Sequence[QAction]) -> None:
        """The ways to compare, and the choice of the side that docks show, which are commands of the window."""
        self.choose.setMenu(menu)
        for each in sides:
            made = QToolButton(self)
            made.setDefaultAction(each)
            made.setObjectName(f"{each.objectName()}-button")
            made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.sides.append(made)
            self.bar.addWidget(made)
        self.refresh()

    def set_colours(self, colours: Colours) -> None:
        super().set_colours(colours)
        self.sweeps.set_colours(colours)

    # --- showing

    @Slot()
    def _on_watch(self) -> None:
        """While much is compared, it is told of more often than anybody reads."""
        left = PACE_S - (time.monotonic() - self._shown_at)
        if left <= 0.0 or not (self.watch.is_working or self.document.flowing):
            self._on_changed()
        elif not self._later.isActive():
            self._later.start(int(left * 1000.0) + 1)

    @Slot(bool)
    def turn(self, seen: bool) -> None:
        super().turn(seen)
        self._ask_server()

    @Slot()
    def _on_page(self) -> None:
        self._ask_server()
        self.refresh()

    def _ask_server(self) -> None:
        """A server's answers take two runs more: they are found while somebody looks."""
        self.watch.asks_server = self.pages.currentIndex() == SERVER_PAGE and is_seen(self)

    def refresh(self) -> None:
        watch = self.watch
        self._shown_at = time.monotonic()
        shown = self.pages if watch.is_on else self.calls if watch.calls.is_on else self.empty
        self.stack.setCurrentWidget(shown)
        for made in self.sides:
            made.setVisible(watch.is_on)
        self.choose.setText(plain(f"Compare With {shortened(watch.title)}" if watch.way else "Compare With"))
        show_text(self.headline, headline(watch))
        show_text(self.progress, progress(watch))
        if watch.calls.is_on:
            self.calls.refresh()
            return
        kept = watch.kept
        spans = [] if kept is None else kept.comparison.gaps.spans
        count = f" {len(spans):,}" if spans else ""
        self.pages.setTabText(2, plain(f"Gaps{count}"))
        page = self.pages.currentIndex()
        if page == PARTING_PAGE:
            self.parting.show_watch(watch)
        elif self.pages.currentWidget() is self.sweeps:
            self.sweeps.show_watch(watch)
        elif self.pages.currentWidget() is self.gaps:
            self.gaps.table.show(gap_rows(spans, watch.first_tick), mark=False)
        else:
            show_text(self.server_word, server_text(watch))
            self.server.table.show(server_rows(watch), mark=False)

    # --- going there

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._on_acted(self.gaps.key if index.model() is self.gaps.table else self.server.key)

    @Slot(object)
    def _on_acted(self, key: Hashable) -> None:
        if isinstance(key, int):
            self.go_to(key)

    @Slot(int)
    def go_to(self, tick: int) -> None:
        """Show the world after a tick."""
        if tick >= 0:
            self.clock.pause()
            self.document.go_to(tick + 1)
