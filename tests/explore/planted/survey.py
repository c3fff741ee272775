"""The parts of a survey on a world with a planted defect, and whether what they find tells of it.

Walking explores the neighbourhood alone: the other rooms are cut away, and the openings towards them walled up.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from engine.explore.findings.doors import check_doors
from engine.explore.findings.explore import findings_of, watched
from engine.explore.forms.seeds import FLOOR, seeds_of
from engine.explore.forms.settings import Seed, Settings
from engine.explore.search import Search
from engine.findings.finding import Found
from engine.findings.registry import CHECKS
from engine.geometry.vec import distance
from engine.sim.edits.world import OpenLandblock
from engine.sim.tick.simulation import Simulation
from engine.survey.run import check_landblock
from engine.survey.stabs.run import check_stabs
from engine.world.cells.position import into_block
from engine.world.world import World
from tests.explore.planted.draft import Draft, add_solid, compile_again, openings_of
from tests.explore.planted.kind import CHECK, DOORS, EXPLORE, STABS, Kind, Planted
from tests.explore.planted.surfaces import main_floor, rooms_of

NEIGHBOURHOOD = Settings(headings=8, grid=0.5, charges=(1.0,), most_states=6_000)


def found_by(part: str, world: World, block: int) -> list[Found]:
    """What a part of a survey finds in a landblock, without walking."""
    sim = Simulation(world)
    try:
        sim.apply_edit(OpenLandblock(block))
        if part == CHECK:
            return list(check_landblock(sim, block, frozenset(CHECKS)))
        if part == STABS:
            return list(check_stabs(sim, block, frozenset(CHECKS)))
        assert part == DOORS
        return list(check_doors(sim, block, frozenset(CHECKS)))
    finally:
        sim.close()


def found_by_walking(
    world: World, block: int, seeds: list[Seed], settings: Settings = NEIGHBOURHOOD
) -> Iterator[Found]:
    """What a search from those seeds alone finds."""
    sim = Simulation(world)
    try:
        search = Search(sim, seeds, settings)
        suspects = watched(search)
        while search.expand(1000):
            pass
        yield from findings_of(search, suspects, block, frozenset(CHECKS))
    finally:
        sim.close()


def plant(kind: Kind, number: int) -> tuple[Draft, Planted]:
    """A defect at the random place of that number."""
    draft = Draft()
    return draft, kind.plant(draft, Random(f"{kind.name} {number}"))


@contextmanager
def surveyed(kind: Kind, part: str, number: int) -> Iterator[tuple[World, Planted, list[Found]]]:
    """The world with a defect, and everything that a part of a survey finds in it."""
    draft, planted = plant(kind, number)
    if part == EXPLORE:
        cut(draft, planted)
    with draft.open() as world:
        if part != EXPLORE:
            yield world, planted, found_by(part, world, planted.block)
            return
        rooms = rooms_of(draft, planted.block)
        floors = {(room.id, f"{FLOOR} {main_floor(draft, room).key}") for room in rooms}
        sim = Simulation(world)
        seeds = [Seed(cell, point, 0.0, "spot") for cell, point in planted.seeds]
        seeds += [seed for seed in seeds_of(sim, planted.block) if (seed.cell_id, seed.why) in floors]
        sim.close()
        yield world, planted, list(found_by_walking(world, planted.block, seeds))


def tells_of(found: Found, planted: Planted) -> bool:
    """Whether a finding is where the defect is."""
    if found.entity in planted.entities and found.entity:
        return True
    if found.place is not None:
        at = into_block(planted.block, *found.place)
        if distance(at, planted.point) <= planted.within:
            return True
    if found.place is None and found.cell == 0 and found.entity == 0:
        return found.block == planted.block
    return found.cell in planted.cells and found.cell != 0


def cut(draft: Draft, planted: Planted) -> None:
    """Leave only the rooms within some portals of a defect, with walls where the others began."""
    block = planted.block & 0xFFFF0000
    lows = {room.id & 0xFFFF for room in draft.rooms(planted.block)}
    near = {cell & 0xFFFF for cell in planted.cells} & lows
    for _ in range(planted.hops):
        near |= {portal.other_cell_id for low in near for portal in draft.seen_room(block | low).portals} & lows
    for low in sorted(lows - near):
        draft.remove_cell_record(block | low)
    for low in sorted(near):
        room = draft.seen_room(block | low)
        out = [n for n, portal in enumerate(room.portals) if portal.other_cell_id in lows - near]
        if out:
            record = draft.room(room.id)
            shape = draft.structure(room.id)
            openings = openings_of(record, shape)
            for number in out:
                add_solid(shape, openings[number])
            compile_again(shape, [points for number, points in enumerate(openings) if number not in out])
    draft.entities = [spec for spec in draft.entities if spec.cell_id & 0xFFFF not in lows - near]
