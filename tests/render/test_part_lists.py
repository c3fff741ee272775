"""All cells of an object's list contain all parts of a static thing (rendering.md M6)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import pytest

from engine.build import Mesh, Model, Part, WorldBuilder, rect
from engine.build.models import Cylinder
from engine.build.shapes.solids import box, passable
from engine.render.membership import cells_of_sphere
from engine.render.scene import Scene
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation
from engine.world.world import World

BEAM, FOOT, KNOB = range(3)


def rack(way: str) -> Model:
    """A beam to the east, a foot at its beginning, and a knob at its end; `way` selects how its cells are found."""
    shapes = (
        box(0.0, -0.1, 1.0, 4.0, 0.2, 0.2, "wood"),
        box(0.0, -0.1, 0.0, 0.2, 0.2, 0.2, "wood"),
        box(3.9, -0.1, 1.0, 0.1, 0.1, 0.1, "wood"),
    )
    made = [
        Mesh.of(f"{way} {number}", faces if way == "boxes" else passable(faces)) for number, faces in enumerate(shapes)
    ]
    pillars = (Cylinder((2.0, 0.0, 0.0), 2.0, 1.5),) if way == "cylinders" else ()
    return Model(f"rack, {way}", tuple(Part(mesh) for mesh in made), cylinders=pillars)


@contextmanager
def rooms(way: str) -> Iterator[tuple[World, Scene, list[int]]]:
    """Four rooms in a row from west to east, with a rack from the second through the door into the third."""
    builder = WorldBuilder()
    row = [
        builder.room(name, rect(6.2 * x, 0.0, 6.0, 6.0))
        for x, name in enumerate(("far west", "west", "east", "far east"))
    ]
    for first, second in pairwise(row):
        builder.doorway(first, second)
    row[1].put(rack(way), (10.5, 3.0))
    built = builder.build()
    ids = [built.cell_id(name) for name in ("far west", "west", "east", "far east")]
    sim = Simulation(built.load())
    world = sim.world
    sim.apply_edit(Teleport(ids[1], 7.0, 1.0, 0.0, 0.0))
    scene = Scene(world, sim)
    yield world, scene, ids
    scene.close()
    sim.close()
    world.loaded.close()


@pytest.mark.parametrize("way", ["boxes", "cylinders", "spheres"])
def test_both_sides_of_a_door_list_all_parts_of_a_rack_through_it(way: str) -> None:
    with rooms(way) as (world, scene, (far_west, west, east, far_east)):
        for cell_id in (far_west, west, east, far_east):
            scene.parts_in(cell_id)
        block = world.landblock(west)
        assert block is not None
        (thing,) = [thing for cell in block.env_cells for thing in cell.static_objects]
        parts = scene.parts_of(thing.id)
        assert [part.part for part in parts] == [BEAM, FOOT, KNOB]
        cells = parts[BEAM].cells
        assert {west, east} <= set(cells)
        assert not {far_west, far_east} & set(cells)
        assert all(part.cells == cells for part in parts)
        for cell_id in cells:
            assert [part.part for part in scene.parts_in(cell_id) if part.object_id == thing.id] == [BEAM, FOOT, KNOB]
        foot = parts[FOOT].sphere
        assert cells_of_sphere(world.graph, west, foot.center, foot.radius).cells == (west,), "it reaches no other room"
        known = None if scene.sim is None else scene.sim.population.registry.entities.get(thing.id)
        assert (known is None) == (way == "spheres")
        assert known is None or tuple(known.cell_ids) == cells
