"""Freeing deep trees does no harm, on the compiled core too.

Past fifty nested frees, CPython postpones objects by writing into their collector's head, which a class without one
(mypyc's `acyclic`) does not have: a plane at the bottom of a deep tree overwrote whatever preceded it in memory.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

FREEING = """
import gc
from engine.geometry.bsp import PhysicsLeaf
from engine.geometry.deep_bsp import physics_node
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere

def deep_tree(depth):
    node = PhysicsLeaf(0, False, Sphere((0.0, 0.0, 0.0), 1.0), [])
    for level in range(depth - 1):
        node = physics_node(Plane((0.0, 0.0, 1.0), float(level)), node, None, Sphere((0.0, 0.0, float(level)), 1.0))
    return node

kept = []
for turn in range(200):
    tree = deep_tree(100_000 if turn % 50 == 0 else 512)
    kept.append([(float(turn), float(turn))])
    del tree
    gc.collect()
assert kept == [[(float(turn), float(turn))] for turn in range(200)]
"""


def test_freeing_the_deepest_tree_corrupts_nothing() -> None:
    freed = subprocess.run([sys.executable, "-c", FREEING], cwd=ROOT, capture_output=True, text=True, check=False)
    assert freed.returncode == 0, freed.stderr
