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
from editor.reports.inspection_text import layout
from editor.session.sources import open_source
from engine.dat.records import Environment, RenderSurface
from engine.dat.records.base import DatRecord, UnknownRecord
from engine.dat.records.catalogue import describe
from engine.world.cells.ids import BLOCK_INFO, WHOLE_BLOCK, cell_text, landblock_id, low_of, parse_id
from engine.world.faults import SCENERY, Fault, Severity, WorldError
from engine.world.loader.names_file import read_names
from engine.world.names import Names
from engine.world.world import World

GFXOBJ, SETUP, TEXTURE, SURFACE = 0x01, 0x02, 0x05, 0x08
"""The top eight bits of the ids that get more than a plain listing of their record."""

BLOCK_LOWS: Final = (0, BLOCK_INFO, WHOLE_BLOCK)


HINTS: Final = 4
LANDBLOCK: Final = re.compile("0[xX][0-9A-Fa-f]{4}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", help="demo, a folder with the client's .dat files, a scene .json or a dump folder")
    parser.add_argument(
        "id", nargs="?", help="a landblock (0xC95B), or a cell, model, setup, texture or record (0xC95B0104)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--names", metavar="FILE", type=Path, help="a names file: print the names of cells and models before their ids"
    )
    parser.add_argument("--check", action="store_true", help="list what is wrong; exit code 1 when there are errors")


def run(arguments: argparse.Namespace) -> int:
    wanted = None if arguments.id is None else _id_of(arguments.id)
    names = None if arguments.names is None else read_names(arguments.names)
    with open_source(arguments.source) as world:
        if arguments.check:
            return _check(world, wanted, arguments.json)
        things = [overview_data(world)] if wanted is None else list(_found(world, wanted))
        if not things:
            raise WorldError(f"there is nothing with the id {cell_text(wanted or 0)}; {_hint(world)}", world.name)
        _print(things, arguments.json, Names() if names is None else Names(names.names))
    return 0


def _id_of(text: str) -> int:
    """Four digits are a landblock's, as where one is opened."""
    stripped = text.strip()
    return parse_id(f"{stripped}FFFF" if LANDBLOCK.fullmatch(stripped) else text)


def _print(things: list[Data], as_json: bool, names: Names) -> None:
    if as_json:
        _print_json(things[0] if len(things) == 1 else things)
        return
    for index, thing in enumerate(things):
        if index:
            print()
        lines = layout({key: value for key, value in thing.items() if key != "record"})
        print_lines(names.in_text(line, behind=True) for line in lines)


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
    """Everything of this id: a cell and a record of the portal database may have the same."""
    placed = _place(world, wanted)
    if placed is not None:
        yield {"type": "landblock" if low_of(wanted) in BLOCK_LOWS else "cell", **placed}
    for entity in world.entities:
        if entity.guid == wanted:
            yield {"type": "entity", **entities_data([entity])[0], "extra": entity.extra}
    record = world.record(wanted)
    listed = describe(record) if isinstance(record, DatRecord | UnknownRecord) else None
    summary = _summary_of(world, wanted, record)
    if summary is not None:
        yield {**summary, **({} if listed is None else {"record": listed})}
    elif listed is not None and placed is None:
        yield {"type": type(record).__name__, "id": cell_text(wanted), **listed}


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
