"""Checks a database as a whole: the writer's checklist of dat-format.md 7.1.

Reading is lenient where other programs are (an underfull node, a stale free list); this check reports all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.dat.blocks import FREE_BIT
from engine.dat.btree import COMPRESSED_FLAG, ITERATION_VERSION, MAX_DEPTH, MIN_ENTRIES, NODE_SIZE, Entry, Node
from engine.dat.database import DatDatabase
from engine.dat.errors import DatError
from engine.dat.header import MAX_FILE_SIZE, NO_TRANSACTION, TRANSACTION_OFFSET
from engine.dat.ids import ITERATION_ID, MAX_ID, RecordType, did_text, id_type

_PENDING_SIZE: Final = 4
_WITHOUT_OWN_ID: Final = (RecordType.SURFACE, RecordType.ITERATION, RecordType.UNKNOWN)
"""Records whose first word is not their id, or not known to be."""


def check(database: DatDatabase) -> Iterator[DatError]:
    """Everything wrong with the container, nothing raised. Time and memory stay in proportion to the file."""
    return _Check(database).run()


class _Check:
    def __init__(self, database: DatDatabase) -> None:
        self._database = database
        self._blocks = database.blocks
        self._taken = bytearray(self._blocks.block_count)
        """One byte per block: 1 when some object holds it. It also ends every walk that goes round."""
        self._leaf_depth: int | None = None
        self._iteration: int | None = None

    def run(self) -> Iterator[DatError]:
        yield from self._header()
        yield from self._free_blocks()
        yield from self._iteration_record()
        yield from self._subtree(self._blocks.header.root, -1, MAX_ID + 1, 1)

    def _header(self) -> Iterator[DatError]:
        size, length = self._blocks.header.file_size, self._blocks.length
        if size != length:
            yield self._error(0x148, "file size", f"the header says {size} bytes, the file has {length}")
        if length % self._blocks.block_size:
            yield self._error(0x148, "file size", f"{length} is not a multiple of {self._blocks.block_size}")
        if length > MAX_FILE_SIZE:
            yield self._error(0x148, "file size", "a database must stay below 2 GiB")
        pending = self._blocks.raw(TRANSACTION_OFFSET, _PENDING_SIZE)
        if any(pending) and pending != NO_TRANSACTION[:_PENDING_SIZE]:
            reason = "the client may take this for a pending transaction and replay it"
            yield self._error(TRANSACTION_OFFSET, "transaction record", reason)

    def _free_blocks(self) -> Iterator[DatError]:
        header, blocks = self._blocks.header, self._blocks
        offset, last, found = header.first_free, 0, 0
        while offset:
            try:
                following = blocks.next_of(offset, None, "free block")
            except DatError as error:
                yield error
                return
            if not following & FREE_BIT:
                yield self._error(offset, "free block", "the block is not marked as free")
                return
            if not self._take(offset):
                yield self._error(offset, "free block", "the free blocks go round")
                return
            found, last, offset = found + 1, offset, following & ~FREE_BIT
        if found != header.free_count:
            yield self._error(0x15C, "free block count", f"the header says {header.free_count}, the chain has {found}")
        elif last != header.last_free:
            reason = f"the header says 0x{header.last_free:X}, the chain ends at 0x{last:X}"
            yield self._error(0x158, "last free block", reason)

    def _iteration_record(self) -> Iterator[DatError]:
        try:
            self._iteration = self._database.iteration()
        except DatError as error:
            yield error

    def _subtree(self, offset: int, above: int, below: int, depth: int) -> Iterator[DatError]:
        """Check one node with everything under it; a bad branch does not stop the check of the others."""
        if depth > MAX_DEPTH:
            yield self._error(offset, "branch", f"the directory is more than {MAX_DEPTH} levels deep")
            return
        taken = list(self._take_chain(offset, NODE_SIZE, None, "directory node"))
        yield from taken
        if taken:
            return
        try:
            node = self._database.directory.load(offset)
        except DatError as error:
            yield error
            return
        yield from self._node(node, above, below, depth)
        ids = node.ids
        for index in range(len(ids) + 1):
            if node.branches:
                lower = ids[index - 1] if index else above
                upper = ids[index] if index < len(ids) else below
                yield from self._subtree(node.branches[index], lower, upper, depth + 1)
            if index < len(ids):
                yield from self._entry(node.entry(index))

    def _node(self, node: Node, above: int, below: int, depth: int) -> Iterator[DatError]:
        ids = node.ids
        if depth > 1 and len(ids) < MIN_ENTRIES:
            reason = f"the directory node has {len(ids)} entries, {MIN_ENTRIES} are the least"
            yield self._error(node.offset, "entry count", reason)
        if ids and (ids[0] <= above or ids[-1] >= below):
            reason = f"the node's ids {did_text(ids[0])} to {did_text(ids[-1])} do not fit between those above it"
            yield self._error(node.offset, "entry id", reason)
        if node.branches:
            return
        if any(node.payload[:4]):
            yield self._error(node.offset, "branch", "the first branch of a leaf is not 0")
        if self._leaf_depth is None:
            self._leaf_depth = depth
        elif depth != self._leaf_depth:
            reason = f"this leaf is on level {depth}, others are on level {self._leaf_depth}"
            yield self._error(node.offset, "branch", reason)

    def _entry(self, entry: Entry) -> Iterator[DatError]:
        record_id = entry.record_id
        if entry.flags & ~COMPRESSED_FLAG:
            yield self._error(entry.offset, "flags", f"0x{entry.flags:04X} has unknown bits", record_id)
        if entry.version == 0:
            yield self._error(entry.offset, "version", "the client refuses records with version 0", record_id)
        if record_id == ITERATION_ID and entry.version != ITERATION_VERSION:
            reason = f"the client demands {ITERATION_VERSION} for this record, not {entry.version}"
            yield self._error(entry.offset, "version", reason, record_id)
        if self._iteration is not None and entry.iteration > self._iteration:
            reason = f"{entry.iteration} is later than the database's own iteration {self._iteration}"
            yield self._error(entry.offset, "iteration", reason, record_id)
        if not entry.size and not entry.offset:
            return  # an absent record need not have a block
        damage = list(self._take_chain(entry.offset, entry.size, record_id, "data"))
        yield from damage
        if entry.size and not damage:
            yield from self._content(entry)

    def _content(self, entry: Entry) -> Iterator[DatError]:
        """The record can be read, and starts with its own id where its type is known to."""
        try:
            start = self._database.read(entry.record_id)[:4]
        except DatError as error:
            yield error
            return
        found = int.from_bytes(start, "little")
        if found != entry.record_id and id_type(entry.record_id, self._database.kind) not in _WITHOUT_OWN_ID:
            yield self._error(entry.offset, "id", f"the record calls itself {did_text(found)}", entry.record_id)

    def _take_chain(self, offset: int, size: int, record_id: int | None, what: str) -> Iterator[DatError]:
        """Claim the blocks of an object; nothing may hold the same block twice."""
        try:
            for at in self._blocks.chain_offsets(offset, size, record_id, what):
                if not self._take(at):
                    yield self._error(at, what, "the block already belongs to something else", record_id)
                    return
        except DatError as error:
            yield error

    def _take(self, offset: int) -> bool:
        index = (offset - self._blocks.first_block) // self._blocks.block_size
        free = not self._taken[index]
        self._taken[index] = 1
        return free

    def _error(self, offset: int, field: str, reason: str, record_id: int | None = None) -> DatError:
        return DatError(self._database.file, record_id, offset, field, reason)
