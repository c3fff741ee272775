"""What a flood found, as plain data for JSON: the fields of the cases in rendering.md 24.5 and 24.6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.geometry.plane import BEHIND, FRONT
from engine.visibility import records
from engine.visibility.records import FloodResult, PortalPiece, PortalRecord
from engine.visibility.view import ViewPoly
from engine.world.cells.ids import cell_text
from engine.world.cells.portals import OUTSIDE

Data = dict[str, Any]
Names = Mapping[int, str]
"""Names of cells; cells without one show their ids."""

OUT: Final = "OUT"

NOTHING_SEEN: Final[Data] = {"draw": [], "views": {}, "outside": [], "max_indist": {}, "portals": [], "guards": []}
"""In place of the flood from a room, for an eye outdoors."""


MEANINGS: Final = {
    records.OPEN: "followed",
    records.ENTRY: "the way in",
    records.WRONG_SIDE: "seen from behind",
    records.CLIPPED: "out of view",
    records.SLIVER: "less than a pixel",
    records.OTHER_CLIP: "closed by the neighbour's polygon",
    records.NOT_LOADED: "the neighbour is not loaded",
    records.NO_SLOT: "the neighbour is not in the stab list",
    records.CONTAINED: "seen before",
    records.EXIT: "leads outdoors",
    records.EXIT_OPEN: "leads outdoors, in view",
    records.IN_PLANE: "the eye is in its plane",
    records.NO_POLYGON: "has no polygon to look through",
    records.CAPPED: "left out by a cap",
}
"""The words for each status of a portal."""


def name_of(cell_id: int, names: Names) -> str:
    if cell_id == OUTSIDE:
        return OUT
    return names.get(cell_id) or cell_text(cell_id)


def outline(view: ViewPoly) -> list[list[float]]:
    return [[x, y] for x, y in zip(view.xs, view.ys, strict=True)]


def outlines(views: list[ViewPoly]) -> list[list[list[float]]]:
    return [outline(view) for view in views]


def flood_data(result: FloodResult, names: Names, *, from_room: bool = True) -> Data:
    """The draw list front to back, views, view of the outdoors, portals with their results, and the guards hit.

    `from_room`: the first cell is the root, which sees the whole screen and is left out of `views` and `max_indist`.
    """
    root_id = result.root_id if from_room else 0
    # A root without anything but the screen is what the cases leave out; one that gained a view shows it.
    listed = [v for v in result.cells if v.cell_id != root_id or len(v.views) > 1]
    return {
        "draw": [name_of(visible.cell_id, names) for visible in result.cells],
        "views": {name_of(visible.cell_id, names): outlines(visible.views) for visible in listed},
        "outside": outlines(result.outside),
        "max_indist": {name_of(visible.cell_id, names): visible.max_indist for visible in listed},
        "portals": [portal_data(record, names) for record in result.portals],
        "guards": guard_lines(result),
    }


def guard_lines(result: FloodResult) -> list[str]:
    """Every guard that was hit, with its count; also the containment guard, which only a loop hits."""
    contained = [f"views dropped that another view of their cell contains: {result.drops}"] if result.drops else []
    return [*contained, *result.guards]


def portal_data(record: PortalRecord, names: Names) -> Data:
    return {
        "cell": name_of(record.cell_id, names),
        "index": record.index,
        "to": name_of(record.other_cell_id, names),
        "status": record.status,
        "fate": MEANINGS[record.status],
        "side": side_text(record.side),
        "pieces": [piece_data(piece) for piece in record.pieces],
    }


def side_text(side: int) -> str:
    """On which side of a portal's polygon the eye is."""
    return "positive" if side == FRONT else "negative" if side == BEHIND else "in plane"


def piece_data(piece: PortalPiece) -> Data:
    return {
        "view": piece.view_index,
        "status": piece.status,
        "points": [[point.x / point.w, point.y / point.w] for point in piece.points],
        "area": None if piece.view is None else piece.view.area(),
    }


def aperture_name(look: FloodResult) -> str:
    """A building's portal: the land cell that the building stands in, and the number of the portal."""
    return (
        cell_text(look.root_id) if look.building is None else f"{cell_text(look.building.cell_id)}.{look.portal_index}"
    )


def look_in_data(result: FloodResult, aperture: str, names: Names) -> Data:
    """A look through a building's portal: rejected with the reason, or the punch and what is seen."""
    data: Data = {"aperture": aperture, "view": result.view_index, "rejected": result.rejected != ""}
    if result.punch is None:
        data["reason"] = result.rejected
        return data
    data["punch"] = [[point.x / point.w, point.y / point.w] for point in result.punch.points]
    return data | flood_data(result, names, from_room=False)
