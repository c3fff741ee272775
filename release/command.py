"""`python -m release program|build|notes`: what docs/releasing.md describes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

import engine
from release.contents import ROOT
from release.errors import ReleaseError
from release.notes import notes_of

WORK: Final = ROOT / "build" / "release"
WRONG: Final = 2


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m release", description="Make what users download.")
    commands = parser.add_subparsers(dest="command", required=True)
    program = commands.add_parser("program", help="the folder with the program, for this system and this Python")
    build = commands.add_parser("build", help="everything of a release that this system can make, from a tag")
    notes = commands.add_parser("notes", help="print the notes of a version: its section of CHANGELOG.md")
    for each in (program, build):
        each.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder for what is made (default: dist)")
    build.add_argument("--tag", help="the tag to build (default: the one of what is checked out)")
    build.add_argument("--untagged", action="store_true", help="try it out: of any state, and not for publishing")
    notes.add_argument("version", nargs="?", default=engine.__version__)
    options = parser.parse_args(words)
    try:
        if options.command == "program":
            from release.program import build_program  # needs Qt, which who prints the notes may not have

            print(build_program(options.out, WORK / sys.platform))
        elif options.command == "notes":
            print(notes_of(options.version), end="")
        else:
            from release.build import build_release

            for line in build_release(options.out, WORK / sys.platform, options.tag, untagged=options.untagged):
                print(line, flush=True)
    except (ReleaseError, OSError) as error:
        print(f"Cellar Door: {error}", file=sys.stderr)
        return WRONG
    return 0
