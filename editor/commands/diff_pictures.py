"""Pictures of the rooms in which two worlds differ, before and after, from one eye."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from editor.commands.look import SIZE
from editor.export.record_listing import ChangedRecord
from editor.export.world_differences import ComparedWorld
from editor.pictures.onlooker import EyePoint, Onlooker, middle_of, save
from editor.process.output_files import output_file
from engine.dat.atomic import write_errors
from engine.dat.ids import DatKind, RecordType, id_type
from engine.geometry.elementary import atan2, hypot
from engine.geometry.vec import Vec3
from engine.render.overlays.geometry import OverlayGeometry
from engine.sim.edits.world import OpenLandblock
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text, landblock_id

MOST: Final = 100
"""Rooms that are drawn; a comparison of two versions of the whole game may have thousands."""
NEAREST: Final = 0.3
"""Metres; what is closer to the eye's vertical gives no direction to look in."""


def draw_rooms(
    before: ComparedWorld, after: ComparedWorld, records: Iterable[ChangedRecord], folder: Path
) -> list[Path]:
    """Write two pictures for each changed room that both worlds have; returns their paths."""
    made: list[Path] = []
    sides = [(name, world, _onlooker(world)) for name, world in (("before", before), ("after", after))]
    try:
        if not folder.exists():
            with write_errors(folder):
                folder.mkdir()
        for record in records:
            if not all(_has_room(world, record.record_id) for _, world, _ in sides):
                continue
            view = _view(after, record)
            for name, world, onlooker in sides:
                target = output_file(folder / f"{cell_text(record.record_id)}-{name}.png", [world.folder.path])
                camera = view.camera(*SIZE)
                frame = onlooker.frame(view, camera, exact=False)
                nothing = OverlayGeometry()
                save(onlooker.picture(frame, nothing, first_person=False), nothing, camera, target)
                made.append(target)
    finally:
        for _, _, onlooker in sides:
            onlooker.scene.close()
    return made


def is_room(record: ChangedRecord) -> bool:
    return record.kind is DatKind.CELL and id_type(record.record_id, record.kind) is RecordType.ENV_CELL


def _onlooker(world: ComparedWorld) -> Onlooker:
    return Onlooker(world.sim.world, world.sim)


def _has_room(world: ComparedWorld, cell_id: int) -> bool:
    if world.sim.world.landblock(cell_id) is None:
        return False
    world.sim.apply_edit(OpenLandblock(landblock_id(cell_id)))
    return isinstance(world.sim.graph.get_visible(cell_id), EnvCell)


def _view(world: ComparedWorld, record: ChangedRecord) -> EyePoint:
    """From the middle of the room, at the first thing that has changed its place."""
    eye = middle_of(world.sim.world, record.record_id)
    at = next((point for change in record.fields if (point := _point(change.field, change.after, change.before))), None)
    if at is None:
        return EyePoint(record.record_id, eye, 0.0, 0.0)
    east, north, up = (at[axis] - eye[axis] for axis in range(3))
    flat = hypot(east, north)
    heading = math.degrees(atan2(east, north)) if flat > NEAREST else 0.0
    return EyePoint(record.record_id, eye, heading, math.degrees(atan2(up, max(flat, NEAREST))))


def _point(field: str, *values: object) -> Vec3 | None:
    """Where a changed thing stands, or stood."""
    if not field.startswith("objects["):
        return None
    for value in values:
        place = value
        for name in ("frame", "origin"):
            if isinstance(place, dict):
                place = place.get(name)
        if isinstance(place, list) and len(place) == 3:
            return (float(place[0]), float(place[1]), float(place[2]))
    return None
