"""What a landblock holds, as far as data files can say it: to compare an edited world with the files written from it.

The list of things comes from the registry of what collides, not from records, so a comparison also checks how records
were made of it. Placements are compared as files can hold them, in 32 bits.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from engine.dat.records.cells import HAS_STATIC_OBJECTS
from engine.geometry.frame import Frame
from engine.physics.objects.shapes import shapes_from_setup
from engine.sim.data_files.changes import Kept
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text, is_env_cell, landblock_id, low_of
from engine.world.cells.objects import StaticObject

_PLACEMENT: Final = struct.Struct("<7f")

Standing = dict[str, object]
"""By what it is about, in words."""


def standing(sim: Simulation, block_ids: Collection[int], kept: Mapping[int, Kept] | None = None) -> Standing:
    """The rooms of landblocks, and their static things if they have come in; `kept` things count as they were
    recorded."""
    found: Standing = {}
    for block_id in block_ids:
        block = sim.world.landblock(block_id)
        for room in [] if block is None else block.env_cells:
            found |= dict(_room(sim, room))
    things: dict[int, list[tuple[object, ...]]] = {each: [] for each in block_ids if sim.surroundings.has(each)}
    for home, *thing in _things(sim, kept or {}):
        if landblock_id(home) in things:
            things[landblock_id(home)].append((home, *thing))
    for block_id, listed in things.items():
        found[f"the static things of {cell_text(block_id)}"] = sorted(listed, key=repr)
    return found


def differing(wanted: Standing, found: Standing) -> list[str]:
    """What of the first is not the same in the second, in words."""
    return [what for what in wanted if what not in found or wanted[what] != found[what]]


def _room(sim: Simulation, room: EnvCell) -> Iterator[tuple[str, object]]:
    name = cell_text(room.id)
    portals = [(p.flags, p.polygon_id, p.other_cell_id, p.other_portal_id) for p in room.portals]
    unseen = [(thing.model_id, _placement(thing.frame)) for thing in room.static_objects if not _is_solid(sim, thing)]
    yield f"the place of {name}", _placement(room.frame)
    yield f"the shape of {name}", (room.structure.index, room.structure.record)
    yield f"the flags of {name}", room.flags & ~HAS_STATIC_OBJECTS  # that one follows the list of things
    yield f"the surfaces of {name}", list(room.surfaces)
    yield f"the portals of {name}", portals
    yield f"the stab list of {name}", list(room.stab_list)
    yield f"the restriction of {name}", room.restriction_object
    yield f"the things of {name} that do not collide", unseen


def _is_solid(sim: Simulation, thing: StaticObject) -> bool:
    setup = sim.world.setup(thing.model_id)
    return setup is not None and bool(shapes_from_setup(setup, thing.scale))


def _things(sim: Simulation, kept: Mapping[int, Kept]) -> Iterator[tuple[int, int, float, bytes]]:
    """Home, model, scale and placement of every static thing that collides."""
    statics, registry = sim.population.statics, sim.population.registry
    for thing in statics.things.values():
        if thing.id not in kept:
            entry = registry.entity(thing.id)
            yield _home(sim, entry.cell_id), thing.model_id, thing.scale, _placement(entry.frame)
    for home, recorded in kept.values():
        yield home, recorded.model_id, recorded.scale, _placement(recorded.frame)


def _home(sim: Simulation, cell_id: int) -> int:
    cell = sim.graph.get_visible(cell_id) if is_env_cell(low_of(cell_id)) else None
    return cell.id if isinstance(cell, EnvCell) else landblock_id(cell_id)


def _placement(frame: Frame) -> bytes:
    return _PLACEMENT.pack(*frame.origin, *frame.rotation)
