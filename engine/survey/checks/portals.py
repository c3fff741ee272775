"""Openings whose two sides part, are bent, or stand inside of their room."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
from engine.survey.finds import in_cell, metres, outline
from engine.survey.shapes.convex import mean
from engine.survey.shapes.outline import overlaps, parting, placed
from engine.survey.view import View
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.faults import Severity

SIDES: Final = register(
    Check(
        "portals.sides-do-not-meet",
        "The two sides of an opening do not meet",
        Family.GEOMETRY,
        Severity.WARNING,
        "A portal and the one that it is paired with are two records of one opening, so their polygons must coincide. "
        "Where they part, a body has left one room and is not yet in the other, the picture shows a gap or cuts a "
        "piece off, and who stands between them belongs to neither. Pairs with the exact-match bit must have one "
        "outline; of others one may be a part of the other, but they must overlap in one plane. Told from 1 cm, by "
        "which bodies are grown where cells are looked for.",
    )
)
BENT: Final = register(
    Check(
        "portals.polygon-off-its-plane",
        "The polygon of a portal is not flat",
        Family.GEOMETRY,
        Severity.WARNING,
        "A corner of the portal's polygon lies off the plane that is computed from all of its corners. The client "
        "decides by that plane on which side a body or an eye is, but clips the picture by the corners: near the "
        "corner that is off the two disagree, and the room beyond flickers or a body is handed over too early or too "
        "late. Told from 1 mm; 32-bit coordinates account for a hundredth of that.",
    )
)
INSIDE: Final = register(
    Check(
        "portals.off-the-wall",
        "An opening is not in the boundary of its room",
        Family.GEOMETRY,
        Severity.WARNING,
        "The cell tree says where a room ends, and its openings must lie there. An opening inside of the room is "
        "passed before the room ends: the picture shows the next room through it while bodies still belong to this "
        "one. One outside of the room is never reached, for whoever walks towards it has left the room before. Told "
        "where the middle of the opening is more than 5 cm off the room's boundary.",
    )
)

MEET: Final = 0.01
"""Metres: cells are looked for with spheres that are grown by this (physics.md 3.8)."""
FLAT: Final = 0.001
"""Metres off the plane: models of retail stay below 6e-5 (fixtures, issue273), the loader speaks from 1e-2."""
BOUNDARY: Final = 0.05
"""Metres between an opening and the room's boundary."""


def check_portals(view: View) -> Iterator[Found]:
    for cell in view.rooms.values():
        for index, portal in enumerate(cell.portals):
            if portal.polygon is None or portal.polygon.degenerate:
                continue
            yield from _check_flat(view, cell, index)
            yield from _check_boundary(view, cell, index)
            yield from _check_mate(view, cell, index)


def _check_flat(view: View, cell: EnvCell, index: int) -> Iterator[Found]:
    polygon = cell.portals[index].polygon
    assert polygon is not None
    off, corner = max((abs(polygon.plane.dist(each)), each) for each in polygon.vertices)
    if off > FLAT:
        yield in_cell(
            BENT,
            view.id,
            cell,
            cell.frame.local_to_global(corner),
            f"a corner of portal {index} is {metres(off)} off the plane of its polygon {polygon.id}",
            [("off the plane, m", off)],
            portal=index,
            polygon=polygon.id,
            path=outline(placed(polygon, cell.frame)),
        )


def _check_boundary(view: View, cell: EnvCell, index: int) -> Iterator[Found]:
    polygon, space = cell.portals[index].polygon, view.space(cell)
    assert polygon is not None
    if space is None:
        return
    corners = placed(polygon, cell.frame)
    middle = mean(corners)
    inside = space.distance(middle)
    if abs(inside) > BOUNDARY:
        where = "inside of" if inside > 0.0 else "outside of"
        yield in_cell(
            INSIDE,
            view.id,
            cell,
            middle,
            f"the middle of portal {index} is {metres(abs(inside))} {where} the space of its room",
            [("inside, m", inside)],
            portal=index,
            polygon=polygon.id,
            path=outline(corners),
        )


def _check_mate(view: View, cell: EnvCell, index: int) -> Iterator[Found]:
    """Each pair once, from the side with the lower id."""
    portal = cell.portals[index]
    other = view.rooms.get(portal.other_cell_id)
    if other is None or not 0 <= portal.other_portal_id < len(other.portals):
        return
    mate = other.portals[portal.other_portal_id]
    if mate.other_cell_id != cell.id or mate.other_portal_id != index:
        return  # no pair, which loading has told
    if (other.id, portal.other_portal_id) < (cell.id, index):
        return
    polygon, beyond = portal.polygon, mate.polygon
    if polygon is None or beyond is None or beyond.degenerate:
        return
    ours, theirs = placed(polygon, cell.frame), placed(beyond, other.frame)
    there = parting(ours, theirs, other.frame.local_to_global_vec(beyond.normal))
    back = parting(theirs, ours, cell.frame.local_to_global_vec(polygon.normal))
    off_plane = max(there.off_plane, back.off_plane)
    apart = max(there.beyond, back.beyond)
    worst = there if there.apart >= back.apart else back
    if portal.exact_match and mate.exact_match:
        parts = max(off_plane, apart) > MEET
    else:
        normal = cell.frame.local_to_global_vec(polygon.normal)
        parts = off_plane > MEET or not overlaps(ours, theirs, normal, MEET)
    if parts:
        yield in_cell(
            SIDES,
            view.id,
            cell,
            worst.corner,
            f"portal {index} and portal {portal.other_portal_id} of {cell_text(other.id)} are one opening, but part by "
            f"{metres(worst.apart)}",
            [("off the plane, m", off_plane), ("beyond the outline, m", apart)],
            portal=index,
            polygon=polygon.id,
            path=[*outline(ours), *outline(theirs)],
        )
