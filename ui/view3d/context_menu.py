"""Context menu for the point under the mouse in the 3D view."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu

from editor.authoring.catalogue import catalogue
from editor.document.document import Document
from editor.document.moving_player import move_player
from editor.models.doors import lock_door, lock_name, use_door, use_name, user_of, what_use_does, why_not_use
from editor.models.doors_ahead import is_usable, too_far
from editor.models.place_choices import COPY_PLACE, choices_at, portal_choice
from editor.places.place_text import map_text, place_text
from editor.places.standing import on_floor, why_not_floor
from editor.process.plain_text import action_text, plain_lines
from editor.session.session import Kind
from editor.view3d.dollhouse import WHOLE
from editor.view3d.manipulable import movable_of
from editor.view3d.manipulation import STAYS, why_not_duplicate
from editor.view3d.picked_selection import cell_selection_of, name_of_hit, selection_of
from editor.view3d.view import View3D
from engine.entities.door import Door
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import Vec3, add, scale
from engine.render.picking.hits import Hit, HitKind, PickMode
from engine.sim.edits.doors import UseDoor
from engine.sim.tick.simulation import Simulation
from engine.visibility.root import PINNED
from engine.world.cells.ids import cell_text, is_env_cell
from engine.world.cells.landdefs import block_offset
from ui.docks.place_menu import COPIES, copy_place, take
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
    if hit is not None:
        viewport.menu_opening.emit(menu, hit.cell_id, add(hit.point, block_offset(hit.cell_id, hit.block_id)))
    menu.addSeparator()
    frame = menu.addAction("Frame Selection\tF")
    frame.setEnabled(viewing.session.selection is not None)
    frame.triggered.connect(viewing.camera.frame_selection)
    menu.addAction("Frame Everything\tHome").triggered.connect(viewing.camera.frame_all)
    menu.addAction("Player's View\tTab").triggered.connect(viewing.camera.toggle_player)
    if viewing.dollhouse.is_on and viewing.dollhouse.part != WHOLE:
        _add(menu, "Show Whole Landblock", lambda: viewing.dollhouse.show_part(WHOLE))
    if viewing.viewer is not None and viewing.viewer.root_mode == PINNED:
        menu.addAction("Unpin the Root").triggered.connect(lambda: viewing.set_root_mode(None))
    if hit is not None:
        menu.addSeparator()
        _add_copies(menu, viewing, hit)
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
        sim = viewing.sim
        text = cell_text(hit.cell_id) if sim is None else sim.world.names.cell(hit.cell_id)
        _add(menu, f"Select Cell {text}", lambda: viewing.choose(hit, cell=True))
        _add(menu, f"Go into Cell {text}", lambda: viewing.camera.go_into(hit.cell_id))
        _add(menu, "Isolate This Cell", lambda: viewing.dollhouse.isolate_cell(hit.cell_id))
        _add(menu, f"Pin the Root to {text}", lambda: viewing.pin(hit.cell_id))
    _add(menu, "Look from Here", lambda: _look_from(viewing, hit))


def _add_portals(menu: QMenu, viewport: Viewport, x: float, y: float) -> None:
    there = {action.text() for action in menu.actions()}
    for mode in (PickMode.PORTAL, PickMode.APERTURE, PickMode.LANDCELL):
        found, sim = viewport.viewing.pick(x, y, mode), viewport.viewing.sim
        if found is None or sim is None or action_text(f"Select {name_of_hit(found, sim)}") in there:
            continue
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

    elif door is not None and is_usable(door):
        use = f"Use {thing.name}"
        action = _add(menu, use, partial(document.edit, use, UseDoor(thing.id, user_of(sim))), past)
        action.setToolTip(plain_lines(past or too_far(sim, door)))
    stays = past or (STAYS if thing.is_player else "")
    _add(menu, f"Drop {thing.name} to the Floor\tEnd", chosen(handling.drop), past)
    _add(menu, f"Duplicate {thing.name}\tCtrl+D", chosen(handling.duplicate), past or why_not_duplicate(sim, thing))
    _add(menu, f"Delete {thing.name}\tDel", chosen(handling.delete), stays)


def _add_door(menu: QMenu, document: Document, sim: Simulation, door: Door, past: str) -> None:
    use, lock = use_name(door), lock_name(door)
    why_not = past or why_not_use(sim, door)
    action = _add(menu, use, partial(document.edit, use, use_door(sim, door)), why_not)
    action.setToolTip(plain_lines(why_not or what_use_does(sim, door)))
    _add(menu, lock, partial(document.edit, lock, lock_door(door)), past)


def _add_here(menu: QMenu, viewing: View3D, sim: Simulation, hit: Hit) -> None:
    """Add entries that put the player, or something new, at the hit point."""
    past = viewing.document.why_not_edit
    menu.addSeparator()
    why_not = why_not_floor(hit.normal)
    _add(menu, "Stand Here", lambda: _stand(viewing, hit), past or (f"{why_not.capitalize()}." if why_not else ""))
    _add_stands(menu, viewing, sim, hit)
    below = menu.addMenu("Add Here")
    below.setEnabled(not past)
    for pattern in catalogue(sim):
        _add(below, pattern.title, partial(viewing.placing.put_on, hit, pattern))


def _stand(viewing: View3D, hit: Hit) -> None:
    """Put the player on the floor there, facing as the eye does."""
    viewer = viewing.viewer
    point = add(hit.point, block_offset(hit.cell_id, hit.block_id))
    heading = 0.0 if viewer is None else viewer.rig.heading % 360.0
    find = partial(on_floor, cell_id=hit.cell_id, point=point, normal=hit.normal, heading=heading)
    move_player(viewing.document, "Stand Here", find, shows=False)


def _add_stands(menu: QMenu, viewing: View3D, sim: Simulation, hit: Hit) -> None:
    """Add entries for the door, the portal and the room that were hit."""
    thing, room = selection_of(hit, sim), cell_selection_of(hit)
    choices = [] if thing is None else choices_at(sim, thing)
    if hit.kind is HitKind.PORTAL and hit.portal_index >= 0 and is_env_cell(hit.cell_id):
        choices.append(portal_choice(hit.cell_id, hit.portal_index))
    if room is not None and room != thing:
        choices += choices_at(sim, room)
    for choice in choices:
        _add(menu, choice.title, partial(take, viewing.document, choice), viewing.document.why_not_edit)


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


def _add_copies(menu: QMenu, viewing: View3D, hit: Hit) -> None:
    """Add entries that copy the point as a place, and what was hit in other forms."""
    heading = 0.0 if viewing.viewer is None else viewing.viewer.rig.heading % 360.0
    here = Frame(add(hit.point, block_offset(hit.cell_id, hit.block_id)), from_heading(heading))
    text = place_text(hit.cell_id, here)
    _add(menu, COPY_PLACE, lambda: _copy(text)).setToolTip(plain_lines(COPIES))
    below = menu.addMenu("Copy")
    names = viewing.document.names
    _add(below, f"Cell {names.cell(hit.cell_id)}", lambda: _copy(cell_text(hit.cell_id)))
    if hit.drawn is not None:
        model = cell_text(hit.drawn.model_id)
        _add(below, f"Object {cell_text(hit.object_id)}", lambda: _copy(cell_text(hit.object_id)))
        _add(below, f"Model {names.model(hit.drawn.model_id)}", lambda: _copy(model))
    thing = None if viewing.sim is None else selection_of(hit, viewing.sim)
    if thing is not None and viewing.sim is not None:
        _add(below, f"Place of {name_of_hit(hit, viewing.sim)}", partial(copy_place, viewing.document, thing))
    on_map = map_text(hit.block_id, hit.point[0], hit.point[1])
    _add(below, f"Map Coordinates {on_map}", lambda: _copy(on_map))
    place = "\t".join([cell_text(hit.cell_id), *(repr(part) for part in hit.point)])
    _add(below, "Position", lambda: _copy(place)).setToolTip("Cell, x, y, z at full precision, tab-separated")


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
