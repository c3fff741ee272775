"""What can be done with what lies under the mouse in the 3D view."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from editor.picked import cell_selection_of, name_of_hit
from editor.session import Kind
from engine.render.hits import Hit, PickMode
from engine.visibility.root import PINNED
from engine.world.cells.ids import cell_text, is_env_cell
from ui.viewport import Viewport

MOST: Final = 16
"""How much of what lies behind one pixel is listed."""


def view_menu(viewport: Viewport, at: QPoint) -> QMenu:
    """The menu for a point of the view."""
    viewing = viewport.viewing
    menu = QMenu(viewport)
    x, y = viewport.pixel_of(QPointF(at))
    hit = viewing.pick(x, y)
    if hit is not None:
        _add_hit(menu, viewport, "Select", hit)
        _add_cell(menu, viewport, hit)
    _add_portals(menu, viewport, x, y)
    _add_everything(menu, viewport, x, y)
    menu.addSeparator()
    frame = menu.addAction("Frame Selection\tF")
    frame.setEnabled(viewing.session.selection is not None)
    frame.triggered.connect(viewing.frame_selection)
    menu.addAction("Frame Everything\tHome").triggered.connect(viewing.frame_all)
    menu.addAction("Player's View\tTab").triggered.connect(viewing.toggle_player)
    if viewing.viewer is not None and viewing.viewer.root_mode == PINNED:
        menu.addAction("Unpin the Root").triggered.connect(lambda: viewing.set_root_mode(None))
    if hit is not None:
        menu.addSeparator()
        menu.addAction("Copy Point").triggered.connect(lambda: _copy(hit))
    return menu


def _add_hit(menu: QMenu, viewport: Viewport, verb: str, hit: Hit) -> None:
    sim = viewport.viewing.sim
    if sim is not None:
        action = menu.addAction(f"{verb} {name_of_hit(hit, sim)}".strip())
        action.triggered.connect(lambda checked=False: viewport.viewing.choose(hit))


def _add_cell(menu: QMenu, viewport: Viewport, hit: Hit) -> None:
    """The room it is in: to be selected, and to be looked from."""
    viewing = viewport.viewing
    room = cell_selection_of(hit)
    if room is None or room.kind is not Kind.CELL or not is_env_cell(hit.cell_id):
        return
    text = cell_text(hit.cell_id)
    menu.addAction(f"Select Cell {text}").triggered.connect(lambda: viewing.choose(hit, cell=True))
    menu.addAction(f"Pin the Root to {text}").triggered.connect(lambda: viewing.pin(hit.cell_id))


def _add_portals(menu: QMenu, viewport: Viewport, x: float, y: float) -> None:
    for mode in (PickMode.PORTAL, PickMode.APERTURE, PickMode.LANDCELL):
        found = viewport.viewing.pick(x, y, mode)
        if found is not None:
            _add_hit(menu, viewport, "Select", found)


def _add_everything(menu: QMenu, viewport: Viewport, x: float, y: float) -> None:
    hits = viewport.viewing.pick_through(x, y)
    if len(hits) < 2:
        return
    below = menu.addMenu(f"Everything Here ({len(hits)})")
    for hit in hits[:MOST]:
        _add_hit(below, viewport, f"{hit.t:6.2f} m  ", hit)


def _copy(hit: Hit) -> None:
    """The point at full precision, tab-separated, after its cell."""
    QGuiApplication.clipboard().setText("\t".join([cell_text(hit.cell_id), *(repr(part) for part in hit.point)]))
