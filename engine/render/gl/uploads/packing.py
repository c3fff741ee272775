"""Prepares meshes for upload: every vertex belongs to one subset, and walls are closed at their T-junctions.

Where a corner of one polygon lies inside an edge of another, the two are rasterised along slightly different lines, and
single pixels behind them shine through. There the edge gets a vertex too, at exactly the same place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.render.mesh import Mesh

ON_EDGE: Final = 1e-3
"""In metres: how far a corner may be from an edge that it lies in, and how far it must be from the edge's ends."""
MOST_PAIRS: Final = 1 << 21
"""The number of edges times corners that are tested at once."""

Triangle = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Packed:
    """Vertices with the number of their subset. Each is vertex `sources` of the mesh or, where a T-junction was closed,
    lies between it and `targets`, at `shares` of the distance. `spans` are first index and count of each subset."""

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    uvs: NDArray[np.float32]
    subsets: NDArray[np.int32]
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    shares: NDArray[np.float32]
    indices: NDArray[np.uint32]
    spans: tuple[tuple[int, int], ...]

    def of_vertices(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """The values of the mesh's vertices, interpolated for these."""
        return between(values, self.sources, self.targets, self.shares)


def between(
    values: NDArray[np.float32], sources: NDArray[np.int64], targets: NDArray[np.int64], shares: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Rows of `values`, those with a share in two of them mixed."""
    found = values[sources]
    mixed = np.flatnonzero(shares)
    if len(mixed):
        found[mixed] += (values[targets[mixed]] - found[mixed]) * shares[mixed, None]
    return found


class _Corners:
    """The vertices of a mesh and those that are added to it."""

    def __init__(self, mesh: Mesh) -> None:
        count = len(mesh.positions)
        self.positions = mesh.positions
        self.sources: list[int] = list(range(count))
        self.targets: list[int] = list(range(count))
        self.shares: list[float] = [0.0] * count
        self.places: list[int] = list(range(count))
        """For each the vertex of the mesh with its position."""

    def add(self, a: int, b: int, share: float, place: int) -> int:
        """A vertex on the edge between two of the mesh, at the place of a third."""
        self.sources.append(a)
        self.targets.append(b)
        self.shares.append(share)
        self.places.append(place)
        return len(self.sources) - 1


def pack(mesh: Mesh, tight: bool = False) -> Packed:
    """`tight` closes T-junctions."""
    corners = _Corners(mesh)
    triangles = [mesh.indices[s.first_index : s.first_index + s.index_count].astype(np.int64) for s in mesh.subsets]
    if tight and triangles:
        triangles = _without_junctions(mesh, triangles, corners)
    chosen: list[NDArray[np.int64]] = []
    indices: list[NDArray[np.uint32]] = []
    owners: list[NDArray[np.int32]] = []
    spans: list[tuple[int, int]] = []
    vertex_count = index_count = 0
    for number, own in enumerate(triangles):
        used, places = np.unique(own, return_inverse=True)
        indices.append((places.reshape(-1) + vertex_count).astype(np.uint32))
        chosen.append(used)
        owners.append(np.full(len(used), number, np.int32))
        spans.append((index_count, len(own)))
        vertex_count += len(used)
        index_count += len(own)
    picked = np.concatenate(chosen) if chosen else np.zeros(0, np.int64)
    sources = np.array(corners.sources, np.int64)[picked]
    targets = np.array(corners.targets, np.int64)[picked]
    shares = np.array(corners.shares, np.float32)[picked]
    return Packed(
        mesh.positions[np.array(corners.places, np.int64)[picked]],
        between(mesh.normals, sources, targets, shares),
        between(mesh.uvs, sources, targets, shares),
        np.concatenate(owners) if owners else np.zeros(0, np.int32),
        sources,
        targets,
        shares,
        np.concatenate(indices) if indices else np.zeros(0, np.uint32),
        tuple(spans),
    )


# --- T-junctions


def _without_junctions(mesh: Mesh, subsets: Sequence[NDArray[np.int64]], corners: _Corners) -> list[NDArray[np.int64]]:
    """The triangles of each subset, split where a corner of the mesh lies inside one of their edges."""
    places, same = np.unique(mesh.positions.astype(np.float64), axis=0, return_inverse=True)
    first_at = np.zeros(len(places), np.int64)
    first_at[same.reshape(-1)] = np.arange(len(mesh.positions))
    whole = np.concatenate([own.reshape(-1, 3) for own in subsets])
    splits = _junctions(mesh.positions.astype(np.float64), places, whole)
    found: list[NDArray[np.int64]] = []
    number = 0
    for own in subsets:
        kept: list[Triangle] = []
        for a, b, c in own.reshape(-1, 3).tolist():
            edges = [splits.get((number, edge), []) for edge in range(3)]
            if any(edges):
                _Splitter(corners, first_at, kept).split((a, b, c), edges)
            else:
                kept.append((a, b, c))
            number += 1
        found.append(np.array(kept, np.int64).reshape(-1))
    return found


Split = tuple[float, int]
"""The position along an edge, and the corner."""


def _junctions(
    positions: NDArray[np.float64], places: NDArray[np.float64], triangles: NDArray[np.int64]
) -> dict[tuple[int, int], list[Split]]:
    """For (triangle, edge) the places that lie inside it, in order."""
    found: dict[tuple[int, int], list[Split]] = {}
    starts = positions[triangles].reshape(-1, 3)
    ends = positions[np.roll(triangles, -1, axis=1)].reshape(-1, 3)
    step = max(1, MOST_PAIRS // max(1, len(places)))
    for first in range(0, len(starts), step):
        a, b = starts[first : first + step], ends[first : first + step]
        way = b - a
        length = np.linalg.norm(way, axis=1)
        unit = way / np.maximum(length, 1e-9)[:, None]
        along = places @ unit.T - np.einsum("ij,ij->i", a, unit)
        inside = (along > ON_EDGE) & (along < length - ON_EDGE)
        place, edge = np.nonzero(inside)
        away = places[place] - (a[edge] + unit[edge] * along[place, edge][:, None])
        near = np.flatnonzero(np.einsum("ij,ij->i", away, away) < ON_EDGE * ON_EDGE)
        for pick in near.tolist():
            own, at = int(edge[pick]), int(place[pick])
            key = divmod(first + own, 3)
            found.setdefault(key, []).append((float(along[at, own] / length[own]), at))
    for splits in found.values():
        splits.sort()
    return found


class _Splitter:
    """Splits one triangle into those between the corners on its edges."""

    def __init__(self, corners: _Corners, first_at: NDArray[np.int64], into: list[Triangle]) -> None:
        self._corners = corners
        self._first_at = first_at
        self._into = into

    def split(self, triangle: Triangle, edges: Sequence[Sequence[Split]]) -> None:
        """`edges` are the places on the way from each corner to the next one."""
        rings = []
        for edge in range(3):
            a, b = triangle[edge], triangle[(edge + 1) % 3]
            rings.append([self._corners.add(a, b, share, int(self._first_at[at])) for share, at in edges[edge]])
        self._cut(triangle, rings)

    def _cut(self, triangle: Triangle, rings: Sequence[list[int]]) -> None:
        """Cut at the middle one of the corners on an edge, until there are none."""
        for edge in range(3):
            on_edge = rings[edge]
            if on_edge:
                a, b, c = triangle[edge], triangle[(edge + 1) % 3], triangle[(edge + 2) % 3]
                middle = len(on_edge) // 2
                at = on_edge[middle]
                self._cut((a, at, c), [on_edge[:middle], [], rings[(edge + 2) % 3]])
                self._cut((at, b, c), [on_edge[middle + 1 :], rings[(edge + 1) % 3], []])
                return
        self._into.append(triangle)
