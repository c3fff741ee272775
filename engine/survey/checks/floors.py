"""Floors that are drawn and do not carry, and the reverse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Final

from engine.dat.records import CellStruct as CellStructRecord
from engine.dat.records import DatPolygon
from engine.dat.records import GfxObj as GfxObjRecord
from engine.dat.records.mesh import NO_POSITIVE_UVS
from engine.findings.finding import Check, Family, Found
from engine.findings.registry import register
from engine.geometry.bsp import PhysicsTree, RayHit
from engine.geometry.constants import FLOOR_Z
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, cross, distance, dot, length, sub
from engine.survey.checks.statics import sphere_of
from engine.survey.finds import in_cell, outline, shared_by
from engine.survey.shapes.outline import inner_points, placed
from engine.survey.view import Flaw, View
from engine.world.cells.cell import Building, CellStruct, EnvCell
from engine.world.cells.ids import cell_text
from engine.world.faults import Severity

DRAWN: Final = register(
    Check(
        "floors.drawn-not-carrying",
        "A floor is drawn, and nothing carries there",
        Family.PHYSICS,
        Severity.WARNING,
        "A polygon that is drawn, level enough to stand on and large enough for feet, has no physics polygon within "
        "30 cm above or below: not in its room or shell, nor in a neighbour's, the ground's or a thing's beside it. "
        "Whoever steps on it falls through.",
    )
)
BARE: Final = register(
    Check(
        "floors.carrying-not-drawn",
        "A floor carries, and nothing is drawn there",
        Family.PHYSICS,
        Severity.INFO,
        "A physics polygon that can be stood on has no drawn polygon within 30 cm above or below, so that people stand "
        "on air. Invisible ramps over stairs are nearer to what they cover and are not told.",
    )
)

REACH: Final = 0.3
"""Metres between what is drawn and what carries: half of the height of a step (physics.md 7), as of a stair's ramp."""
SMALLEST: Final = 0.25
"""Square metres of a floor that are told: less than feet need (a body's radius is 0.48 m)."""
PULL: Final = 0.3
BUCKET: Final = 8.0
"""Metres of a side of the squares by which drawn floors are looked up."""
MOST_SQUARES: Final = 1_000
"""A polygon over more of them is looked at wherever one asks."""
FACES_UP: Final = 0.1
"""The smallest upward part of a normal of what can be seen underfoot."""


def check_floors(view: View) -> Iterator[Found]:
    for structure, sharing in view.structures():
        listed, tree = structure.physics_polygons, structure.physics_tree
        for up, rooms in _by_up(sharing).items():
            find = partial(_flaws, listed, tree, drawn_of(structure), up)
            told: set[tuple[str, int]] = set()
            for flaw in view.shapes.flaws_of(f"floor {up}", id(structure), structure, find):
                key = (flaw.check.id, flaw.polygon.id)
                cell = None if key in told else next((each for each in rooms if not _has_help(view, each, flaw)), None)
                if cell is not None:
                    told.add(key)
                    yield _told(view, cell, rooms, flaw)
    for building in view.buildings:
        yield from _check_shell(view, building)


def _by_up(rooms: Iterable[EnvCell]) -> dict[Vec3, list[EnvCell]]:
    """Rooms by where upwards is in their own space; hardly any room is tilted."""
    found: dict[Vec3, list[EnvCell]] = {}
    for cell in rooms:
        x, y, z = cell.frame.global_to_local_vec((0.0, 0.0, 1.0))
        found.setdefault((round(x, 4) + 0.0, round(y, 4) + 0.0, round(z, 4) + 0.0), []).append(cell)
    return found


def _told(view: View, cell: EnvCell, rooms: list[EnvCell], flaw: Flaw) -> Found:
    sentence = "is drawn, and nothing carries" if flaw.check is DRAWN else "carries, and nothing is drawn"
    return in_cell(
        flaw.check,
        view.id,
        cell,
        cell.frame.local_to_global(flaw.point),
        f"polygon {flaw.polygon.id}, a floor, {sentence} there{shared_by(rooms)}",
        [("area, m²", area_of(flaw.polygon))],
        polygon=flaw.polygon.id,
        path=outline(placed(flaw.polygon, cell.frame)),
    )


def _check_shell(view: View, building: Building) -> Iterator[Found]:
    shell = building.shell
    if shell is None or shell.physics_tree is None:
        return
    up = building.frame.global_to_local_vec((0.0, 0.0, 1.0))
    record = shell.record
    drawn = _drawn(record.polygons, shell.polygons, ()) if isinstance(record, GfxObjRecord) else []
    find = partial(_flaws, shell.physics_polygons, shell.physics_tree, drawn, up)
    told: set[int] = set()
    for flaw in view.shapes.flaws_of("shell", shell.id, shell, find):
        point = building.frame.local_to_global(flaw.point)
        if flaw.check is BARE or flaw.polygon.id in told or _helps(view, point, (), building):
            continue
        told.add(flaw.polygon.id)
        yield Found(
            flaw.check.id,
            view.id,
            building.cell_id,
            polygon=flaw.polygon.id,
            place=(building.cell_id, point),
            sentence=f"polygon {flaw.polygon.id} of the shell {cell_text(shell.id)}, a floor, is drawn, and nothing "
            "carries there",
            figures=(("area, m²", area_of(flaw.polygon)),),
            path=tuple((building.cell_id, each) for each in outline(placed(flaw.polygon, building.frame))),
        )


# --- one structure or shell


def drawn_of(structure: CellStruct) -> list[Polygon]:
    """The polygons of a structure that are drawn; none where the source does not say."""
    record = structure.record
    if not isinstance(record, CellStructRecord):
        return []
    return _drawn(record.polygons, structure.polygons, structure.portal_ids)


def _drawn(records: Iterable[DatPolygon], polygons: Mapping[int, Polygon], portals: Iterable[int]) -> list[Polygon]:
    """Those with texture coordinates (dat-format.md 3.2.3); of scenes and dumps, which have none, all but openings."""
    ids = [record.key for record in records if not record.stippling & NO_POSITIVE_UVS]
    if not ids:
        ids = sorted(polygons.keys() - set(portals))
    return [polygons[key] for key in ids if key in polygons]


def _flaws(listed: Mapping[int, Polygon], tree: PhysicsTree | None, drawn: list[Polygon], up: Vec3) -> Iterator[Flaw]:
    """A drawn floor at each of its points where nothing carries: a thing may stand at one, and none at the next."""
    if not drawn:
        return
    floors = [polygon for polygon in drawn if _is_floor(polygon, up)]
    carriers = [polygon for polygon in listed.values() if _is_floor(polygon, up)]
    twins = {_corners(polygon) for polygon in carriers}
    for polygon in floors:
        if _corners(polygon) in twins or area_of(polygon) < SMALLEST:
            continue
        for point in inner_points(polygon.vertices, PULL):
            if tree is None or not carries(tree, point, up):
                yield Flaw(DRAWN, polygon, point)
    twins = {_corners(polygon) for polygon in floors}
    alone = [each for each in carriers if _corners(each) not in twins and area_of(each) >= SMALLEST]
    lookup = _Floors(drawn, up) if alone else None
    for polygon in alone:
        point = inner_points(polygon.vertices, PULL)[0]
        if lookup is not None and not lookup.has(point):
            yield Flaw(BARE, polygon, point)


def _is_floor(polygon: Polygon, up: Vec3) -> bool:
    return not polygon.degenerate and dot(polygon.normal, up) >= FLOOR_Z


def _corners(polygon: Polygon) -> frozenset[Vec3]:
    return frozenset(polygon.vertices)


def area_of(polygon: Polygon) -> float:
    base, total = polygon.vertices[0], (0.0, 0.0, 0.0)
    for first, second in zip(polygon.vertices[1:], polygon.vertices[2:], strict=False):
        x, y, z = cross(sub(first, base), sub(second, base))
        total = (total[0] + x, total[1] + y, total[2] + z)
    return length(total) / 2.0


def carries(tree: PhysicsTree, point: Vec3, up: Vec3) -> bool:
    """Whether something of a tree is within REACH above or below a point of its space."""
    x, y, z = point
    ux, uy, uz = up
    hit = RayHit(1.0)
    origin = (x + ux * REACH, y + uy * REACH, z + uz * REACH)
    tree.root.nearest_ray_hit(origin, (-2.0 * REACH * ux, -2.0 * REACH * uy, -2.0 * REACH * uz), hit)
    return hit.poly is not None


class _Floors:
    """Drawn polygons that face up, by the squares over which they lie."""

    def __init__(self, polygons: Iterable[Polygon], up: Vec3) -> None:
        self._up = up
        self._squares: dict[tuple[int, int, int], list[Polygon]] = {}
        self._wide: list[Polygon] = []
        for polygon in polygons:
            if dot(polygon.normal, up) > FACES_UP:
                self._add(polygon)

    def _add(self, polygon: Polygon) -> None:
        lows = [min(corner[axis] for corner in polygon.vertices) for axis in range(3)]
        highs = [max(corner[axis] for corner in polygon.vertices) for axis in range(3)]
        spans = [range(_square(low - REACH), _square(high + REACH) + 1) for low, high in zip(lows, highs, strict=True)]
        if len(spans[0]) * len(spans[1]) * len(spans[2]) > MOST_SQUARES:
            self._wide.append(polygon)
            return
        for square in product(*spans):
            self._squares.setdefault((square[0], square[1], square[2]), []).append(polygon)

    def has(self, point: Vec3) -> bool:
        x, y, z = point
        ux, uy, uz = self._up
        near = self._squares.get((_square(x), _square(y), _square(z)), [])
        for polygon in (*near, *self._wide):
            rise = dot(polygon.normal, self._up)
            down = polygon.plane.dist(point) / rise
            if abs(down) <= REACH and polygon.point_in_polygon((x - ux * down, y - uy * down, z - uz * down)):
                return True
        return False


def _square(coordinate: float) -> int:
    return int(coordinate // BUCKET)


# --- what else may carry, or be seen, there


def _has_help(view: View, cell: EnvCell, flaw: Flaw) -> bool:
    near = [view.rooms[portal.other_cell_id] for portal in cell.portals if portal.other_cell_id in view.rooms]
    point = cell.frame.local_to_global(flaw.point)
    if flaw.check is DRAWN:
        return _helps(view, point, near) or _thing_carries(view, point, [cell, *near])
    up = (0.0, 0.0, 1.0)
    shown = any(
        _Floors(drawn_of(other.structure), other.frame.global_to_local_vec(up)).has(other.frame.global_to_local(point))
        for other in near
    )
    return shown or _has_thing(view, point, [cell, *near])


def _helps(view: View, point: Vec3, near: Iterable[EnvCell], leave_out: Building | None = None) -> bool:
    """Whether the ground, a room or a building's shell carries at a point of the landblock."""
    x, y, z = point
    if view.terrain is not None and view.buildings:  # nobody meets the ground of a dungeon's landblock
        height = view.terrain.height_at(x, y)
        if height is not None and abs(height - z) <= REACH:
            return True
    trees: list[tuple[PhysicsTree, Frame]] = [
        (cell.physics_tree, cell.frame)
        for cell in near or (view.rooms.values() if leave_out is not None else ())
        if cell.physics_tree is not None
    ]
    trees += [
        (building.shell.physics_tree, building.frame)
        for building in view.buildings
        if building is not leave_out and building.shell is not None and building.shell.physics_tree is not None
    ]
    up = (0.0, 0.0, 1.0)
    return any(carries(tree, frame.global_to_local(point), frame.global_to_local_vec(up)) for tree, frame in trees)


def _thing_carries(view: View, point: Vec3, rooms: Iterable[EnvCell]) -> bool:
    """Whether the physics of a static thing carries at a point of the landblock."""
    for static in [thing for room in rooms for thing in room.static_objects] + view.statics:
        around, setup = sphere_of(view.source, static), view.setup(static.model_id)
        if around is None or setup is None or distance(around.center, point) > around.radius + REACH:
            continue
        x, y, z = static.frame.global_to_local(point)
        scaled = (x / static.scale, y / static.scale, z / static.scale)
        up = static.frame.global_to_local_vec((0.0, 0.0, 1.0))
        for index, part in enumerate(setup.parts):
            tree, local = None if part.gfxobj is None else part.gfxobj.physics_tree, setup.part_frame(index)
            if tree is not None and carries(tree, local.global_to_local(scaled), local.global_to_local_vec(up)):
                return True
    return False


def _has_thing(view: View, point: Vec3, rooms: Iterable[EnvCell]) -> bool:
    """Whether the point is in the sphere around a static thing: it may be what is seen."""
    for static in [thing for room in rooms for thing in room.static_objects] + view.statics:
        around = sphere_of(view.source, static)
        if around is not None and distance(around.center, point) <= around.radius + REACH:
            return True
    return False
