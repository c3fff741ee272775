"""`export SOURCE --project P --out FOLDER`: writes an edited world as data files of the client."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

from editor.export.data_files import plan_export
from editor.export.edited_world import edited_world
from editor.export.record_listing import left_out_data, left_out_line, record_data, record_lines
from editor.export.write_data_files import write_data_files
from editor.process.plain_text import print_lines

NOTE: Final = """\
Whole files are a data folder of their own: a database with changed records is rewritten, the others are copied. The
files of the source are only read. Everything is read back and compared with the world before it takes its place.

exit code: 0 when the files are written, 2 when they are not.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = NOTE
    parser.add_argument("source", help="demo, a data folder, or a project whose world lies with it")
    parser.add_argument("--project", metavar="FILE", default="", help="the project with the edits of that world")
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="where to; made if it is not there")
    parser.add_argument("--loose", action="store_true", help="only the changed records, each as a file named by its id")
    parser.add_argument("--json", action="store_true", help="a JSON object, with every record and field")


def run(arguments: argparse.Namespace) -> int:
    read: list[str | Path] = [arguments.source, *([arguments.project] if arguments.project else [])]
    with edited_world(arguments.source, arguments.project) as edited:
        plan = plan_export(edited.sim, edited.start, edited.touched)
        written = write_data_files(plan, arguments.out, read, lambda fraction, sentence: None, loose=arguments.loose)
    if arguments.json:
        data = {
            "folder": str(written.folder),
            "files": [str(path) for path in written.files],
            "records": [record_data(record) for record in plan.records],
            "left_out": [left_out_data(left) for left in plan.left_out],
        }
        print(json.dumps(data, indent=1, default=str))
        return 0
    for record in plan.records:
        print_lines(record_lines(record))
    print_lines(left_out_line(left) for left in plan.left_out)
    print_lines([written.sentence])
    return 0
