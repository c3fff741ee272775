"""The chain of causes as a list: for each link its kind, value, tick and sentence, the newest first."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from editor.models.why_chain.wording import KIND_WORDS, change_text, link_tip, when_text
from editor.process.plain_text import plain, plain_lines
from engine.sim.why.answer import CauseKind, Link
from ui.theme.icons import icon
from ui.theme.theme import BETWEEN, DARK, EDGE, Colours, mono_font, text_font

Index = QModelIndex | QPersistentModelIndex

LINK_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1
MORE_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 2

GUTTER: Final = 40
"""Pixels at the left, for the icon of the kind of cause."""
ICON: Final = 16
RING: Final = 26
SMALL: Final = 11
WRAPS: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)
LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

ICONS: Final = {kind: f"why-{kind.value}" for kind in CauseKind}
TONES: Final = {
    CauseKind.EDIT: "adjusted",
    CauseKind.KEY: "accent",
    CauseKind.RULE: "building_portal",
    CauseKind.TIMER: "current",
    CauseKind.PUSH: "fault",
    CauseKind.PORTAL: "exit_portal",
    CauseKind.PICK: "exit_portal",
}
"""Colours of the rings; all others are of the text's colour. The icon and the word say the kind as well."""


class ChainModel(QAbstractListModel):
    """The links of the shown answer; `more` is what else can be asked from each."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.links: tuple[Link, ...] = ()
        self._more: list[str] = []

    def show(self, links: tuple[Link, ...], more: list[str]) -> None:
        """Show a chain; one that has only grown keeps its rows."""
        old = self.links
        if links[: len(old)] == old and more[: len(old)] == self._more:
            if len(links) > len(old):
                self.beginInsertRows(QModelIndex(), len(old), len(links) - 1)
                self.links, self._more = links, more
                self.endInsertRows()
            return
        self.beginResetModel()
        self.links, self._more = links, more
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's default
        return 0 if parent.isValid() else len(self.links)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.links):
            return None
        link = self.links[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return plain(f"{when_text(link)}: {link.title} {change_text(link)}. {link.sentence}")
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_lines(link_tip(link))
        if role == MORE_ROLE:
            return self._more[index.row()]
        return link if role == LINK_ROLE else None


class LinkDelegate(QStyledItemDelegate):
    """Draws a link in three or four lines, joined to the next one by a line in the gutter."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.colours = DARK
        self._bold = text_font()
        self._bold.setWeight(QFont.Weight.DemiBold)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        link = index.data(LINK_ROLE)
        view = self.parent()
        width = view.viewport().width() if isinstance(view, QAbstractItemView) else option.rect.width()
        if not isinstance(link, Link):
            return QSize(width, 0)
        lines = self._lines(link, str(index.data(MORE_ROLE)), width)
        return QSize(width, sum(height for _, _, height in lines) + 2 * BETWEEN)

    def _lines(self, link: Link, more: str, width: int) -> list[tuple[str, QFont, int]]:
        """Title, change, sentence and what else can be asked, each with its font and height."""
        room = max(width - GUTTER - EDGE, 40)
        found = [(link.title, self._bold, QFontMetrics(self._bold).height() + 2)]
        change, mono = change_text(link), mono_font()
        if change:
            found.append((change, mono, QFontMetrics(mono).height() + 2))
        text = text_font()
        wrapped = QFontMetrics(text).boundingRect(QRect(0, 0, room, 10_000), WRAPS, plain(link.sentence))
        found.append((link.sentence, text, wrapped.height() + 1))
        if more:
            small = text_font(SMALL)
            found.append((more, small, QFontMetrics(small).height() + 2))
        return found

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        link = index.data(LINK_ROLE)
        if not isinstance(link, Link):
            return
        more = str(index.data(MORE_ROLE))
        colours, box = self.colours, option.rect
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, QColor(colours.selection))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, QColor(colours.raised))
        self._paint_gutter(painter, box, link, index.row(), index.model().rowCount())
        painter.setPen(QColor(colours.line))
        painter.drawLine(box.left() + GUTTER, box.bottom(), box.right(), box.bottom())
        lines = self._lines(link, more, box.width())
        y, room = box.top() + BETWEEN, box.width() - GUTTER - EDGE
        small = text_font(SMALL)
        when = f"{KIND_WORDS[link.kind]} · {when_text(link)}"
        taken = QFontMetrics(small).horizontalAdvance(when) + BETWEEN
        for number, (text, font, height) in enumerate(lines):
            line = QRect(box.left() + GUTTER, y, room, height)
            painter.setFont(font)
            is_last = bool(more) and number == len(lines) - 1
            is_sentence = text is link.sentence and not is_last
            painter.setPen(QColor(colours.dim if is_last or font.family() == mono_font().family() else colours.text))
            if number == 0:
                shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room - taken)
                painter.drawText(line, LEFT, plain(f"{shown[:1].upper()}{shown[1:]}"))
                painter.setFont(small)
                painter.setPen(QColor(colours.dim))
                painter.drawText(line, RIGHT, plain(when))
            elif is_sentence:
                painter.drawText(line, WRAPS, plain(text))
            else:
                shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, room)
                painter.drawText(line, LEFT, plain(shown))
            y += height
        painter.restore()

    def _paint_gutter(self, painter: QPainter, box: QRect, link: Link, row: int, count: int) -> None:
        """The icon of the kind of cause, and the line to the links beside it."""
        colours = self.colours
        middle = QPoint(box.left() + GUTTER // 2, box.top() + BETWEEN + RING // 2)
        painter.setPen(QPen(QColor(colours.line), 2))
        if row + 1 < count:
            painter.drawLine(middle, QPoint(middle.x(), box.bottom()))
        if row > 0:
            painter.drawLine(QPoint(middle.x(), box.top()), middle)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(colours.base))
        painter.setPen(QPen(QColor(getattr(colours, TONES.get(link.kind, "dim"))), 1.4))
        painter.drawEllipse(middle, RING // 2, RING // 2)
        place = QRect(middle.x() - ICON // 2, middle.y() - ICON // 2, ICON, ICON)
        icon(ICONS[link.kind], colours).paint(painter, place)


class ChainView(QListView):
    """The links, or a word when there are none."""

    def __init__(self, model: ChainModel, empty: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.empty = empty
        self._arriving = False
        self.setObjectName("why-chain")
        self.setAccessibleName("The chain of causes, the newest first")
        self.setModel(model)
        self._delegate = LinkDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    @property
    def link(self) -> Link | None:
        """The selected link."""
        found = self.currentIndex().data(LINK_ROLE) if self.currentIndex().isValid() else None
        return found if isinstance(found, Link) else None

    def set_colours(self, colours: Colours) -> None:
        self._delegate.colours = colours
        self.viewport().update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Focus alone goes nowhere, while Qt would make the first link current."""
        self._arriving = True
        super().focusInEvent(event)
        self._arriving = False

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        return QModelIndex() if self._arriving else super().moveCursor(action, modifiers)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Sentences wrap in the width that there is."""
        super().resizeEvent(event)
        self.doItemsLayout()
        if self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.model().rowCount():
            return
        painter = QPainter(self.viewport())
        painter.setPen(QColor(self._delegate.colours.dim))
        box = self.viewport().rect().adjusted(EDGE, EDGE, -EDGE, -EDGE)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), plain(self.empty))
        painter.end()
