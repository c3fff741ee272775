"""The items of the cell graph: nodes, portal lines, and bands of storeys.

Everything is painted by Qt's own items; they only change when what they show does.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPainterPathStroker, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsRectItem, QGraphicsSimpleTextItem

from editor.maps.landblock_plan import PortalTarget
from editor.models.graph.cell_graph import Band, GraphEdge, GraphNode, RoomVisibility
from editor.models.graph.layout import BAND_MARGIN, NODE_HEIGHT, NODE_WIDTH
from editor.process.plain_text import plain, plain_lines
from editor.session.session import Kind
from engine.world.faults import Severity
from ui.theme.theme import Colours, mono_font, text_font

STUB: Final = 24.0
"""How far an exit's arrow reaches out of its node."""

HEAD: Final = 6.0
CORNER: Final = 5.0
STRIP: Final = 4.0
"""Of a node's height: how a survey has reached it."""
HALF_WIDTH, HALF_HEIGHT = NODE_WIDTH / 2.0, NODE_HEIGHT / 2.0
BANDS, EDGES, MARKS, NODES = range(4)
BAND_SIDE: Final = NODE_WIDTH / 2.0 + BAND_MARGIN
TEXT_PIXELS: Final = 12
WHOLE_PIXELS: Final = 13
SHORT_PIXELS: Final = 22
"""Of the last four digits of an id, which are all that can be read of it from farther away."""

NAME_SHOWN: Final = 20
"""Characters of a room's name below its id; the tooltip has all of it."""

LABEL_SIDE: Final = 6.0
"""Between a label and its node's border, at the least."""


class Label(IntEnum):
    """How much of its name a node has room for."""

    NONE = 0
    SHORT = 1
    WHOLE = 2


class NodeItem(QGraphicsPathItem):
    """A room, or a building."""

    def __init__(self, node: GraphNode, colours: Colours) -> None:
        path = QPainterPath()
        path.addRoundedRect(QRectF(-HALF_WIDTH, -HALF_HEIGHT, NODE_WIDTH, NODE_HEIGHT), CORNER, CORNER)
        super().__init__(path)
        self.node = node
        self.colours = colours
        self.standing = RoomVisibility.NEITHER
        self.order = 0
        self.shown = Label.WHOLE
        self.setPos(node.x, node.y)
        self.setZValue(NODES)
        self.label = QGraphicsSimpleTextItem(self)
        self.label.setFont(mono_font(WHOLE_PIXELS))
        self.label.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self._looks: object = None
        self._reach: QGraphicsRectItem | None = None
        self._reach_words = ""
        if node.severity is not None and node.severity >= Severity.WARNING:
            mark = QGraphicsRectItem(HALF_WIDTH - 9.0, -HALF_HEIGHT - 4.0, 8.0, 8.0, self)
            mark.setBrush(QColor(colours.fault if node.severity is Severity.ERROR else colours.adjusted))
            mark.setPen(QPen(QColor(colours.base), 1.0))

    def show_as(
        self,
        standing: RoomVisibility,
        order: int,
        *,
        selected: bool = False,
        hovered: bool = False,
        marked: bool = False,
    ) -> None:
        looks = (standing, order, selected, hovered, marked)
        if looks == self._looks:
            return
        self._looks = looks
        self.standing, self.order = standing, order
        self._say()
        colours = self.colours
        is_building = self.node.key.kind is Kind.BUILDING
        outline, width, text = {
            RoomVisibility.CURRENT: (colours.current, 2.0, colours.on_accent),
            RoomVisibility.VISIBLE: (colours.visible, 2.0, colours.text),
            RoomVisibility.STAB: (colours.stab, 1.0, colours.stab),
            RoomVisibility.NEITHER: (colours.neither, 1.0, colours.neither),
        }[standing]
        if is_building:
            outline, text = colours.building_portal, colours.building_portal
        style = Qt.PenStyle.SolidLine
        if selected:
            outline, width = colours.selected, 3.0
        elif marked:
            outline, width, style = colours.accent, 2.0, Qt.PenStyle.DashLine
        elif hovered:
            outline, width = colours.text, 2.0
        pen = QPen(QColor(outline), width, style)
        pen.setCosmetic(True)
        self.setPen(pen)
        fill = colours.current if standing is RoomVisibility.CURRENT else colours.raised
        if standing is RoomVisibility.NEITHER or is_building:
            fill = colours.window
        self.setBrush(QBrush(QColor(fill)))
        self.label.setBrush(QColor(text))

    def show_reach(self, colour: str, words: str) -> None:
        """A strip along its lower edge in the colour of how it is reached; "" for none."""
        self._reach_words = words
        if colour and self._reach is None:
            self._reach = QGraphicsRectItem(
                -HALF_WIDTH + CORNER, HALF_HEIGHT - STRIP, NODE_WIDTH - 2 * CORNER, STRIP, self
            )
            self._reach.setPen(QPen(Qt.PenStyle.NoPen))
            self._reach.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        if self._reach is not None:
            self._reach.setVisible(bool(colour))
            self._reach.setBrush(QColor(colour))
        self._say()

    def show_label(self, shown: Label) -> None:
        """Elide the name to what can be read."""
        self.label.setVisible(shown is not Label.NONE)
        if shown is not Label.NONE and shown is not self.shown:
            self.shown = shown
            self.label.setFont(mono_font(SHORT_PIXELS if shown is Label.SHORT else WHOLE_PIXELS))
            self._say()

    def _say(self) -> None:
        """`▶` for the current cell or the number in the draw list, the id, a sun for a cell that sees the outdoors."""
        sign = "▶" if self.standing is RoomVisibility.CURRENT else str(self.order) if self.order else ""
        sun = " ☀" if self.node.seen_outside else ""
        name = self.node.label.removeprefix("0x")[-4:] if self._is_short() else self.node.label
        first = plain(f"{sign} {name}{sun}".strip())
        below = plain(self.node.name, NAME_SHOWN) if self.shown is Label.WHOLE else ""
        self.label.setText(plain_lines(f"{first}\n{below}" if below else first))
        box = self.label.boundingRect()
        fits = ((NODE_WIDTH - LABEL_SIDE * 2.0) / max(box.width(), 1.0), (NODE_HEIGHT - 2.0) / max(box.height(), 1.0))
        scale = min(1.0, *fits)
        self.label.setScale(scale)
        self.label.setPos(-box.width() * scale / 2.0, -box.height() * scale / 2.0)
        faults = "\n■ has faults; see Problems" if self.node.severity is not None else ""
        what = f"\nnumber {self.order} in the draw list" if self.order else ""
        seen = "\n☀ the outdoors is drawn from here" if self.node.seen_outside else ""
        words = "" if self.node.key.kind is Kind.BUILDING else f"\n{_SENTENCES[self.standing]}{what}{seen}"
        reach = f"\n{self._reach_words}" if self._reach_words else ""
        self.setToolTip(plain_lines(f"{f'{self.node.label} {self.node.name}'.strip()}{words}{reach}{faults}"))

    def _is_short(self) -> bool:
        return self.shown is Label.SHORT and self.node.key.kind is Kind.CELL


_SENTENCES: Final = {
    RoomVisibility.CURRENT: "▶ the player is here",
    RoomVisibility.VISIBLE: "visible now",
    RoomVisibility.STAB: "in the stab list, not visible now",
    RoomVisibility.NEITHER: "neither visible nor in the stab list",
}


class EdgeItem(QGraphicsPathItem):
    """An opening: grey between rooms, sky blue with an arrow outdoors, a violet double line into a building."""

    def __init__(self, edge: GraphEdge, start: GraphNode, end: GraphNode | None, colours: Colours, title: str) -> None:
        super().__init__()
        self.edge = edge
        self.colours = colours
        self.line = _ends(edge, start, end)
        path = QPainterPath()
        if edge.kind is PortalTarget.BUILDING:
            for side in (-2.0, 2.0):
                _add_line(path, self.line, side)
        else:
            _add_line(path, self.line, 0.0)
        if edge.kind is PortalTarget.EXIT or edge.one_sided:
            _add_head(path, self.line)
        self.setPath(path)
        self.setZValue(EDGES)
        self.setToolTip(plain_lines(f"{title}\nClick to see both of its sides"))
        self.setBrush(Qt.BrushStyle.NoBrush)
        if edge.one_sided or edge.dangling:
            self._add_mark()
        self.show_as()

    def _add_mark(self) -> None:
        """A red square where the other side should be."""
        at = self.line[1]
        mark = QGraphicsRectItem(at.x() - 4.0, at.y() - 4.0, 8.0, 8.0, self)
        mark.setBrush(QColor(self.colours.fault))
        mark.setPen(QPen(QColor(self.colours.base), 1.0))
        mark.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show_as(self, *, chosen: bool = False, hovered: bool = False) -> None:
        colours = self.colours
        colour, width = {
            PortalTarget.INTERIOR: (colours.interior_portal, 1.5),
            PortalTarget.EXIT: (colours.exit_portal, 1.5),
            PortalTarget.BUILDING: (colours.building_portal, 1.0),
        }[self.edge.kind]
        if chosen:
            colour, width = colours.selected, 3.0
        elif hovered:
            width += 1.5
        quiet = self.edge.kind is PortalTarget.BUILDING and not chosen and not hovered
        self.setOpacity(0.6 if quiet else 1.0)  # a building has many; the rooms are what one looks for
        pen = QPen(QColor(colour), width)
        if self.edge.one_sided or self.edge.dangling:
            pen.setStyle(Qt.PenStyle.DashLine)
        pen.setCosmetic(True)
        self.setPen(pen)

    def shape(self) -> QPainterPath:
        """Wide enough for a hand."""
        stroker = QPainterPathStroker()
        stroker.setWidth(8.0)
        return stroker.createStroke(self.path())


def _ends(edge: GraphEdge, start: GraphNode, end: GraphNode | None) -> tuple[QPointF, QPointF]:
    """Draw the line from border to border, or out of the node; a portal into its own room has no other border."""
    if end is None or end is start:
        dx, dy = edge.towards if edge.towards != (0.0, 0.0) else (0.0, -1.0)
        begin = _border(start, dx, dy, -dy * edge.shift, dx * edge.shift)
        return begin, QPointF(begin.x() + dx * STUB, begin.y() + dy * STUB)
    dx, dy = end.x - start.x, end.y - start.y
    away = math.hypot(dx, dy) or 1.0
    dx, dy = dx / away, dy / away
    aside_x, aside_y = -dy * edge.shift, dx * edge.shift
    return _border(start, dx, dy, aside_x, aside_y), _border(end, -dx, -dy, aside_x, aside_y)


def _border(node: GraphNode, dx: float, dy: float, aside_x: float, aside_y: float) -> QPointF:
    """Where a way from beside a node's middle leaves it."""
    reach_x = (HALF_WIDTH - aside_x * math.copysign(1.0, dx)) / abs(dx) if abs(dx) > 1e-9 else math.inf
    reach_y = (HALF_HEIGHT - aside_y * math.copysign(1.0, dy)) / abs(dy) if abs(dy) > 1e-9 else math.inf
    reach = max(0.0, min(reach_x, reach_y))
    return QPointF(node.x + aside_x + dx * reach, node.y + aside_y + dy * reach)


def _direction(line: tuple[QPointF, QPointF]) -> tuple[float, float]:
    dx, dy = line[1].x() - line[0].x(), line[1].y() - line[0].y()
    away = math.hypot(dx, dy) or 1.0
    return dx / away, dy / away


def _add_line(path: QPainterPath, line: tuple[QPointF, QPointF], side: float) -> None:
    dx, dy = _direction(line)
    shift = QPointF(-dy * side, dx * side)
    path.moveTo(line[0] + shift)
    path.lineTo(line[1] + shift)


def _add_head(path: QPainterPath, line: tuple[QPointF, QPointF]) -> None:
    dx, dy = _direction(line)
    tip = line[1]
    for side in (-1.0, 1.0):
        path.moveTo(tip)
        path.lineTo(tip.x() - dx * HEAD - dy * side * HEAD * 0.7, tip.y() - dy * HEAD + dx * side * HEAD * 0.7)


LABEL_EDGE: Final = 6.0
"""Pixels between the edge and the name of a storey."""


class BandItem(QGraphicsRectItem):
    """A storey's ground with its name in the corner; every second one is a little lighter."""

    def __init__(self, band: Band, number: int, count: int, colours: Colours) -> None:
        corner = QPointF(band.left - BAND_SIDE, band.top)
        super().__init__(QRectF(corner, QPointF(band.right + BAND_SIDE, band.bottom)))
        self._left = corner.x()
        self._long, self._short = f"Storey {number + 1} of {count}  ·  {band.label}", band.label
        self.setPen(QPen(Qt.PenStyle.NoPen))
        self.setBrush(QColor(colours.base if number % 2 else colours.sheet))
        self.setZValue(BANDS)
        self.label = QGraphicsSimpleTextItem(plain(self._long), self)
        self.label.setFont(text_font(TEXT_PIXELS))
        self.label.setBrush(QColor(colours.dim))
        self.label.setPos(corner + QPointF(6.0, 4.0))
        self.label.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.setToolTip(plain_lines(self._long))

    def widen(self, by: float) -> None:
        """Room for the name to the left of all nodes, in units of the picture."""
        box = self.rect()
        box.setLeft(self._left - by)
        self.setRect(box)
        self.label.setPos(box.topLeft() + QPointF(6.0, 4.0))

    def keep_label_in(self, left: float, scale: float) -> None:
        """The name stays in sight while its corner is to the left of the view."""
        box = self.rect()
        x = min(max(box.left(), left), box.right())
        self.label.setPos(QPointF(x + LABEL_EDGE / scale, box.top() + 4.0))

    def show_label(self, *, whole: bool) -> None:
        """All of it, or its height alone where there is no room."""
        self.label.setText(plain(self._long if whole else self._short))
