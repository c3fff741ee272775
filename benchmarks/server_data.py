"""Server data of the size of a whole world: 113,000 SQL files, made up; how long their index takes, and a landblock
after it."""

from __future__ import annotations

import gc
import random
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure
from editor.process.memory import peak_megabytes
from editor.session.server_index import bring_up_to_date
from engine.world.server.folder import FolderData
from engine.world.server.rows import COLUMNS, INSTANCE

WEENIES: Final = 43_911
LANDBLOCKS: Final = 4_520
INSTANCES: Final = 365_183
LINKS: Final = 304_351
ENCOUNTERS: Final = 35_690
OTHERS: Final = 28_879
"""Files about spells, quests and the like, which are listed and not read."""
IN_A_FOLDER: Final = 500
PLACE: Final = ", ".join(f"`{name}`" for name in (*COLUMNS[INSTANCE], "last_Modified"))
STAMP: Final = "'2024-01-01 00:00:00'"


def figures() -> list[Figure]:
    """Measure with the files in a temporary folder. Times are the processor's: all of it is work of one thread."""
    with tempfile.TemporaryDirectory() as scratch:
        root, cache = Path(scratch) / "world", Path(scratch) / "cache"
        count = write_checkout(root)
        gc.collect()
        before = peak_megabytes()
        start, worked = time.perf_counter(), time.process_time()
        data = FolderData.open(root)
        listed = time.process_time() - worked
        index = bring_up_to_date(data, cache)
        first = time.process_time() - worked
        waited = time.perf_counter() - start
        growth = peak_megabytes() - before
        assert len(index.entries) == WEENIES + LANDBLOCKS + ENCOUNTERS
        worked = time.process_time()
        again = FolderData.open(root)
        bring_up_to_date(again, cache)
        second = time.process_time() - worked
        slowest = max(_block_seconds(again, block_id) for block_id in again.landblocks()[::100])
        size = sum(file.stat().st_size for file in cache.iterdir()) / 2**20
    files = f"{count // 1000}k files"
    return [
        Figure(f"listing server data, {files}", listed, "s", 10.0, 30.0),
        Figure(f"indexing server data, {files}", first, "s", 60.0, 60.0),
        Figure(f"indexing server data by the clock, {files}", waited, "s"),
        Figure(f"the same again, {files}", second, "s", 10.0, 20.0),
        Figure("a landblock of server data, slowest of 46", slowest * 1e3, "ms", 50.0, 50.0),
        Figure("memory for the index of server data", growth, "MB", 200.0, 200.0),
        Figure("the index in the cache folder", size, "MB"),
    ]


def _block_seconds(data: FolderData, block_id: int) -> float:
    start = time.process_time()
    content = data.block(block_id)
    for instance in content.instances:
        data.weenie(instance.wcid)
    return time.process_time() - start


def write_checkout(root: Path) -> int:
    """Write all files; returns their number."""
    some = random.Random(13)
    for number in range(WEENIES):
        _write(
            root / "9" / "SQL" / f"{number // IN_A_FOLDER}", f"{number + 1:05} Thing {number}.sql", _weenie(number + 1)
        )
    for number in range(LANDBLOCKS):
        block = number * 14 + 1
        _write(root / "6" / "SQL", f"{block:04X}.sql", _landblock(block, number, some))
    for number in range(ENCOUNTERS):
        _write(root / "1" / "SQL", f"{number + 1:04X}.sql", _encounters(number + 1))
    for number in range(OTHERS):
        text = f"INSERT INTO `spell` (`id`, `name`) VALUES ({number}, 'A Spell');\n"
        _write(root / "2" / "SQL" / f"{number // IN_A_FOLDER}", f"{number:05} Spell.sql", text)
    return WEENIES + LANDBLOCKS + ENCOUNTERS + OTHERS


def _write(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def _properties(table: str, wcid: int, values: list[tuple[int, object]]) -> str:
    rows = "\n     , ".join(
        f"({wcid}, {kind:3}, {value!s:>10}) /* A Property - And Its Meaning */" for kind, value in values
    )
    return f"INSERT INTO `weenie_properties_{table}` (`object_Id`, `type`, `value`)\nVALUES {rows};\n\n"


def _weenie(wcid: int) -> str:
    """One of 5 KB, as large as they are on average, with rows of tables that are skipped."""
    parts = [
        f"DELETE FROM `weenie` WHERE `class_Id` = {wcid};\n\n"
        "INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`, `last_Modified`)\n"
        f"VALUES ({wcid}, 'thing-{wcid}', {wcid % 60}, {STAMP}) /* Thing */;\n\n",
        _properties("int", wcid, [(kind, 8 * kind) for kind in (1, 5, 8, 16, 19, 33, 38, 93, 150, 169)]),
        _properties("bool", wcid, [(kind, kind % 2 == 0) for kind in (1, 2, 11, 12, 13, 14, 22, 33, 34)]),
        _properties("float", wcid, [(kind, 1.5) for kind in (11, 39, 41, 43, 54)]),
        _properties("string", wcid, [(1, f"'Thing {wcid}'"), (14, "'Use this item to open it.'")]),
        _properties("d_i_d", wcid, [(1, "0x020019FF"), (2, "0x09000202"), (3, "0x20000023"), (8, "0x06001317")]),
    ]
    parts.extend(_emote(wcid, number) for number in range(6))
    return "".join(parts)


def _emote(wcid: int, number: int) -> str:
    return (
        "INSERT INTO `weenie_properties_emote` (`object_Id`, `category`, `probability`, `quest`)\n"
        f"VALUES ({wcid}, {number} /* Use */, 1, NULL);\n\nSET @parent_id = LAST_INSERT_ID();\n\n"
        "INSERT INTO `weenie_properties_emote_action` (`emote_Id`, `order`, `type`, `message`)\n"
        "VALUES (@parent_id, 0, 10 /* Tell */, 'There''s nothing here; go away, and don''t come back!');\n\n"
    )


def _landblock(block: int, number: int, some: random.Random) -> str:
    count = (number + 1) * INSTANCES // LANDBLOCKS - number * INSTANCES // LANDBLOCKS
    links = (number + 1) * LINKS // LANDBLOCKS - number * LINKS // LANDBLOCKS
    parts = [f"DELETE FROM `landblock_instance` WHERE `landblock` = 0x{block:04X};\n\n"]
    for index in range(count):
        guid = 0x70000000 | block << 12 | index
        x, y = some.uniform(0, 190), some.uniform(0, 190)
        parts.append(
            f"INSERT INTO `landblock_instance` ({PLACE})\nVALUES (0x{guid:08X}, {some.randint(1, WEENIES):5}, "
            f"0x{block:04X}0000, {x:.6g}, {y:.6g}, 12.005, 0.707107, 0, 0, -0.707107, False, {STAMP}); /* Thing */\n"
            f"/* @teleloc 0x{block:04X}0000 [{x:.6f} {y:.6f} 12.005000] 0.707107 0.000000 0.000000 -0.707107 */\n\n"
        )
        if index < links:
            parts.append(
                "INSERT INTO `landblock_instance_link` (`parent_GUID`, `child_GUID`, `last_Modified`)\n"
                f"VALUES (0x{guid:08X}, 0x{guid + 1:08X}, {STAMP}) /* Thing */;\n\n"
            )
    return "".join(parts)


def _encounters(block: int) -> str:
    rows = "\n     , ".join(f"(0x{block:04X}, {7 + cell}, {cell}, {cell + 1}, {STAMP}) /* Rat */" for cell in range(5))
    columns = "`landblock`, `weenie_Class_Id`, `cell_X`, `cell_Y`, `last_Modified`"
    delete = f"DELETE FROM `encounter` WHERE `landblock` = 0x{block:04X};\n\n"
    return f"{delete}INSERT INTO `encounter` ({columns})\nVALUES {rows};\n"
