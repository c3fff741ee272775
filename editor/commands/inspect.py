"""`inspect SOURCE [ID]`: prints the content of a world, as text or JSON; with --check, its faults."""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any, Final

from editor.process.plain_text import counted, print_lines
from editor.process.server_arguments import add_server_arguments
from editor.reports.inspection import (
    Data,
    cell_data,
    entities_data,
    environment_data,
    fault_data,
    gfxobj_data,
    image_data,
    landblock_data,
    overview_data,
    picture_data,
    setup_data,
    surface_data,
)
from editor.reports.inspection_text import is_block, layout, value_text
from editor.reports.paging import PAGE_ROWS, Listing, Page
from editor.reports.references import references_data
from editor.session.server_choice import server_choice
from editor.session.server_index import use_indexes
from editor.session.sources import open_source
from engine.dat.records import EnvCell, Environment, LandBlock, LandBlockInfo, RenderSurface
from engine.dat.records.catalogue import describe
from engine.world.cells.ids import BLOCK_INFO, WHOLE_BLOCK, cell_text, landblock_id, low_of, parse_id
from engine.world.faults import SCENERY, Fault, Severity, WorldError
from engine.world.loader.names_file import read_names
from engine.world.names import Names
from engine.world.source import FoundRecord
from engine.world.world import World

GFXOBJ, SETUP, TEXTURE, SURFACE = 0x01, 0x02, 0x05, 0x08
"""The top eight bits of the ids that get more than a plain listing of their record."""

BLOCK_LOWS: Final = (0, BLOCK_INFO, WHOLE_BLOCK)
PLACES: Final = (EnvCell, LandBlock, LandBlockInfo)


HINTS: Final = 4
LANDBLOCK: Final = re.compile("0[xX][0-9A-Fa-f]{4}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", help="demo, a folder with the client's .dat files, a scene .json or a dump folder")
    add_server_arguments(parser)
    parser.add_argument(
        "id", nargs="?", help="a landblock (0xC95B), or a cell, model, setup, texture or record (0xC95B0104)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--names", metavar="FILE", type=Path, help="a names file: print the names of cells and models before their ids"
    )
    parser.add_argument(
        "--rows", metavar="N", type=int, help=f"rows of each list; 0 for all (an overview shows {PAGE_ROWS}, JSON all)"
    )
    parser.add_argument("--from", dest="first", metavar="N", type=int, default=1, help="the first row of each list")
    parser.add_argument("--find", metavar="TEXT", default="", help="only rows of lists with this text, such as 0xA9")
    parser.add_argument("--check", action="store_true", help="list what is wrong; exit code 1 when there are errors")


def run(arguments: argparse.Namespace) -> int:
    wanted = None if arguments.id is None else _id_of(arguments.id)
    names = None if arguments.names is None else read_names(arguments.names)
    listing = _listing_of(arguments, wanted is None)
    with open_source(arguments.source, None, server_choice(arguments)) as world:
        if wanted is None and world.source.by_block is not None:
            from engine.build.demo.cache import default_cache  # the demo's parts load with it

            use_indexes(world, default_cache())
        if arguments.check:
            return _check(world, wanted, arguments.json)
        if wanted is None:
            things = [overview_data(world, listing)]
        else:
            things = [_paged(thing, listing) for thing in _found(world, wanted)]
        if not things:
            raise WorldError(f"there is nothing with the id {cell_text(wanted or 0)}; {_hint(world)}", world.name)
        _print(things, arguments.json, Names() if names is None else Names(names.names), listing)
    return 0


def _listing_of(arguments: argparse.Namespace, overview: bool) -> Listing:
    rows = arguments.rows
    if arguments.first < 1 or (rows is not None and rows < 0):
        raise WorldError("--from counts rows from 1, and --rows is a number of rows or 0 for all")
    if rows is None:
        rows = PAGE_ROWS if overview and not arguments.json else 0
    return Listing(arguments.first, rows, arguments.find)


def _paged(thing: Data, listing: Listing) -> Data:
    """The page of each list of a thing; small lists of numbers stay whole."""
    if listing == Listing():
        return thing
    return {
        key: listing.page(value, value_text) if isinstance(value, list) and is_block(value) else value
        for key, value in thing.items()
    }


def _id_of(text: str) -> int:
    """Four digits are a landblock's, as where one is opened."""
    stripped = text.strip()
    return parse_id(f"{stripped}FFFF" if LANDBLOCK.fullmatch(stripped) else text)


def _print(things: list[Data], as_json: bool, names: Names, listing: Listing) -> None:
    if as_json:
        _print_json(things[0] if len(things) == 1 else things)
        return
    for index, thing in enumerate(things):
        if index:
            print()
        lines = layout({key: value for key, value in thing.items() if key != "record"})
        print_lines(names.in_text(line, behind=True) for line in lines)
    more = listing.more(value for thing in things for value in thing.values() if isinstance(value, Page))
    if more:
        print(f"\nmore: {more}")


def _print_json(value: object) -> None:
    print(json.dumps(_strict(value), indent=1, allow_nan=False))


def _strict(value: object) -> object:
    """JSON knows no infinities and not-a-numbers, bad records do; they become texts."""
    if isinstance(value, dict):
        return {str(key): _strict(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(inner) for inner in value]
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value


def _hint(world: World) -> str:
    block_ids = world.landblock_ids()
    shown = ", ".join(cell_text(block_id) for block_id in block_ids[:HINTS])
    return f"its landblocks are {shown}{', ...' if len(block_ids) > HINTS else ''}" if shown else "it has no landblocks"


# --- by id


def _found(world: World, wanted: int) -> Iterator[Data]:
    """Everything of this id: the same number may be a cell's, an entity's and that of a record in each database."""
    placed = _place(world, wanted)
    if placed is not None:
        yield {"type": "landblock" if low_of(wanted) in BLOCK_LOWS else "cell", **placed}
    entity = world.entity_spec(wanted)
    if entity is not None:
        data = {"type": "entity", **entities_data([entity])[0], "extra": entity.extra}
        source = "" if world.source.by_block is None else world.source.by_block.source_of(wanted)
        yield {**data, "source": source} if source else data
    records = world.source.records_of(wanted)
    # What stands in the cell database has just been shown as the place that it describes.
    others = [found for found in records if placed is None or not isinstance(found.record, PLACES)]
    summary = _summary_of(world, wanted, others[0].record if others else None)
    if summary is not None and not others:
        yield summary
    for number, found in enumerate(others):
        yield _record_data(world, found, summary if number == 0 else None, tell_file=len(records) > 1)


def _record_data(world: World, found: FoundRecord, summary: Data | None, tell_file: bool) -> Data:
    file = {"file": Path(found.file).name} if tell_file else {}
    if found.record is None:
        reasons = [
            fault.reason for fault in world.source.faults if fault.where == found.id and found.file in fault.reason
        ]
        return {"type": "unreadable record", **file, "id": cell_text(found.id), "reason": "; ".join(reasons)}
    listed = describe(found.record)
    rows = references_data(found.record, world)
    refers = {"refers to": rows} if rows else {}
    if summary is not None:
        kind = {"type": summary["type"], **file}
        return {**kind, **{key: value for key, value in summary.items() if key != "type"}, **refers, "record": listed}
    return {"type": type(found.record).__name__, **file, "id": cell_text(found.id), **listed, **refers}


def _place(world: World, wanted: int) -> Data | None:
    if low_of(wanted) in BLOCK_LOWS:
        block = world.landblock(landblock_id(wanted))
        return None if block is None else landblock_data(block, world)
    cell = world.graph.get_visible(wanted)
    return None if cell is None else cell_data(cell, world)


def _summary_of(world: World, wanted: int, record: object) -> Data | None:
    """A summary of the records that are built into something; None for all others."""
    kind = wanted >> 24
    if kind == GFXOBJ and (mesh := world.gfxobj(wanted)) is not None:
        return {"type": "GfxObj", **gfxobj_data(mesh)}
    if kind == SETUP and (setup := world.setup(wanted)) is not None:
        return {"type": "Setup", **setup_data(setup)}
    if kind == SURFACE and (surface := world.surface_image(wanted)) is not None:
        return {"type": "Surface", "id": cell_text(wanted), **surface_data(surface)}
    if kind == TEXTURE and (texture := world.texture_image(wanted)) is not None:
        return {"type": "SurfaceTexture", "id": cell_text(wanted), **picture_data(texture)}
    if isinstance(record, RenderSurface):
        return {"type": "RenderSurface", **image_data(record)}
    if isinstance(record, Environment):
        keys = [keyed.key for keyed in record.structures]
        return {"type": "Environment", **environment_data(wanted, keys, world)}
    return None


# --- faults


def _check(world: World, wanted: int | None, as_json: bool) -> int:
    counts: Counter[Severity] = Counter()
    listed: list[dict[str, Any]] = []
    for fault in _unique(_all_faults(world) if wanted is None else _faults_of(world, wanted)):
        counts[fault.severity] += 1
        if as_json:
            listed.append(fault_data(fault))
        else:
            print_lines([str(fault)])
    if as_json:
        _print_json(listed)
    else:
        print(_summary(counts))
    return 1 if counts[Severity.ERROR] else 0


def _summary(counts: Counter[Severity]) -> str:
    if not counts:
        return "nothing is wrong"
    names = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    return ", ".join(counted(counts[s], name) for s, name in names.items() if counts[s])


def _unique(faults: Iterator[Fault]) -> Iterator[Fault]:
    seen: set[Fault] = set()
    for fault in faults:
        if fault not in seen:
            seen.add(fault)
            yield fault


def _all_faults(world: World) -> Iterator[Fault]:
    """The faults of the files, of every landblock and of every model. Each landblock is released before the next."""
    yield from world.source.container_faults()
    yield from list(world.source.faults)
    yield from world.entity_index.faults
    for block_id in world.landblock_ids():
        yield from _block_faults(world, block_id)
        world.graph.unload_landblock(block_id)
        if world.source.by_block is not None:
            world.source.by_block.forget(block_id)
    yield from world.source.model_faults()
    yield from list(world.source.shape_faults())
    yield from list(world.source.faults)


def _block_faults(world: World, block_id: int) -> Iterator[Fault]:
    block = world.landblock(block_id)
    if block is None:
        return
    missing = {thing.model_id for thing in block.scenery if world.setup(thing.model_id) is None}
    for model_id in sorted(missing):
        yield Fault(block.id, SCENERY, f"model {cell_text(model_id)} is missing or unreadable")
    yield from world.landblock_faults(block_id)
    by_block = world.source.by_block
    if by_block is not None:
        world.entities_of(block_id)
        yield from by_block.block_faults(block.id)


def _faults_of(world: World, wanted: int) -> Iterator[Fault]:
    if low_of(wanted) in BLOCK_LOWS:
        yield from _block_faults(world, landblock_id(wanted))
    else:
        cell = world.graph.get_visible(wanted)
        if cell is not None:
            yield from cell.faults
    if wanted >> 24 in (GFXOBJ, SETUP):
        model = world.gfxobj(wanted) if wanted >> 24 == GFXOBJ else world.setup(wanted)
        yield from [] if model is None else model.faults
    everywhere = [*world.source.faults, *world.entity_index.faults, *world.source.shape_faults()]
    yield from [fault for fault in everywhere if fault.where == wanted]
