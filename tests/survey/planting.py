"""Worlds with one record changed, and what a survey finds in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from engine.build.built import BuiltWorld
from engine.dat.records import BspNode, CellStruct, DatRecord, EnvCell, Environment
from engine.dat.records.catalogue import read_record, write_record
from engine.findings.finding import Found
from engine.findings.registry import CHECKS
from engine.geometry.vec import Vec3
from engine.sim.tick.simulation import Simulation
from engine.survey.run import check_landblock
from engine.world.loader.rooms import ENVIRONMENT_BASE

RecordT = TypeVar("RecordT", bound=DatRecord)


def survey(world: BuiltWorld, enabled: Iterable[str] = ()) -> list[Found]:
    """All findings of all landblocks; each comes back from JSON as it was."""
    sim = Simulation(world.load())
    ids = set(enabled) or set(CHECKS)
    found = [each for block_id in sim.world.landblock_ids() for each in check_landblock(sim, block_id, ids)]
    assert [Found.from_json(each.to_json()) for each in found] == found
    return found


def kinds(found: Iterable[Found]) -> set[str]:
    return {each.check for each in found}


def record(world: BuiltWorld, kind: type[RecordT], record_id: int) -> RecordT:
    data = world.cell.get(record_id) or world.portal[record_id]
    return read_record(kind, data, file="planted", record_id=record_id)


def planted(world: BuiltWorld, kind: type[RecordT], record_id: int, change: Callable[[RecordT], None]) -> BuiltWorld:
    """The world with one record changed."""
    changed = record(world, kind, record_id)
    change(changed)
    data = write_record(changed)
    if record_id in world.cell:
        return replace(world, cell={**world.cell, record_id: data})
    return replace(world, portal={**world.portal, record_id: data})


def in_room(world: BuiltWorld, cell_id: int, change: Callable[[EnvCell], None]) -> BuiltWorld:
    """The world with the record of one room changed."""
    return planted(world, EnvCell, cell_id, change)


def in_shape(world: BuiltWorld, cell_id: int, change: Callable[[CellStruct], None]) -> BuiltWorld:
    """The world with the structure of one room changed, and so of all that share it."""
    room = record(world, EnvCell, cell_id)

    def change_structure(environment: Environment) -> None:
        change(next(each.structure for each in environment.structures if each.key == room.structure))

    return planted(world, Environment, ENVIRONMENT_BASE | room.environment, change_structure)


def move_corner(structure: CellStruct, polygon_id: int, corner: int, by: Vec3) -> None:
    """Move one corner of a drawn polygon. The vertex becomes one of its own, so that nothing else moves."""
    polygon = next(each for each in structure.polygons if each.key == polygon_id)
    old = next(each for each in structure.vertices if each.key == polygon.vertex_ids[corner])
    x, y, z = old.position
    key = len(structure.vertices)
    moved = replace(old, key=key, position=(x + by[0], y + by[1], z + by[2]))
    structure.vertices.append(moved)
    polygon.vertex_ids[corner] = key


def nodes(root: BspNode) -> list[BspNode]:
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        found.append(node)
        waiting += [child for child in (node.pos, node.neg) if child is not None]
    return found
