"""The options about server data that commands and the window take."""

from __future__ import annotations

import argparse
from typing import Final

HOOKS: Final = "hooks"
ENCOUNTERS: Final = "encounters"
ALSO: Final = (HOOKS, ENCOUNTERS)
"""What stands in a world only when it is asked for."""


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--server-data",
        metavar="PATH",
        help="a server's world: a folder of SQL files or an SQLite database; what stands there stands in the world",
    )
    parser.add_argument(
        "--server-also",
        metavar="WHAT",
        action="append",
        choices=ALSO,
        default=[],
        help=f"of the server data also {' or '.join(ALSO)}; may be given several times",
    )
