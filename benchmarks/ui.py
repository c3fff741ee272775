"""`bench ui`, its part on the cell graph: dragging 300 cells and their portals, frame by frame, and laying them out.

The graph is shown on a window of 1200 x 900 with the mouse events of a hand; a frame is a mouse event and the painting
that it leads to.
"""

from __future__ import annotations

import math
import os
import random
import time
from statistics import median

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from benchmarks.figures import Figure, best_of
from editor.maps.landblock_plan import PortalTarget
from editor.models.graph.cell_graph import CellGraphPicture, GraphEdge, GraphNode, PortalRef, VisibleRooms
from editor.models.graph.layout import NodeSpot, lay_out
from editor.session.session import Kind, Selection
from ui.docks.graph.view import GraphView
from ui.theme.theme import DARK, apply_theme

CELLS = 300
STOREYS = 3
ACROSS = 10
FRAMES = 240
FRAME_LIMIT = 16.0
BLOCK = 0x0007FFFF


def figures(core: str) -> list[Figure]:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    if isinstance(application, QApplication):
        apply_theme(application, DARK)
    spots = _spots()
    laid_out = best_of(3, lambda: lay_out(spots, STOREYS)) * 1000.0
    view = GraphView(DARK)
    view.resize(1200, 900)
    view.set_graph(_picture(spots), fit=True)
    view.set_sight(VisibleRooms(BLOCK & 0xFFFF0000 | 0x100, {0x00070100 + n: n for n in range(1, 40)}, frozenset()))
    view.show()
    application.processEvents()
    found = [Figure(f"layout of {CELLS} cells", laid_out, "ms")]
    for name, zoom in (("all in view", view.zoom()), ("ids readable", 0.5)):
        view.zoom_about(view.middle(), zoom / view.zoom())
        times = sorted(_drag(view))
        nearly_all = times[len(times) * 95 // 100]
        found += [
            Figure(f"drag of {CELLS} cells, {name}, median", median(times), "ms", FRAME_LIMIT, FRAME_LIMIT),
            Figure(f"drag of {CELLS} cells, {name}, 95th percentile", nearly_all, "ms", FRAME_LIMIT, FRAME_LIMIT),
            Figure(f"drag of {CELLS} cells, {name}, longest", times[-1], "ms"),
        ]
    view.close()
    return found


def _spots() -> list[NodeSpot]:
    """Rooms about 5 m apart on three storeys, none of them quite in line."""
    chance = random.Random(7)
    each = CELLS // STOREYS
    return [
        NodeSpot(
            (index % each % ACROSS) * 5.0 + chance.uniform(-1.5, 1.5),
            (index % each // ACROSS) * 5.0 + chance.uniform(-1.5, 1.5),
            index // each,
        )
        for index in range(CELLS)
    ]


def _picture(spots: list[NodeSpot]) -> CellGraphPicture:
    """Every room is joined to the next ones east, north and above, and every tenth has an exit."""
    picture = CellGraphPicture(BLOCK)
    keys = [Selection(Kind.CELL, BLOCK, 0x00070100 + index) for index in range(CELLS)]
    places = lay_out(spots, STOREYS)
    for key, spot, (x, y) in zip(keys, spots, places, strict=True):
        picture.nodes[key] = GraphNode(key, f"0x{key.key:08X}", spot.storey, x, y, key.key % 3 == 0, None)
    each = CELLS // STOREYS
    for index, key in enumerate(keys):
        steps = [1] if index % ACROSS < ACROSS - 1 else []
        steps += [ACROSS] if index % each < each - ACROSS else []
        steps += [each] if index % 25 == 0 and index + each < CELLS else []
        for step in steps:
            end = keys[index + step]
            picture.edges.append(GraphEdge(PortalTarget.INTERIOR, key, end, (PortalRef(key, 0), PortalRef(end, 0))))
        if index % 10 == 0:
            picture.edges.append(GraphEdge(PortalTarget.EXIT, key, None, (PortalRef(key, 9),), towards=(-1.0, 0.0)))
    return picture


def _drag(view: GraphView) -> list[float]:
    """Milliseconds for each frame while the mouse moves in circles."""
    port = view.viewport()
    middle = QPoint(600, 450)
    _send(view, QEvent.Type.MouseButtonPress, middle)
    times = []
    for frame in range(FRAMES):
        angle = frame * math.tau / 60.0
        at = middle + QPoint(round(180.0 * math.sin(angle)), round(140.0 * (1.0 - math.cos(angle))))
        start = time.perf_counter()
        _send(view, QEvent.Type.MouseMove, at)
        port.repaint()
        times.append((time.perf_counter() - start) * 1000.0)
    _send(view, QEvent.Type.MouseButtonRelease, middle)
    return times[2:]  # the first two go to setting off


def _send(view: GraphView, kind: QEvent.Type, at: QPoint) -> None:
    button = Qt.MouseButton.RightButton
    pressed = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseButtonRelease else button
    port = view.viewport()
    event = QMouseEvent(
        kind, QPointF(at), QPointF(port.mapToGlobal(at)), button, pressed, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(port, event)
