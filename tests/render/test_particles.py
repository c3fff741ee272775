"""The position of a particle follows from the time alone; particles are listed in the cells of their object
(rendering.md 13.3)."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from engine.build import Emitter, Mesh, Model, Part, WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.build.demo import ensure_demo
from engine.build.demo.things import puff
from engine.build.materials import Material
from engine.build.shapes.solids import box
from engine.dat.records import ParticleEmitter
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.render.draws import FACE_VIEWER, ParticleDraw
from engine.render.materials import SubsetKind
from engine.render.particles import EmitterHost, Emitters, particle_draw
from engine.render.parts import Shapes
from engine.render.scene import Scene
from engine.sim.edits.entities import MoveEntity
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.loader import open_world
from engine.world.world import World
from tests.sim.helpers.small_worlds import open_all

EAST = from_heading(90.0)


def brazier() -> Model:
    bowl = Mesh.of("bowl", box(-0.2, -0.2, 0.0, 0.4, 0.4, 0.3, "stone"))
    smoke = Emitter(puff(), (0.0, 0.0, 0.3), every=0.5, life=2.0, velocity=(0.0, 0.2, 1.0), spread=0.1, size=(0.2, 1.0))
    return Model("brazier", (Part(bowl),), emitters=(smoke,))


@cache
def built() -> BuiltWorld:
    world = WorldBuilder()
    world.define(Material("smoke", blended=True, two_sided=True))
    hall = world.room("hall", rect(0, 0, 6, 6))
    study = world.room("study", rect(6.2, 0, 6, 6))
    world.doorway(hall, study)
    hall.put(brazier(), (2, 3), 90.0)
    world.entity("Brazier", "brazier", brazier(), study, (9, 4))
    return world.build()


def in_the_hall(scene: Scene) -> ParticleDraw:
    (found,) = scene.particles_in(built().cell_id("hall"))
    return found


@pytest.fixture
def world() -> World:
    world = built().load()
    for block_id in world.landblock_ids():
        world.landblock(block_id)
    return world


def test_smoke_is_in_the_air_from_the_first_moment(world: World) -> None:
    smoke = in_the_hall(Scene(world))
    assert 3 <= len(smoke.origins) <= 5
    assert (smoke.billboard, smoke.materials[0].kind) == (FACE_VIEWER, SubsetKind.BLENDED)
    assert len(smoke.scales) == len(smoke.alphas) == len(smoke.origins)


def test_a_moment_looks_the_same_whatever_was_drawn_before(world: World) -> None:
    scene, other = Scene(world), Scene(world)
    scene.seconds = 100.0
    scene.particles_in(built().cell_id("hall"))
    scene.seconds = other.seconds = 7.25
    a, b = in_the_hall(scene), in_the_hall(other)
    assert np.array_equal(a.origins, b.origins)
    assert np.array_equal(a.scales, b.scales)
    assert np.array_equal(a.alphas, b.alphas)


def test_a_particle_rises_grows_and_fades_with_a_birth_every_half_second(world: World) -> None:
    scene = Scene(world)
    scene.seconds = 10.0
    before = in_the_hall(scene)
    scene.seconds = 10.25
    after = in_the_hall(scene)
    assert before is not after
    # The youngest particle of both pictures is the same one, born at 10.0.
    assert after.origins[-1, 2] > before.origins[-1, 2]
    assert after.scales[-1] > before.scales[-1]
    assert after.alphas[-1] < before.alphas[-1]
    scene.seconds = 10.5
    assert in_the_hall(scene).origins[-1, 2] == pytest.approx(before.origins[-1, 2], abs=0.05)


def test_particles_are_listed_only_in_the_cells_of_their_object(world: World) -> None:
    sim = open_all(Simulation(world))
    scene = Scene(world, sim)
    in_study = scene.particles_in(built().cell_id("study"))
    entity = world.entities[0]
    assert [smoke.object_id for smoke in in_study] == [entity.guid]
    assert in_study[0].cells == (built().cell_id("study"),)
    sim.apply_edit(MoveEntity(entity.guid, built().cell_id("hall"), *_hall_place(world), 0.0))
    scene.update()
    assert scene.particles_in(built().cell_id("study")) == []
    assert len(scene.particles_in(built().cell_id("hall"))) == 2
    sim.close()


def test_a_thing_in_two_rooms_lists_its_smoke_only_in_its_own(world: World) -> None:
    """A thing in a doorway is listed on both sides of it; an emitter is not (rendering.md C14)."""
    sim = Simulation(world)
    world = sim.world
    scene = Scene(world, sim)
    guid = world.entities[0].guid
    hall, study = built().cell_id("hall"), built().cell_id("study")
    room = world.graph.get_visible(hall)
    assert isinstance(room, EnvCell)
    door = room.portals[0].polygon
    assert door is not None
    xs, ys = [v[0] for v in door.vertices], [v[1] for v in door.vertices]
    sim.apply_edit(MoveEntity(guid, study, max(xs) + 0.25, (min(ys) + max(ys)) / 2.0, 0.0, 0.0))
    scene.update()
    assert hall in sim.population.registry.cells_of(guid)
    assert guid in [smoke.object_id for smoke in scene.particles_in(study)]
    assert guid not in [smoke.object_id for smoke in scene.particles_in(hall)]
    sim.close()


def _hall_place(world: World) -> tuple[float, float, float]:
    hall = world.graph.get_visible(built().cell_id("hall"))
    assert hall is not None
    return hall.frame.local_to_global((1.0, 1.0, 0.0))


def test_the_sphere_encloses_every_particle_however_it_turns(world: World) -> None:
    smoke = in_the_hall(Scene(world))
    half_diagonal = math.sqrt(0.5)
    for origin, scale in zip(smoke.origins, smoke.scales, strict=True):
        away = math.dist(tuple(origin), smoke.sphere.center)
        assert away + half_diagonal * scale <= smoke.sphere.radius + 1e-5


# --- the record's numbers


def record(**changes: float | int | tuple[float, float, float]) -> ParticleEmitter:
    made = ParticleEmitter(
        0x32000001,
        0,
        1,
        2,
        0x01000001,
        0x01000001,
        1.0,
        10,
        0,
        0,
        0.0,
        3.0,
        0.0,
        (0.0, 0.0, 1.0),
        0.0,
        0.0,
        (0.0, 1.0, 0.0),
        1.0,
        1.0,
        (0.0, 0.0, 2.0),
        1.0,
        1.0,
        (0.0, 0.0, 0.0),
        0.0,
        0.0,
        1.0,
        3.0,
        0.0,
        0.0,
        0.5,
        0.0,
        0,
    )
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def drawn(world: World, made: ParticleEmitter, seconds: float, scale: float = 1.0) -> ParticleDraw | None:
    setup = world.setup(world.entities[0].setup_id)
    assert setup is not None
    (emitter,) = Emitters(world, Shapes(world)).of_script(setup.default_script)
    here = EmitterHost(1, setup, Frame((10.0, 20.0, 5.0), EAST), scale, [], built().cell_id("hall"), 1)
    return particle_draw(replace(emitter, record=made, frame=Frame()), here, seconds)


def test_local_velocity_turns_with_the_object_and_global_does_not(world: World) -> None:
    local = drawn(world, record(), 0.5)
    fixed = drawn(world, record(particle_type=12), 0.5)
    assert local is not None
    assert fixed is not None
    # Of the particles born at -2, -1 and 0 s, the last is half a second old.
    assert local.origins[-1].tolist() == pytest.approx([10.5, 20.0, 5.0])
    assert fixed.origins[-1].tolist() == pytest.approx([10.0, 20.5, 5.0])
    assert local.scales[-1] == pytest.approx(1.0 + 2.0 / 6.0)
    assert local.alphas[-1] == pytest.approx(1.0 - 0.5 / 6.0)


def test_parabolic_particles_accelerate_and_scale_with_their_object(world: World) -> None:
    falling = drawn(world, record(particle_type=3), 0.5, scale=2.0)
    assert falling is not None
    assert falling.origins[-1].tolist() == pytest.approx([11.0, 20.0, 5.0 + 2.0 * 0.25])
    assert falling.scales[-1] == pytest.approx(2.0 * (1.0 + 2.0 / 6.0))


def test_a_still_particle_stays_within_its_offset_across_the_direction(world: World) -> None:
    still = drawn(world, record(particle_type=1, min_offset=1.0, max_offset=2.0), 50.0)
    assert still is not None
    away = still.origins - np.array([10.0, 20.0, 5.0])
    assert away[:, 2] == pytest.approx(np.zeros(len(away)), abs=1e-9)
    lengths = np.linalg.norm(away, axis=1)
    assert ((lengths >= 1.0) & (lengths <= 2.0)).all()


def test_an_emitter_with_an_end_begins_at_time_zero_and_ends(world: World) -> None:
    few = record(total_particles=2)
    assert drawn(world, few, -0.5) is None
    first = drawn(world, few, 0.5)
    assert first is not None
    assert len(first.origins) == 1
    assert drawn(world, few, 4.5) is None


def test_no_emitter_exceeds_its_maximum_or_ours(world: World) -> None:
    assert len(_origins(drawn(world, record(birthrate=0.01, max_particles=5), 50.0))) == 5
    assert len(_origins(drawn(world, record(birthrate=0.0001, max_particles=0), 50.0))) == 256


def _origins(found: ParticleDraw | None) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    assert found is not None
    return found.origins


@pytest.mark.parametrize(
    "broken",
    [{"birthrate": 0.0}, {"birthrate": -1.0}, {"lifespan": 0.0}, {"lifespan": math.inf}, {"birthrate": math.nan}],
    ids=str,
)
def test_senseless_numbers_make_no_particles(world: World, broken: dict[str, float]) -> None:
    assert drawn(world, record(**broken), 5.0) is None


def test_the_demo_world_has_smoke_at_its_fires_and_chimneys() -> None:
    world = open_world(str(ensure_demo()))
    block = world.landblock(0xC95BFFFF)
    assert block is not None
    scene = Scene(world)
    inside = [cell.id for cell in block.env_cells if scene.particles_in(cell.id)]
    outside = [cell.id for cell in block.land_cells if scene.particles_in(cell.id)]
    assert len(inside) == 3
    assert len(outside) == 2
    assert scene.faults() == []
