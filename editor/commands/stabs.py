"""`stabs SOURCE [ID ...] [--bake --out FOLDER]`: the stab lists that are not what can be seen, why, and new ones."""

from __future__ import annotations

import argparse
import json
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from editor.export.write_data_files import write_data_files
from editor.process.output_files import output_file
from editor.process.plain_text import counted, print_lines
from editor.session.sources import open_source
from editor.survey.stab_export import StabExport
from engine.dat.ids import DatKind
from engine.survey.stabs.eyes import Sight
from engine.survey.stabs.lists import ComputedList, computed_lists
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import BLOCK_INFO, WHOLE_BLOCK, cell_text, landblock_id, low_of, parse_id
from engine.world.faults import WorldError
from engine.world.world import World

NOTE: Final = """\
A stab list names the cells that the client may draw for a viewer in a room. An entry is missing when an eye in the room
is found for which the flood of the picture draws that cell, as soon as lists are ignored; the eye and its portals are
told, and `visible SOURCE --cell C --eye X,Y,Z --heading DEG --pitch DEG --ignore-stab-list` shows it. An entry is too
much when no line leads there through portals, or when the landblock has no such room.

With --bake the lists that differ are written as data files, with nothing else changed: whole databases, or with --loose
the changed records alone. The files of the source are only read. Everything is read back and compared before it takes
its place.

exit code: 0 when no list differs or --bake has written all that do, 1 when lists differ, 2 for input that cannot be
read or files that cannot be written.
"""

LANDBLOCK: Final = re.compile("(?:0[xX])?[0-9A-Fa-f]{4}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument("source", help="demo, a data folder, a scene .json or a dump folder; --bake takes data folders")
    parser.add_argument("ids", metavar="ID", nargs="*", help="a landblock (0xC95B) or a room (0xC95B0104); all if none")
    parser.add_argument(
        "--landblocks",
        metavar="IDS",
        default="",
        help="all rooms of these: 0xC95B,0xA9B4 or the rectangle 0xA0B0..0xA9B9 between two corners",
    )
    parser.add_argument("--keep", action="store_true", help="only add what is missing; leave in what is too much")
    parser.add_argument("--bake", action="store_true", help="write the lists that differ, into --out")
    parser.add_argument("--out", metavar="FOLDER", type=Path, help="where data files go; made if it is not there")
    parser.add_argument("--loose", action="store_true", help="only the changed records, each as a file named by its id")
    parser.add_argument("--json", action="store_true", help="a JSON object, with every eye, portal and entry")


def run(arguments: argparse.Namespace) -> int:
    if arguments.bake != (arguments.out is not None):
        raise WorldError("--bake writes data files into a folder: give both, --bake --out FOLDER")
    if arguments.loose and not arguments.bake:
        raise WorldError("--loose is a form of what --bake writes")
    if arguments.bake:
        _check_folder(arguments.out, arguments.source)
    ids = [*map(_id_of, arguments.ids)]
    with open_source(arguments.source) as world:
        wanted = _Wanted([*ids, *_blocks_of(arguments.landblocks, world.landblock_ids(), world.name)])
        export = StabExport(world, arguments.keep) if arguments.bake else None
        printed = _Json(arguments.keep) if arguments.json else _Text(arguments.keep)
        for computed in _lists(world, wanted, printed.rooms):
            if not computed.differs(keep=arguments.keep):
                continue
            if export is not None:
                export.put(computed)
            printed.differing(computed)
        if export is None or not export.lists:
            printed.end(None)
            return 1 if printed.count else 0
        written = write_data_files(export.plan(), arguments.out, [arguments.source], _unheard, loose=arguments.loose)
        printed.end((written.sentence, str(written.folder), [str(path) for path in written.files]))
    return 0


def _check_folder(out: Path, source: str) -> None:
    """Refuse a folder that cannot be written before hours of work."""
    if out.exists() and not out.is_dir():
        raise WorldError("is a file, not a folder", str(out))
    output_file(out / DatKind.CELL.file_name if out.is_dir() else out, [source])


def _unheard(fraction: float, sentence: str) -> None:
    return


# --- which rooms


class _Wanted:
    """The landblocks and rooms that were asked for, or everything."""

    def __init__(self, ids: list[int]) -> None:
        self.blocks = {each for each in ids if _is_block(each)}
        self.rooms = {each for each in ids if not _is_block(each)}
        self.named = sorted({*self.blocks, *map(landblock_id, self.rooms)})

    def rooms_in(self, block_id: int) -> frozenset[int]:
        """The rooms of a landblock; empty for all."""
        if not self.named or block_id in self.blocks:
            return frozenset()
        return frozenset(each for each in self.rooms if landblock_id(each) == block_id)


def _is_block(wanted: int) -> bool:
    return low_of(wanted) == WHOLE_BLOCK


def _id_of(text: str) -> int:
    """A room's id; or a landblock's, whose four digits or full id both become 0xXXYYFFFF."""
    found = parse_id(f"{text.strip()}FFFF" if LANDBLOCK.fullmatch(text.strip()) else text)
    return landblock_id(found) if low_of(found) in (0, BLOCK_INFO, WHOLE_BLOCK) else found


def _blocks_of(text: str, there: Collection[int], source: str) -> Iterator[int]:
    """The landblocks of a list of some and of rectangles of them, as far as the world has them."""
    from editor.commands.survey import parse_landblocks  # what a survey needs is not loaded for anything else

    for one, other in parse_landblocks(text) if text else ():
        (west, east), (south, north) = (sorted((one >> by & 0xFF, other >> by & 0xFF)) for by in (24, 16))
        inside = [each for each in there if west <= each >> 24 <= east and south <= each >> 16 & 0xFF <= north]
        if not inside:
            raise WorldError(f"has no landblock of --landblocks {text}", source)
        yield from inside


def _lists(world: World, wanted: _Wanted, counted_rooms: Counter[str]) -> Iterator[ComputedList]:
    """The lists of what was asked for; each landblock is loaded for itself alone."""
    for block_id in wanted.named or world.landblock_ids():
        block = world.landblock(block_id)
        if block is None:
            raise WorldError(f"there is no landblock {cell_text(block_id)}", world.name)
        rooms = wanted.rooms_in(block_id)
        for each in sorted(rooms):
            if not isinstance(world.graph.peek(each), EnvCell):
                raise WorldError(f"there is no room {cell_text(each)}", world.name)
        counted_rooms["rooms"] += len(rooms or block.env_cells)
        counted_rooms["landblocks"] += 1
        yield from computed_lists(world, block_id, rooms)
        world.graph.unload_landblock(block_id)


# --- what is printed


class _Printed(ABC):
    def __init__(self, keep: bool) -> None:
        self.keep = keep
        self.rooms: Counter[str] = Counter()
        self.count = 0
        """Lists that differ."""

    def differing(self, computed: ComputedList) -> None:
        self.count += 1

    @abstractmethod
    def end(self, written: tuple[str, str, list[str]] | None) -> None:
        """Print how many differ, or what was written."""


class _Text(_Printed):
    def differing(self, computed: ComputedList) -> None:
        super().differing(computed)
        print_lines(_lines(computed, self.keep))

    def end(self, written: tuple[str, str, list[str]] | None) -> None:
        rooms = f"{counted(self.rooms['rooms'], 'room')} in {counted(self.rooms['landblocks'], 'landblock')}"
        if written is not None:
            print_lines([written[0]])
        elif self.count:
            print_lines([f"{counted(self.count, 'stab list')} of {rooms} {'differs' if self.count == 1 else 'differ'}"])
        else:
            print_lines([f"no stab list of {rooms} differs"])


class _Json(_Printed):
    """One object, a line for each list as it is found."""

    def differing(self, computed: ComputedList) -> None:
        print('{"lists": [' if self.count == 0 else ",")
        super().differing(computed)
        print(json.dumps(_data(computed, self.keep), allow_nan=False), end="")

    def end(self, written: tuple[str, str, list[str]] | None) -> None:
        if not self.count:
            print('{"lists": [', end="")
        rest: dict[str, object] = {**self.rooms}
        if written is not None:
            rest |= {"folder": written[1], "files": written[2]}
        print(f"\n], {json.dumps(rest)[1:]}")


def _lines(computed: ComputedList, keep: bool) -> Iterator[str]:
    room = computed.room
    count, wanted = len(room.stab_set), len(computed.wanted(keep=keep))
    yield f"{cell_text(room.id)} lists {counted(count, 'cell')} and should list {wanted}"
    for goal in computed.missing:
        sight = computed.proofs[goal]
        x, y, z = sight.eye
        through = ", ".join(f"{cell_text(cell_id)} portal {number}" for cell_id, number in sight.chain)
        screen = f" on {sight.screen[0]}x{sight.screen[1]} pixels" if sight.screen[0] > 1280 else ""
        eye = f"{x:g},{y:g},{z:g} heading {sight.heading:g} pitch {sight.pitch:g}{screen}"
        yield f"    + {cell_text(goal)}  the eye {eye} sees it through {through}"
    for goal, why in _removed(computed, keep):
        yield f"    - {cell_text(goal)}  {why}"


def _removed(computed: ComputedList, keep: bool) -> Iterator[tuple[int, str]]:
    if keep or computed.is_open:
        return
    for goal in computed.surplus:
        yield goal, "no eye in the room sees it: no line leads there through portals"
    for goal in computed.absent:
        yield goal, "the landblock has no such room"


def _data(computed: ComputedList, keep: bool) -> dict[str, object]:
    return {
        "cell": cell_text(computed.room.id),
        "listed": [cell_text(each) for each in computed.room.stab_list],
        "computed": [cell_text(each) for each in computed.wanted(keep=keep)],
        "added": [_sight_data(computed.proofs[goal]) for goal in computed.missing],
        "removed": [{"cell": cell_text(goal), "why": why} for goal, why in _removed(computed, keep)],
    }


def _sight_data(sight: Sight) -> dict[str, object]:
    return {
        "cell": cell_text(sight.goal),
        "eye": list(sight.eye),
        "heading": sight.heading,
        "pitch": sight.pitch,
        "screen": list(sight.screen),
        "through": [{"cell": cell_text(cell_id), "portal": number} for cell_id, number in sight.chain],
    }
