"""The picture of the cell graph and the hands on it.

A click selects a room or shows a portal, a double click frames, dragging empty space or with the right or middle button
pans, the wheel zooms where the mouse is. Arrows walk along portals, Enter selects, 0 fits, Esc lets go.
"""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView, QWidget

from editor.models.graph.cell_graph import CellGraphPicture, GraphEdge, Sight, Standing
from editor.session.session import Kind, Selection
from editor.validation.portal_sides import title_of_edge
from ui.docks.graph.items import BandItem, EdgeItem, Label, NodeItem
from ui.theme.theme import Colours
from ui.view3d.hud import write_instead

ZOOM_STEP: Final = 1.25
SMALLEST, LARGEST = 0.02, 4.0
GUTTER: Final = 48
"""Pixels at the left for the heights of the storeys."""

FIT_LARGEST: Final = 1.25
READABLE: Final = 0.36
"""Scale from which on nodes carry the last digits of their ids."""

WHOLE_IDS: Final = 0.62
"""Scale from which on they carry all of them."""

AROUND_HOME: Final = 0.45
"""The scale at which one looks at a part of what is too large for one look."""

HAND: Final = 3
"""Pixels around the mouse in which a line counts as hit, and a press may move and still be a click."""

MARGIN: Final = 24.0
PREFERRED: Final = (360, 280)
ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class GraphView(QGraphicsView):
    """Shows a picture of cells and says what was done to it."""

    chosen = Signal(object)
    hovered = Signal(object)
    framed = Signal(object)
    edge_chosen = Signal(object)
    menu_wanted = Signal(QPoint, object)
    copy_wanted = Signal()

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setScene(QGraphicsScene(self))
        self.scene().setItemIndexMethod(QGraphicsScene.ItemIndexMethod.BspTreeIndex)
        self.colours = colours
        self.graph: CellGraphPicture | None = None
        self.sight = Sight()
        self.selection: Selection | None = None
        self.edge: GraphEdge | None = None
        self.mark: Selection | None = None
        """Where the arrows have walked to; Enter selects it."""
        self.nodes: dict[Selection, NodeItem] = {}
        self.edges: list[EdgeItem] = []
        self.bands: list[BandItem] = []
        self.empty = ""
        self._hover: Selection | None = None
        self._hover_edge: EdgeItem | None = None
        self._pan_from: QPoint | None = None
        self._moved = 0
        self._fitted = True
        self._home: Selection | None = None
        """Around which one looks until one looks elsewhere."""
        self._gutter = 0.0
        """The room at the left that the storeys' heights have, in units of the picture."""
        self.setObjectName("cell-graph-view")
        self.setAccessibleName("Cells and the portals that join them")
        self.setMouseTracking(True)
        self.setAcceptDrops(False)  # or what is dropped would get no further than here
        self.viewport().setAcceptDrops(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setBackgroundBrush(QColor(colours.sheet))

    # --- what is shown

    def set_colours(self, colours: Colours) -> None:
        self.colours = colours
        self.setBackgroundBrush(QColor(colours.sheet))
        self._rebuild()

    def set_graph(self, graph: CellGraphPicture | None, *, fit: bool, home: Selection | None = None) -> None:
        """Show other cells; `fit` unless they are the same ones after an edit.

        Where all of them are too many to read their ids, one looks at the house of `home`.
        """
        self.graph = graph
        self._rebuild()
        if fit:
            self._home = home
            self._look_again()

    def set_sight(self, sight: Sight) -> None:
        if sight != self.sight:
            self.sight = sight
            self._restyle()

    def set_selection(self, selection: Selection | None) -> None:
        """Mark what is selected, and bring it into view."""
        self.selection = selection
        self.mark = None
        self._restyle()
        item = None if selection is None else self.nodes.get(selection)
        if item is not None and not self._fitted:
            self._show_item(item)

    def set_hover(self, selection: Selection | None) -> None:
        if selection != self._hover:
            self._hover = selection
            self._restyle()

    def set_edge(self, edge: GraphEdge | None) -> None:
        self.edge = edge
        self._restyle_edges()

    def _rebuild(self) -> None:
        scene = self.scene()
        self._hover_edge = None
        self.nodes, self.edges, self.bands = {}, [], []
        scene.clear()
        graph = self.graph
        if graph is None:
            return
        for number, band in enumerate(graph.bands):
            ground = BandItem(band, number, len(graph.bands), self.colours)
            ground.widen(self._gutter)
            scene.addItem(ground)
            self.bands.append(ground)
        for edge in graph.edges:
            end = None if edge.end is None else graph.nodes[edge.end]
            line = EdgeItem(edge, graph.nodes[edge.start], end, self.colours, title_of_edge(edge))
            scene.addItem(line)
            self.edges.append(line)
        for key, node in graph.nodes.items():
            item = NodeItem(node, self.colours)
            scene.addItem(item)
            self.nodes[key] = item
        if self.edge is not None:
            sides = self.edge.sides
            self.edge = next((edge for edge in graph.edges if edge.sides[0] in sides), None)
        box = scene.itemsBoundingRect()
        room = max(box.width(), box.height(), 1000.0) + self.width() / SMALLEST * 0.2
        scene.setSceneRect(box.adjusted(-room, -room, room, room))
        self._restyle()
        self._restyle_edges()
        self._show_labels()

    def _restyle(self) -> None:
        sight = self.sight
        for key, item in self.nodes.items():
            is_cell = key.kind is Kind.CELL
            item.show_as(
                sight.standing(key.key) if is_cell else Standing.NEITHER,
                sight.seen.get(key.key, 0) if is_cell else 0,
                selected=key == self.selection,
                hovered=key == self._hover,
                marked=key == self.mark,
            )

    def _restyle_edges(self) -> None:
        for item in self.edges:
            item.show_as(chosen=item.edge == self.edge, hovered=item is self._hover_edge)

    def sizeHint(self) -> QSize:  # noqa: N802  # Qt's name
        """The same whatever is shown, so that no other world moves the window's docks."""
        return QSize(*PREFERRED)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:  # noqa: N802  # Qt's name
        """A word instead of nothing."""
        if not self.nodes:
            write_instead(self, painter, self.empty, self.colours.dim)

    # --- where one looks

    def zoom(self) -> float:
        """Pixels for a unit of the picture."""
        return self.transform().m11()

    def fit(self) -> None:
        """Everything in view."""
        self._home = None
        self._look_again()

    def _look_again(self) -> None:
        """At everything, or at the house of `_home` where the ids of everything could not be read."""
        for band in self.bands:
            band.widen(0.0)
        box = self._content()
        if box.isEmpty() or not self.width():
            self._fitted = True
            return
        scale = self._scale_for(box)
        home = None if self._home is None else self.nodes.get(self._home)
        self._fitted = home is None or scale >= READABLE
        middle = None
        if home is not None and not self._fitted:
            house = self._house_of(home)
            around = self._scale_for(house)
            scale, middle = (around, house.center()) if around >= READABLE else self._nearby(house, home.pos())
        self.resetTransform()
        self.scale(scale, scale)
        self._gutter = GUTTER / scale
        for band in self.bands:
            band.widen(self._gutter)
        self.centerOn(self._content().center() if middle is None else middle - QPointF(self._gutter / 2.0, 0.0))
        self._show_labels()

    def _scale_for(self, box: QRectF) -> float:
        view = self.viewport().rect()
        return min(max(view.width() - GUTTER, GUTTER) / box.width(), view.height() / box.height(), FIT_LARGEST)

    def _nearby(self, house: QRectF, home: QPointF) -> tuple[float, QPointF]:
        """The part of a large house that a room is in, without looking beyond the house."""
        high, wide = self.viewport().height() / AROUND_HOME, (self.viewport().width() - GUTTER) / AROUND_HOME
        x = _within(home.x(), house.left() + wide / 2.0, house.right() - wide / 2.0)
        y = _within(home.y(), house.top() + high / 2.0, house.bottom() - high / 2.0)
        return AROUND_HOME, QPointF(x, y)

    def _house_of(self, home: NodeItem) -> QRectF:
        """Around all that portals lead to from a room, with the names of its storeys."""
        house = QRectF()
        for key in set() if self.graph is None else self.graph.joined(home.node.key):
            house = house.united(self.nodes[key].sceneBoundingRect())
        return house.adjusted(-MARGIN, -MARGIN * 2.0, MARGIN, MARGIN)

    def _content(self) -> QRectF:
        return self.scene().itemsBoundingRect() if self.nodes else QRectF()

    def show_node(self, key: Selection) -> None:
        """A node in the middle, large enough to be read."""
        item = self.nodes.get(key)
        if item is None:
            return
        if self.zoom() < READABLE:
            self._zoom_about(QPointF(self.viewport().rect().center()), 1.0 / self.zoom())
        self._wander()
        self.centerOn(item)

    def _show_item(self, item: NodeItem) -> None:
        """Have a node in view; who has to look elsewhere for that stays there."""
        if self.viewport().rect().contains(self.mapFromScene(item.sceneBoundingRect()).boundingRect()):
            return
        self._wander()
        self.ensureVisible(item, 24, 24)

    def _wander(self) -> None:
        """One has gone to look elsewhere: another size of the window moves nothing any more."""
        self._fitted = False
        self._home = None

    def _zoom_about(self, at: QPointF, factor: float) -> None:
        scale = self.zoom() * factor
        if not SMALLEST <= scale <= LARGEST:
            return
        self._wander()
        before = self.mapToScene(at.toPoint())
        self.scale(factor, factor)
        moved = self.mapFromScene(before) - at.toPoint()
        self._scroll(-moved.x(), -moved.y())
        self._show_labels()

    def _scroll(self, dx: int, dy: int) -> None:
        """Move the picture under the window; what stays in view is shifted and not painted again."""
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setValue(across.value() - dx)
        down.setValue(down.value() - dy)

    def _show_labels(self) -> None:
        zoom = self.zoom()
        shown = Label.WHOLE if zoom >= WHOLE_IDS else Label.SHORT if zoom >= READABLE else Label.NONE
        for item in self.nodes.values():
            item.show_label(shown)
        for band in self.bands:
            band.show_label(whole=shown is not Label.NONE)

    def picture(self) -> QImage:
        """The whole graph at twice its natural size, or as large as 8,000 pixels allow."""
        box = self._content().adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)
        scale = min(2.0, 8000.0 / max(box.width(), box.height(), 1.0))
        image = QImage(math.ceil(box.width() * scale), math.ceil(box.height() * scale), QImage.Format.Format_RGB32)
        image.fill(QColor(self.colours.sheet))
        for item in self.nodes.values():
            item.show_label(Label.WHOLE)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.scene().render(painter, QRectF(image.rect()), box)
        painter.end()
        self._show_labels()
        return image

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  # Qt's name
        super().resizeEvent(event)
        if self._fitted or self._home is not None:
            self._look_again()

    # --- hands

    def under(self, point: QPoint) -> NodeItem | EdgeItem | None:
        """A node at a point of the viewport, else the nearest line."""
        around = QRect(point.x() - HAND, point.y() - HAND, HAND * 2 + 1, HAND * 2 + 1)
        lines = []
        for item in self.items(point):
            owner = item if isinstance(item, NodeItem) else item.parentItem()
            if isinstance(owner, NodeItem):
                return owner
        for item in self.items(around):
            owner = item if isinstance(item, EdgeItem) else item.parentItem()
            if isinstance(owner, EdgeItem):
                lines.append(owner)
        return lines[0] if lines else None

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802  # Qt's name
        steps = event.angleDelta().y() / 120.0
        if steps:
            self._zoom_about(event.position(), math.pow(ZOOM_STEP, steps))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        point = event.position().toPoint()
        self._moved = 0
        found = self.under(point)
        if event.button() == Qt.MouseButton.LeftButton and isinstance(found, NodeItem):
            self.chosen.emit(found.node.key)
        elif event.button() == Qt.MouseButton.LeftButton and isinstance(found, EdgeItem):
            self.edge_chosen.emit(found.edge)
        else:
            self._pan_from = point
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        point = event.position().toPoint()
        if self._pan_from is None:
            self._hover_over(self.under(point))
            super().mouseMoveEvent(event)
            return
        moved = point - self._pan_from
        self._moved += moved.manhattanLength()
        if self._moved > HAND:
            if self.renderHints() & QPainter.RenderHint.Antialiasing:
                self.setRenderHint(QPainter.RenderHint.Antialiasing, False)
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._wander()
            self._scroll(moved.x(), moved.y())
            self._pan_from = point
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        clicked = self._pan_from is not None and self._moved <= HAND
        self._let_go()
        if clicked and event.button() == Qt.MouseButton.LeftButton:
            self.edge_chosen.emit(None)
            self.chosen.emit(None)
        event.accept()

    def _let_go(self) -> None:
        self._pan_from = None
        if not self.renderHints() & QPainter.RenderHint.Antialiasing:
            self.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            self.unsetCursor()

    def _hover_over(self, found: NodeItem | EdgeItem | None) -> None:
        self.hovered.emit(found.node.key if isinstance(found, NodeItem) else None)
        line = found if isinstance(found, EdgeItem) else None
        if line is not self._hover_edge:
            self._hover_edge = line
            self._restyle_edges()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        found = self.under(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and isinstance(found, NodeItem):
            self.framed.emit(found.node.key)
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802  # Qt's name
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        key = self.mark or self.selection
        found = self.nodes.get(key) if by_key and key is not None else self.under(event.pos())
        if by_key or self._moved <= HAND:
            at = self.mapFromScene(found.pos()) if by_key and found is not None else event.pos()
            self.menu_wanted.emit(self.viewport().mapToGlobal(at), found)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802  # Qt's name
        self._hover_over(None)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802  # Qt's name
        self._let_go()
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  # Qt's name
        key = Qt.Key(event.key())
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in ARROWS and not control:
            self._walk(*ARROWS[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.mark is not None:
            self.chosen.emit(self.mark)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self._zoom_about(QPointF(self.viewport().rect().center()), ZOOM_STEP)
        elif key == Qt.Key.Key_Minus:
            self._zoom_about(QPointF(self.viewport().rect().center()), 1.0 / ZOOM_STEP)
        elif key == Qt.Key.Key_0:
            self.fit()
        elif key == Qt.Key.Key_C and control:
            self.copy_wanted.emit()
        elif key == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def _leave(self) -> None:
        """First the portal, then the mark, then the selection."""
        if self.edge is not None:
            self.edge_chosen.emit(None)
        elif self.mark is not None:
            self.mark = None
            self._restyle()
        else:
            self.chosen.emit(None)

    def _walk(self, dx: int, dy: int) -> None:
        """Along a portal from the marked node, else from the selected one, the player's or the first."""
        graph = self.graph
        if graph is None or not self.nodes:
            return
        starts = [self.mark, self.selection]
        here = next((key for key in starts if key is not None and key in self.nodes), None)
        if here is None:
            current = (key for key in self.nodes if key.kind is Kind.CELL and key.key == self.sight.current)
            self.mark = next(current, next(iter(self.nodes)))
        else:
            self.mark = graph.neighbour(here, dx, dy) or here
        self._restyle()
        self._show_item(self.nodes[self.mark])


def _within(value: float, low: float, high: float) -> float:
    """Between two bounds, or in their middle where there is no room between them."""
    return min(max(value, low), high) if low <= high else (low + high) / 2.0
