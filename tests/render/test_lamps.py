"""Which lamps light a room and what is in it (rendering.md C5)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine.build.demo import SPOTS, ensure_demo
from engine.render.light import MOST_STATIC, away
from engine.render.membership import cells_of_sphere
from engine.render.scene import Scene
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.loader import open_world


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    world = open_world(ensure_demo())
    sim = Simulation(world)
    made = Scene(world, sim)
    yield made
    made.close()
    sim.close()
    world.close()


def stand(scene: Scene, spot: str) -> None:
    place = SPOTS[spot]
    assert scene.sim is not None
    scene.sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
    scene.update()


@pytest.mark.parametrize("spot", ["dungeon_start", "great_hall", "cellar", "inn_common_room", "street"])
def test_the_forty_nearest_lamps_in_the_players_stab_list_count_in_order(scene: Scene, spot: str) -> None:
    stand(scene, spot)
    cell = scene.world.graph.current
    assert cell is not None
    scene.parts_on_land(cell.id)
    lamps = scene.static_lights(cell.id)
    assert 0 < len(lamps) <= MOST_STATIC
    distances = [away(lamp, cell.id, cell.frame.origin) for lamp in lamps]
    assert distances == sorted(distances)
    if isinstance(cell, EnvCell) and not cell.seen_outside:
        assert all(home == cell.id or home in cell.stab_set for lamp in lamps for home in lamp.cells)


def test_walls_are_rebaked_only_when_the_number_of_lamps_changes(scene: Scene) -> None:
    stand(scene, "dungeon_start")
    start = SPOTS["dungeon_start"].cell_id
    lit, count = scene.shell(start), len(scene.static_lights(start))
    stand(scene, "ledge")
    there = scene.static_lights(SPOTS["ledge"].cell_id)
    assert len(there) != count
    dark = scene.shell(start)
    assert lit is not None
    assert dark is not None
    assert lit.light is not None
    assert dark.light is not None
    assert not np.array_equal(lit.light, dark.light), "the player's position decides which lamps light a room"
    assert scene.shell(start) is dark
    stand(scene, "dungeon_start")
    back = scene.shell(start)
    assert back is not None
    assert back.light is not None
    assert np.array_equal(back.light, lit.light)


def test_all_parts_of_a_static_thing_are_listed_in_the_same_cells(scene: Scene) -> None:
    """As in physics, for things that the player can collide with (rendering.md M6)."""
    stand(scene, "inn_common_room")
    sim = scene.sim
    assert sim is not None
    otherwise = 0
    block = scene.world.landblock(SPOTS["inn_common_room"].cell_id)
    assert block is not None
    things = [*block.statics, *(thing for cell in block.env_cells for thing in cell.static_objects)]
    for cell in block.cells:
        scene.parts_in(cell.id)
    for thing in things:
        parts = scene.parts_of(thing.id)
        assert len({part.cells for part in parts}) <= 1
        known = sim.population.registry.entities.get(thing.id)
        if known is not None and known.cell_ids and parts:
            assert parts[0].cells == tuple(known.cell_ids)
            sphere = parts[0].sphere
            reached = cells_of_sphere(scene.world.graph, parts[0].home, sphere.center, sphere.radius).cells
            otherwise += set(reached) != set(known.cell_ids)
    assert otherwise > 0, "a sphere around the whole gives another answer"
