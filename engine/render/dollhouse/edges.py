"""The edges of a dollhouse: of the polygons of rooms, buildings and things, each drawn once, and where the upper plane
cuts walls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any, Final, NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from engine.geometry.vec import Vec3
from engine.render.dollhouse.look import COLOURS, EAVES, ROOF, Dollhouse, Drawing, Kind, Seen
from engine.render.draws import Owner, PartDraw, ShellDraw
from engine.render.materials import Material
from engine.render.mesh import Mesh
from engine.render.overlays.geometry import Colour, Lines
from engine.render.overlays.hulls import in_block
from engine.render.overlays.palette import FURNITURE, faint
from engine.world.cells.cell import Building

Points = NDArray[np.float64]

SAME: Final = 1000.0
"""Parts of a metre within which two corners are one."""
GRID: Final = 1 << 21
"""Such parts that a key of a corner holds along each axis."""

INK: Final[Colour] = (14, 16, 20, 190)
"""Edges over solid faces."""
SHELL: Final[Colour] = (191, 148, 242, 255)
"""Edges of buildings: those of the building's portals in other overlays."""
SECTION: Final[Colour] = (255, 255, 255, 235)
"""Where the upper plane cuts walls."""

OVER_ALL: Final = 1.0
"""Wireframe: nothing hides an edge."""


class _Look(NamedTuple):
    colour: Colour
    width: float
    hidden: float


class EdgeScene(Protocol):
    """The part of `engine.render.scene.Scene` that edges need."""

    def shell(self, cell_id: int) -> ShellDraw | None: ...
    def building_shell(self, building: Building, block_id: int) -> ShellDraw | None: ...
    def parts_in(self, cell_id: int) -> list[PartDraw]: ...


class DollhouseEdges:
    """Makes the lines of one scene's dollhouses; those of a mesh are worked out once."""

    def __init__(self, scene: EdgeScene) -> None:
        self._scene = scene
        self._of_meshes: WeakKeyDictionary[Mesh, dict[object, Points]] = WeakKeyDictionary()
        self._joined: tuple[object, list[tuple[Seen, Points]]] | None = None
        self._made: tuple[object, list[Lines]] | None = None

    def lines(self, house: Dollhouse) -> list[Lines]:
        """All lines of a dollhouse, of one pixel and more; the same list while nothing in it changes."""
        rooms = [shell for cell_id in house.rooms if (shell := self._scene.shell(cell_id)) is not None]
        buildings = self._buildings(house)
        things = self._things(house) if house.drawing is Drawing.WIREFRAME else []
        seen = tuple(house.seen_of(shell.key) for shell in rooms)
        draws = (*rooms, *buildings, *things)
        key = (draws, seen, house.drawing, house.low, house.high, house.roofs, house.seen is None)
        if self._made is None or self._made[0] != key:
            made = self._room_lines(house, rooms, seen)
            made += self._building_lines(house, buildings)
            made += self._thing_lines(house, things)
            made += self._sections(house, [*zip(rooms, seen, strict=True)], buildings)
            self._made = (key, [lines for lines in made if len(lines)])
        return self._made[1]

    def _buildings(self, house: Dollhouse) -> list[ShellDraw]:
        found = [self._scene.building_shell(building, house.block_id) for building in house.buildings]
        return [shell for shell in found if shell is not None]

    def _things(self, house: Dollhouse) -> list[PartDraw]:
        """What stands in the rooms: trees outside would fill the picture."""
        found: dict[tuple[int, int], PartDraw] = {}
        for cell_id in house.rooms:
            for part in self._scene.parts_in(cell_id):
                if not part.hidden and part.alpha > 0.0 and part.owner is not Owner.BUILDING:
                    found.setdefault(part.key, part)
        return list(found.values())

    # --- looks

    def _room_lines(self, house: Dollhouse, rooms: Sequence[ShellDraw], seen: Sequence[Seen]) -> list[Lines]:
        found = []
        for role, points in self._joined_edges(house, rooms, seen):
            found += _lines(house, clipped(points, house.low, house.high), _room_look(house, role))
        return found

    def _joined_edges(
        self, house: Dollhouse, rooms: Sequence[ShellDraw], seen: Sequence[Seen]
    ) -> list[tuple[Seen, Points]]:
        """The edges of all rooms, an edge of two rooms once: with the room that PView makes more of."""
        key = (tuple(rooms), tuple(seen), house.roofs)
        if self._joined is None or self._joined[0] != key:
            order = sorted(range(len(rooms)), key=lambda number: -seen[number])
            each = [self._edges_in_block(rooms[number], Kind.ROOM, house.roofs) for number in order]
            roles = np.repeat([seen[number] for number in order], [len(points) for points in each])
            points = np.concatenate(each) if each else np.zeros((0, 2, 3))
            first = _first_of_each(points)
            points, roles = points[first], roles[first]
            self._joined = (key, [(role, points[roles == role]) for role in Seen])
        return self._joined[1]

    def _building_lines(self, house: Dollhouse, buildings: Sequence[ShellDraw]) -> list[Lines]:
        look = {
            Drawing.SOLID: _Look(INK, 1.0, 0.0),
            Drawing.WIREFRAME: _Look(faint(SHELL, 0.45), 1.0, OVER_ALL),
            Drawing.XRAY: _Look(faint(SHELL, 0.35), 1.0, OVER_ALL),
        }[house.drawing]
        found = []
        for shell in buildings:
            points = self._edges_in_block(shell, Kind.BUILDING, house.roofs)
            found += _lines(house, clipped(points, house.low, house.high), look)
        return found

    def _thing_lines(self, house: Dollhouse, things: Sequence[PartDraw]) -> list[Lines]:
        each = [self._edges_in_block(part, Kind.THING, True) for part in things]
        points = np.concatenate(each) if each else np.zeros((0, 2, 3))
        return _lines(house, clipped(points, house.low, house.high), _Look(faint(FURNITURE, 0.2), 1.0, OVER_ALL))

    def _sections(
        self, house: Dollhouse, rooms: Sequence[tuple[ShellDraw, Seen]], buildings: Sequence[ShellDraw]
    ) -> list[Lines]:
        """Where the upper plane cuts the walls of rooms and buildings."""
        if house.high == inf:
            return []
        found = []
        by_role: dict[Colour, list[Points]] = {}
        for shell, role in rooms:
            colour = SECTION if house.seen is None else COLOURS[role]
            by_role.setdefault(colour, []).append(section(shell, house.high))
        for shell in buildings:
            by_role.setdefault(faint(SHELL, 0.8), []).append(section(shell, house.high))
        hidden = 0.0 if house.drawing is Drawing.SOLID else OVER_ALL
        for colour, segments in by_role.items():
            found += _lines(house, np.concatenate(segments), _Look(colour, 2.0, hidden))
        return found

    # --- meshes

    def _edges_in_block(self, draw: ShellDraw | PartDraw, kind: Kind, roofs: bool) -> Points:
        up = None if roofs or kind is Kind.THING else _rounded(draw.frame.global_to_local_vec((0.0, 0.0, 1.0)))
        drawn = drawn_subsets(draw.mesh, draw.materials) if kind is not Kind.THING else None
        known = self._of_meshes.setdefault(draw.mesh, {})
        key = (up, kind, drawn)
        points = known.get(key)
        if points is None:
            mask = np.ones(len(draw.mesh.triangle_polygon), np.bool_)
            if drawn is not None:
                mask &= _of_subsets(draw.mesh, drawn)
            if up is not None:
                mask &= ~roof_triangles(draw.mesh, kind, up)
            points = known[key] = polygon_edges(draw.mesh, mask)
        if isinstance(draw, PartDraw):
            points = points * np.array(draw.scale)
        return in_block(draw.frame, points)


def _room_look(house: Dollhouse, role: Seen) -> _Look:
    colour = COLOURS[role]
    if house.drawing is Drawing.SOLID:
        return _Look(INK, 1.0, 0.0) if role is Seen.NEITHER else _Look(colour, 1.5, 0.0)
    strength = 0.4 if house.drawing is Drawing.XRAY else 0.85
    if house.seen is not None and role is Seen.NEITHER:
        strength *= 0.65
    return _Look(faint(colour, strength), 1.0, OVER_ALL)


def _lines(house: Dollhouse, points: Points, look: _Look) -> list[Lines]:
    if not len(points):
        return []
    colours = np.broadcast_to(np.array(look.colour, np.uint8), (len(points), 4))
    return [Lines(house.block_id, points, colours, look.width, look.hidden)]


def drawn_subsets(mesh: Mesh, materials: Sequence[Material]) -> tuple[bool, ...]:
    """The subsets of walls that are drawn: openings have no picture (rendering.md 16.3)."""
    return tuple(
        materials[number].drawn_in_cells if number < len(materials) else not subset.bare
        for number, subset in enumerate(mesh.subsets)
    )


def _of_subsets(mesh: Mesh, drawn: Sequence[bool]) -> NDArray[np.bool_]:
    mask = np.zeros(len(mesh.triangle_polygon), np.bool_)
    for subset, is_drawn in zip(mesh.subsets, drawn, strict=True):
        if is_drawn:
            first = subset.first_index // 3
            mask[first : first + subset.index_count // 3] = True
    return mask


def roof_triangles(mesh: Mesh, kind: Kind, up: Vec3) -> NDArray[np.bool_]:
    """The triangles of roofs and ceilings; `up` is the world's in the mesh's space."""
    corners = mesh.triangles().astype(np.float64)
    rises = facing(corners) @ np.array(up)
    if kind is Kind.ROOM:
        found: NDArray[np.bool_] = rises < -ROOF
    else:
        found = (np.abs(rises) > ROOF) & (corners.mean(axis=1) @ np.array(up) > EAVES)
    return found


def facing(corners: Points) -> Points:
    """The unit normals of triangles, zero for those without area."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sizes = np.linalg.norm(normals, axis=1, keepdims=True)
    unit: Points = np.divide(normals, sizes, out=np.zeros_like(normals), where=sizes > 0.0)
    return unit


def polygon_edges(mesh: Mesh, mask: NDArray[np.bool_]) -> Points:
    """The edges of the polygons of these triangles, (n, 2, 3), each once: not those between two triangles of one
    polygon."""
    numbers = mesh.indices.reshape(-1, 3)[mask]
    if not len(numbers):
        return np.zeros((0, 2, 3))
    _, first, corner = np.unique(_corner_keys(mesh.positions), return_index=True, return_inverse=True)
    count = len(first)
    ends = corner.reshape(-1)[numbers]
    pairs = np.stack([ends, np.roll(ends, -1, axis=1)], axis=2).reshape(-1, 2)
    pairs.sort(axis=1)
    joined = pairs[:, 0] * count + pairs[:, 1]
    owner = mesh.triangle_polygon[mask].astype(np.int64) * 2 + mesh.triangle_side[mask]
    owners = np.unique(owner, return_inverse=True)[1].reshape(-1)
    owned, times = np.unique(np.repeat(owners, 3) * (count * count) + joined, return_counts=True)
    once = np.unique(owned[times == 1] % (count * count))
    once = once[once // count != once % count]
    edges: Points = mesh.positions[first].astype(np.float64)[np.stack([once // count, once % count], axis=1)]
    return edges


def _corner_keys(places: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """A number for each corner, (n, 3), the same for those within a millimetre grid; numpy sorts numbers faster than
    rows. It holds a kilometre each way."""
    grid = np.rint(places.astype(np.float64) * SAME).astype(np.int64) + GRID // 2
    keys: NDArray[np.int64] = (grid[:, 0] * GRID + grid[:, 1]) * GRID + grid[:, 2]
    return keys


def _first_of_each(points: Points) -> NDArray[np.intp]:
    """The rows of the first of all edges between the same two corners."""
    if not len(points):
        return np.zeros(0, np.intp)
    ends = np.unique(_corner_keys(points.reshape(-1, 3)), return_inverse=True)[1].reshape(-1, 2)
    ends.sort(axis=1)
    first: NDArray[np.intp] = np.unique(ends[:, 0] * (2 * len(points)) + ends[:, 1], return_index=True)[1]
    return np.sort(first)


def clipped(points: Points, low: float, high: float) -> Points:
    """The parts of segments between two heights."""
    for height, side in ((low, 1.0), (high, -1.0)):
        if np.isinf(height) or not len(points):
            continue
        over = (points[:, :, 2] - height) * side
        points, over = points[(over > 0.0).any(axis=1)], over[(over > 0.0).any(axis=1)]
        cut = (over < 0.0).any(axis=1)
        if cut.any():
            points = points.copy()
            part = over[cut, 0] / (over[cut, 0] - over[cut, 1])
            met = points[cut, 0] + (points[cut, 1] - points[cut, 0]) * part[:, None]
            outside = (over[cut, 0] > 0.0).astype(np.intp)
            rows = np.flatnonzero(cut)
            points[rows, outside] = met
    return points


def section(shell: ShellDraw, height: float) -> Points:
    """Where the walls of a room or a building pass a height, (n, 2, 3)."""
    if abs(shell.sphere.center[2] - height) > shell.sphere.radius + 1.0:
        return np.zeros((0, 2, 3))
    mask = _of_subsets(shell.mesh, drawn_subsets(shell.mesh, shell.materials))
    corners = in_block(shell.frame, shell.mesh.triangles()[mask].astype(np.float64))
    return plane_meets(corners, height)


def plane_meets(corners: Points, height: float) -> Points:
    """The segments in which triangles, (n, 3, 3), pass a height."""
    over = corners[:, :, 2] - height
    above = over > 0.0
    passing = above.any(axis=1) & ~above.all(axis=1)
    corners, over, above = corners[passing], over[passing], above[passing]
    if not len(corners):
        return np.zeros((0, 2, 3))
    lone_is_above = above.sum(axis=1) == 1
    lone = np.argmax(above == lone_is_above[:, None], axis=1)
    rows = np.arange(len(corners))
    ends = []
    for step in (1, 2):
        other = (lone + step) % 3
        part = over[rows, lone] / (over[rows, lone] - over[rows, other])
        a, b = corners[rows, lone], corners[rows, other]
        ends.append(a + (b - a) * part[:, None])
    found: Points = np.stack(ends, axis=1)
    return found


def _rounded(v: Vec3) -> Vec3:
    return (round(v[0], 4), round(v[1], 4), round(v[2], 4))


def points_of(shells: Iterable[ShellDraw]) -> Points:
    """All corners of the walls of rooms and buildings in their landblock, (n, 3)."""
    each = [in_block(shell.frame, shell.mesh.positions.astype(np.float64)) for shell in shells]
    return np.concatenate(each) if each else np.zeros((0, 3))


def bounds_of(points: Points) -> tuple[Vec3, Vec3] | None:
    """The corners of the box around points; None for none."""
    if not len(points):
        return None
    low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    return ((low[0], low[1], low[2]), (high[0], high[1], high[2]))
