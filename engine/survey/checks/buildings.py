"""Buildings whose shell and rooms part, and what lies over borders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
from engine.geometry.constants import BLOCK_LENGTH, CELL_LENGTH
from engine.geometry.vec import Vec3
from engine.survey.finds import in_cell, metres, outline
from engine.survey.shapes.convex import mean
from engine.survey.shapes.outline import parting, placed
from engine.survey.view import View
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import block_text, cell_text, low_of
from engine.world.faults import Severity
from engine.world.landblock import edge_faults

PARTS: Final = register(
    Check(
        "buildings.opening-parts",
        "The opening of a shell and that of its room part",
        Family.GEOMETRY,
        Severity.WARNING,
        "A building's shell and the room behind an entry both have the opening as a polygon, and the two must "
        "coincide. Where they part, walls of one stand in the opening of the other, or one sees between them into "
        "nothing. Usually the rooms were moved without the shell, or the other way round. Told from 1 cm.",
    )
)
NO_ENTRY: Final = register(
    Check(
        "buildings.exit-without-entry",
        "An exit that no building leads back through",
        Family.GEOMETRY,
        Severity.WARNING,
        "A room has an opening to the outdoors that no building of the landblock names. Whoever goes out cannot come "
        "back in, and from outdoors the opening is not seen: bodies are let into rooms by the entries of the building "
        "on their land cell alone.",
    )
)
OVER_CELL: Final = register(
    Check(
        "buildings.over-its-land-cell",
        "The walls of a building reach over its land cell",
        Family.PHYSICS,
        Severity.WARNING,
        "A building belongs to the one land cell that its origin is in, and its shell stops only those who touch that "
        "square of 24 m. Colliding polygons of the shell lie more than a body's width outside of it: there bodies walk "
        "through the walls, and entries there let nobody in.",
    )
)
HEIGHTS: Final = register(
    Check(
        "borders.ground-parts",
        "The ground of two landblocks does not meet",
        Family.GEOMETRY,
        Severity.WARNING,
        "The last row of heights of a landblock is the first of its neighbour's, stored twice, and the two must be "
        "equal. Where the heights differ the ground is torn open: one sees through, and bodies fall or are stopped at "
        "the border.",
    )
)
WORDS: Final = register(
    Check(
        "borders.terrain-parts",
        "The terrain of two landblocks does not agree",
        Family.GEOMETRY,
        Severity.INFO,
        "Two neighbouring landblocks have different terrain words (road, kind of ground, scenery) at vertices that "
        "they share. The ground meets, but its textures break off at the border.",
    )
)
OUTSIDE: Final = register(
    Check(
        "borders.thing-outside",
        "A static thing stands outside of its landblock",
        Family.GEOMETRY,
        Severity.WARNING,
        "The record of a landblock places a thing beyond the landblock's border. No land cell of its own is there, so "
        "the client has no cell to list it in: it is neither drawn nor collides, or does so only while the neighbour "
        "is loaded.",
    )
)
ROOM_OVER: Final = register(
    Check(
        "borders.room-outside",
        "A room of a building reaches over its landblock's border",
        Family.GEOMETRY,
        Severity.WARNING,
        "A room that leads outdoors, or its neighbour, has space beyond the border of its landblock. Portals lead to "
        "cells of their own landblock alone: whoever stands on the neighbour's land before it cannot come in there, "
        "and whoever goes out there is looked for on land that does not know the building.",
    )
)

MEET: Final = 0.01
"""Metres, as between rooms."""
BODY: Final = 0.5
"""Metres: a little more than a body's radius, 0.48 m (physics.md 4)."""
OVER: Final = 0.25
"""Metres over the border that are not told: less than half of a body."""


def check_buildings(view: View) -> Iterator[Found]:
    entries: set[tuple[int, int]] = set()
    for building in view.buildings:
        for index, portal in enumerate(building.portals):
            entries.add((portal.other_cell_id, portal.other_portal_id))
            yield from _check_opening(view, building, index)
        yield from _check_reach(view, building)
    if view.terrain is not None:
        for cell in view.rooms.values():
            for index, exit_ in enumerate(cell.portals):
                if exit_.leads_outside and (cell.id, index) not in entries and exit_.polygon is not None:
                    corners = placed(exit_.polygon, cell.frame)
                    sentence = f"portal {index} leads outdoors, and no building leads in through it"
                    yield in_cell(NO_ENTRY, view.id, cell, mean(corners), sentence, portal=index, path=outline(corners))


def _check_opening(view: View, building: Building, index: int) -> Iterator[Found]:
    portal = building.portals[index]
    room = view.rooms.get(portal.other_cell_id)
    if room is None or not 0 <= portal.other_portal_id < len(room.portals):
        return
    ours, theirs = portal.polygon, room.portals[portal.other_portal_id].polygon
    if ours is None or theirs is None or ours.degenerate or theirs.degenerate:
        return
    shell, inside = placed(ours, building.frame), placed(theirs, room.frame)
    there = parting(shell, inside, room.frame.local_to_global_vec(theirs.normal))
    back = parting(inside, shell, building.frame.local_to_global_vec(ours.normal))
    worst = max(there, back, key=lambda each: each.apart)
    if worst.apart > MEET:
        yield in_cell(
            PARTS,
            view.id,
            room,
            worst.corner,
            f"portal {portal.other_portal_id} and entry {index} of the building 0x{building.model_id:08X} are one "
            f"opening, but part by {metres(worst.apart)}",
            [
                ("off the plane, m", max(there.off_plane, back.off_plane)),
                ("beyond the outline, m", max(there.beyond, back.beyond)),
            ],
            portal=portal.other_portal_id,
            polygon=theirs.id,
            path=[*outline(shell), *outline(inside)],
        )


def _check_reach(view: View, building: Building) -> Iterator[Found]:
    """Walls beyond the square of the building's land cell. What lies beneath the ground stops nobody anyway."""
    shell, low = building.shell, low_of(building.cell_id) - 1
    if shell is None or not 0 <= low < 64:
        return
    west, south = (low >> 3) * CELL_LENGTH - BODY, (low & 7) * CELL_LENGTH - BODY
    size = CELL_LENGTH + 2.0 * BODY
    worst, at, which = 0.0, (0.0, 0.0, 0.0), -1
    for polygon in shell.physics_polygons.values():
        for corner in polygon.vertices:
            x, y, z = building.frame.local_to_global(corner)
            over = max(west - x, x - west - size, south - y, y - south - size)
            if over > worst and _is_above_ground(view, (x, y, z)):
                worst, at, which = over, (x, y, z), polygon.id
    if worst > 0.0:
        yield Found(
            OVER_CELL.id,
            view.id,
            building.cell_id,
            polygon=which,
            place=(building.cell_id, at),
            sentence=f"the shell 0x{building.model_id:08X} collides only on {cell_text(building.cell_id)}, and "
            f"walls of it reach {metres(worst + BODY)} beyond",
            figures=(("beyond, m", worst + BODY),),
        )


def _is_above_ground(view: View, point: Vec3) -> bool:
    height = None if view.terrain is None else view.terrain.height_at(point[0], point[1])
    return height is None or point[2] > height + OVER


# --- borders


def check_borders(view: View) -> Iterator[Found]:
    if view.terrain is not None:
        for neighbour in view.neighbours:
            yield from _check_seam(view, neighbour.cell_id)
        for static in view.statics:
            x, y, z = static.frame.origin
            over = max(-x, -y, x - BLOCK_LENGTH, y - BLOCK_LENGTH)
            if over > 0.0:
                sentence = f"the model 0x{static.model_id:08X} stands {metres(over)} outside of the landblock"
                figures = (("outside, m", over),)
                place = (view.id, (x, y, z))
                yield Found(OUTSIDE.id, view.id, place=place, sentence=sentence, figures=figures)
    if view.terrain is not None and view.buildings:
        for cell in _near_outdoors(view):
            space = view.space(cell)
            if space is None:
                continue
            over = max(-space.low[0], -space.low[1], space.high[0] - BLOCK_LENGTH, space.high[1] - BLOCK_LENGTH)
            if over > OVER:
                corner = max(space.corners.tolist(), key=lambda c: max(-c[0], -c[1], c[0], c[1]) if c else 0.0)
                point = (corner[0], corner[1], corner[2])
                sentence = f"reaches {metres(over)} over the border of its landblock"
                yield in_cell(ROOM_OVER, view.id, cell, point, sentence, [("over the border, m", over)])


def _near_outdoors(view: View) -> list[EnvCell]:
    """The rooms with an exit, and those next to them."""
    ids: set[int] = set()
    for cell in view.rooms.values():
        if cell.has_exit():
            ids.add(cell.id)
            ids |= {portal.other_cell_id for portal in cell.portals if portal.other_cell_id in view.rooms}
    return [view.rooms[cell_id] for cell_id in sorted(ids)]


def _check_seam(view: View, neighbour_id: int) -> Iterator[Found]:
    """The same from both sides: the finding's cell is the western or southern landblock of the two, so that its key is
    the same, and reports of both have it once."""
    terrain = view.terrain
    neighbour = next((each for each in view.neighbours if each.cell_id == neighbour_id), None)
    if terrain is None or neighbour is None:
        return
    first, second = sorted((terrain, neighbour), key=lambda each: each.cell_id)
    for fault in edge_faults(first, second):
        check = HEIGHTS if fault.severity is Severity.WARNING else WORDS
        kinds = (first.height_indices, second.height_indices) if check is HEIGHTS else (first.words, second.words)
        vertex = _first_difference(first.cell_id, second.cell_id, *kinds)
        place = (first.cell_id, first.vertex(*vertex))
        at_seam = f"at the border of {block_text(first.cell_id)} and {block_text(second.cell_id)}: {fault.reason}"
        yield Found(check.id, view.id, first.cell_id, place=place, sentence=at_seam)


def _first_difference(first: int, second: int, ours: list[int], theirs: list[int]) -> tuple[int, int]:
    """The first vertex (column, row) of the western or southern landblock whose value differs."""
    is_east = first >> 24 != second >> 24
    for step in range(9):
        i, j = (8, step) if is_east else (step, 8)
        there = step if is_east else 9 * step
        if ours[9 * i + j] != theirs[there]:
            return i, j
    return 0, 0
