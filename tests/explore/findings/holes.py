"""Small worlds with a hole in them, and without."""

from __future__ import annotations

from collections.abc import Callable

from engine.build import WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.explore.findings.escapes import Escape, EscapeRules
from engine.explore.findings.trial import Stand, Start, Trial
from engine.geometry.compile.physics import compile_physics
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.world import World
from tests.sim.helpers.small_worlds import open_all

EAST, NORTH, WEST, SOUTH = 90.0, 0.0, 270.0, 180.0
AHEAD = Controls(forward=1.0)


def side_by_side() -> WorldBuilder:
    """Two rooms that share a wall, and no way between them."""
    world = WorldBuilder()
    world.room("west", rect(0, 0, 4, 4))
    world.room("east", rect(4, 0, 4, 4))
    annex = world.room("annex", rect(0, 4, 4, 4))
    world.open_wall(world.rooms.rooms["west"], annex)
    yard = world.room("yard", rect(4, 4, 4, 4))
    world.open_wall(world.rooms.rooms["east"], yard)
    return world


def without(world: World, cell_id: int, is_left_out: Callable[[Polygon], bool]) -> World:
    """The world with a room that has not all of its solid polygons."""
    room = world.graph.get_visible(cell_id)
    assert isinstance(room, EnvCell)
    solid = list(room.structure.physics_polygons.values())
    left = [polygon for polygon in solid if not is_left_out(polygon)]
    assert len(left) < len(solid)
    ways = [portal.polygon for portal in room.portals if portal.polygon is not None]
    room.physics_tree = compile_physics(left, openings=ways, room=True)
    return world


def faces(normal: Vec3) -> Callable[[Polygon], bool]:
    """Says of polygons whether they face that way."""
    return lambda polygon: all(abs(a - b) < 1e-3 for a, b in zip(polygon.normal, normal, strict=True))


def opened(world: World) -> Simulation:
    """A simulation with everything in it."""
    sim = open_all(Simulation(world))
    for block_id in world.landblock_ids():
        sim.surroundings.join(block_id)
    return sim


def escapes(sim: Simulation, start: Start, keys: list[Controls]) -> list[Escape]:
    """All that is told of a run."""
    trial = Trial(sim)
    rules: EscapeRules | None = None
    found: list[Escape] = []
    before: Stand | None = None
    for stand in trial.run(start, keys):
        rules = rules or EscapeRules(sim)
        if before is not None:
            found += rules.of_step(before, stand)
        before = stand
    assert before is not None, "there is no room at the start"
    return found


def begins(built: BuiltWorld, room: str, at: Vec3, heading: float) -> Start:
    return Start(built.cell_id(room), at, heading)
