"""What an eye sees, as cells and as a picture."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from editor.pictures.onlooker import (
    EyePoint,
    Onlooker,
    eye_of_player,
    in_first_person,
    middle_of,
    parse_overlay,
    picture_file,
    root_around,
    save,
    step_forward,
)
from editor.pictures.optics import PictureSize, checked_degrees, checked_eye, checked_pitch, checked_pixels
from editor.pictures.sighting import Sighting
from editor.reports.visible_cells import MEANINGS
from editor.scripting.answers import portal_target
from editor.scripting.beside import beside
from editor.scripting.errors import RefusedError, reported
from editor.scripting.places import one_cell
from editor.scripting.values import Id, Place, PortalSeen, Vec3, View
from engine.render.gl.platform import settle_gl_platform
from engine.render.overlays.catalogue import Overlay
from engine.visibility.options import FloodOptions
from engine.visibility.records import NO_PORTAL
from engine.visibility.root import PINNED
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.graph.graph import NO_CELL

if TYPE_CHECKING:
    from editor.scripting.stage import Stage
    from engine.sim.tick.simulation import Simulation

Eye = Place | Vec3 | None
"""A place, with the eye itself at its position; a point in the landblock of `cell`; or none for the player's eye, and
the middle of a cell."""


def view_of(
    stage: Stage,
    eye: Eye,
    cell: int | str | None,
    heading: float | None,
    pitch: float,
    size: tuple[int, int],
    *,
    ignore_stab_list: bool,
) -> View:
    with reported():
        point = _eye_point(stage.engine, eye, cell, heading, pitch)
        camera = PictureSize(_pixels(size)).camera(point.root_id, point.eye, point.heading, point.pitch)
        options = FloodOptions(ignore_stab_list=ignore_stab_list)
        sighting = Sighting(stage.engine.world, point.root_id, PINNED, camera, options)
        flood = sighting.frame.flood
        floods = [*([] if flood is None else [flood]), *sighting.looks]
        portals = [
            PortalSeen(
                Id(record.cell_id),
                record.index,
                portal_target(record.other_cell_id),
                record.status,
                MEANINGS[record.status],
            )
            for each in floods
            for record in each.portals
            if record.index != NO_PORTAL
        ]
        cells = dict.fromkeys(Id(visible.cell_id) for each in floods for visible in each.cells)
        outdoors = flood is None or bool(flood.outside)
        beyond, text = tuple(map(Id, sighting.beyond)), "\n".join(sighting.lines(point.heading, point.pitch))
        return View(Id(sighting.root_id), tuple(cells), tuple(portals), outdoors, beyond, sighting.note, text)


def draw_picture(
    stage: Stage,
    path: str | os.PathLike[str],
    eye: Eye,
    cell: int | str | None,
    heading: float | None,
    pitch: float,
    look_at: Vec3 | None,
    size: tuple[int, int],
    overlays: Sequence[str],
    time_of_day: float | None,
) -> None:
    with reported(), beside(stage) as sim:
        settle_gl_platform()
        target = picture_file(os.fspath(path), stage.source)
        wanted: list[Overlay] = [parse_overlay(name) for name in overlays]
        width, height = map(round, _pixels(size))
        point = _eye_point(sim, eye, cell, heading, pitch)
        if look_at is not None:
            point = _turned(point, look_at)
        sim.surroundings.come_near(point.root_id, True)
        first_person = in_first_person(sim, point)
        sweeps = step_forward(sim) if Overlay.CONTACT in wanted else []
        onlooker = Onlooker(sim.world, sim)
        try:
            onlooker.scene.time_of_day = (sim.time_of_day if time_of_day is None else time_of_day) % 1.0
            frame = onlooker.frame(point, point.camera(width, height), False)
            geometry = onlooker.overlays(frame, wanted, sweeps)
            picture = onlooker.picture(frame, geometry, first_person)
        finally:
            onlooker.scene.close()
        save(picture, geometry, frame.camera, target)


def _pixels(size: tuple[int, int]) -> tuple[float, float]:
    return checked_pixels(float(size[0])), checked_pixels(float(size[1]))


def _eye_point(sim: Simulation, eye: Eye, cell: int | str | None, heading: float | None, pitch: float) -> EyePoint:
    world, pitch = sim.world, checked_pitch(pitch)
    if isinstance(eye, Place):
        cell, heading, eye = eye.cell, eye.heading if heading is None else heading, eye.position
    at = None if eye is None else checked_eye(eye)
    if cell is None:
        start = sim.player.place_cell()
        if start == NO_CELL:
            raise RefusedError("the player is nowhere: say with cell=... where the eye is")
        turned = sim.player.place_frame().heading() if heading is None else checked_degrees(heading)
        if at is None:
            return EyePoint(start, eye_of_player(sim), turned, pitch)
        return EyePoint(root_around(world, start, at), at, turned, pitch)
    root_id = one_cell(world, cell)
    if world.landblock(root_id) is None:
        raise RefusedError(f"there is no landblock {cell_text(landblock_id(root_id))}", cell=root_id)
    if root_id == landblock_id(root_id):
        if at is None:
            raise RefusedError(f"{cell_text(root_id)} is a landblock: say with eye=... where in it", cell=root_id)
        root_id = root_around(world, root_id, at)
    if world.graph.get_visible(root_id) is None:
        raise RefusedError(f"there is no cell {cell_text(root_id)} in {world.name}", cell=root_id)
    turned = 0.0 if heading is None else checked_degrees(heading)
    return EyePoint(root_id, at or middle_of(world, root_id), turned, pitch)


def _turned(point: EyePoint, look_at: Vec3) -> EyePoint:
    """The same eye, turned to a point of its landblock."""
    x, y, z = (there - here for there, here in zip(checked_eye(look_at), point.eye, strict=True))
    if x == y == z == 0.0:
        raise RefusedError("an eye cannot look at itself")
    heading = math.degrees(math.atan2(x, y)) % 360.0
    return EyePoint(point.root_id, point.eye, heading, math.degrees(math.atan2(z, math.hypot(x, y))))
