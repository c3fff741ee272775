"""Databases that our writer would never write: made by inserting one record at a time, with scattered blocks.

It shares no code with the reader or the writer; the numbers are those of dat-format.md 1.
"""

from __future__ import annotations

import os
import random
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path

from tests.loaded import HUNG

ITERATION_ID = 0xFFFF0001
FULL = 61
CD = 0xCDCDCDCD
ROOT = Path(__file__).resolve().parents[2]


class TreeNode:
    """A directory node while it grows; an entry is (id, index of the record)."""

    def __init__(self) -> None:
        self.entries: list[tuple[int, int]] = []
        self.children: list[TreeNode] = []
        self.offset = 0

    def position(self, record_id: int) -> int:
        return sum(1 for known, _ in self.entries if known < record_id)


def insert(root: TreeNode, record_id: int, index: int) -> TreeNode:
    """Insertion with pre-emptive splitting (1.6); returns the root, which may be a new one."""
    if len(root.entries) == FULL:
        grown = TreeNode()
        grown.children.append(root)
        split(grown, 0)
        root = grown
    node = root
    while node.children:
        at = node.position(record_id)
        if len(node.children[at].entries) == FULL:
            split(node, at)
            if record_id > node.entries[at][0]:
                at += 1
        node = node.children[at]
    node.entries.insert(node.position(record_id), (record_id, index))
    return root


def split(parent: TreeNode, at: int) -> None:
    full, right = parent.children[at], TreeNode()
    middle = full.entries[30]
    right.entries, full.entries = full.entries[31:], full.entries[:30]
    right.children, full.children = full.children[31:], full.children[:31]
    parent.entries.insert(at, middle)
    parent.children.insert(at + 1, right)


class ScatteredDatabase:
    """A database with a long history; after `write`, the offsets say where everything is."""

    def __init__(
        self,
        records: Iterable[tuple[int, bytes]],
        block_size: int = 256,
        seed: int = 1,
        compressed: frozenset[int] = frozenset(),
        leaf_mark: int = 0,
        iteration: bytes = struct.pack("<3i", 1, -1, 1),
    ) -> None:
        self.block_size = block_size
        self.compressed = compressed
        self.leaf_mark = leaf_mark
        self._random = random.Random(seed)
        self.records = [*records, (ITERATION_ID, iteration)]
        self.stored = [packed(data) if record_id in compressed else data for record_id, data in self.records]
        self.first_blocks: dict[int, int] = {}
        self.chains: dict[int, list[int]] = {}
        self.nodes: list[TreeNode] = []
        self.root = TreeNode()
        for index, (record_id, _) in enumerate(self.records):
            self.root = insert(self.root, record_id, index)

    def write(self, path: Path) -> Path:
        path.write_bytes(self.content())
        return path

    def content(self) -> bytes:
        payload = self.block_size - 4
        self.nodes = list(postorder(self.root))
        total = sum(max(1, -(-len(data) // payload)) for data in self.stored) + len(self.nodes) * -(-1716 // payload)
        free_count = 4
        start = 1024 // self.block_size
        offsets = [index * self.block_size for index in range(start, start + total)]
        self._random.shuffle(offsets)
        self._file = bytearray((start + total + free_count) * self.block_size)
        for (record_id, _), data in zip(self.records, self.stored, strict=True):
            self.first_blocks[record_id] = self._place(record_id, data, offsets)
        for node in self.nodes:
            node.offset = self._place(-1, self._node_bytes(node), offsets)
        assert not offsets
        self._free_run((start + total) * self.block_size, free_count)
        self._header((start + total) * self.block_size, free_count)
        return bytes(self._file)

    def _place(self, record_id: int, data: bytes, offsets: list[int]) -> int:
        payload = self.block_size - 4
        count = max(1, -(-len(data) // payload))
        chain = [offsets.pop() for _ in range(count)]
        for index, at in enumerate(chain):
            following = chain[index + 1] if index + 1 < count else 0
            block = struct.pack("<I", following) + data[index * payload : (index + 1) * payload]
            self._file[at : at + len(block)] = block
        self.chains[record_id if record_id >= 0 else chain[0]] = chain
        return chain[0]

    def _node_bytes(self, node: TreeNode) -> bytes:
        branches = [child.offset for child in node.children] or [self.leaf_mark]
        rest = [branches[-1] if node.children else CD] * (62 - len(branches))
        raw = struct.pack("<62I", *branches, *rest) + struct.pack("<I", len(node.entries))
        for record_id, index in node.entries:
            flags = 1 if record_id in self.compressed else 0
            version = 1 if record_id == ITERATION_ID else 2
            size = len(self.stored[index])
            raw += struct.pack("<HHIIIII", flags, version, record_id, self.first_blocks[record_id], size, 7, 1)
        return raw.ljust(1720, b"\xcd")

    def _free_run(self, start: int, count: int) -> None:
        for index in range(count):
            at = start + index * self.block_size
            following = at + self.block_size if index + 1 < count else 0
            self._file[at : at + 4] = struct.pack("<I", 0x80000000 | following)

    def _header(self, first_free: int, free_count: int) -> None:
        last = first_free + (free_count - 1) * self.block_size
        data_set, subset = (2, 1) if self.block_size == 256 else (1, 0)
        self._file[0x140:0x164] = b"BT\0\0" + struct.pack(
            "<8I", self.block_size, len(self._file), data_set, subset, first_free, last, free_count, self.root.offset
        )


def postorder(node: TreeNode) -> list[TreeNode]:
    return [found for child in node.children for found in postorder(child)] + [node]


def packed(data: bytes, claimed: int | None = None) -> bytes:
    """A record compressed as in 1.9, or with a false size."""
    return struct.pack("<I", len(data) if claimed is None else claimed) + zlib.compress(data)


def patch(path: Path, offset: int, data: bytes) -> None:
    """Changes some bytes of a file."""
    with open(path, "r+b") as stream:
        stream.seek(offset)
        stream.write(data)


def word(path: Path, offset: int) -> int:
    """A 32-bit word of a file."""
    return int.from_bytes(path.read_bytes()[offset : offset + 4], "little")


def filler(record_id: int, size: int) -> bytes:
    """`size` bytes that differ between records, starting with the id where there is room."""
    return (record_id.to_bytes(4, "little") + random.Random(record_id).randbytes(size))[:size]


def run_python(script: str, *arguments: str) -> list[str]:
    """The words that a script prints; it must exit cleanly and write nothing to stderr."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        # Silences the warning about a core that is not built, and numpy's threads, which make Python warn on a fork.
        env={**os.environ, "CELLAR_DOOR_CORE": "python", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=HUNG,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()
