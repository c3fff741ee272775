"""Compiles random worlds and prints digests of the trees, bit for bit: `python -m tests.geometry.compile.bits`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random

from engine.geometry.bsp import PhysicsInner, PhysicsLeaf
from engine.geometry.compile.cell import cell_planes
from engine.geometry.compile.drawing import compile_drawing
from engine.geometry.drawing_bsp import DrawingInner, drawing_nodes
from tests.geometry.compile.checks import compiled, jittered
from tests.geometry.compile.worlds import ConvexRoom, UnionThing, VoxelRoom, VoxelThing, World


def worlds(rnd: Random) -> list[World]:
    return [VoxelRoom(rnd, openings=1), VoxelThing(rnd), ConvexRoom(rnd, 6), UnionThing(rnd, 2, 3)]


def physics(seed: int) -> Iterator[object]:
    rnd = Random(seed)
    for world in worlds(rnd):
        for tree in (compiled(world), jittered(world, rnd, 1e-4)):
            for node in tree.nodes():
                yield node.sphere
                if isinstance(node, PhysicsInner):
                    yield node.plane
                elif isinstance(node, PhysicsLeaf):
                    yield node.index, node.solid, [polygon.id for polygon in node.polygons]


def cells(seed: int) -> Iterator[object]:
    for world in worlds(Random(seed)):
        yield cell_planes(world.polygons, world.openings)


def drawings(seed: int) -> Iterator[object]:
    for world in worlds(Random(seed)):
        tree = compile_drawing(world.polygons, [(polygon, i) for i, polygon in enumerate(world.openings)])
        for node in drawing_nodes(tree):
            if isinstance(node, DrawingInner):
                yield node.plane, node.sphere, node.polygon_ids


if __name__ == "__main__":
    for name, told in (("physics", physics), ("cells", cells), ("drawings", drawings)):
        digest = hashlib.sha256()
        for seed in range(8):
            for answer in told(seed):
                digest.update(repr(answer).encode())
        print(name, digest.hexdigest())
