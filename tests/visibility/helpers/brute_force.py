"""The region test of rendering.md 24.3: casts a ray through the portals for each pixel to find the cell it sees.

It shares nothing with the flood: no view polygons, todo lists or view counts. It casts all rays of a screen at once,
because whether a pixel's ray hits an opening is linear in the pixel's position, which numpy evaluates in a few sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.visibility.camera import Camera
from engine.visibility.records import FloodResult
from engine.visibility.view import ViewPoly
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.portals import OUTSIDE, BldPortal
from engine.world.graph.graph import CellGraph

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

EPS = 0.0002
SLACK = 0.01
"""An eye in an opening's plane and up to this many metres beside it still stands in it (robust mode, 9)."""


class Outline:
    """A polygon as seen from the eye, which is the origin here."""

    def __init__(self, vertices: Sequence[Vec3], frame: Frame, eye: Vec3) -> None:
        self.points: Floats = np.array([frame.local_to_global(v) for v in vertices]) - np.array(eye)
        spokes = self.points[1:] - self.points[0]
        normal = np.cross(spokes[:-1], spokes[1:]).sum(axis=0)
        size = float(np.linalg.norm(normal))
        self.normal: Floats = normal / size if size > 0.0 else normal
        self.away = float(self.normal @ self.points.mean(axis=0))  # from the eye to the plane, along the normal
        self.inwards: Floats = np.cross(self.normal, np.roll(self.points, -1, axis=0) - self.points)

    def eye_is_behind(self, side: int) -> bool:
        """True for an eye on the wrong side to look through; an eye in the plane is not behind."""
        distance = -self.away
        return distance > EPS if side else distance < -EPS

    def stood_in(self) -> bool:
        """True for an eye in the plane, inside the opening or up to a centimetre beside it."""
        if abs(self.away) > EPS:
            return False
        lengths = np.linalg.norm(self.inwards, axis=1)
        return bool(np.all(-np.sum(self.points * self.inwards, axis=1) >= -SLACK * lengths))


class Window:
    """The bounding rows and columns of a set of pixels, as slices."""

    def __init__(self, mask: Mask) -> None:
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        self.rows = slice(int(rows[0]), int(rows[-1]) + 1)
        self.columns = slice(int(columns[0]), int(columns[-1]) + 1)


class BruteForce:
    """All pixels of a camera over the cells of a graph."""

    def __init__(self, graph: CellGraph, camera: Camera, robust: bool = True) -> None:
        self.graph = graph
        self.camera = camera
        self.robust = robust
        self.width, self.height = int(camera.width), int(camera.height)
        self.across: Floats = (np.arange(self.width, dtype=np.float64) + 0.5 - camera.width / 2.0) / camera.focal
        self.down: Floats = (np.arange(self.height, dtype=np.float64) + 0.5 - camera.height / 2.0) / camera.focal
        self.basis: Floats = np.array([camera.forward, camera.right, camera.up])
        self._outlines: dict[tuple[int, int], Outline | None] = {}

    def nothing(self) -> Mask:
        return np.zeros((self.height, self.width), dtype=np.bool_)

    def regions(self, root_id: int, ignore_stab_list: bool = False) -> dict[int, Mask]:
        """The pixels of every cell seen from the root, and of OUTSIDE."""
        root = self._cell(root_id)
        assert root is not None
        allowed = {cell.id for cell in self.graph.all_cells()} if ignore_stab_list else root.stab_set | {root_id}
        return self.regions_from(root, -1, ~self.nothing(), allowed)

    def regions_from(
        self, start: EnvCell, entry: int, pixels: Mask, allowed: set[int], exits: bool = True
    ) -> dict[int, Mask]:
        """The pixels of every cell seen by rays that enter `start` through portal `entry`, or begin there (-1)."""
        regions: dict[int, Mask] = {}
        been: dict[tuple[int, int], Mask] = {}
        waiting = [(start, entry, pixels)]
        while waiting:
            cell, entry, pixels = waiting.pop()
            before = been.setdefault((cell.id, entry), self.nothing())
            pixels = pixels & ~before
            if not pixels.any():
                continue
            before |= pixels
            regions[cell.id] = regions.get(cell.id, False) | pixels
            for index, portal in enumerate(cell.portals):
                if index == entry:
                    continue
                through = self.through(cell, index, pixels)
                if not through.any():
                    continue
                if portal.leads_outside and exits:
                    regions[OUTSIDE] = regions.get(OUTSIDE, False) | through
                other = self._cell(portal.other_cell_id)
                if other is not None and other.id in allowed:
                    waiting.append((other, portal.other_portal_id, through))
        return regions

    def look_in(self, building: Building, portal: BldPortal, entry: EnvCell) -> dict[int, Mask]:
        """The pixels of the cells seen through a building's portal."""
        polygon = portal.polygon
        assert polygon is not None
        outline = Outline(polygon.vertices, building.frame, self.camera.eye_in(entry.id))
        side = 1 if portal.portal_side else 0
        if outline.eye_is_behind(side) or (abs(outline.away) <= EPS and not outline.stood_in()):
            return {}
        pixels = self.seen_through(outline, side, ~self.nothing())
        return self.regions_from(entry, portal.other_portal_id, pixels, set(portal.stab_list), exits=False)

    def through(self, cell: EnvCell, index: int, pixels: Mask) -> Mask:
        """The subset of a cell's pixels that see through one of its portals."""
        portal = cell.portals[index]
        outline = self.outline(cell, index)
        side = 1 if portal.portal_side else 0
        if outline is None or outline.eye_is_behind(side):
            return self.nothing()
        pixels = self.seen_through(outline, side, pixels)
        other = self._cell(portal.other_cell_id)
        if not portal.exact_match and portal.other_portal_id >= 0 and other is not None:
            back = self.outline(other, portal.other_portal_id)
            if back is None:
                return self.nothing()
            return self.seen_through(back, 0 if other.portals[portal.other_portal_id].portal_side else 1, pixels)
        return pixels

    def seen_through(self, outline: Outline, side: int, pixels: Mask) -> Mask:
        """The pixels whose rays pass through an opening, looking from `side`."""
        found = self.nothing()
        if not pixels.any():
            return found
        window = Window(pixels)
        along = self._dot(outline.normal, window)
        if self.robust and outline.stood_in():
            # The limit as the eye approaches the plane: the rays that leave for the other side.
            hit: Mask = along > 0.0 if side else along < 0.0
        else:
            # t = away/along, and (t·ray − a)·inwards ≥ 0 for every edge, both times along² to save the division
            hit = along * outline.away > 0.0
            for a, inwards in zip(outline.points, outline.inwards, strict=True):
                edge = self._dot(outline.away * inwards - float(a @ inwards) * outline.normal, window)
                hit &= edge * along >= 0.0
        found[window.rows, window.columns] = hit & pixels[window.rows, window.columns]
        return found

    def _dot(self, vector: Floats, window: Window) -> Floats:
        """The dot product of a vector with every ray of a window."""
        ahead, across, up = self.basis @ vector
        grid: Floats = ahead + across * self.across[None, window.columns] - up * self.down[window.rows, None]
        return grid

    def outline(self, cell: EnvCell, index: int) -> Outline | None:
        key = (cell.id, index)
        if key not in self._outlines:
            polygon = cell.portals[index].polygon if index < len(cell.portals) else None
            made = None
            if polygon is not None and len(polygon.vertices) >= 3:
                made = Outline(polygon.vertices, cell.frame, self.camera.eye_in(cell.id))
            self._outlines[key] = made
        return self._outlines[key]

    def _cell(self, cell_id: int) -> EnvCell | None:
        cell = self.graph.peek(cell_id)
        return cell if isinstance(cell, EnvCell) else None

    # --- the flood's answer

    def mask_of(self, views: Iterable[ViewPoly]) -> Mask:
        """The pixels whose centres are inside one of the views."""
        mask = self.nothing()
        for view in views:
            left, right = max(0, int(view.xmin) - 1), min(self.width, int(view.xmax) + 2)
            top, bottom = max(0, int(view.ymin) - 1), min(self.height, int(view.ymax) + 2)
            xs, ys = np.arange(left, right)[None, :] + 0.5, np.arange(top, bottom)[:, None] + 0.5
            inside = np.ones((bottom - top, right - left), dtype=np.bool_)
            for k, (x, y) in enumerate(zip(view.xs, view.ys, strict=True)):
                ex = view.xs[(k + 1) % len(view.xs)] - x
                ey = view.ys[(k + 1) % len(view.ys)] - y
                inside &= (xs - x) * ey - (ys - y) * ex >= 0.0
            mask[top:bottom, left:right] |= inside
        return mask

    def masks(self, result: FloodResult) -> dict[int, Mask]:
        found = {visible.cell_id: self.mask_of(visible.views) for visible in result.cells}
        if result.outside:
            found[OUTSIDE] = self.mask_of(result.outside)
        return found

    def differences(self, result: FloodResult, regions: dict[int, Mask]) -> list[str]:
        """The flood's errors wider than slivers, cell by cell."""
        found = self.masks(result)
        wrong = []
        for cell_id in sorted({*found, *regions}):
            ours, theirs = found.get(cell_id, self.nothing()), regions.get(cell_id, self.nothing())
            missing, extra = blocks(theirs & ~ours), blocks(ours & ~theirs)
            if missing or extra:
                name = "OUTSIDE" if cell_id == OUTSIDE else cell_text(cell_id)
                wrong.append(f"{name}: {missing} blocks missing, {extra} too many")
        return wrong


def blocks(d: Mask) -> int:
    """Counts the completely filled blocks of 2 x 2 pixels."""
    return int(np.count_nonzero(d[:-1, :-1] & d[1:, :-1] & d[:-1, 1:] & d[1:, 1:]))
