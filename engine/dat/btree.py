"""The directory: a B-tree of nodes that maps record ids to entries (dat-format.md 1.3 to 1.5).

A look-up reads one node per level straight from the file; no index is built. Ids must ascend within a node and lie
between the entries that lead to it, which is judged at every step: a tree that comes back to itself breaks that rule,
so no walk can go round.
"""

from __future__ import annotations

import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import lt
from typing import Final, NamedTuple

from engine.dat.blocks import BlockFile
from engine.dat.errors import DatError
from engine.dat.ids import MAX_ID, did_text

MAX_ENTRIES: Final = 61
MIN_ENTRIES: Final = 30
"""Applies to each node but the root: the minimum degree of the tree is 31."""
BRANCHES: Final = MAX_ENTRIES + 1
COUNT_OFFSET: Final = BRANCHES * 4
ENTRIES_OFFSET: Final = COUNT_OFFSET + 4
ENTRY_SIZE: Final = 24
NODE_SIZE: Final = ENTRIES_OFFSET + MAX_ENTRIES * ENTRY_SIZE
NO_BRANCH: Final = (0, 0xCDCDCDCD)
"""The first branch of a leaf; the second value is what one other program writes there."""

MAX_DEPTH: Final = 16
"""A tree of minimum degree 31 with every possible id has 7 levels; the rest is for trees that keep the rule badly."""
CACHED_NODES: Final = 1024
"""About 5 MB: the upper levels of the largest cell database (some 400 nodes) and the leaves last used."""

COMPRESSED_FLAG: Final = 1
RECORD_VERSION: Final = 2
ITERATION_VERSION: Final = 1
"""The client demands it of the iteration record (1.8)."""

ENTRY: Final = struct.Struct("<HHIIIII")
_IDS: Final = [struct.Struct("<" + "4xI16x" * count) for count in range(MAX_ENTRIES + 1)]
_SIZES: Final = [struct.Struct("<" + "12xI8x" * count) for count in range(MAX_ENTRIES + 1)]
_OFFSETS: Final = [struct.Struct(f"<{count}I") for count in range(BRANCHES + 1)]


class Entry(NamedTuple):
    """A file entry (1.4), in the order of the file."""

    flags: int
    version: int
    record_id: int
    offset: int
    size: int
    """The size of the stored bytes: of the compressed ones if they are compressed."""
    date: int
    iteration: int

    @property
    def compressed(self) -> bool:
        return bool(self.flags & COMPRESSED_FLAG)


class Node:
    """A directory node; its entries stay bytes until they are asked for."""

    __slots__ = ("branches", "ids", "offset", "payload")

    def __init__(self, offset: int, payload: bytes, ids: tuple[int, ...], branches: tuple[int, ...]) -> None:
        self.offset = offset
        self.payload = payload
        self.ids = ids
        self.branches = branches
        """The children, none in a leaf."""

    def entry(self, index: int) -> Entry:
        return Entry._make(ENTRY.unpack_from(self.payload, ENTRIES_OFFSET + index * ENTRY_SIZE))

    def sizes(self) -> tuple[int, ...]:
        return _SIZES[len(self.ids)].unpack_from(self.payload, ENTRIES_OFFSET)


class Directory:
    """The B-tree of an open database file."""

    def __init__(self, blocks: BlockFile) -> None:
        self._blocks = blocks
        self._root = blocks.header.root
        self._cache: dict[int, Node] = {}

    def find(self, record_id: int) -> Entry | None:
        """The entry of a record, None when the tree has none."""
        offset = self._root
        above, below = -1, MAX_ID + 1
        for _ in range(MAX_DEPTH):
            node = self._cached(offset)
            ids = node.ids
            self._check_between(node, above, below)
            index = bisect_left(ids, record_id)
            if index < len(ids):
                if ids[index] == record_id:
                    return node.entry(index)
                below = ids[index]
            if not node.branches:
                return None
            if index:
                above = ids[index - 1]
            offset = node.branches[index]
        raise self._too_deep(offset)

    def runs(self, low: int = 0, high: int = MAX_ID) -> Iterator[tuple[Node, int, int]]:
        """The entries with ids from `low` to `high` in order, as slices of nodes: node, first index, end index."""
        return self._runs_below(self._root, low, high, -1, MAX_ID + 1, 1)

    def _runs_below(
        self, offset: int, low: int, high: int, above: int, below: int, depth: int
    ) -> Iterator[tuple[Node, int, int]]:
        if depth > MAX_DEPTH:
            raise self._too_deep(offset)
        # Past the cache: a walk through everything would only push out what look-ups use.
        node = self.load(offset)
        self._check_between(node, above, below)
        ids = node.ids
        start, end = bisect_left(ids, low), bisect_right(ids, high)
        if not node.branches:
            if start < end:
                yield node, start, end
            return
        for index in range(start, end + 1):
            lower = ids[index - 1] if index else above
            upper = ids[index] if index < len(ids) else below
            if lower < high and upper > low:
                yield from self._runs_below(node.branches[index], low, high, lower, upper, depth + 1)
            if index < end:
                yield node, index, index + 1

    def load(self, offset: int) -> Node:
        """Read and judge one node."""
        payload = self._blocks.chain(offset, NODE_SIZE, None, "directory node")
        count = int.from_bytes(payload[COUNT_OFFSET:ENTRIES_OFFSET], "little")
        if count > MAX_ENTRIES:
            raise self._error(offset, "entry count", f"a directory node has at most {MAX_ENTRIES} entries, not {count}")
        ids = _IDS[count].unpack_from(payload, ENTRIES_OFFSET)
        if not all(map(lt, ids, ids[1:])):
            raise self._error(offset, "entry id", "the ids of the directory node do not ascend")
        branches: tuple[int, ...] = _OFFSETS[count + 1].unpack_from(payload, 0)
        if branches[0] in NO_BRANCH:
            branches = ()
        elif not count:
            raise self._error(offset, "entry count", "an inner directory node has no entries")
        return Node(offset, payload, ids, branches)

    def _cached(self, offset: int) -> Node:
        node = self._cache.get(offset)
        if node is None:
            node = self.load(offset)
            # Cleared as a whole rather than node by node: that needs no order, so threads cannot conflict.
            if len(self._cache) >= CACHED_NODES:
                self._cache.clear()
            self._cache[offset] = node
        return node

    def _check_between(self, node: Node, above: int, below: int) -> None:
        ids = node.ids
        if ids and (ids[0] <= above or ids[-1] >= below):
            found = f"{did_text(ids[0])} to {did_text(ids[-1])}"
            allowed = f"{did_text(above + 1)} to {did_text(below - 1)}"
            reason = f"the directory node holds {found} where only {allowed} can be"
            raise self._error(node.offset, "entry id", reason)

    def _too_deep(self, offset: int) -> DatError:
        return self._error(offset, "branch", f"the directory is more than {MAX_DEPTH} levels deep")

    def _error(self, offset: int, field: str, reason: str) -> DatError:
        return DatError(self._blocks.file, None, offset, field, reason)
