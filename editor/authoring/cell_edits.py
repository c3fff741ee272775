"""Edits of rooms, for the editor by this name, and the stab lists that rooms should have (rendering.md 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.geometry.vec import Vec3
from engine.sim.data_files.cell_edits import changed as changed
from engine.sim.data_files.cell_edits import current_record as current_record
from engine.sim.data_files.cell_edits import link_portal as link_portal
from engine.sim.data_files.cell_edits import loaded_records as loaded_records
from engine.sim.data_files.cell_edits import room_of as room_of
from engine.sim.data_files.cell_edits import set_cell_frame as set_cell_frame
from engine.sim.data_files.cell_edits import set_portal as set_portal
from engine.sim.data_files.cell_edits import set_portal_back as set_portal_back
from engine.sim.data_files.cell_edits import set_portal_flags as set_portal_flags
from engine.sim.data_files.cell_edits import set_seen_outside as set_seen_outside
from engine.sim.data_files.cell_edits import set_stab_list as set_stab_list
from engine.world.cells.cell import EnvCell
from engine.world.world import World

OUTDOORS: Final = -1
"""`engine.build.stab.OUTSIDE`."""


def computed_stab_lists(world: World, block_id: int) -> dict[int, list[int]]:
    """The cells that can be seen from each room of a landblock, by full ids; takes a moment for hundreds of rooms."""
    return dict(search_stab_lists(stab_question(world, block_id)))


Question = tuple[tuple[int, tuple[tuple[tuple[Vec3, ...], int], ...]], ...]
"""The input of a search: rooms by id, each with its portals as corners that face into it, and the index in this list of
the room beyond (−1: outdoors). Equal questions have equal answers."""


def stab_question(world: World, block_id: int) -> Question:
    block = world.landblock(block_id)
    rooms = [] if block is None else block.env_cells
    place = {room.id: index for index, room in enumerate(rooms)}
    return tuple((room.id, tuple(_portals(room, place))) for room in rooms)


def search_stab_lists(question: Question) -> Iterator[tuple[int, list[int]]]:
    """The answer, room by room; it does not touch the world, so another thread can search."""
    from engine.build.stab import StabCell, StabPortal, seen_from_each  # the builder is imported only when needed

    cells = [StabCell([StabPortal(list(corners), to) for corners, to in portals]) for _, portals in question]
    ids = [cell_id for cell_id, _ in question]
    for cell_id, seen in zip(ids, seen_from_each(cells), strict=True):
        yield cell_id, [ids[i] for i in seen.cells]


def _portals(room: EnvCell, place: dict[int, int]) -> list[tuple[tuple[Vec3, ...], int]]:
    found = []
    for portal in room.portals:
        to = OUTDOORS if portal.leads_outside else place.get(portal.other_cell_id)
        if portal.polygon is None or to is None:
            continue  # nothing is seen through a portal that is missing or leads nowhere
        corners = [room.frame.local_to_global(corner) for corner in portal.polygon.vertices]
        if portal.portal_side:
            corners.reverse()  # its corners face out of the room, and the search wants them facing in
        found.append((tuple(corners), to))
    return found
