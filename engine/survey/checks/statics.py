"""Static things that are nowhere in the room that lists them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
from engine.geometry.cell_bsp import OUTSIDE
from engine.geometry.sphere import Sphere
from engine.geometry.vec import distance
from engine.survey.finds import in_cell
from engine.survey.view import View
from engine.world.cells.ids import cell_text
from engine.world.faults import Severity

ELSEWHERE: Final = register(
    Check(
        "statics.not-in-their-room",
        "A static thing is not in the room that lists it",
        Family.GEOMETRY,
        Severity.WARNING,
        "The record of a room lists a static thing, and nothing of the sphere around it is in the room. It is drawn "
        "only while that room is, and so vanishes from where it stands when one looks from elsewhere; the cells that "
        "list it for collisions are found from the wrong room. Frames of static things count from the landblock, not "
        "from the room: forgetting that is how it usually happens.",
    )
)
TWICE: Final = register(
    Check(
        "statics.twice",
        "The same static thing stands twice in one place",
        Family.GEOMETRY,
        Severity.INFO,
        "Two static things of one model stand in the same place, turned alike. One hides the other, their surfaces "
        "flicker, and each sweep asks both.",
    )
)

SAME_PLACE: Final = 0.001
"""Metres between two things that count as in one place."""


def check_statics(view: View) -> Iterator[Found]:
    for cell in view.rooms.values():
        for static in cell.static_objects:
            setup = view.setup(static.model_id)
            if setup is None or cell.cell_tree is None:
                continue
            sphere = setup.sorting_sphere
            x, y, z = sphere.center
            scale = static.scale
            centre = static.frame.local_to_global((x * scale, y * scale, z * scale))
            around = Sphere(cell.frame.global_to_local(centre), sphere.radius * scale)
            if cell.sphere_intersects_cell(around) == OUTSIDE:
                holder = next((room.id for room in view.rooms.values() if room.point_in_cell(centre)), 0)
                where = f"it is in {cell_text(holder)}" if holder else "it is in no room"
                away = distance(centre, cell.frame.origin)
                sentence = f"lists the model 0x{static.model_id:08X}, but nothing of it is here: {where}"
                figures = [("from the room's origin, m", away)]
                yield in_cell(ELSEWHERE, view.id, cell, static.frame.origin, sentence, figures)
    yield from _check_twice(view)


def _check_twice(view: View) -> Iterator[Found]:
    known: set[tuple[int, tuple[int, ...]]] = set()
    for cell_id, static in view.things():
        values = (*static.frame.origin, *static.frame.rotation, static.scale)
        key = (static.model_id, tuple(round(value / SAME_PLACE) for value in values))
        if key in known:
            where = cell_text(cell_id)
            place = (cell_id, static.frame.origin)
            sentence = f"{where} has the model 0x{static.model_id:08X} in a place where it stands already"
            yield Found(TWICE.id, view.id, cell_id if cell_id in view.rooms else 0, place=place, sentence=sentence)
        known.add(key)
