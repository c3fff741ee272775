"""Pictures of the findings of a survey, drawn by the engine from an eye that sees their places.

A finding that names an eye is drawn from there. For any other an eye is looked for around its place: in the same rooms
or above the same ground, with nothing but rooms or air between the two.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from editor.pictures.onlooker import EyePoint, Onlooker, jpeg_bytes, middle_of, root_around
from editor.pictures.optics import FARTHEST
from editor.process.plain_text import counted
from editor.survey.report_form import Report
from editor.survey.reports.page import Pictures
from editor.survey.reports.wording import worst_first
from engine.dat.errors import DatError
from engine.files.kinds import MB
from engine.findings.finding import Found, Place
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, add, scale, sub
from engine.physics.errors import PhysicsError
from engine.render.errors import RenderError
from engine.render.overlays.geometry import Colour, OverlayGeometry
from engine.render.overlays.palette import CURRENT, FAULT, faint
from engine.render.overlays.sketch import Sketch
from engine.sim.edits.world import OpenLandblock
from engine.sim.errors import SimError
from engine.sim.tick.simulation import Simulation
from engine.visibility.point_location import PointLocator
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import is_env_cell, landblock_id, low_of
from engine.world.cells.landdefs import block_offset, get_outside_cell_id
from engine.world.faults import WorldError
from engine.world.world import World

MOST: Final = 120
"""Pictures in a report; one takes 25 KB."""
MOST_BYTES: Final = 12 * MB
SIZE: Final = (640, 400)
QUALITY: Final = 80

HEADINGS: Final = 16
INSIDE: Final = (4.0, 2.5, 1.5, 0.8)
OUTSIDE: Final = (8.0, 5.0, 3.0)
"""Metres from the place to the eye, the best first."""
RISES: Final = (0.35, 0.7, 0.0, -0.3)
"""How much the eye is above the place, beside its distance."""
SAMPLES: Final = 6
"""Points of the line of sight that have to be free."""
CLEAR: Final = 0.3
"""Metres that an eye stays above the ground."""
MARK: Final = 0.03
"""How large a place's mark is, beside its distance from the eye."""
LEAST_MARK: Final = 0.06
NEAREST: Final = 0.1
"""Metres; an eye nearer to a place does not show it."""
WIDTH: Final = 3.0
SEEN_BEHIND: Final = 0.6

FAILURES: Final = (WorldError, DatError, PhysicsError, SimError)


def draw_findings(world: World, report: Report, most: int = MOST) -> Pictures:
    """Pictures of the worst findings of each check; the others are told of in a sentence."""
    artist = _Artist(world)
    made: dict[str, bytes] = {}
    total, failed, reason = 0, 0, ""
    try:
        for found in itertools.islice(_chosen(report), most):
            try:
                picture = artist.draw(found)
            except FAILURES as error:
                failed, reason = failed + 1, reason or str(error)
                continue
            if total + len(picture) > MOST_BYTES:
                break
            total += len(picture)
            made[found.key] = picture
    except RenderError as error:
        return Pictures({}, f"No finding is drawn: {error}.")
    finally:
        artist.close()
    return Pictures(made, _told(len(report.found), len(made), failed, reason))


def _told(count: int, drawn: int, failed: int, reason: str) -> str:
    """Why findings have no picture."""
    told = (
        [f"Of {counted(count, 'finding')} {drawn:,} are drawn, the worst of each check first."] if drawn < count else []
    )
    if failed:
        told.append(f"{failed:,} could not be: {reason}.")
    return " ".join(told)


def _chosen(report: Report) -> Iterator[Found]:
    """The worst of each check in turn, so that one check does not take all pictures."""
    by_check: dict[str, list[Found]] = defaultdict(list)
    for found in worst_first(report):
        by_check[found.check].append(found)
    for round_ in itertools.zip_longest(*by_check.values()):
        yield from (found for found in round_ if found is not None)


class _Artist:
    """Draws findings of one world, in a simulation without a player."""

    def __init__(self, world: World) -> None:
        self.sim = Simulation(world)
        self.world = self.sim.world
        self._onlooker = Onlooker(self.world, self.sim)
        self._locator = PointLocator(WorldView(self.world))

    def close(self) -> None:
        self._onlooker.scene.close()

    def draw(self, found: Found) -> bytes:
        """The picture as a JPEG file."""
        places = [place for place in (found.place, found.eye, *found.path) if place is not None]
        if any(abs(part) > FARTHEST for _, point in places for part in point):
            raise WorldError("a finding's place is off every map", self.world.name)
        cell_id, point = target = self._target(found)
        for block_id in {landblock_id(cell_id), landblock_id(found.block)}:
            if self.world.landblock(block_id) is not None:
                self.sim.apply_edit(OpenLandblock(block_id))
        view = self._view(found, target)
        frame = self._onlooker.frame(view, view.camera(*SIZE), exact=False)
        marks = self._marks(found, view, cell_id, point)
        marks.fit_to_pixels(1.0)
        return jpeg_bytes(self._onlooker.picture(frame, marks, first_person=False), QUALITY)

    # --- the eye

    def _target(self, found: Found) -> Place:
        """What is looked at."""
        if found.place is not None:
            return found.place
        if found.path:
            return found.path[-1]
        cell_id = found.cell or found.block
        polygon = self._polygon(found)
        cell = self.world.graph.get_visible(cell_id)
        if polygon is not None and isinstance(cell, EnvCell):
            corners = [cell.frame.local_to_global(corner) for corner in polygon.vertices]
            return cell_id, _middle(corners)
        if low_of(cell_id) >= 0xFFFE:
            raise WorldError("the finding has no place", self.world.name)
        return cell_id, middle_of(self.world, cell_id)

    def _view(self, found: Found, target: Place) -> EyePoint:
        cell_id, point = target
        if found.eye is not None:
            eye = add(found.eye[1], block_offset(cell_id, found.eye[0]))
            if math.dist(eye, point) > NEAREST:
                near = found.eye[0] if is_env_cell(low_of(found.eye[0])) else root_around(self.world, cell_id, eye)
                return _looking_from(
                    near, sub(eye, block_offset(cell_id, near)), sub(point, block_offset(cell_id, near))
                )
        is_inside = bool(self._locator.rooms_at(cell_id, point)) or is_env_cell(low_of(cell_id))
        distances = INSIDE if is_inside else OUTSIDE
        reach = min(_reach(found, cell_id, point), 2.0 * distances[0])
        for distance in sorted({*distances, reach}, reverse=True):
            if distance < NEAREST:
                continue
            for eye in _around(point, distance):
                if self._is_free(cell_id, point, eye, is_inside):
                    return _looking_from(root_around(self.world, cell_id, eye), eye, point)
        eye = middle_of(self.world, cell_id) if low_of(cell_id) < 0xFFFE else add(point, (0.0, -4.0, 4.0))
        if math.dist(eye, point) < NEAREST:
            eye = add(eye, (0.0, -0.5, 0.5))
        return _looking_from(root_around(self.world, cell_id, eye), eye, point)

    def _is_free(self, block_id: int, point: Vec3, eye: Vec3, is_inside: bool) -> bool:
        """Whether rooms alone, or air alone, are between an eye and a place."""
        way = sub(eye, point)
        for number in range(SAMPLES, 0, -1):
            at = add(point, scale(way, number / SAMPLES))
            if bool(self._locator.rooms_at(block_id, at)) != is_inside:
                return False
            if not is_inside and at[2] < self._ground(block_id, at) + CLEAR:
                return False
        return True

    def _ground(self, block_id: int, at: Vec3) -> float:
        """The height of the land at a point; beyond the edge of all land there is no place for an eye."""
        land_id = get_outside_cell_id(block_id, at)
        block = self.world.landblock(landblock_id(land_id)) if land_id else None
        if block is None or block.terrain is None:
            return math.inf
        x, y, _ = sub(at, block_offset(block_id, land_id))
        height = block.terrain.height_at(x, y)
        return math.inf if height is None else height

    # --- what is drawn over the picture

    def _marks(self, found: Found, view: EyePoint, block_id: int, point: Vec3) -> OverlayGeometry:
        sketch = Sketch(landblock_id(block_id))
        mark = max(MARK * math.dist(add(view.eye, block_offset(block_id, view.root_id)), point), LEAST_MARK)
        for axis in ((mark, 0.0, 0.0), (0.0, mark, 0.0), (0.0, 0.0, mark)):
            _line(sketch, sub(point, axis), add(point, axis), FAULT)
        sketch.sphere(point, mark, FAULT, 1.5, SEEN_BEHIND)
        path = [add(at, block_offset(block_id, cell_id)) for cell_id, at in found.path]
        for a, b in itertools.pairwise(path):
            _line(sketch, a, b, FAULT)
        if path:
            sketch.sphere(path[0], mark / 2.0, CURRENT, 1.5, SEEN_BEHIND)
        polygon, cell = self._polygon(found), self.world.graph.get_visible(found.cell)
        if polygon is not None and isinstance(cell, EnvCell):
            offset = block_offset(block_id, cell.id)
            corners = [add(cell.frame.local_to_global(corner), offset) for corner in polygon.vertices]
            sketch.fill(corners, faint(FAULT, 0.2), SEEN_BEHIND)
            sketch.loop(corners, FAULT, 2.0, SEEN_BEHIND)
        return sketch.geometry()

    def _polygon(self, found: Found) -> Polygon | None:
        """The polygon that the finding is about: a portal's, or one of the room's own."""
        cell = self.world.graph.get_visible(found.cell)
        if not isinstance(cell, EnvCell):
            return None
        if 0 <= found.portal < len(cell.portals):
            return cell.portals[found.portal].polygon
        return cell.structure.polygons.get(found.polygon) or cell.structure.physics_polygons.get(found.polygon)


def _line(sketch: Sketch, a: Vec3, b: Vec3, colour: Colour) -> None:
    sketch.line(a, b, colour, WIDTH, SEEN_BEHIND)


def _looking_from(root_id: int, eye: Vec3, point: Vec3) -> EyePoint:
    east, north, up = sub(point, eye)
    flat = math.hypot(east, north)
    heading = math.degrees(math.atan2(east, north)) if flat > 1e-6 else 0.0
    return EyePoint(root_id, eye, heading, math.degrees(math.atan2(up, flat)))


def _around(point: Vec3, distance: float) -> Iterator[Vec3]:
    """Eyes around a point, those a little above it first."""
    for rise in RISES:
        for turn in range(HEADINGS):
            heading = 2.0 * math.pi * turn / HEADINGS
            yield add(point, (distance * math.sin(heading), distance * math.cos(heading), distance * rise))


def _reach(found: Found, block_id: int, point: Vec3) -> float:
    """How far an eye has to be to see all of a finding's path; of a long walk it sees the end."""
    ends = (add(at, block_offset(block_id, cell_id)) for cell_id, at in found.path)
    return max((math.dist(point, end) for end in ends), default=0.0)


def _middle(points: Iterable[Vec3]) -> Vec3:
    corners = list(points)
    total = (0.0, 0.0, 0.0)
    for corner in corners:
        total = add(total, corner)
    return scale(total, 1.0 / max(len(corners), 1))
