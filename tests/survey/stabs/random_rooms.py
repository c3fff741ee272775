"""Random worlds whose stab lists are damaged at random, and eyes at random in them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache

from engine.build.built import BuiltWorld
from engine.geometry.vec import Vec3
from engine.sim.data_files.cell_edits import set_stab_list
from engine.sim.tick.simulation import Simulation
from engine.survey.stabs.question import OUTDOORS
from engine.visibility.camera import focal_of_screen, looking
from engine.visibility.flood import Visibility
from engine.world.cells.cell import EnvCell
from tests.build.test_random_worlds import storeys
from tests.build.worlds import inner_points

BLOCK = 0x0102FFFF


@lru_cache(maxsize=16)
def made(seed: int) -> BuiltWorld:
    return storeys(seed).world.build()


def opened(seed: int) -> Simulation:
    sim = Simulation(made(seed).load())
    assert sim.world.landblock(BLOCK) is not None
    return sim


def rooms(sim: Simulation) -> list[EnvCell]:
    block = sim.world.landblock(BLOCK)
    assert block is not None
    return block.env_cells


def apply_list(sim: Simulation, cell_id: int, listed: list[int]) -> None:
    for edit in set_stab_list(sim, cell_id, listed):
        sim.apply_edit(edit)


def damage(sim: Simulation, rng: random.Random) -> dict[int, tuple[set[int], set[int]]]:
    """Take entries out of lists and put others in; what was done to each room."""
    done: dict[int, tuple[set[int], set[int]]] = {}
    ids = [room.id for room in rooms(sim)]
    for room in rooms(sim):
        out = {each for each in room.stab_list if rng.random() < 0.2}
        into = {each for each in ids if each not in room.stab_set and each != room.id and rng.random() < 0.05}
        if out or into:
            done[room.id] = (out, into)
            apply_list(sim, room.id, [each for each in room.stab_list if each not in out] + sorted(into))
    return done


def random_eyes(room: EnvCell, rng: random.Random, count: int) -> Iterator[Vec3]:
    for point in inner_points(room, rng, count):
        if room.point_in_cell(point):
            yield point


def seen_by(visibility: Visibility, room: EnvCell, eye: Vec3, rng: random.Random) -> set[int]:
    """What the flood draws for an eye that looks in a direction at random, with OUTDOORS for the landscape."""
    width, height = rng.choice(((1280.0, 800.0), (1024.0, 768.0), (800.0, 1280.0)))
    heading, pitch = rng.uniform(0.0, 360.0), rng.uniform(-60.0, 60.0)
    camera = looking(room.id, eye, heading, pitch, width, height, focal_of_screen(width, height))
    flood = visibility.flood_interior(room.id, camera)
    return {each.cell_id for each in flood.cells} - {room.id} | ({OUTDOORS} if flood.outside else set())
