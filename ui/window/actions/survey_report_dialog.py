"""The report of a survey in the window: the map of its landblocks, its findings as rows, and all about one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QModelIndex, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QColor, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from editor.models.survey_report.findings import (
    CHECK,
    COLUMNS,
    DIFFERS,
    EDITED,
    NOT_HERE,
    NOW,
    SENTENCE,
    SEVERITY,
    WHERE,
    FindingFilter,
    ReportFindings,
)
from editor.process.plain_text import counted, plain, plain_lines, title_text, visible_lines
from editor.survey.report_form import Report
from engine.findings.finding import Found
from engine.world.cells.ids import block_text
from engine.world.faults import Severity
from ui.commands.registry import allow
from ui.docks.parts import button
from ui.docks.table import LiveDelegate
from ui.map.finding_map_view import FindingMapView, finding_colours
from ui.theme.theme import BETWEEN, EDGE, Colours

ABOUT: Final = (
    "What a survey found: a click on the map or a filter shows some of it, a double click on a finding goes to its "
    "place in the open world."
)
SIZE: Final = QSize(1180, 700)
MAP_WIDTH: Final = 360
WIDTHS: Final = {SEVERITY: 96, CHECK: 200, WHERE: 100, NOW: 130}
ROW_HEIGHT: Final = 24
TYPING: Final = 150
"""Milliseconds after a key until the rows are filtered."""
STATES: Final = {
    EDITED: "Its landblock was edited since: survey it again to know whether this holds.",
    DIFFERS: "Its landblock, or one beside it, is not what was surveyed: survey it again to know whether this holds.",
    NOT_HERE: "The open world does not have its landblock.",
}
NONE_CHOSEN: Final = "Select a finding first."
NO_RECORDING: Final = "This finding has no recording."
NO_FIX: Final = "This finding has no safe fix."
NO_PLACE: Final = "This finding has no place."
SEVERITIES: Final = (("All severities", None), *((each.name.title(), each) for each in sorted(Severity, reverse=True)))


class SurveyReportDialog(QDialog):
    """One report. It stays open beside the window."""

    go_wanted = Signal(object)
    """A finding is to be brought into view."""
    show_wanted = Signal(object)
    """Its recording is to be walked in the picture."""
    fix_wanted = Signal(object)
    stand_wanted = Signal(object)
    play_wanted = Signal(object)
    block_wanted = Signal(object)
    """A landblock was opened on the map."""

    def __init__(self, colours: Colours, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("survey-report")
        self.setWhatsThis(ABOUT)
        self._world = ""
        self._block = 0
        self._filling = False
        self.model = ReportFindings(self)
        self.map = FindingMapView(colours, self)
        self.line = _label(self, "survey-report-line")
        self.word = _label(self, "survey-report-word")
        self.count = _label(self, "survey-report-count")
        self.legend = QLabel(self)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setWordWrap(True)
        self.search = QLineEdit(self)
        self.search.setObjectName("survey-report-search")
        self.search.setAccessibleName("Search the findings")
        self.search.setPlaceholderText("Words, ids, names")
        self.search.setClearButtonEnabled(True)
        self.severity = self._box("survey-report-severity", "Severity")
        self.family = self._box("survey-report-family", "Family")
        self.check = self._box("survey-report-check", "Check")
        for title, severity in SEVERITIES:
            self.severity.addItem(title, severity)
        self._delegate = LiveDelegate(self)
        self.table = self._table()
        self.details = QPlainTextEdit(self)
        self.details.setObjectName("survey-report-details")
        self.details.setAccessibleName("About the finding")
        self.details.setReadOnly(True)
        self.details.setTabChangesFocus(True)
        self._actions: list[QAction] = []
        self.go_action = self._action("report-go", "Go There", lambda: self._tell(self.go_wanted.emit))
        self.show_action = self._action("report-show", "Show", lambda: self._tell(self.show_wanted.emit))
        self.stand_action = self._action("report-stand", "Stand There", lambda: self._tell(self.stand_wanted.emit))
        self.fix_action = self._action("report-fix", "Fix", lambda: self._tell(self.fix_wanted.emit))
        self.play_action = self._action("report-play", "Play Recording…", lambda: self._tell(self.play_wanted.emit))
        self.copy_action = self._action("report-copy", "Copy", self.copy_rows)
        self.copy_action.setShortcut(QKeySequence.StandardKey.Copy)
        self.copy_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.all_action = self._action("report-all", "Show All", self.show_all)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING)
        self._lay_out()
        self._connect()
        self.set_colours(colours)
        self.resize(SIZE)

    # --- making

    def _box(self, name: str, title: str) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName(name)
        box.setAccessibleName(plain(title))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(13)
        return box

    def _table(self) -> QTableView:
        table = QTableView(self)
        table.setObjectName("survey-report-findings")
        table.setAccessibleName("Findings")
        table.setModel(self.model)
        table.setItemDelegate(self._delegate)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for column in range(len(COLUMNS)):
            table.setColumnWidth(column, WIDTHS.get(column, 300))
        header.setSectionResizeMode(SENTENCE, QHeaderView.ResizeMode.Stretch)
        header.setSortIndicator(SEVERITY, Qt.SortOrder.DescendingOrder)
        table.setSortingEnabled(True)
        return table

    def _action(self, name: str, text: str, slot: Callable[[], object]) -> QAction:
        made = QAction(text, self)
        made.setObjectName(name)
        made.triggered.connect(slot)
        self.table.addAction(made)
        self._actions.append(made)
        return made

    def _lay_out(self) -> None:
        left, right, filters, below = QVBoxLayout(), QVBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for box in (left, right, filters, below):
            box.setSpacing(BETWEEN)
            box.setContentsMargins(0, 0, 0, 0)
        left.addWidget(self.map, 1)
        left.addWidget(self.word)
        left.addWidget(self.legend)
        filters.addWidget(self.search, 1)
        for chooser in (self.severity, self.family, self.check):
            filters.addWidget(chooser)
        parts = QSplitter(Qt.Orientation.Vertical, self)
        parts.addWidget(self.table)
        parts.addWidget(self.details)
        parts.setStretchFactor(0, 3)
        parts.setStretchFactor(1, 2)
        parts.setChildrenCollapsible(False)
        for action in self._actions[:5]:
            below.addWidget(button(action, self))
        below.addStretch(1)
        below.addWidget(self.count)
        below.addWidget(button(self.all_action, self))
        right.addLayout(filters)
        right.addWidget(parts, 1)
        right.addLayout(below)
        beside = QWidget(self)
        beside.setLayout(left)
        beside.setFixedWidth(MAP_WIDTH)
        row = QHBoxLayout()
        row.setSpacing(EDGE)
        row.addWidget(beside)
        row.addLayout(right, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box.setSpacing(BETWEEN)
        box.addWidget(self.line)
        box.addLayout(row, 1)

    def _connect(self) -> None:
        self._typing.timeout.connect(self._filter)
        self.search.textChanged.connect(lambda text: self._typing.start())
        for box in (self.severity, self.family, self.check):
            box.currentIndexChanged.connect(self._filter)
        self.model.filtered.connect(self._on_filtered)
        self.table.selectionModel().currentRowChanged.connect(lambda now, before: self._show())
        self.table.activated.connect(self._on_activated)
        self.map.picked.connect(self._on_picked)
        self.map.opened.connect(self.block_wanted)
        self.map.hovered.connect(self._on_hovered)

    def set_colours(self, colours: Colours) -> None:
        self._delegate.colours = colours
        self.map.set_colours(colours)
        self.table.viewport().update()
        parts = (
            (colours.fault, "error"),
            (colours.adjusted, "warning"),
            (colours.stab, "info"),
            (QColor(*finding_colours(colours).sound).name(), "nothing found"),
            (colours.building_portal, "not finished"),
        )
        entries = (
            f'<nobr><span style="color:{colour}">■</span> <span style="color:{colours.dim}">{word}</span></nobr>'
            for colour, word in parts
        )
        self.legend.setText("&nbsp; ".join(entries))

    # --- content

    def show_report(self, report: Report, name: str) -> None:
        self.setWindowTitle(title_text(f"Survey Report – {name}"))
        self.model.show_report(report)
        self._filling = True
        self._block = 0
        self.search.clear()
        self._typing.stop()
        self.severity.setCurrentIndex(0)
        checks = self.model.checks()
        self._fill(self.family, "All families", [(each, each) for each in sorted({c.family.value for c in checks})])
        self._fill(self.check, "All checks", [(check.title, check.id) for check in checks])
        self._filling = False
        self.map.show_report(report, self.model.by_block)
        self.table.sortByColumn(SEVERITY, Qt.SortOrder.DescendingOrder)
        self._say_line()
        self._on_filtered()

    def _fill(self, box: QComboBox, first: str, entries: list[tuple[str, str]]) -> None:
        box.clear()
        box.addItem(first, "")
        for title, value in entries:
            box.addItem(plain(title), value)

    def set_world(self, sentence: str) -> None:
        """How the report is related to the open world, in words."""
        self._world = sentence
        self.table.setColumnHidden(NOW, not self.model.has_states)
        self._say_line()
        self._show()

    def _say_line(self) -> None:
        report = self.model.report
        server = f" with {', '.join(report.server_data)}" if report.server_data else ""
        counts = report.counts()
        errors, warnings = counted(counts[Severity.ERROR], "error"), counted(counts[Severity.WARNING], "warning")
        told = f"{errors}, {warnings}, {counts[Severity.INFO]:,} info"
        surveyed = counted(len(report.blocks), "landblock")
        known = f"; {counted(report.known, 'known finding')} left out" if report.known else ""
        lines = [f"{report.source}{server}: {surveyed}, {counted(len(report.found), 'finding')} ({told}){known}"]
        self.line.setText(plain_lines("\n".join([*lines, self._world] if self._world else lines)))

    # --- filtering

    @Slot()
    def _filter(self) -> None:
        if self._filling:
            return
        severity = self.severity.currentData()
        self.model.set_filter(
            FindingFilter(
                self.search.text().strip(),
                str(self.family.currentData() or ""),
                severity if isinstance(severity, Severity) else None,
                str(self.check.currentData() or ""),
                self._block,
            )
        )

    @Slot()
    def _on_filtered(self) -> None:
        self.map.show_counts(self.model.by_block)
        shown, every = self.model.rowCount(), len(self.model.report.found)
        of = "" if shown == every else f" of {every:,}"
        where = f" in {block_text(self._block)}" if self._block else ""
        self.count.setText(plain(f"{counted(shown, 'finding')}{of}{where}"))
        self.all_action.setEnabled(self.model.filter != FindingFilter())
        self._show()

    @Slot(object)
    def _on_picked(self, block_id: int) -> None:
        """Show the findings of a landblock alone; those of all again when it was chosen already."""
        self._block = 0 if block_id == self._block else block_id
        self.map.choose(self._block)
        self._filter()

    @Slot(object)
    def _on_hovered(self, block_id: int) -> None:
        self.word.setText(plain(self.map.describe(block_id) if block_id else ""))

    @Slot()
    def show_all(self) -> None:
        """Take all filters away."""
        self._filling = True
        self._block = 0
        self.map.choose(0)
        self.search.clear()
        self._typing.stop()
        for box in (self.severity, self.family, self.check):
            box.setCurrentIndex(0)
        self._filling = False
        self._filter()

    # --- one finding

    @property
    def chosen(self) -> Found | None:
        return self.model.found_at(self.table.currentIndex().row())

    @Slot()
    def _show(self) -> None:
        found = self.chosen
        lines = [] if found is None else self.model.details(found)
        state = "" if found is None else self.model.state_of(found)
        if state and lines:
            lines.insert(1, STATES[state])
        self.details.setPlainText(visible_lines("\n".join(lines)))
        none = NONE_CHOSEN if found is None else ""
        away = none or (STATES[NOT_HERE] if state == NOT_HERE or not self.model.has_world else "")
        place = "" if found is None or found.place is not None else NO_PLACE
        recording = "" if found is None or found.recording else NO_RECORDING
        fix = found.fix if found is not None else None
        allow(self.go_action, none, "Open its landblock and look at its place")
        allow(self.show_action, away or recording, "Walk its recording in the picture")
        allow(self.stand_action, none or place, "Put the player at its place")
        about = "" if fix is None else f"{fix.name}; it can be undone"
        allow(self.fix_action, away or ("" if fix is not None else NO_FIX), about)
        allow(self.play_action, none or recording, "Save its recording, and open it")
        allow(self.copy_action, "" if self.model.rowCount() else NONE_CHOSEN, "Copy the selected rows, or all of them")

    def _tell(self, emit: Callable[[object], object]) -> None:
        if self.chosen is not None:
            emit(self.chosen)

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        found = self.model.found_at(index.row())
        if found is not None:
            self.go_wanted.emit(found)

    @Slot()
    def copy_rows(self) -> None:
        rows = [index.row() for index in self.table.selectionModel().selectedRows()]
        QGuiApplication.clipboard().setText(self.model.as_tsv(sorted(rows)))


def _label(parent: QWidget, name: str) -> QLabel:
    made = QLabel(parent)
    made.setObjectName(name)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(True)
    return made
