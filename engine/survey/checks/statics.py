"""Static things that are nowhere in the room that lists them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
from engine.geometry.cell_bsp import OUTSIDE
from engine.geometry.sphere import Sphere
from engine.geometry.vec import distance
from engine.survey.finds import in_cell
from engine.survey.view import View
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.objects import StaticObject
from engine.world.faults import Severity
from engine.world.source import WorldSource

ELSEWHERE: Final = register(
    Check(
        "statics.not-in-their-room",
        "A static thing is not in the room that lists it",
        Family.GEOMETRY,
        Severity.WARNING,
        "The record of a room lists a static thing, and nothing of the sphere around it is in the room. It is drawn "
        "only while that room is, and so vanishes from where it stands when one looks from elsewhere; the cells that "
        "list it for collisions are found from the wrong room. Frames of static things count from the landblock, not "
        "from the room: forgetting that is how it usually happens. The fix lists it in the room that holds its middle.",
    )
)
TWICE: Final = register(
    Check(
        "statics.twice",
        "The same static thing stands twice in one place",
        Family.GEOMETRY,
        Severity.INFO,
        "Two static things of one model stand in the same place, turned alike. One hides the other, their surfaces "
        "flicker, and each sweep asks both. The fix takes the later of a room's two away.",
    )
)

SAME_PLACE: Final = 0.001
"""Metres between two things that count as in one place."""


def check_statics(view: View) -> Iterator[Found]:
    for cell in view.rooms.values():
        for static in cell.static_objects:
            around = sphere_of(view.source, static)
            if around is None or cell.cell_tree is None:
                continue
            inside = Sphere(cell.frame.global_to_local(around.center), around.radius)
            if cell.sphere_intersects_cell(inside) == OUTSIDE:
                holder = holder_of(view.source, view.rooms.values(), static)
                where = "it is in no room" if holder is None else f"it is in {cell_text(holder.id)}"
                away = distance(around.center, cell.frame.origin)
                sentence = f"lists the model 0x{static.model_id:08X}, but nothing of it is here: {where}"
                figures = [("from the room's origin, m", away)]
                yield in_cell(ELSEWHERE, view.id, cell, static.frame.origin, sentence, figures)
    yield from _check_twice(view)


def sphere_of(source: WorldSource, static: StaticObject) -> Sphere | None:
    """The sphere around a static thing in its landblock; None without a model."""
    setup = source.setup(static.model_id)
    if setup is None:
        return None
    sphere, scale = setup.sorting_sphere, static.scale
    x, y, z = sphere.center
    return Sphere(static.frame.local_to_global((x * scale, y * scale, z * scale)), sphere.radius * scale)


def holder_of(source: WorldSource, rooms: Iterable[EnvCell], static: StaticObject) -> EnvCell | None:
    """The room that holds the middle of a static thing."""
    around = sphere_of(source, static)
    return None if around is None else next((room for room in rooms if room.point_in_cell(around.center)), None)


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
