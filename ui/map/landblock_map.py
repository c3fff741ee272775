"""The landblock from above: rooms by storey, openings, buildings, ground and objects.

A click selects, a double click frames what it hits, Esc deselects; `ui.widgets.pan_zoom` does the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPixmap,
    QShowEvent,
    QTransform,
)
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsPathItem,
    QMenu,
    QWidget,
)

from editor.maps.landblock_plan import (
    BLOCK_METRES,
    CELL_METRES,
    Plan,
    PlanCell,
    PlanGround,
    PlanPortal,
    PlanThing,
    PortalTarget,
)
from editor.process.plain_text import plain, plain_lines
from editor.session.session import Kind, Selection
from engine.world.faults import Severity
from ui.map.map_labels import MapLabels, PlateLabel
from ui.map.pens import path_of, pen_of
from ui.map.terrain_colours import ground_image
from ui.theme.theme import Colours
from ui.view3d.hud import write_instead
from ui.widgets.pan_zoom import PanZoomView

EMPTY: Final = "Open a world: the landblock in view is drawn here from above."
SELECTION_KEY: Final = 0
WIDEST: Final = 0.25
CLOSEST: Final = 400.0
"""Least and greatest scale, in pixels per metre."""

MARK_ZOOM: Final = 20.0
"""Scale, in pixels per metre, from which the marks of statics have their full size."""
LEAST_MARK: Final = 0.45
WALKED: Final = 4.0
"""Pixels that the player's mark may move before the names around it are chosen again."""
MARK_CORNER: Final = QPointF(13.0, 13.0)
"""From the middle of the player's mark to the corner of a box that holds it however it turns, and `WALKED` more."""

THING_RADIUS: Final = 5.0
GROUND, BUILDINGS, CELLS, PORTALS, THINGS, LABELS = range(6)


class MapView(PanZoomView):
    """Shows a plan and emits what the user clicks."""

    chosen = Signal(object)
    hovered = Signal(object)
    menu_opening = Signal(object, object)
    """The context menu, and what is under the mouse: others add entries for that."""
    shown = Signal()
    """The map has become visible."""
    rebuilt = Signal()
    """All items are new: others add theirs again."""

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours = colours
        self._plan: Plan | None = None
        self._storey = -1
        self._selection: Selection | None = None
        self._hover: Selection | None = None
        self._stab: frozenset[int] = frozenset()
        self._cell_items: dict[int, QGraphicsPathItem] = {}
        self._thing_items: dict[tuple[bool, int], QGraphicsPathItem] = {}
        self._building_items: dict[int, QGraphicsPathItem] = {}
        self.labels = MapLabels(self.scene(), LABELS)
        self._labelled_at = 0.0
        """Scale for which the visible labels were chosen."""
        self._labelled_around = QPointF()
        """Where the player's mark was then."""
        self._player: tuple[float, float, float] | None = None
        self._lost = False
        self._mark: QGraphicsPathItem | None = None
        self._waiting: Callable[[], Plan] | None = None
        """Builds the plan after edits made while the map was hidden."""
        self.setObjectName("map")
        self.setAccessibleName("Map of the landblock")
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setBackgroundBrush(QColor(colours.sheet))

    # --- content

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        self.setBackgroundBrush(QColor(colours.sheet))
        self._rebuild()

    def set_plan(self, plan: Plan | None) -> None:
        """Show another landblock, framed whole."""
        self._plan = plan
        self._waiting = None
        self._storey = -1
        self._stab = frozenset()
        self._rebuild()
        self.fit()

    @property
    def plan(self) -> Plan | None:
        """The plan on show."""
        return self._plan

    @property
    def storey(self) -> int:
        """The storey that is shown clearly; −1 for all."""
        return self._storey

    def plan_of(self, landblock_id: int) -> Plan | None:
        """The plan on show, if it is that landblock's."""
        return self._plan if self._plan is not None and self._plan.landblock_id == landblock_id else None

    def update_plan(self, make: Callable[[], Plan]) -> None:
        """Show the same landblock after an edit, from the same view; the plan is built once the map is visible."""
        self._waiting = make
        if self.isVisible():
            self._make_waiting()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit()
        self._make_waiting()
        self._restyle()
        if self.is_fitted:
            self.fit()

    def _make_waiting(self) -> None:
        if self._waiting is not None:
            self._plan, self._waiting = self._waiting(), None
            self._rebuild()

    def set_player(self, place: tuple[float, float, float] | None, *, lost: bool = False) -> None:
        """Mark the player at x and y in this landblock with his heading; None when he is elsewhere. `lost`: he is in no
        cell."""
        self._player, self._lost = place, lost
        mark = self._mark
        if mark is None:
            return
        mark.setVisible(place is not None)
        mark.setBrush(QColor(self._colours.fault if lost else self._colours.current))
        mark.setToolTip("■ The player is lost: no cell holds the player here" if lost else "The player")
        if place is not None:
            mark.setPos(place[0], -place[1])
            mark.setRotation(place[2])
        if self.isVisible() and self._has_walked(mark):
            self._show_labels()

    def _add_mark(self) -> None:
        """Add an arrow head above everything, in the colour of the current cell."""
        mark = QGraphicsPathItem(path_of(((0.0, 9.0), (6.0, -6.0), (0.0, -2.5), (-6.0, -6.0))))
        mark.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        mark.setPen(pen_of(self._colours.window, 1.5))
        mark.setZValue(LABELS + 1)
        mark.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.scene().addItem(mark)
        self._mark = mark
        self.set_player(self._player, lost=self._lost)

    def set_storey(self, storey: int) -> None:
        """Show one storey clearly and the others faintly; −1 shows all alike."""
        self._storey = storey
        self._rebuild()

    def set_selection(self, selection: Selection | None, stab: frozenset[int]) -> None:
        """Mark the selection, and the cells in the stab list of a selected cell."""
        is_other = selection != self._selection
        self._selection = selection
        self._stab = stab
        self._restyle()
        if is_other:
            self._show_labels()

    def set_hover(self, selection: Selection | None) -> None:
        if selection != self._hover:
            self._hover = selection
            self._restyle()

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Write a hint while there is no plan."""
        if self._plan is None:
            write_instead(self, painter, EMPTY, self._colours.dim)

    def _rebuild(self) -> None:
        self.viewport().update()
        scene = self.scene()
        scene.clear()
        self._cell_items = {}
        self._thing_items = {}
        self._building_items = {}
        self.labels.clear()
        self._mark = None
        plan = self._plan
        if plan is None:
            return
        if plan.ground is not None:
            self._add_ground(plan.ground)
        for building in plan.buildings:
            item = QGraphicsPathItem(path_of(building.outline))
            item.setZValue(BUILDINGS)
            item.setData(SELECTION_KEY, Selection(Kind.BUILDING, plan.landblock_id, building.key))
            item.setToolTip(plain_lines(f"Building {building.name}"))
            scene.addItem(item)
            self._building_items[building.key] = item
        for cell in sorted(plan.cells, key=lambda cell: cell.low):
            self._add_cell(cell)
        for portal in plan.portals:
            self._add_portal(portal)
        for thing in plan.things:
            self._add_thing(thing)
        self._add_mark()
        self._restyle()
        self._show_labels()
        scene.setSceneRect(scene.itemsBoundingRect())
        self.rebuilt.emit()

    def _add_ground(self, ground: PlanGround) -> None:
        image = ground_image(ground, self._colours)
        item = self.scene().addPixmap(QPixmap.fromImage(image))
        item.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        item.setTransform(QTransform.fromScale(BLOCK_METRES / image.width(), BLOCK_METRES / image.height()))
        item.setPos(0.0, -BLOCK_METRES)
        item.setZValue(GROUND)
        item.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        for line in range(1, int(BLOCK_METRES / CELL_METRES)):
            at = line * CELL_METRES
            for x1, y1, x2, y2 in ((at, 0.0, at, -BLOCK_METRES), (0.0, -at, BLOCK_METRES, -at)):
                self.scene().addLine(x1, y1, x2, y2, pen_of(self._colours.line, 0)).setZValue(GROUND + 0.1)

    def _add_cell(self, cell: PlanCell) -> None:
        plan = self._plan
        if plan is None:
            return
        item = QGraphicsPathItem(path_of(cell.outline))
        item.setZValue(CELLS + cell.low * 1e-4)
        item.setData(SELECTION_KEY, Selection(Kind.CELL, plan.landblock_id, cell.cell_id))
        fault = "\n■ has faults" if cell.severity is Severity.ERROR else ""
        sun = "\n☀ sees the outdoors" if cell.seen_outside else ""
        named = f" {cell.name}" if cell.name else ""
        item.setToolTip(plain_lines(f"0x{cell.cell_id:08X}{named}\nz {cell.low:.3f} to {cell.high:.3f}{sun}{fault}"))
        self.scene().addItem(item)
        self._cell_items[cell.cell_id] = item
        if self._on_storey(cell.low):
            box = item.path().boundingRect()
            number, light = f"{cell.cell_id & 0xFFFF:04X}", " ☀" if cell.seen_outside else ""
            label = PlateLabel(f"{number}{named}{light}", box.center(), self._colours.text, self._colours)
            label.short = f"{number}{light}"
            self.labels.add_room(label, item.data(SELECTION_KEY), box)

    def _add_portal(self, portal: PlanPortal) -> None:
        colour, width = {
            PortalTarget.INTERIOR: (self._colours.interior_portal, 2.0),
            PortalTarget.EXIT: (self._colours.exit_portal, 3.0),
            PortalTarget.BUILDING: (self._colours.building_portal, 5.0),
        }[portal.kind]
        item = QGraphicsPathItem(path_of(portal.points))
        if portal.kind is PortalTarget.BUILDING:
            # Add a double line; the room's own opening is drawn over its middle.
            item.setZValue(PORTALS - 0.5)
        else:
            item.setZValue(PORTALS)
        pen = pen_of(colour, width)
        if len(portal.points) > 2:
            pen.setStyle(Qt.PenStyle.DashLine)
            pen.setWidthF(1.0)
        item.setPen(pen)
        item.setOpacity(1.0 if self._on_storey(portal.low) else 0.15)
        item.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        self.scene().addItem(item)

    def _add_thing(self, thing: PlanThing) -> None:
        plan = self._plan
        if plan is None:
            return
        path = QPainterPath()
        r = THING_RADIUS
        if thing.kind == "door":
            path.addRect(QRectF(-r * 1.6, -r * 0.5, r * 3.2, r))
        elif thing.is_entity:
            path.addEllipse(QPointF(0.0, 0.0), r, r)
            path.moveTo(0.0, -r)
            path.lineTo(0.0, -r * 2.0)
        else:
            path.addRect(QRectF(-r * 0.5, -r * 0.5, r, r))
        item = QGraphicsPathItem(path)
        item.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        item.setPos(thing.place[0], -thing.place[1])
        item.setRotation(thing.heading)
        item.setZValue(THINGS)
        kind = Kind.ENTITY if thing.is_entity else Kind.STATIC
        item.setData(SELECTION_KEY, Selection(kind, plan.landblock_id, thing.key))
        item.setToolTip(plain_lines(f"{plain(thing.name)}\n{thing.kind}, z {thing.height:.3f}"))
        item.setOpacity(1.0 if self._on_storey(thing.height) else 0.2)
        self.scene().addItem(item)
        self._thing_items[(thing.is_entity, thing.key)] = item
        if thing.is_entity and self._on_storey(thing.height):
            label = PlateLabel(thing.name, item.pos(), self._colours.current, self._colours)
            self.labels.add_thing(label, item.data(SELECTION_KEY), THING_RADIUS * 2.0 + 2.0)

    def _on_storey(self, height: float) -> bool:
        return self._storey < 0 or self._plan is None or self._plan.storey_of(height) == self._storey

    def _restyle(self) -> None:
        """Update colours and outlines for selection, hover and stab list."""
        plan = self._plan
        if plan is None or not self.isVisible():
            return
        for cell in plan.cells:
            self._style_cell(cell, self._cell_items[cell.cell_id])
        for key, item in self._building_items.items():
            chosen = self._selection == Selection(Kind.BUILDING, plan.landblock_id, key)
            item.setPen(pen_of(self._colours.selected if chosen else self._colours.neither, 3.0 if chosen else 1.0))
            item.setBrush(QColor(self._colours.raised))
        for thing in plan.things:
            kind = Kind.ENTITY if thing.is_entity else Kind.STATIC
            mine = Selection(kind, plan.landblock_id, thing.key)
            colour = self._colours.current if thing.is_entity else self._colours.neither
            shape = self._thing_items[(thing.is_entity, thing.key)]
            marked = mine in (self._selection, self._hover)
            shape.setPen(pen_of(self._colours.selected if marked else self._colours.window, 2.0 if marked else 1.0))
            shape.setBrush(QColor(colour))

    def _style_cell(self, cell: PlanCell, item: QGraphicsPathItem) -> None:
        plan = self._plan
        mine = Selection(Kind.CELL, plan.landblock_id if plan else 0, cell.cell_id)
        colours = self._colours
        fill = QColor(colours.stab if cell.cell_id in self._stab else colours.neither)
        fill.setAlpha(70 if cell.cell_id in self._stab else 45)
        line, width = (colours.stab, 1.5) if cell.cell_id in self._stab else (colours.neither, 1.0)
        if mine == self._hover:
            fill.setAlpha(110)
        if mine == self._selection:
            line, width = colours.selected, 3.0
            fill.setAlpha(120)
        item.setPen(pen_of(line, width))
        if cell.severity is Severity.ERROR:
            item.setBrush(QBrush(QColor(colours.fault), Qt.BrushStyle.BDiagPattern))
        else:
            item.setBrush(fill)
        item.setOpacity(1.0 if self._on_storey(cell.low) or mine == self._selection else 0.15)

    # --- framing

    def limits(self) -> tuple[float, float]:
        return WIDEST, CLOSEST

    def content(self) -> QRectF:
        """Bounds of rooms and buildings if there are any, else of all ground."""
        box = QRectF()
        for item in (*self._building_items.values(), *self._cell_items.values()):
            box = box.united(item.path().boundingRect())
        return _with_margin(self.scene().itemsBoundingRect() if box.isNull() else box)

    def frame_all(self) -> None:
        self.fit()

    def frame_selection(self) -> None:
        item = self._selected_item()
        if item is None:
            self.fit()
        elif item.flags() & QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations:
            self.frame(_with_margin(QRectF(item.pos() - QPointF(6.0, 6.0), item.pos() + QPointF(6.0, 6.0))))
        else:
            # Use the path: the bounding rectangle counts a pen of three pixels as three metres.
            self.frame(_with_margin(item.path().boundingRect()))

    def _selected_item(self) -> QGraphicsPathItem | None:
        selection = self._selection
        if selection is None:
            return None
        if selection.kind is Kind.CELL:
            return self._cell_items.get(selection.key)
        if selection.kind is Kind.BUILDING:
            return self._building_items.get(selection.key)
        return self._thing_items.get((selection.kind is Kind.ENTITY, selection.key))

    def pixels_per_metre(self) -> float:
        return self.pixels_per_unit()

    def view_changed(self) -> None:
        if self.pixels_per_unit() != self._labelled_at:
            self._show_labels()

    def _show_labels(self) -> None:
        """Choose the names that have room at this scale; small marks shrink when seen from far away."""
        scale = self._labelled_at = self.pixels_per_unit()
        if self._mark is not None:
            self._labelled_around = self._mark.pos()
        small = min(max(scale / MARK_ZOOM, LEAST_MARK), 1.0)
        for (is_entity, _), item in self._thing_items.items():
            item.setScale(1.0 if is_entity else small)
        self.labels.arrange(scale, self.to_viewport, self._marks(), self._selection)

    def _has_walked(self, mark: QGraphicsPathItem) -> bool:
        """Whether the player's mark is far enough from where the names were chosen that it may cover one."""
        way = (mark.pos() - self._labelled_around) * self._labelled_at
        return mark.isVisible() and way.manhattanLength() > WALKED

    def _marks(self) -> list[QRectF]:
        """The boxes of the marks of entities and the player, in pixels."""
        boxes = []
        if self._mark is not None and self._mark.isVisible():
            at = self.to_viewport(self._mark.pos())
            boxes.append(QRectF(at - MARK_CORNER, at + MARK_CORNER))
        return boxes + [
            item.sceneTransform()
            .mapRect(item.path().boundingRect())
            .translated(self.to_viewport(item.pos()) - item.pos())
            for (is_entity, _), item in self._thing_items.items()
            if is_entity and item.opacity() > 0.5
        ]

    # --- mouse and keys

    def selection_under(self, point: QPointF) -> Selection | None:
        """The selection that a click there would make: the topmost object of the shown storey."""
        for item in self.items(point.toPoint()):
            found = item.data(SELECTION_KEY)
            if isinstance(found, Selection) and item.opacity() > 0.5:
                return found
        return None

    def click_at(self, at: QPointF) -> None:
        self.chosen.emit(self.selection_under(at))

    def activate_at(self, at: QPointF) -> bool:
        if self.selection_under(at) is None:
            return False
        self.frame_selection()
        return True

    def hover_at(self, at: QPointF | None) -> None:
        self.hovered.emit(None if at is None else self.selection_under(at))

    def menu_at(self, at: QPoint, by_key: bool) -> None:
        menu = QMenu(self)
        menu.setObjectName("map-menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        self.menu_opening.emit(menu, self.selection_under(QPointF(at)))
        menu.addSeparator()
        menu.addAction("Frame Selection\tF", self.frame_selection)
        menu.addAction("Frame Everything\tHome", self.fit)
        menu.popup(self.viewport().mapToGlobal(at))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.chosen.emit(None)
        else:
            super().keyPressEvent(event)


def _with_margin(box: QRectF) -> QRectF:
    margin = max(box.width(), box.height()) * 0.08 + 1.0
    return box.adjusted(-margin, -margin, margin, margin)
