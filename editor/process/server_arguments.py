"""The options about server data that commands and the window take."""

from __future__ import annotations

import argparse
from typing import Final

from engine.files.server_address import AddressError, is_address, without_password

HOOKS: Final = "hooks"
ENCOUNTERS: Final = "encounters"
ALSO: Final = (HOOKS, ENCOUNTERS)
"""What stands in a world only when it is asked for."""


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--server-data",
        metavar="PATH",
        type=_named,
        action="append",
        default=[],
        help="a server's world: a folder of SQL files, an SQLite database, or mysql://USER@HOST:PORT/DATABASE; what "
        "stands there stands in the world. Given again: patches, whose landblocks and weenies replace those of the "
        "places before",
    )
    parser.add_argument(
        "--server-also",
        metavar="WHAT",
        action="append",
        choices=ALSO,
        default=[],
        help=f"of the server data also {' or '.join(ALSO)}; may be given several times",
    )


def _named(text: str) -> str:
    """A path as it is, a URL without its password: nothing that shows or keeps the arguments gets to see that."""
    if not is_address(text):
        return text
    try:
        return without_password(text)
    except AddressError as error:
        raise argparse.ArgumentTypeError(f"the URL {error}") from error
