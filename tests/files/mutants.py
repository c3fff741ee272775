"""Reads mutated server data and captures in one process of limited memory: `-m tests.files.mutants SEED COUNT`.

COUNT mutants are shared out among the forms. Each is read as far as the window and the command line read it: server
data down to the entities that join a simulation, captures down to their replay. It may give content, faults or an
exception of the engine; anything else, more than SECONDS of processor time or too much memory ends the process. The
last line has the number of mutants read without a complaint, with faults, and not at all, then the seconds of the
slowest and the megabytes taken.
"""

from __future__ import annotations

import faulthandler
import io
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.geometry.errors import GeometryError
from engine.physics.errors import PhysicsError
from engine.physics.rules import RuleSet
from engine.sim.captures.form import parse_record, read_capture, record_text
from engine.sim.captures.replay import replay_capture
from engine.sim.captures.writer import CaptureWriter
from engine.sim.edits.world import OpenLandblock
from engine.sim.errors import SimError
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.faults import Fault, WorldError
from engine.world.server import rows
from engine.world.server.attach import attach_server_data
from engine.world.server.entities import Wanted
from engine.world.server.folder import FolderData
from engine.world.server.index import ServerIndex, index_bytes, parse_index
from engine.world.server.sources import open_server_data
from engine.world.server.sql import inserts, text_value
from tests.files.mutations import PAGE, change_table, mutated, with_mutated_pages
from tests.files.open_bounded import MB, SMALL_MEMORY, memory
from tests.sim.helpers.small_worlds import FORWARD, RUN, built, hold, open_rooms, standing, two_rooms
from tests.world.server.furnished import Place
from tests.world.server.worlds import destination_sql, link_sql, weenie_sql, write

SECONDS: Final = 10.0
"""Of processor time for one mutant; a sound file takes a fiftieth of a second."""
SENTENCE: Final = 4_000
"""Characters that one complaint may have."""
# --- reading


def refused(error: Exception) -> int:
    """The one complaint of a mutant that could not be opened; it has to be a sentence."""
    _check_sentence(str(error))
    raise RefusedError


class RefusedError(Exception):
    """A mutant was refused with a sentence."""


def _check_sentence(text: str) -> None:
    assert text.strip(), "an empty sentence"
    assert len(text) <= SENTENCE, f"a sentence of {len(text)} characters: {text[:200]}"


def _complaints(faults: Iterable[Fault]) -> int:
    count = 0
    for fault in faults:
        _check_sentence(fault.reason)
        count += 1
    return count


@dataclass
class Sources:
    """What is mutated: one landblock's SQL, its weenies, a database and an index of the same, and a capture."""

    place: Place
    scratch: Path

    def __post_init__(self) -> None:
        self.wanted = Wanted(frozenset(), encounters=True)
        door, block = self.place.door, self.place.block_id >> 16
        self.block_name = f"{block:04X}.sql"
        self.block_sql = "\n".join(
            (
                f"DELETE FROM `landblock_instance` WHERE `landblock` = 0x{block:04X};\n",
                *(self.place.here(number, 412 + number % 3) for number in range(6)),
                link_sql(self.place.guid(0), self.place.guid(1)),
            )
        ).encode()
        self.encounter_sql = (
            f"DELETE FROM `encounter` WHERE `landblock` = 0x{block:04X};\n"
            "INSERT INTO `encounter` (`landblock`, `weenie_Class_Id`, `cell_X`, `cell_Y`) "
            f"VALUES (0x{block:04X}, 413, 1, 2), (0x{block:04X}, 414, 3, 4);\n"
        ).encode()
        models: dict[int, object] = {1: door.setup_id, 2: door.extra.get("motion_table", 0)}
        kinds = {412: 19, 413: 10, 414: 7}
        properties: dict[str, Mapping[int, object]] = {
            "int": {93: 24},
            "bool": {2: False, 35: True},
            "float": {11: 300, 39: 0.6},
            "d_i_d": models,
        }
        self.weenie_sql = {
            wcid: weenie_sql(wcid, kind, f"Thing {wcid}", **properties) + destination_sql(wcid, door.cell_id)
            for wcid, kind in kinds.items()
        }
        folder = self.place.folder
        write(folder / "landblocks" / self.block_name, self.block_sql.decode())
        write(folder / "encounters" / self.block_name, self.encounter_sql.decode())
        for wcid, text in self.weenie_sql.items():
            write(folder / "weenies" / f"{wcid}.sql", text)
        self.world = self.place.made.load()
        self.world.source.entities = []
        self.database = self.scratch / "world.db"
        self._write_database()
        self.database_bytes = self.database.read_bytes()
        self.index_bytes = self._index()
        self.rooms = standing(built(open_rooms), "hall", (4.0, 2.0), 90.0)
        self.capture_bytes = self._capture()

    def _write_database(self) -> None:
        """The rows of the files, over many small pages."""
        connection = sqlite3.connect(self.database)
        connection.execute(f"PRAGMA page_size = {PAGE}")
        for table, columns in rows.COLUMNS.items():
            connection.execute(f'CREATE TABLE "{table}" ({", ".join(columns)})')
        connection.execute(f"CREATE INDEX by_cell ON {rows.INSTANCE} (obj_Cell_Id)")
        connection.execute(f"CREATE INDEX by_weenie ON {rows.INT} (object_Id)")
        for text in (self.block_sql.decode(), self.encounter_sql.decode(), *self.weenie_sql.values()):
            for insert in inserts(text, "made", rows.ALL_TABLES):
                wanted = [
                    insert.columns.index(column) for column in rows.COLUMNS[insert.table] if column in insert.columns
                ]
                names = ", ".join(insert.columns[index] for index in wanted)
                marks = ", ".join("?" * len(wanted))
                for row in insert.rows:
                    values = [_stored(text_value(row.values[index])) for index in wanted]
                    connection.execute(f"INSERT INTO {insert.table} ({names}) VALUES ({marks})", values)
        connection.commit()
        connection.close()

    def _index(self) -> bytes:
        data = FolderData.open(self.place.folder)
        index = ServerIndex(self.place.folder)
        index.update(data.files)
        return index_bytes(index)

    def _capture(self) -> bytes:
        stream = io.StringIO()
        writer = CaptureWriter(stream, self.rooms.player.steered)
        self.rooms.watch(self.rooms.player.id, writer)
        for seconds, controls in ((0.2, FORWARD), (0.1, Controls(forward=1.0, jump=True)), (0.3, RUN)):
            hold(self.rooms, seconds, controls)
        self.rooms.unwatch(self.rooms.player.id, writer)
        return stream.getvalue().encode()

    def check_sound(self) -> None:
        """Without a change nothing is wrong anywhere: every complaint is about a change."""
        for source in (self.place.folder, self.database):
            for into_a_simulation in (False, True):
                assert self._read(source, into_a_simulation=into_a_simulation) == 0
        path = self.scratch / "walk.jsonl"
        path.write_bytes(self.capture_bytes)
        assert self._replayed(path, RuleSet()) == 0
        assert parse_index(self.index_bytes, self.place.folder).entries

    # --- forms

    def sql_of_a_landblock(self, chance: random.Random) -> int:
        folder, sound = ("landblocks", self.block_sql) if chance.random() < 0.8 else ("encounters", self.encounter_sql)
        data = mutated(sound, chance)
        return self._changed(self.place.folder / folder / self.block_name, data, self.place.folder, chance)

    def sql_of_a_weenie(self, chance: random.Random) -> int:
        wcid = chance.choice(list(self.weenie_sql))
        path = self.place.folder / "weenies" / f"{wcid}.sql"
        data = mutated(self.weenie_sql[wcid].encode(), chance)
        return self._changed(path, data, self.place.folder, chance)

    def pages_of_a_database(self, chance: random.Random) -> int:
        data = with_mutated_pages(self.database_bytes, chance)
        return self._changed(self.database, data, self.database, chance)

    def values_of_a_database(self, chance: random.Random) -> int:
        """A sound file with values, columns and tables that a server's never has."""
        self.database.write_bytes(self.database_bytes)
        connection = sqlite3.connect(self.database)
        connection.execute("PRAGMA journal_mode = OFF")
        for _ in range(chance.randint(1, 4)):
            table = chance.choice(list(rows.COLUMNS))
            column = chance.choice(rows.COLUMNS[table])
            try:
                change_table(connection, table, column, chance)
            except (sqlite3.Error, OverflowError):
                continue  # an earlier change has taken the table or column away
        connection.commit()
        connection.close()
        return self._changed(self.database, self.database.read_bytes(), self.database, chance)

    def index_of_a_folder(self, chance: random.Random) -> int:
        index = parse_index(mutated(self.index_bytes, chance), self.place.folder)
        return int(not index.entries)

    def capture(self, chance: random.Random) -> int:
        path = self.scratch / "walk.jsonl"
        path.write_bytes(mutated(self.capture_bytes, chance))
        try:
            return self._replayed(path, RuleSet(chance.random() < 0.5))
        except (WorldError, PhysicsError, GeometryError) as error:
            return refused(error)

    def _replayed(self, path: Path, rules: RuleSet) -> int:
        records = read_capture(path)
        texts = [record_text(record) for record in records]
        assert texts == [record_text(parse_record(text.encode(), "again")) for text in texts]
        return sum(not replay.agrees for replay in replay_capture(self.rooms.graph, rules, records))

    def _changed(self, path: Path, data: bytes, source: Path, chance: random.Random) -> int:
        """Read server data with one file changed, then restore it."""
        sound = path.read_bytes() if path != self.database else self.database_bytes
        path.write_bytes(data)
        try:
            return self._read(source, into_a_simulation=chance.random() < 0.3)
        except (WorldError, SimError) as error:
            return refused(error)
        finally:
            path.write_bytes(sound)

    def _read(self, source: Path, *, into_a_simulation: bool) -> int:
        if into_a_simulation:
            self.world.source.by_block = None
            attached = attach_server_data(self.world, source, self.wanted)
            sim = Simulation(self.world)
            sim.apply_edit(OpenLandblock(self.place.block_id))
            for _ in range(3):
                sim.tick()
            count = _complaints(attached.faults())
            sim.close()
            self.world.source.by_block = None
            attached.close()
            return count
        data = open_server_data(source)
        try:
            content = data.block(self.place.block_id)
            data.prepare([instance.wcid for instance in content.instances])
            for block_id in data.landblocks()[:5]:
                data.block(block_id)
            for wcid in self.weenie_sql:
                data.weenie(wcid)
            data.encounters(self.place.block_id)
            data.counts()
            return _complaints((*content.faults, *data.faults))
        finally:
            data.close()


def _stored(written: str) -> object:
    for convert in (lambda text: int(text, 0), float):
        try:
            return convert(written)
        except ValueError:
            continue
    return {"True": 1, "False": 0}.get(written, written)


FORMS: Final[dict[str, int]] = {
    "sql_of_a_landblock": 6,
    "sql_of_a_weenie": 4,
    "pages_of_a_database": 4,
    "values_of_a_database": 2,
    "index_of_a_folder": 1,
    "capture": 3,
}
"""The share of each of twenty mutants."""


def main(seed: int, count: int) -> int:
    outcomes: Counter[str] = Counter()
    slowest = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "data"
        sources = Sources(Place(built(two_rooms), folder), Path(scratch))
        sources.check_sound()
        limit = memory("VmSize") + SMALL_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        for name, share in FORMS.items():
            read = getattr(sources, name)
            for number in range(count * share // sum(FORMS.values())):
                faulthandler.dump_traceback_later(20 * SECONDS, exit=True)
                start = time.process_time()
                try:
                    outcomes["faults" if read(random.Random(f"{name} {seed} {number}")) else "read"] += 1
                except RefusedError:
                    outcomes["refused"] += 1
                except BaseException:
                    print(f"{name}, seed {seed}, number {number}", file=sys.stderr)
                    raise
                taken = time.process_time() - start
                assert taken < SECONDS, f"{name}, seed {seed}, number {number} took {taken:.1f} s"
                slowest = max(slowest, taken)
        faulthandler.cancel_dump_traceback_later()
    peak = (memory("VmPeak") - limit + SMALL_MEMORY) // MB
    print(outcomes["read"], outcomes["faults"], outcomes["refused"], f"{slowest:.2f}", peak)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
