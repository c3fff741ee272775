"""`diff A B`: the records in which two worlds differ, field by field, or the rows of two servers' data."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from editor.export.record_listing import (
    ChangedRecord,
    Data,
    field_line,
    left_out_data,
    left_out_line,
    record_data,
    record_lines,
)
from editor.export.row_listing import row_data, row_lines, server_left_out_line
from editor.export.server_differences import server_sides
from editor.export.world_differences import (
    ComparedWorld,
    MissingFile,
    compared_world,
    entity_differences,
    world_differences,
)
from editor.process.plain_text import counted, print_lines
from editor.process.server_arguments import add_server_arguments
from editor.session.server_choice import server_choice
from engine.world.faults import Fault, WorldError
from engine.world.server.differences import source_differences
from engine.world.server.model import ServerData

NOTE: Final = """\
Records are compared by their bytes, then field by field: `field: before -> after`. A project counts as its world with
its edits made. Entities and doors are not in data files: those of entities.json are compared too, and what edits did
to them is listed. With --server-data it stands in both worlds, and the rows that edits change are listed.

A and B may also both be server data: their instances, links, encounters and weenies are compared.

exit code: 0 when nothing differs, 1 when something does, 2 when a side cannot be read.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument("before", metavar="A", help="demo, a data folder, a project, or server data")
    parser.add_argument("after", metavar="B", help="demo, a data folder, a project, or server data")
    add_server_arguments(parser)
    parser.add_argument("--json", action="store_true", help="a JSON array, an object for every record in a line")
    parser.add_argument(
        "--pictures", metavar="FOLDER", type=Path, help="also draw changed rooms, before and after, at most 100"
    )


def run(arguments: argparse.Namespace) -> int:
    one, two, choice = arguments.before, arguments.after, server_choice(arguments)
    with server_sides(one, two) as sides:
        if sides is not None:
            if choice is not None or arguments.pictures is not None:
                raise WorldError("--server-data and --pictures are for worlds, and these are server data", one)
            return 1 if _print_rows(*sides, as_json=arguments.json) else 0
    with compared_world(one, two, choice) as before, compared_world(two, one, choice) as after:
        rooms = None if arguments.pictures is None else _Rooms(arguments.pictures)
        count = _print_json(before, after, rooms) if arguments.json else _print_text(before, after, rooms)
        if rooms is not None:
            made = rooms.draw(before, after)
            print_lines([] if arguments.json else [f"{counted(len(made), 'picture')} in {arguments.pictures}"])
    return 1 if count else 0


def _print_rows(before: ServerData, after: ServerData, *, as_json: bool) -> int:
    """Print the rows that differ, and what could not be compared."""
    found = source_differences(before, after)
    if as_json:
        return _print_array(
            {"not_compared": each.reason} if isinstance(each, Fault) else row_data(each) for each in found
        )
    count = faults = 0
    for each in found:
        if isinstance(each, Fault):
            print_lines([f"not compared: {each.reason}"])
            faults += 1
        else:
            print_lines(row_lines(each))
            count += 1
    if count or not faults:
        print_lines(
            [f"{counted(count, 'row')} {'differs' if count == 1 else 'differ'}" if count else "nothing differs"]
        )
    return count + faults


class _Rooms:
    """The changed rooms that are to be drawn."""

    def __init__(self, folder: Path) -> None:
        from editor.commands.diff_pictures import MOST, is_room  # OpenGL is loaded only for those who want pictures

        self._folder, self._most, self._is_room = folder, MOST, is_room
        self._records: list[ChangedRecord] = []

    def add(self, record: ChangedRecord) -> None:
        if len(self._records) < self._most and self._is_room(record) and record.change == "changed":
            self._records.append(record)

    def draw(self, before: ComparedWorld, after: ComparedWorld) -> list[Path]:
        from editor.commands.diff_pictures import draw_rooms

        return draw_rooms(before, after, self._records, self._folder)


def _print_text(before: ComparedWorld, after: ComparedWorld, rooms: _Rooms | None) -> int:
    records = others = 0
    for found in world_differences(before, after):
        if isinstance(found, MissingFile):
            print_lines([f"{found.kind.file_name} is only in {found.only_in}"])
            others += 1
        else:
            print_lines(record_lines(found))
            records += 1
            if rooms is not None:
                rooms.add(found)
    for name, changes in entity_differences(before, after):
        print_lines([name, *map(field_line, changes)])
        others += 1
    for side in (before, after):
        for row in side.rows:
            title, *columns = row_lines(row)
            print_lines([f"{side.name}: {title}", *columns])
            others += 1
        for left in side.left_out:
            print_lines([f"{side.name}: {left_out_line(left)}"])
            others += 1
        for left in side.rows_left_out:
            print_lines([f"{side.name}: {server_left_out_line(left)}"])
            others += 1
    if records:
        print_lines([f"{counted(records, 'record')} {'differs' if records == 1 else 'differ'}"])
    elif not others:
        print_lines(["nothing differs"])
    return records + others


def _print_json(before: ComparedWorld, after: ComparedWorld, rooms: _Rooms | None) -> int:
    return _print_array(_all_data(before, after, rooms))


def _print_array(objects: Iterable[Data]) -> int:
    """Print one object a line, as they are found, so that millions of them need no memory."""
    count = 0
    for count, data in enumerate(objects, 1):
        print("[" if count == 1 else ",", json.dumps(data, default=str), sep="\n" if count == 1 else "")
    print("]" if count else "[]")
    return count


def _all_data(before: ComparedWorld, after: ComparedWorld, rooms: _Rooms | None) -> Iterator[Data]:
    for found in world_differences(before, after):
        if isinstance(found, MissingFile):
            yield {"file": found.kind.file_name, "only_in": found.only_in}
        else:
            yield record_data(found)
            if rooms is not None:
                rooms.add(found)
    for name, changes in entity_differences(before, after):
        listed = [{"field": each.field, "before": each.before, "after": each.after} for each in changes]
        yield {"entity": name, "fields": listed}
    for side in (before, after):
        for row in side.rows:
            yield {"side": side.name, **row_data(row)}
        for left in (*side.left_out, *side.rows_left_out):
            yield {"side": side.name, "left_out": left_out_data(left)}
