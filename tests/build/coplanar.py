"""Finds faces that flicker: two that look the same way, lie in one plane and share area (rendering.md M1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.render.mesh import Mesh

Numbers = NDArray[np.float64]

NEAR = 0.004
"""Metres; 24 bits of depth from 0.1 m on tell 0.004 m apart up to 80 m away."""
SAME_WAY = 0.9995
LEAST_AREA = 1e-4
"""Square metres: a centimetre wide and long."""


@dataclass
class Faces:
    """Triangles in the coordinates of one landblock, each with what it belongs to."""

    owners: list[str] = field(default_factory=list)
    cells: list[frozenset[int]] = field(default_factory=list)
    """The rooms that an owner is drawn with; empty: with all."""
    _corners: list[Numbers] = field(default_factory=list)
    _owner: list[NDArray[np.int64]] = field(default_factory=list)

    def add(
        self, owner: str, mesh: Mesh, frame: Frame, scale: Vec3 = (1.0, 1.0, 1.0), cells: Sequence[int] = ()
    ) -> None:
        local = mesh.triangles().astype(np.float64).reshape(-1, 3) * np.array(scale)
        placed = np.array([frame.local_to_global((float(x), float(y), float(z))) for x, y, z in local])
        self._corners.append(placed.reshape(-1, 3, 3))
        self._owner.append(np.full(len(self._corners[-1]), len(self.owners)))
        self.owners.append(owner)
        self.cells.append(frozenset(cells))

    @property
    def count(self) -> int:
        return sum(len(corners) for corners in self._corners)

    def flickering(self) -> dict[str, float]:
        """The owners of such faces, two by two, with the shared area in square metres."""
        corners, owner = np.concatenate(self._corners), np.concatenate(self._owner)
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        size = np.linalg.norm(across, axis=1)
        kept = size > 1e-6
        corners, owner = corners[kept], owner[kept]
        normals = across[kept] / size[kept][:, None]
        found: dict[str, float] = {}
        for i, j in _close_pairs(corners, normals):
            one, other = int(owner[i]), int(owner[j])
            if one != other and self.cells[one] and self.cells[other] and not self.cells[one] & self.cells[other]:
                continue
            shared = _area(_common(corners[i], corners[j], normals[i]), normals[i])
            if shared > LEAST_AREA:
                x, y, z = corners[i][0].round(2).tolist()
                pair = f"{self.owners[one]} and {self.owners[other]} at {x} {y} {z}"
                found[pair] = found.get(pair, 0.0) + shared
        return found


def _close_pairs(corners: Numbers, normals: Numbers) -> Iterator[tuple[int, int]]:
    """Triangles whose boxes meet, whose normals agree, and of which one lies in the plane of the other."""
    low, high = corners.min(axis=1) - NEAR, corners.max(axis=1) + NEAR
    order = np.argsort(low[:, 0])
    lefts = low[order, 0]
    for place, i in enumerate(order):
        later = order[place + 1 : np.searchsorted(lefts, high[i, 0], "right")]
        meet = (low[later] <= high[i]).all(axis=1) & (high[later] >= low[i]).all(axis=1)
        later = later[meet & (normals[later] @ normals[i] > SAME_WAY)]
        away = np.abs((corners[later] - corners[i, 0]) @ normals[i]).max(axis=1) if len(later) else np.empty(0)
        for j in later[away < NEAR]:
            yield int(i), int(j)


def _common(one: Numbers, other: Numbers, normal: Numbers) -> list[Numbers]:
    """The part of a triangle over another one."""
    piece = list(other)
    for k in range(3):
        inwards = np.cross(normal, one[(k + 1) % 3] - one[k])
        piece = _cut(piece, one[k], inwards)
    return piece


def _cut(piece: list[Numbers], on: Numbers, inwards: Numbers) -> list[Numbers]:
    kept: list[Numbers] = []
    for k, here in enumerate(piece):
        there = piece[(k + 1) % len(piece)]
        a, b = float((here - on) @ inwards), float((there - on) @ inwards)
        if a >= 0.0:
            kept.append(here)
        if a * b < 0.0:
            kept.append(here + (there - here) * (a / (a - b)))
    return kept


def _area(piece: list[Numbers], normal: Numbers) -> float:
    total = np.zeros(3)
    for k in range(1, len(piece) - 1):
        total += np.cross(piece[k] - piece[0], piece[k + 1] - piece[0])
    return 0.5 * float(total @ normal)
