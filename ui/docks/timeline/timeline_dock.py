"""Timeline: the session's past as curves to scrub over, and a list of what happened to jump to."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QComboBox, QSplitter, QWidget

from editor.document.clock import Clock
from editor.document.document import Document
from editor.models.live_table import LiveTable
from editor.models.timeline import COLUMNS, KINDS, TONES, Chronicle, Curves, extremes, happening_rows, stretches
from editor.process.plain_text import plain, plain_lines
from engine.world.cells.ids import cell_text
from ui.docks.panel import LivePanel
from ui.docks.parts import action, allow, bar, button, column, dim_label
from ui.docks.table import OF_A_ROW, LiveView
from ui.theme.theme import DARK, EDGE, GROUP, Colours, mono_font
from ui.widgets.screenshots import ask_for_name, save_png

EMPTY: Final = "Let time pass: every tick is recorded, and what happened in it is listed here."
NOTHING_YET: Final = "Nothing of the kind yet: changes of cell, collisions, doors, jumps and edits are listed here."
NOTHING: Final = "Let time pass: height, speed and cell of the player are drawn here, to scrub over."
LEGEND: Final = 132
"""Pixels at the left for what is drawn, and between which values."""

NARROWEST: Final = 100
"""Pixels of curve."""

CELL_LANE: Final = 18
MARK_LANE: Final = 12


class Strip(QWidget):
    """Cells, height, speed and marks over the ticks. Press and drag to show a tick."""

    scrubbed = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.curves = Curves()
        self.chronicle: Chronicle | None = None
        self.now = 0
        self.colours = DARK
        self._pixmap = QPixmap()
        self._drawn: tuple[object, ...] = ()
        self.setObjectName("timeline-strip")
        self.setAccessibleName("The recorded ticks; press and drag to show one")
        self.setMouseTracking(True)
        self.setMinimumSize(LEGEND + EDGE + NARROWEST, 80)
        self.setCursor(Qt.CursorShape.SizeHorCursor)

    def sizeHint(self) -> QSize:
        return QSize(480, 120)

    # --- ticks and pixels

    @property
    def _span(self) -> QRectF:
        """Where the ticks are; to the left of it stands what is drawn."""
        return QRectF(self.rect().adjusted(LEGEND, GROUP, -EDGE, -GROUP))

    def x_of(self, tick: float) -> float:
        """Where the beginning of a tick is."""
        span = self._span
        return span.left() + span.width() * (tick - self.curves.first) / max(len(self.curves), 1)

    def tick_at(self, x: float) -> int:
        """The tick nearest to a place, between the first and the present."""
        span = self._span
        share = (x - span.left()) / max(span.width(), 1.0)
        return self.curves.first + round(min(max(share, 0.0), 1.0) * len(self.curves))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and len(self.curves):
            self.scrubbed.emit(self.tick_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not len(self.curves):
            return
        tick = self.tick_at(event.position().x())
        self.setToolTip(plain_lines(self._words(tick)))
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.scrubbed.emit(tick)

    def _words(self, tick: int) -> str:
        number = min(tick - self.curves.first, len(self.curves) - 1)
        curves = self.curves
        where = f"{_cell_words(curves.cells[number])}  z {curves.heights[number]:.3f}  {curves.speeds[number]:.2f} m/s"
        found = [] if self.chronicle is None else self.chronicle.happenings
        words = [f"{happening.kind}: {happening.text}" for happening in found if happening.tick == tick]
        return "\n".join([f"tick {tick:,}", where, *words])

    # --- drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._sheet())
        if len(self.curves):
            x = self.x_of(self.now)
            painter.setPen(QPen(QColor(self.colours.current), 2.0))
            painter.drawLine(QPointF(x, 0.0), QPointF(x, float(self.height())))
        painter.end()

    def _sheet(self) -> QPixmap:
        """All but the tick that is shown, drawn again when there is more of it: thousands of points take their time."""
        curves, ratio = self.curves, self.devicePixelRatioF()
        happened = 0 if self.chronicle is None else len(self.chronicle.happenings)
        drawn = (curves.first, curves.branch, len(curves), happened, self.size(), ratio, self.colours)
        if drawn != self._drawn:
            self._drawn = drawn
            self._pixmap = QPixmap((QSizeF(self.size()) * ratio).toSize())
            self._pixmap.setDevicePixelRatio(ratio)
            self._pixmap.fill(QColor(self.colours.base))
            painter = QPainter(self._pixmap)
            self._draw(painter)
            painter.end()
        return self._pixmap

    def _draw(self, painter: QPainter) -> None:
        if not len(self.curves):
            painter.setPen(QColor(self.colours.dim))
            flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
            painter.drawText(self.rect().adjusted(EDGE, EDGE, -EDGE, -EDGE), flags, NOTHING)
            return
        span = self._span
        painter.setFont(mono_font(11))
        self._draw_cells(painter, QRectF(span.left(), span.top(), span.width(), CELL_LANE))
        middle = QRectF(span.left(), span.top() + CELL_LANE + GROUP, span.width(), 0.0)
        room = span.height() - CELL_LANE - MARK_LANE - 3 * GROUP
        middle.setHeight(room / 2)
        curves, width = self.curves, int(span.width())
        self._draw_curve(painter, middle, ("z", "m"), extremes(curves.heights, width), self.colours.visible)
        middle.translate(0.0, room / 2 + GROUP)
        self._draw_curve(painter, middle, ("speed", "m/s"), extremes(curves.speeds, width), self.colours.exit_portal)
        self._draw_marks(painter, QRectF(span.left(), span.bottom() - MARK_LANE, span.width(), MARK_LANE))

    def _draw_cells(self, painter: QPainter, lane: QRectF) -> None:
        metrics = QFontMetrics(painter.font())
        painter.setPen(QColor(self.colours.dim))
        painter.drawText(QRectF(EDGE, lane.top(), LEGEND, lane.height()), int(Qt.AlignmentFlag.AlignVCenter), "cell")
        for number, (cell, first, last) in enumerate(stretches(self.curves.cells)):
            left, right = self.x_of(self.curves.first + first), self.x_of(self.curves.first + last)
            box = QRectF(left, lane.top(), right - left, lane.height())
            painter.fillRect(box, QColor(self.colours.raised if number % 2 else self.colours.line))
            whole = _cell_words(cell)
            fits = box.width() > metrics.horizontalAdvance(whole) + GROUP
            text = whole if fits else whole[-4:] if cell else "■"
            if not cell:
                painter.fillRect(QRectF(box.left(), box.bottom() - 2.0, box.width(), 2.0), QColor(self.colours.fault))
            if box.width() > metrics.horizontalAdvance(text) + GROUP:
                painter.setPen(QColor(self.colours.text if cell else self.colours.fault))
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), plain(text))

    def _draw_curve(
        self, painter: QPainter, lane: QRectF, words: tuple[str, str], values: list[tuple[float, float]], colour: str
    ) -> None:
        """Between the least and the greatest value of each pixel, so that no peak is lost."""
        name, unit = words
        low, high = min(v[0] for v in values), max(v[1] for v in values)
        scale = lane.height() / max(high - low, 1e-3)
        top = [QPointF(lane.left() + x, lane.bottom() - scale * (v[1] - low)) for x, v in enumerate(values)]
        base = [QPointF(lane.left() + x, lane.bottom() - scale * (v[0] - low)) for x, v in enumerate(values)]
        painter.setPen(QPen(QColor(colour), 1.25))
        painter.setBrush(QColor(colour))
        painter.drawPolygon(QPolygonF([*top, *reversed(base)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QColor(self.colours.dim))
        side = QRectF(EDGE, lane.top(), lane.left() - EDGE - GROUP, lane.height())
        painter.drawText(side, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), plain(f"{name} {unit}"))
        painter.drawText(side, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop), plain(f"{high:.2f}"))
        painter.drawText(side, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom), plain(f"{low:.2f}"))

    def _draw_marks(self, painter: QPainter, lane: QRectF) -> None:
        drawn: set[tuple[int, str]] = set()
        for happening in [] if self.chronicle is None else self.chronicle.happenings:
            place = (int(self.x_of(happening.tick)), happening.kind)
            if place in drawn:
                continue
            drawn.add(place)
            row = KINDS.index(happening.kind) * lane.height() / len(KINDS)
            colour = QColor(getattr(self.colours, TONES[happening.kind]))
            painter.fillRect(QRectF(place[0] - 1.0, lane.top() + row, 3.0, lane.height() / len(KINDS)), colour)


def _cell_words(cell_id: int) -> str:
    return cell_text(cell_id) if cell_id else "■ no cell"


class TimelinePanel(LivePanel):
    """The strip, and beside it the list of what happened."""

    pace = 0.25

    about = (
        "The session's past. Press and drag over the curves to show any tick again, or jump to cell changes, "
        "collisions, doors and edits. The past is read-only until Continue Here, which forgets what came after."
    )

    def __init__(self, document: Document, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(document, "timeline-panel", parent)
        self.clock = clock
        self.chronicle = Chronicle(document, self)
        self.strip = Strip(self)
        self.strip.chronicle = self.chronicle
        self.strip.scrubbed.connect(self.go_to)
        self._rest = QTimer(self)
        """Reads on where the curves are not whole yet."""
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._on_changed)
        self.model = LiveTable(COLUMNS, self)
        self.view = LiveView(self.model, "happenings", "What happened", EMPTY, self)
        self.views.append(self.view)
        self.view.acted.connect(self._on_row)
        self.view.doubleClicked.connect(lambda index: self._on_row(self.view.key))
        self.kinds = QComboBox(self)
        self.kinds.setObjectName("timeline-kinds")
        self.kinds.setAccessibleName("What to jump to")
        self.kinds.addItem("Everything", "")
        for kind in KINDS:
            self.kinds.addItem(kind, kind)
        self.kinds.currentIndexChanged.connect(self.refresh)
        self.before_action = action(self, "◀ Before", self.jump_before, "Ctrl+Left", "timeline-before")
        self.after_action = action(self, "After ▶", self.jump_after, "Ctrl+Right", "timeline-after")
        self.go_action = action(self, "Go to This Tick", lambda: self._on_row(self.view.key), name="timeline-go")
        self.go_action.setProperty(OF_A_ROW, True)
        self.view.addAction(self.go_action)
        self.save_action = action(self, "Save Curves…", self.ask_to_save, name="timeline-save")
        self.save_action.setToolTip("Save the curves as a PNG, as they are drawn")
        self.strip.addAction(self.save_action)
        self.strip.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.addWidget(self.strip)
        splitter.addWidget(self.view)
        splitter.setSizes([460, 340])
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setChildrenCollapsible(False)
        box = column(self)
        jumps = (button(self.before_action, self), button(self.after_action, self))
        box.addLayout(bar(dim_label("Jump to", self, self.kinds), self.kinds, *jumps))
        box.addWidget(splitter, 1)

    def set_colours(self, colours: Colours) -> None:
        super().set_colours(colours)
        self.strip.colours = colours
        self.strip.update()

    @property
    def kind(self) -> str:
        return str(self.kinds.currentData() or "")

    @property
    def _shown_tick(self) -> int:
        """The tick that was last taken; what happened in it is what is shown."""
        history = self.document.history
        return -1 if history is None else history.now - 1

    @Slot()
    def refresh(self) -> None:
        history = self.document.history
        if history is not None:
            if not self.strip.curves.read(history):
                self._rest.start()
            self.strip.now = history.now
        self.view.empty = NOTHING_YET if len(self.strip.curves) else EMPTY
        self.model.show(happening_rows(self.chronicle.chosen(self.kind)), mark=False)
        self.strip.update()
        before = self.chronicle.before(self._shown_tick, self.kind)
        after = self.chronicle.after(self._shown_tick, self.kind)
        what = "" if not self.kind else f" of {self.kind.lower()}"
        allow(self.before_action, "" if before else f"Nothing{what} came before.", "To what happened before")
        allow(self.after_action, "" if after else f"Nothing{what} comes after.", "To what happened next")

    @Slot(int)
    def go_to(self, tick: int) -> None:
        self.clock.pause()
        self.document.go_to(tick)

    def jump_before(self) -> None:
        found = self.chronicle.before(self._shown_tick, self.kind)
        if found is not None:
            self.go_to(found.tick + 1)

    def jump_after(self) -> None:
        found = self.chronicle.after(self._shown_tick, self.kind)
        if found is not None:
            self.go_to(found.tick + 1)

    def ask_to_save(self) -> None:
        name = ask_for_name(self, "the Curves", "timeline.png")
        if name:
            self.save(name)

    def save(self, name: str) -> bool:
        """The curves as a PNG."""
        return save_png(self.strip.grab(), name, self.document)

    @Slot(object)
    def _on_row(self, key: object) -> None:
        """The tick in which it happened has just been taken."""
        if isinstance(key, tuple):
            self.go_to(int(key[0]) + 1)
