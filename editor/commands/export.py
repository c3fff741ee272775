"""`export SOURCE --project P --out FOLDER --server-out FOLDER`: writes an edited world as data files of the client, and
as SQL files of the server."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Final

from editor.export.data_files import DataFilesPlan, plan_export
from editor.export.edited_world import edited_world
from editor.export.record_listing import left_out_data, left_out_line, record_data, record_lines
from editor.export.row_listing import row_data, row_lines, server_left_out_line
from editor.export.server_data import plan_server_export, time_now
from editor.export.write_data_files import Written, write_data_files
from editor.export.write_server_data import NOTHING as SERVER_NOTHING
from editor.export.write_server_data import write_server_data
from editor.process.plain_text import print_lines
from editor.process.server_arguments import add_server_arguments
from editor.session.server_choice import server_choice
from engine.sim.errors import SimError
from engine.world.faults import WorldError

NOTE: Final = """\
Whole files are a data folder of their own: a database with changed records is rewritten, the others are copied. The
files of the source are only read. Everything is read back and compared with the world before it takes its place.

With --server-data and --server-out, the landblocks whose doors, chests, creatures and portals the project moves, adds
or removes are written as SQL: the files of these landblocks alone, with only the changed rows different. What is new
and copies something of the server's keeps its class; --weenie gives others one.

exit code: 0 when the files are written, 2 when they are not.
"""
TIME: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument("source", help="demo, a data folder, or a project whose world lies with it")
    parser.add_argument("--project", metavar="FILE", default="", help="the project with the edits of that world")
    parser.add_argument("--out", metavar="FOLDER", type=Path, help="where data files go; made if it is not there")
    parser.add_argument("--loose", action="store_true", help="only the changed records, each as a file named by its id")
    add_server_arguments(parser)
    parser.add_argument("--server-out", metavar="FOLDER", type=Path, help="where SQL files of server data go")
    parser.add_argument(
        "--modified",
        metavar="TIME",
        default="",
        help="last_Modified of changed rows, 2024-05-26 19:09:10; now unless given",
    )
    parser.add_argument(
        "--weenie",
        metavar="ID=CLASS",
        action="append",
        type=_class_of,
        default=[],
        help="the weenie of a new thing by the thing's id, 0x80000001=412; may be given several times",
    )
    parser.add_argument("--json", action="store_true", help="a JSON object, with every record and field")


def _class_of(text: str) -> tuple[int, int]:
    key, _, wcid = text.partition("=")
    try:
        return int(key, 0), int(wcid, 0)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not an id and a class such as 0x80000001=412") from error


def run(arguments: argparse.Namespace) -> int:
    _check(arguments)
    choice = server_choice(arguments)
    read: list[str | Path] = [arguments.source, *([arguments.project] if arguments.project else [])]
    with edited_world(arguments.source, arguments.project, server=choice) as edited:
        plan = None if arguments.out is None else plan_export(edited.sim, edited.start, edited.touched)
        rows = None
        if arguments.server_out is not None and choice is not None:
            read += choice.paths
            modified, classes = arguments.modified or time_now(), dict(arguments.weenie)
            rows = plan_server_export(edited.sim, edited.start, edited.touched, modified, classes)
            if rows.is_empty and (plan is None or plan.is_empty):
                raise SimError(SERVER_NOTHING, rows.world)
        output: dict[str, object] = {}
        lines: list[str] = []
        if plan is not None and not (plan.is_empty and rows is not None):
            written = write_data_files(plan, arguments.out, read, _unheard, loose=arguments.loose)
            output = _data(plan, written)
            lines = [*_lines(plan), written.sentence]
        if rows is not None and not rows.is_empty:
            sql = write_server_data(rows, arguments.server_out, read, _unheard)
            output["server"] = {
                "folder": str(sql.folder),
                "files": [str(path) for path in sql.files],
                "rows": [row_data(row) for row in rows.rows],
                "left_out": [left_out_data(left) for left in rows.left_out],
            }
            lines += [line for row in rows.rows for line in row_lines(row)]
            lines.append(sql.sentence)
        if rows is not None:
            lines[-1:-1] = [server_left_out_line(left) for left in rows.left_out]
    if arguments.json:
        print(json.dumps(output, indent=1, default=str))
    else:
        print_lines(lines)
    return 0


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    if arguments.out is None and arguments.server_out is None:
        raise WorldError("give --out FOLDER for data files, --server-out FOLDER for server data, or both")
    if arguments.server_out is not None and not arguments.server_data:
        raise WorldError("--server-out needs --server-data, the data that the world is opened with")
    if arguments.modified and not TIME.fullmatch(arguments.modified):
        raise WorldError(f"--modified {arguments.modified} is not a time such as 2024-05-26 19:09:10")


def _unheard(fraction: float, sentence: str) -> None:
    return


def _data(plan: DataFilesPlan, written: Written) -> dict[str, object]:
    return {
        "folder": str(written.folder),
        "files": [str(path) for path in written.files],
        "records": [record_data(record) for record in plan.records],
        "left_out": [left_out_data(left) for left in plan.left_out],
    }


def _lines(plan: DataFilesPlan) -> list[str]:
    lines = [line for record in plan.records for line in record_lines(record)]
    return [*lines, *map(left_out_line, plan.left_out)]
