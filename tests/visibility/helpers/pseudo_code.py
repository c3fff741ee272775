"""The pseudo-code of rendering.md 5-8, literally and with no regard for speed: no caches, no caps, no records.

Tests compare `engine.visibility` in the client's mode with it. Its one addition is the containment guard of 10, without
which few floods of random rooms end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from engine.geometry.constants import EPSILON
from engine.geometry.vec import Vec3, add, cross, dot, sub
from engine.visibility.camera import Camera
from engine.world.cells.cell import EnvCell
from engine.world.graph.graph import CellGraph

Point = tuple[float, float, float]
"""X, Y and w."""
View = list[tuple[float, float]]

IN_PLANE = 2
NONE = -1


class EndlessError(Exception):
    """More clips than any sound floor plan needs."""


@dataclass
class Slot:
    """The top of a cell's view stack."""

    cell: EnvCell
    views: list[View] = field(default_factory=list)
    inflag: dict[int, bool] = field(default_factory=dict)
    seen: dict[int, bool] = field(default_factory=dict)
    resolved: dict[int, Slot] = field(default_factory=dict)
    max_indist: float = 0.0
    update_count: int = 0
    dropped: int = 0
    cell_view_done: bool = False


class PseudoCode:
    """One flood from a room."""

    def __init__(
        self,
        graph: CellGraph,
        root_id: int,
        camera: Camera,
        containment: bool,
        most_clips: int,
        stale: dict[int, dict[int, bool]] | None = None,
    ) -> None:
        """`stale` holds the flags that the previous flood left, and afterwards those of this one."""
        self.stale = {} if stale is None else stale
        self.graph = graph
        self.camera = camera
        self.containment = containment
        self.clips_left = most_clips
        self.outside: list[View] = []
        self.draw_list: list[Slot] = []
        self.todo: list[tuple[Slot, float]] = []
        self.drops = 0
        root = self.get_visible(root_id)
        assert root is not None
        cells = [root, *(self.get_visible(cell_id) for cell_id in root.stab_list)]
        self.slots = {cell.id: Slot(cell) for cell in cells if cell is not None}
        w, h = camera.width, camera.height
        self.slots[root_id].views.append([(0.0, h), (w, h), (w, 0.0), (0.0, 0.0)])
        self.construct_view(self.slots[root_id])

    def get_visible(self, cell_id: int) -> EnvCell | None:
        cell = self.graph.peek(cell_id)
        return cell if isinstance(cell, EnvCell) else None

    def polygon(self, cell: EnvCell, index: int) -> list[Vec3]:
        polygon = cell.portals[index].polygon
        assert polygon is not None
        return [cell.frame.local_to_global(vertex) for vertex in polygon.vertices]

    # --- 2.2, 2.3, 6

    def project(self, p: Vec3) -> Point:
        camera = self.camera
        d = sub(p, camera.eye)
        w = dot(camera.forward, d)
        x = (camera.width / 2.0) * w + camera.focal * dot(camera.right, d)
        return (x, (camera.height / 2.0) * w - camera.focal * dot(camera.up, d), w)

    def sidedness(self, cell: EnvCell, index: int) -> int:
        corners = self.polygon(cell, index)
        normal: Vec3 = (0.0, 0.0, 0.0)
        for b, c in pairwise(corners[1:]):
            normal = add(normal, cross(sub(b, corners[0]), sub(c, corners[0])))
        size = math.sqrt(dot(normal, normal)) or 1.0
        d = dot(normal, self.camera.eye) / size
        d -= sum(dot(normal, corner) for corner in corners) / size / len(corners)  # D = −mean(N · v)
        return 0 if d > EPSILON else 1 if d < -EPSILON else IN_PLANE

    def get_clip(self, side: int, cell: EnvCell, index: int, view: View) -> list[Point]:
        self.clips_left -= 1
        if self.clips_left < 0:
            raise EndlessError
        points = [self.project(p) for p in self.polygon(cell, index)]
        if side == 1:
            points.reverse()
        if any(p[2] < EPSILON for p in points):
            points = cut(points, lambda p: p[2] - EPSILON)
        for a, b in zip(view, [*view[1:], view[0]], strict=True):
            if len(points) < 3:
                return []
            points = cut(points, edge_of(a, b))
        return points if len(points) >= 3 else []

    # --- 7

    def construct_view(self, root: Slot) -> None:
        self.init_cell(root, NONE)
        self.ins_todo(root, 0.0)
        while self.todo:
            c, _ = self.todo.pop()
            self.draw_list.append(c)
            c.cell_view_done = True
            if self.clip_portals(c, 0):
                self.add_view_to_portals(c)
        for c in self.draw_list:
            self.stale[c.cell.id] = dict(c.inflag)

    def ins_todo(self, slot: Slot, dist: float) -> None:
        i = len(self.todo)
        while i > 0 and not dist < self.todo[i - 1][1]:
            i -= 1
        self.todo.insert(i, (slot, dist))

    def init_cell(self, pv: Slot, portal_in: int) -> bool:
        if not pv.views:
            return False
        pv.cell_view_done = False
        far2 = 0.0
        for i, p in enumerate(pv.cell.portals):
            if i == portal_in and not self.stale.get(pv.cell.id, {}).get(i, False):
                pv.inflag[i] = pv.seen[i] = True
            else:
                pv.seen[i] = False
                s = self.sidedness(pv.cell, i)
                pv.inflag[i] = s not in (IN_PLANE, int(p.portal_side))
            if pv.inflag[i]:
                for vertex in self.polygon(pv.cell, i):
                    d = sub(vertex, self.camera.eye)
                    far2 = max(far2, dot(d, d))
        pv.max_indist = far2
        self.see_all_others(pv)
        pv.update_count = len(pv.views)
        pv.dropped = 0
        return True

    def see_all_others(self, pv: Slot) -> None:
        for i in pv.inflag:
            if not pv.inflag[i] and not pv.seen[i]:
                pv.seen[i] = True

    def clip_portals(self, pv: Slot, first_view: int) -> bool:
        cell = pv.cell
        traversable = [i for i in pv.inflag if pv.seen[i] and not pv.inflag[i]]
        portals = cell.portals
        if not any(portals[i].leads_outside or self.get_visible(portals[i].other_cell_id) for i in traversable):
            return False
        for view in pv.views[first_view:]:
            for i in traversable:
                points = self.get_clip(int(portals[i].portal_side), cell, i, view)
                if points:
                    self.hand_on(cell, i, points)
        return True

    def hand_on(self, cell: EnvCell, i: int, points: list[Point]) -> None:
        p = cell.portals[i]
        if p.leads_outside:
            outside = copy_view(points)
            if outside is not None:
                self.outside.append(outside)
            return
        n = self.get_visible(p.other_cell_id)
        if n is None or n.id not in self.slots:
            return
        other = self.other_portal(cell, i)
        if not p.exact_match and other >= 0:
            opening = copy_view(points)
            if opening is None:
                return
            points = self.get_clip(0 if n.portals[other].portal_side else 1, n, other, opening)
        view = copy_view(points) if points else None
        if view is None:
            return
        if self.containment and any(contains(known, view) for known in self.slots[n.id].views):
            self.drops += 1
            self.slots[n.id].dropped += 1
            return
        self.slots[n.id].views.append(view)

    def other_portal(self, cell: EnvCell, i: int) -> int:
        """Checks bounds (25)."""
        p = cell.portals[i]
        n = self.get_visible(p.other_cell_id)
        return p.other_portal_id if n is not None and 0 <= p.other_portal_id < len(n.portals) else NONE

    def add_view_to_portals(self, pv: Slot) -> None:
        for i, p in enumerate(pv.cell.portals):
            npv = self.slots.get(p.other_cell_id)
            if npv is None or pv.inflag[i] or not pv.seen[i] or not npv.views:
                continue
            other = self.other_portal(pv.cell, i)
            if npv.update_count == 0:
                if self.init_cell(npv, other):
                    self.ins_todo(npv, npv.max_indist)
            elif npv.update_count != len(npv.views) or npv.dropped:
                if other >= 0:
                    npv.inflag[other] = True
                self.see_all_others(npv)
                if npv.cell_view_done:
                    self.fix_cell_list(npv, pv)
                npv.update_count = len(npv.views)
                npv.dropped = 0
            else:
                continue
            if other >= 0:
                npv.resolved[other] = pv
                if npv.inflag[other]:
                    npv.seen[other] = True

    # --- 8

    def fix_cell_list(self, n: Slot, c: Slot) -> None:
        self.adjust_cell_place(n, c)
        if n.update_count != len(n.views) and self.clip_portals(n, n.update_count):
            self.add_view_to_portals(n)

    def adjust_cell_place(self, n: Slot, c: Slot) -> None:
        if not self.move_before(n, c):
            return
        for i, m in list(c.resolved.items()):
            if c.seen[i] and c.inflag[i]:
                self.adjust_cell_place(c, m)

    def move_before(self, n: Slot, c: Slot) -> bool:
        for i, met in enumerate(self.draw_list):
            if met is c:
                return False
            if met is n:
                self.draw_list = [other for other in self.draw_list if other is not c]
                self.draw_list.insert(i, c)
                return True
        return False


def cut(points: list[Point], s: Callable[[Point], float]) -> list[Point]:
    kept: list[Point] = []
    for p, q in zip(points, [*points[1:], points[0]], strict=True):
        sp, sq = s(p), s(q)
        if sp >= 0.0:
            kept.append(p)
        if (sp >= 0.0) != (sq >= 0.0):
            t = sp / (sp - sq)
            kept.append((p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t, p[2] + (q[2] - p[2]) * t))
    return kept


def edge_of(a: tuple[float, float], b: tuple[float, float]) -> Callable[[Point], float]:
    ex, ey = b[0] - a[0], b[1] - a[1]
    return lambda p: (p[0] - a[0] * p[2]) * ey - (p[1] - a[1] * p[2]) * ex


def copy_view(points: list[Point]) -> View | None:
    """5.1."""
    at = [(x / w, y / w) for x, y, w in points]

    def apart(i: int, j: int) -> bool:
        return abs(at[i][0] - at[j][0]) > 1.0 or abs(at[i][1] - at[j][1]) > 1.0

    def bent(a: int, b: int, c: int) -> bool:
        (xa, ya), (xb, yb), (xc, yc) = at[a], at[b], at[c]
        return abs((xa - xb) * (yb - yc) - (ya - yb) * (xb - xc)) >= max(abs(xa - xc), abs(ya - yc))

    kept, last, before, second = {0}, 0, 0, NONE
    for i in range(1, len(at)):
        if not apart(i, last):
            continue
        if last == 0:
            second = i
        elif bent(before, last, i):
            before = last
        else:
            kept.discard(last)
            second = i if second == last else second
        kept.add(i)
        last = i
    if apart(0, last) and bent(before, last, 0):
        before = last
    else:
        kept.discard(last)
    if second != NONE and not bent(before, 0, second):
        kept.discard(0)
    view = [(abs(at[i][0]), abs(at[i][1])) for i in sorted(kept)]
    return view[:31] if len(view) >= 3 else None


def contains(view: View, other: View) -> bool:
    """10: every vertex is inside, within half a pixel."""
    for (x, y), (x2, y2) in zip(view, [*view[1:], view[0]], strict=True):
        ex, ey = x2 - x, y2 - y
        slack = 0.5 * math.hypot(ex, ey)
        if any((px - x) * ey - (py - y) * ex < -slack for px, py in other):
            return False
    return True
