"""The bound on the depth of BSP trees.

Tree walks descend in loops and recurse only where a sphere straddles a plane, but compiled code has no guard against
running out of stack, and the interpreter's own limit is a thousand calls. So a tree deeper than any real one (the
retail files stay far below a hundred) is refused when it is put together.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.errors import GeometryError

MAX_DEPTH: Final = 512


def child_depth(depth: int) -> int:
    """The depth of a subtree that is about to get a parent; a GeometryError when that parent would be too much."""
    if depth >= MAX_DEPTH:
        raise GeometryError(f"the BSP tree is deeper than {MAX_DEPTH} nodes")
    return depth
