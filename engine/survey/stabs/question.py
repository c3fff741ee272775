"""The rooms of a landblock as the search for visible cells takes them (rendering.md 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.visibility.openings import FARTHEST
from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import BldPortal, CellPortal
from engine.world.world import World

OUTDOORS: Final = -1
"""`engine.build.stab.OUTSIDE`."""

Question = tuple[tuple[int, tuple[tuple[tuple[Vec3, ...], int], ...]], ...]
"""The input of a search: rooms by id, each with its portals as corners that face into it, and the index in this list of
the room beyond (−1: outdoors). Equal questions have equal answers."""


def computed_stab_lists(world: World, block_id: int) -> dict[int, list[int]]:
    """The cells that can be seen from each room of a landblock, by full ids; takes a moment for hundreds of rooms."""
    return dict(search_stab_lists(stab_question(world, block_id)))


def stab_question(world: World, block_id: int) -> Question:
    block = world.landblock(block_id)
    rooms = [] if block is None else block.env_cells
    place = {room.id: index for index, room in enumerate(rooms)}
    return tuple((room.id, tuple(portal for _, portal in numbered_portals(room, place))) for room in rooms)


def search_stab_lists(question: Question) -> Iterator[tuple[int, list[int]]]:
    """The answer, room by room; it does not touch the world, so another thread can search."""
    from engine.build.stab import StabCell, StabPortal, seen_from_each  # the builder is imported only when needed

    cells = [StabCell([StabPortal(list(corners), to) for corners, to in portals]) for _, portals in question]
    ids = [cell_id for cell_id, _ in question]
    for cell_id, seen in zip(ids, seen_from_each(cells), strict=True):
        yield cell_id, [ids[i] for i in seen.cells]


def numbered_portals(room: EnvCell, place: dict[int, int]) -> Iterator[tuple[int, tuple[tuple[Vec3, ...], int]]]:
    """The portals of a room that a line may cross, with their numbers."""
    for number, portal in enumerate(room.portals):
        to = OUTDOORS if portal.leads_outside else place.get(portal.other_cell_id)
        corners = corners_of(portal, room.frame)
        if corners and to is not None:
            yield number, (tuple(corners), to)


def corners_of(portal: CellPortal | BldPortal, frame: Frame) -> list[Vec3]:
    """The corners of a portal, which face into the cell that it is looked through from; none for one that nothing is
    seen through: it has no polygon, or one that is no area of the world (rendering.md 3.1)."""
    corners = [] if portal.polygon is None else [frame.local_to_global(corner) for corner in portal.polygon.vertices]
    if len(corners) < 3 or not all(abs(x) < FARTHEST for corner in corners for x in corner):
        return []
    if portal.portal_side:
        corners.reverse()  # they face out of it
    return corners
