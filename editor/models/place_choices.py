"""Where the player can be put from a menu: at doors, before portals, in cells, at the demo's named spots; and the place
of anything as text to copy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from editor.document.moving_player import FindPlace
from editor.places.place_text import map_text, place_text
from editor.places.standing import at_door, at_portal, in_cell
from editor.session.session import Kind, Selection, Session
from editor.session.sources import DEMO
from engine.entities.door import Door
from engine.geometry.constants import BLOCK_LENGTH
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.physics.errors import PhysicsError
from engine.sim.script import StartPlace
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.landblock import Landblock
from engine.world.world import World

AT_DOOR: Final = "Stand at This Door"
BEHIND_DOOR: Final = "Stand Behind This Door"
IN_CELL: Final = "Stand in This Cell"
COPY_PLACE: Final = "Copy Place"


@dataclass(frozen=True)
class PlaceChoice:
    """An entry of a menu that moves the player: `step` is what undo calls it."""

    title: str
    step: str
    find: FindPlace


def choices_at(sim: Simulation, selection: Selection) -> list[PlaceChoice]:
    """Where he can be put at a thing."""
    if selection.kind is Kind.CELL:
        step = f"Stand in {cell_text(selection.key)}"
        return [PlaceChoice(IN_CELL, step, lambda sim: in_cell(sim, selection.key, _heading(sim)))]
    door = sim.population.find(selection.key) if selection.kind is Kind.ENTITY else None
    if not isinstance(door, Door):
        return []
    return [
        PlaceChoice(AT_DOOR, f"Stand at {door.name}", partial(_at_door, door.id, False)),
        PlaceChoice(BEHIND_DOOR, f"Stand Behind {door.name}", partial(_at_door, door.id, True)),
    ]


def portal_choice(cell_id: int, index: int) -> PlaceChoice:
    """Before a portal of a room."""
    step = f"Stand at Portal {index} of {cell_text(cell_id)}"
    return PlaceChoice("Stand at This Portal", step, lambda sim: at_portal(sim, cell_id, index))


def _at_door(door_id: int, is_behind: bool, sim: Simulation) -> StartPlace:
    door = sim.population.find(door_id)
    if not isinstance(door, Door):
        raise PhysicsError("that door is no longer there")
    return at_door(sim, door, is_behind=is_behind)


def _heading(sim: Simulation) -> float:
    return sim.player.steered.place.turn.heading()


def named_spots(session: Session) -> Iterator[PlaceChoice]:
    """The demo's named spots; other worlds have none."""
    if session.source != DEMO:
        return
    from engine.build.demo import SPOTS  # only the demo world needs the build package

    for name, spot in SPOTS.items():
        title = name.replace("_", " ").capitalize()
        place = StartPlace(spot.cell_id, spot.origin, spot.heading)
        yield PlaceChoice(title, f"Stand at {title}", partial(_at_spot, place))


def _at_spot(place: StartPlace, sim: Simulation) -> StartPlace:
    return place


def choices_in(sim: Simulation, block: Landblock) -> Iterator[PlaceChoice]:
    """Everything in a landblock that he can be put at, with titles that name it."""
    for door in sim.population.doors:
        if door.place_cell() >> 16 == block.id >> 16:
            yield from (
                PlaceChoice(step, step, find)
                for step, find in (
                    (f"Stand at {door.name}", partial(_at_door, door.id, False)),
                    (f"Stand Behind {door.name}", partial(_at_door, door.id, True)),
                )
            )
    for cell in block.env_cells:
        key = Selection(Kind.CELL, block.id, cell.id)
        yield from (PlaceChoice(choice.step, choice.step, choice.find) for choice in choices_at(sim, key))
        for index in range(len(cell.portals)):
            choice = portal_choice(cell.id, index)
            yield PlaceChoice(choice.step, choice.step, choice.find)


def text_of_place(world: World, sim: Simulation | None, selection: Selection) -> str:
    """The place of a thing as players write it; of a cell, where somebody stands in it; of a landblock, its middle on
    the map. Empty when it has none."""
    block = world.landblock(selection.landblock)
    if selection.kind is Kind.LANDBLOCK:
        return map_text(selection.key, BLOCK_LENGTH / 2.0, BLOCK_LENGTH / 2.0)
    if selection.kind is Kind.CELL:
        return _text_of_cell(world, sim, selection.key)
    if selection.kind is Kind.BUILDING:
        buildings = [] if block is None else block.buildings
        if not 0 <= selection.key < len(buildings):
            return ""
        return place_text(selection.landblock, buildings[selection.key].frame)
    entity = None if sim is None else sim.population.find(selection.key)
    if entity is not None:
        return place_text(entity.place_cell(), entity.place_frame()) if entity.place_cell() else ""
    if block is None:
        return ""
    for cell_id, statics in [(block.id, block.statics), *((cell.id, cell.static_objects) for cell in block.env_cells)]:
        for static in statics:
            if static.id == selection.key:
                return place_text(cell_id, static.frame)
    return ""


def _text_of_cell(world: World, sim: Simulation | None, cell_id: int) -> str:
    cell = world.graph.get_visible(cell_id)
    if sim is not None:
        try:
            place = in_cell(sim, cell_id)
        except PhysicsError:
            pass  # nobody can stand in it: its own origin
        else:
            x, y, z = place.origin
            frame = Frame((x, y, z + sim.player.sunk()), from_heading(place.heading))
            return place_text(place.cell_id, frame)
    return place_text(cell_id, cell.frame) if isinstance(cell, EnvCell) else ""
