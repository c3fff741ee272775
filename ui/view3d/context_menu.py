"""Context menu for the point under the mouse in the 3D view."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from editor.authoring.catalogue import catalogue
from editor.authoring.dropping import floor_below
from editor.document.document import Document
from editor.models.doors import lock_door, lock_name, use_door, use_name, why_not_use
from editor.process.plain_text import action_text, plain_lines
from editor.session.session import Kind, Selection
from editor.view3d.manipulable import movable_of
from editor.view3d.manipulation import STAYS, why_not_duplicate
from editor.view3d.picked_selection import cell_selection_of, name_of_hit, selection_of
from editor.view3d.view import View3D
from engine.entities.door import Door
from engine.geometry.vec import Vec3, add, scale
from engine.render.picking.hits import Hit, PickMode
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation
from engine.visibility.root import PINNED
from engine.world.cells.ids import cell_text, is_env_cell
from engine.world.cells.landdefs import block_offset
from ui.view3d.viewport import Viewport

MOST: Final = 16
"""Most hits listed behind one pixel."""

WALKABLE: Final = 0.66
ASIDE: Final = 0.6
"""Metres between a clicked wall and the player or the eye put there."""

HEAD: Final = 1.6


def view_menu(viewport: Viewport, at: QPoint) -> QMenu:
    """The context menu for a point of the view."""
    viewing = viewport.viewing
    menu = QMenu(viewport)
    menu.setToolTipsVisible(True)
    x, y = viewport.pixel_of(QPointF(at))
    hit, sim = viewing.pick(x, y), viewing.sim
    if hit is not None and sim is not None:
        _add_hit(menu, viewport, "Select", hit)
        _add_cell(menu, viewport, hit)
    _add_portals(menu, viewport, x, y)
    _add_everything(menu, viewport, x, y)
    if hit is not None and sim is not None:
        _add_edits(menu, viewing, sim, hit)
        _add_here(menu, viewing, sim, hit)
    menu.addSeparator()
    frame = menu.addAction("Frame Selection\tF")
    frame.setEnabled(viewing.session.selection is not None)
    frame.triggered.connect(viewing.camera.frame_selection)
    menu.addAction("Frame Everything\tHome").triggered.connect(viewing.camera.frame_all)
    menu.addAction("Player's View\tTab").triggered.connect(viewing.camera.toggle_player)
    if viewing.viewer is not None and viewing.viewer.root_mode == PINNED:
        menu.addAction("Unpin the Root").triggered.connect(lambda: viewing.set_root_mode(None))
    if hit is not None:
        menu.addSeparator()
        _add_copies(menu, hit)
    return menu


def _add(menu: QMenu, text: str, slot: Callable[[], object], why_not: str = "") -> QAction:
    action = menu.addAction(action_text(text))
    action.setEnabled(not why_not)
    action.setToolTip(plain_lines(why_not))
    action.triggered.connect(lambda checked=False: slot())
    return action


# --- selecting


def _add_hit(menu: QMenu, viewport: Viewport, verb: str, hit: Hit) -> None:
    sim = viewport.viewing.sim
    if sim is not None:
        _add(menu, f"{verb} {name_of_hit(hit, sim)}".strip(), lambda: viewport.viewing.choose(hit))


def _add_cell(menu: QMenu, viewport: Viewport, hit: Hit) -> None:
    """Add entries for the hit's room: select it, enter it, look from it."""
    viewing = viewport.viewing
    room = cell_selection_of(hit)
    if room is not None and room.kind is Kind.CELL and is_env_cell(hit.cell_id):
        text = cell_text(hit.cell_id)
        _add(menu, f"Select Cell {text}", lambda: viewing.choose(hit, cell=True))
        _add(menu, f"Go into Cell {text}", lambda: viewing.camera.go_into(hit.cell_id))
        _add(menu, f"Pin the Root to {text}", lambda: viewing.pin(hit.cell_id))
    _add(menu, "Look from Here", lambda: _look_from(viewing, hit))


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


# --- edits


def _add_edits(menu: QMenu, viewing: View3D, sim: Simulation, hit: Hit) -> None:
    """Add edits of the hit object, which they select."""
    thing = movable_of(sim, selection_of(hit, sim))
    if thing is None:
        return
    handling, document = viewing.manipulation, viewing.document
    past = document.why_not_edit
    menu.addSeparator()

    def chosen(slot: Callable[[], object]) -> Callable[[], object]:
        def choose_first() -> None:
            viewing.choose(hit)
            slot()

        return choose_first

    door = sim.population.find(thing.id)
    if isinstance(door, Door):
        _add_door(menu, document, sim, door, past)
        _add(menu, "Who May Pass This Door?", chosen(partial(viewing.door_asked.emit, door.id)))

    stays = past or (STAYS if thing.is_player else "")
    _add(menu, f"Drop {thing.name} to the Floor\tEnd", chosen(handling.drop), past)
    _add(menu, f"Duplicate {thing.name}\tCtrl+D", chosen(handling.duplicate), past or why_not_duplicate(sim, thing))
    _add(menu, f"Delete {thing.name}\tDel", chosen(handling.delete), stays)


def _add_door(menu: QMenu, document: Document, sim: Simulation, door: Door, past: str) -> None:
    use, lock = use_name(door), lock_name(door)
    _add(menu, use, partial(document.edit, use, use_door(sim, door)), past or why_not_use(sim, door))
    _add(menu, lock, partial(document.edit, lock, lock_door(door)), past)


def _add_here(menu: QMenu, viewing: View3D, sim: Simulation, hit: Hit) -> None:
    """Add entries that put the player, or something new, at the hit point."""
    past = viewing.document.why_not_edit
    menu.addSeparator()
    _add(menu, "Teleport the Player Here", lambda: _teleport(viewing, sim, hit), past)
    below = menu.addMenu("Add Here")
    below.setEnabled(not past)
    for pattern in catalogue(sim):
        _add(below, pattern.title, partial(viewing.placing.put_on, hit, pattern))


def _teleport(viewing: View3D, sim: Simulation, hit: Hit) -> None:
    """Put the player's feet on the floor there, facing as the eye does."""
    x, y, z = _off_the_wall(hit)
    floor = floor_below(sim, hit.cell_id, (x, y, z))
    cell_id, point = (hit.cell_id, (x, y, z)) if floor is None else (floor.cell_id, floor.point)
    heading = 0.0 if viewing.viewer is None else viewing.viewer.rig.heading % 360.0
    if viewing.document.edit("Teleport Player", Teleport(cell_id, *point, heading)):
        viewing.session.select(Selection(Kind.ENTITY, hit.block_id, sim.player.id))


def _look_from(viewing: View3D, hit: Hit) -> None:
    """Put the eye there, at head height over a floor, facing as before."""
    viewer = viewing.viewer
    if viewer is not None:
        x, y, z = _off_the_wall(hit)
        rise = HEAD if hit.normal[2] >= WALKABLE else 0.0
        viewing.camera.stand_at(hit.cell_id, (x, y, z + rise), viewer.rig.heading, viewer.rig.pitch)


def _off_the_wall(hit: Hit) -> Vec3:
    """The hit point in its cell's landblock; a step in front of it at a wall."""
    point = add(hit.point, block_offset(hit.cell_id, hit.block_id))
    return point if hit.normal[2] >= WALKABLE else add(point, scale(hit.normal, ASIDE))


# --- copying


def _add_copies(menu: QMenu, hit: Hit) -> None:
    below = menu.addMenu("Copy")
    _add(below, f"Cell {cell_text(hit.cell_id)}", lambda: _copy(cell_text(hit.cell_id)))
    if hit.drawn is not None:
        model = cell_text(hit.drawn.model_id)
        _add(below, f"Object {cell_text(hit.object_id)}", lambda: _copy(cell_text(hit.object_id)))
        _add(below, f"Model {model}", lambda: _copy(model))
    place = "\t".join([cell_text(hit.cell_id), *(repr(part) for part in hit.point)])
    _add(below, "Position", lambda: _copy(place)).setToolTip("Cell, x, y, z at full precision, tab-separated")


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
