"""The picture of the cell graph, and what mouse and keys do in it.

A click selects a room or shows a portal, and a double click frames the room in the 3D view. Arrow keys walk along
portals, Enter selects, Esc deselects; `ui.widgets.pan_zoom` has the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView, QWidget

from editor.models.graph.cell_graph import CellGraphPicture, GraphEdge, RoomVisibility, VisibleRooms
from editor.models.portal_sides import title_of_edge
from editor.session.session import Kind, Selection
from ui.docks.graph.items import BandItem, EdgeItem, Label, NodeItem
from ui.theme.theme import Colours
from ui.view3d.hud import write_instead
from ui.widgets.pan_zoom import PanZoomView

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

HIT_RADIUS: Final = 3
"""Pixels around the mouse in which it hits a line."""

MARGIN: Final = 24.0
PREFERRED: Final = (360, 280)


class GraphView(PanZoomView):
    """Shows the cell graph and signals what the user does to it."""

    chosen = Signal(object)
    hovered = Signal(object)
    framed = Signal(object)
    edge_chosen = Signal(object)
    menu_wanted = Signal(QPoint, object)
    copy_wanted = Signal()

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scene().setItemIndexMethod(QGraphicsScene.ItemIndexMethod.BspTreeIndex)
        self.colours = colours
        self.graph: CellGraphPicture | None = None
        self.sight = VisibleRooms()
        self.selection: Selection | None = None
        self.edge: GraphEdge | None = None
        self.mark: Selection | None = None
        """Where the arrows have walked to; Enter selects it."""
        self.nodes: dict[Selection, NodeItem] = {}
        self.edges: list[EdgeItem] = []
        self.bands: list[BandItem] = []
        self.empty = ""
        self._hover: Selection | None = None
        self._reach: Mapping[int, tuple[str, str]] = {}
        """By cell: the theme's colour of how a survey has reached it, and words for that."""
        self._hover_edge: EdgeItem | None = None
        self._home: Selection | None = None
        """The view shows the house of this cell until the user looks elsewhere."""
        self._shows_all = True
        self._labelled_at = 0.0
        """The scale for which the labels were chosen."""
        self._gutter = 0.0
        """The room at the left that the storeys' heights have, in units of the picture."""
        self.setObjectName("cell-graph-view")
        self.setAccessibleName("Cells and the portals that join them")
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setBackgroundBrush(QColor(colours.sheet))

    # --- showing

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
            self.is_fitted = True
            self._home = home
            self.refit()

    def set_sight(self, sight: VisibleRooms) -> None:
        if sight != self.sight:
            self.sight = sight
            self._restyle()

    def set_selection(self, selection: Selection | None) -> None:
        """Mark what is selected, and bring it into view."""
        self.selection = selection
        self.mark = None
        self._restyle()
        item = None if selection is None else self.nodes.get(selection)
        if item is not None and not self._shows_all:
            self._show_item(item)

    def set_hover(self, selection: Selection | None) -> None:
        if selection != self._hover:
            self._hover = selection
            self._restyle()

    def set_reach(self, reach: Mapping[int, tuple[str, str]]) -> None:
        """Mark the cells that a survey has reached, with a colour of the theme and words each."""
        if reach != self._reach:
            self._reach = reach
            self._show_reach()

    def _show_reach(self) -> None:
        for key, item in self.nodes.items():
            tone, words = self._reach.get(key.key, ("", "")) if key.kind is Kind.CELL else ("", "")
            item.show_reach(getattr(self.colours, tone) if tone else "", words)

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
        scene.setSceneRect(scene.itemsBoundingRect())
        self._restyle()
        self._restyle_edges()
        if self._reach:
            self._show_reach()
        self._show_labels()

    def _restyle(self) -> None:
        sight = self.sight
        for key, item in self.nodes.items():
            is_cell = key.kind is Kind.CELL
            item.show_as(
                sight.standing(key.key) if is_cell else RoomVisibility.NEITHER,
                sight.seen.get(key.key, 0) if is_cell else 0,
                selected=key == self.selection,
                hovered=key == self._hover,
                marked=key == self.mark,
            )

    def _restyle_edges(self) -> None:
        for item in self.edges:
            item.show_as(chosen=item.edge == self.edge, hovered=item is self._hover_edge)

    def sizeHint(self) -> QSize:
        """The same whatever is shown, so that no other world moves the window's docks."""
        return QSize(*PREFERRED)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """A word instead of nothing."""
        if not self.nodes:
            write_instead(self, painter, self.empty, self.colours.dim)

    # --- where the view is

    def limits(self) -> tuple[float, float]:
        return SMALLEST, LARGEST

    def content(self) -> QRectF:
        return self.scene().itemsBoundingRect() if self.nodes else QRectF()

    def zoom(self) -> float:
        """Pixels per scene unit."""
        return self.pixels_per_unit()

    def fit(self) -> None:
        self._home = None
        super().fit()

    def refit(self) -> None:
        """Show everything, or the house of `_home` where everything would be too small to read its ids."""
        for band in self.bands:
            band.widen(0.0)
        box = self.content()
        self._shows_all = True
        if box.isEmpty() or not self.width():
            return
        scale = self._scale_for(box)
        home = None if self._home is None else self.nodes.get(self._home)
        middle = None
        if home is not None and scale < READABLE:
            self._shows_all = False
            house = self._house_of(home)
            around = self._scale_for(house)
            scale, middle = (around, house.center()) if around >= READABLE else self._nearby(house, home.pos())
        self._gutter = GUTTER / scale
        for band in self.bands:
            band.widen(self._gutter)
        at = self.content().center() if middle is None else middle - QPointF(self._gutter / 2.0, 0.0)
        self.show_at(at, self.middle(), scale)
        self._show_labels()

    def frame_selection(self) -> None:
        if self.selection in self.nodes:
            self.show_node(self.selection)
        else:
            self.fit()

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

    def show_node(self, key: Selection) -> None:
        """Bring a node to the middle, large enough for its id to be read."""
        item = self.nodes.get(key)
        if item is None:
            return
        self.wander()
        self.show_at(item.pos(), self.middle(), self.zoom() if self.zoom() >= READABLE else 1.0)
        self.view_changed()

    def _show_item(self, item: NodeItem) -> None:
        """Scroll as far as it takes to have a node in view."""
        if self.viewport().rect().contains(self.mapFromScene(item.sceneBoundingRect()).boundingRect()):
            return
        self.wander()
        self.ensureVisible(item, 24, 24)

    def wander(self) -> None:
        super().wander()
        self._home = None
        self._shows_all = False

    def view_changed(self) -> None:
        if self.zoom() != self._labelled_at:
            self._show_labels()
        else:
            self._keep_labels()

    def _show_labels(self) -> None:
        self._labelled_at = zoom = self.zoom()
        shown = Label.WHOLE if zoom >= WHOLE_IDS else Label.SHORT if zoom >= READABLE else Label.NONE
        for item in self.nodes.values():
            item.show_label(shown)
        for band in self.bands:
            band.show_label(whole=shown is not Label.NONE)
        self._keep_labels()

    def _keep_labels(self) -> None:
        """Names of storeys stay in sight, however the view is moved."""
        left = self.to_scene(QPointF(0.0, 0.0)).x()
        for band in self.bands:
            band.keep_label_in(left, self.zoom())

    def picture(self) -> QImage:
        """The whole graph at twice its natural size, or as large as 8,000 pixels allow."""
        box = self.content().adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)
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

    # --- mouse and keys

    def under(self, point: QPoint) -> NodeItem | EdgeItem | None:
        """A node at a point of the viewport, else the nearest line."""
        around = QRect(point.x() - HIT_RADIUS, point.y() - HIT_RADIUS, HIT_RADIUS * 2 + 1, HIT_RADIUS * 2 + 1)
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

    def click_at(self, at: QPointF) -> None:
        found = self.under(at.toPoint())
        if isinstance(found, NodeItem):
            self.chosen.emit(found.node.key)
        elif isinstance(found, EdgeItem):
            self.edge_chosen.emit(found.edge)
        else:
            self.edge_chosen.emit(None)
            self.chosen.emit(None)

    def activate_at(self, at: QPointF) -> bool:
        found = self.under(at.toPoint())
        if isinstance(found, NodeItem):
            self.framed.emit(found.node.key)
        return found is not None

    def drag_changed(self, dragging: bool) -> None:
        """While it is dragged the picture is painted without antialiasing, which takes too long in a large graph."""
        super().drag_changed(dragging)
        self.setRenderHint(QPainter.RenderHint.Antialiasing, not dragging)

    def hover_at(self, at: QPointF | None) -> None:
        found = None if at is None else self.under(at.toPoint())
        self.hovered.emit(found.node.key if isinstance(found, NodeItem) else None)
        line = found if isinstance(found, EdgeItem) else None
        if line is not self._hover_edge:
            self._hover_edge = line
            self._restyle_edges()

    def menu_at(self, at: QPoint, by_key: bool) -> None:
        """The menu key asks for the marked node, else for the selected one."""
        key = self.mark or self.selection
        found = self.nodes.get(key) if by_key and key is not None else self.under(at)
        if by_key and found is not None:
            at = self.mapFromScene(found.pos())
        self.menu_wanted.emit(self.viewport().mapToGlobal(at), found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.mark is not None:
            self.chosen.emit(self.mark)
        elif key == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
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

    def walk(self, dx: int, dy: int) -> bool:
        """Along a portal from the marked node, else from the selected one, the player's or the first."""
        graph = self.graph
        if graph is None or not self.nodes:
            return False
        starts = [self.mark, self.selection]
        here = next((key for key in starts if key is not None and key in self.nodes), None)
        if here is None:
            current = (key for key in self.nodes if key.kind is Kind.CELL and key.key == self.sight.current)
            self.mark = next(current, next(iter(self.nodes)))
        else:
            self.mark = graph.neighbour(here, dx, dy) or here
        self._restyle()
        self._show_item(self.nodes[self.mark])
        return True


def _within(value: float, low: float, high: float) -> float:
    """Between two bounds, or in their middle where there is no room between them."""
    return min(max(value, low), high) if low <= high else (low + high) / 2.0
