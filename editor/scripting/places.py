"""Where somebody is put: a place in any of the forms that scripts take."""

from __future__ import annotations

from collections.abc import Mapping

from editor.places.place_text import read_place, seems_place
from editor.places.standing import at_door, at_written, in_cell
from editor.process.demo_name import DEMO
from editor.scripting.errors import RefusedError
from editor.scripting.values import Place
from engine.entities.door import Door
from engine.sim.script import StartPlace, parse_place
from engine.sim.tick.simulation import Simulation
from engine.world.faults import WorldError
from engine.world.loader.portal_scene import PortalSceneSource
from engine.world.names import Named
from engine.world.world import World

At = str | int | Place
"""A place; the id or the name of a cell, for a floor of it; `CELL,X,Y,Z,HEADING`; a place as players write it; in the
demo also the name of a spot."""


def start_place(sim: Simulation, source: str, at: At) -> StartPlace:
    """Where the feet stand; raises the engine's errors where nobody can."""
    if isinstance(at, Place):
        return StartPlace(at.cell, at.position, at.heading)
    if isinstance(at, int):
        return in_cell(sim, at)
    if not isinstance(at, str):
        raise TypeError(f"a place is a Place, the id of a cell or a text, not {at!r:.80}")
    spots = spots_of(source)
    if at not in spots:
        named = cells_named(sim.world, at)
        if named:
            return in_cell(sim, one_cell(sim.world, at))
        if seems_place(at):
            return at_written(sim, read_place(at))
    return parse_place(at, spots)


def before_door(sim: Simulation, door_id: int, *, behind: bool) -> StartPlace:
    sim.bring(door_id)
    door: Door = sim.population.door(door_id)
    return at_door(sim, door, is_behind=behind)


def spots_of(source: str) -> Mapping[str, StartPlace]:
    """The named places of the demo."""
    if source != DEMO:
        return {}
    from engine.build.demo import SPOTS  # what builds worlds is only loaded for the one that is built

    return {name: StartPlace(spot.cell_id, spot.origin, spot.heading) for name, spot in SPOTS.items()}


def cells_named(world: World, name: str) -> list[int]:
    return [key.id for key, given in world.names if key.kind is Named.CELL and given == name]


def one_cell(world: World, which: int | str) -> int:
    """The cell of an id or a name."""
    if isinstance(which, int):
        return int(which)
    if which[:2] in ("0x", "0X"):
        try:
            return int(which, 16)
        except ValueError as error:
            raise WorldError(f"{which!r} is not an id") from error
    scene = world.source.ids if isinstance(world.source, PortalSceneSource) else {}
    found = [scene[which]] if which in scene else cells_named(world, which)
    if len(found) != 1:
        raise RefusedError(f"there are {len(found)} cells {which!r} in {world.name}")
    return found[0]
