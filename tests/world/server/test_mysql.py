"""Server data from a running MariaDB: the same as from files, a sentence for each failure, and nothing written."""

from __future__ import annotations

import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from engine.files import database_server
from engine.files.cancelling import cancellable
from engine.files.database_server import DatabaseServer
from engine.files.errors import FileError
from engine.files.server_address import PASSWORDS, VARIABLE, ServerAddress, read_address, without_password
from engine.geometry.vec import r24v
from engine.world.faults import Fault, WorldError
from engine.world.server import mysql, rows
from engine.world.server.model import BlockContent, Place, ServerData, Weenie
from engine.world.server.mysql import MysqlData
from engine.world.server.sources import open_server_data
from tests.world.server.mariadb import PASSWORD, USER, MariaDb, free_port, running_mariadb
from tests.world.server.test_sources import BLOCK, CELL, DOOR, FIXTURE, LEVER, needs_fixture
from tests.world.server.worlds import database

PLACE = (CELL, 1.0, -2.5, 3.1, 0.707107, 0.0, 0.0, -0.707107)
CONTENT: dict[str, list[tuple[object, ...]]] = {
    rows.INSTANCE: [
        (DOOR, 412, *PLACE, 0),
        (LEVER, 286, *PLACE, 1),
        (0x70001000, 7, 0x00010000, *PLACE[1:], 0),
    ],
    rows.LINK: [(DOOR, LEVER), (0x7C95BFFF, LEVER)],
    rows.WEENIE: [(412, "door", 19), (286, "lever", 26), (7, "generator", 1), (8, "rat", 10)],
    rows.STRING: [(412, 1, "It's a \\ <b>döor</b>"), (412, 12, "x" * 3000), (412, 7, "not kept"), (8, 1, "Rat")],
    rows.INT: [(412, 93, 8), (412, 5, 100), (7, 93, -1)],
    rows.BOOL: [(412, 2, 0), (412, 35, 1)],
    rows.FLOAT: [(412, 11, 300), (412, 39, 0.1)],
    rows.DID: [(412, 1, 0x02000010)],
    rows.IID: [(286, 16, DOOR)],
    rows.POSITION: [(412, 2, CELL, 10, 20, 30, 1, 0, 0, 0), (412, 1, CELL, 1, 1, 1, 1, 0, 0, 0)],
    rows.GENERATOR: [(7, 8), (7, 9)],
    rows.ENCOUNTER: [(0xC95B, 7, 1, 2)],
}


@pytest.fixture
def world(mariadb: MariaDb) -> Iterator[MariaDb]:
    mariadb.make("ace_world", CONTENT)
    yield mariadb
    PASSWORDS.keep(read_address(mariadb.url("ace_world"))[0], "")


def opened(server: MariaDb, name: str = "ace_world") -> MysqlData:
    data = open_server_data(without_password(server.url(name)))
    assert isinstance(data, MysqlData)
    return data


def asked_directly(server: MariaDb) -> DatabaseServer:
    address, password = read_address(server.url("ace_world"))
    PASSWORDS.keep(address, password or "")
    return DatabaseServer(address)


def in_floats(place: Place) -> Place:
    """As a server keeps it."""
    w, x, y, z = place.rotation
    (x, y, z), (w, _, _) = r24v((x, y, z)), r24v((w, 0.0, 0.0))
    return Place(place.cell_id, r24v(place.origin), (w, x, y, z))


def told_by(data: ServerData) -> object:
    """All that is known of the landblocks and weenies, without where it is from."""

    def weenie(wcid: int) -> Weenie | None:
        found = data.weenie(wcid)
        if found is None:
            return None
        places = {kind: in_floats(place) for kind, place in found.positions.items()}
        return replace(found, source="", positions=places, generates=sorted(found.generates))

    content = [data.block(block_id) for block_id in data.landblocks()]
    instances = [
        sorted((each.guid, each.wcid, str(in_floats(each.place)), each.is_link_child) for each in block.instances)
        for block in content
    ]
    wcids = sorted({each.wcid for block in content for each in block.instances})
    made = [weenie(wcid) for wcid in wcids]
    also = [weenie(wcid) for found in made if found is not None for wcid in found.generates]
    return {
        "blocks": data.landblocks(),
        "instances": instances,
        "links": [sorted((link.parent, link.child) for link in block.links) for block in content],
        "weenies": [*made, *also],
        "encounters": [
            [(each.wcid, each.cell_x, each.cell_y) for each in data.encounters(block)] for block in data.landblocks()
        ],
    }


def faults_of(block: BlockContent) -> str:
    return "\n".join(fault.reason for fault in block.faults)


@pytest.mark.parametrize("column", ["indexed", "without an index", "absent"])
def test_a_servers_rows_are_those_of_an_sqlite_database(world: MariaDb, tmp_path: Path, column: str) -> None:
    if column != "indexed":
        world.ask(f"ALTER TABLE landblock_instance DROP {'COLUMN' if column == 'absent' else 'KEY'} landblock")
    data, same = opened(world), open_server_data(database(tmp_path / "world.db", CONTENT))
    assert told_by(data) == told_by(same)
    assert data.counts() == same.counts()
    assert data.landblocks() == [0x0001FFFF, BLOCK]
    assert (data.faults, data.name) == ([], "ace_world")
    data.close()


@needs_fixture
def test_a_real_town_and_dungeons_are_those_of_their_files(mariadb: MariaDb) -> None:
    mariadb.run_files("ace_files", sorted(FIXTURE.rglob("*.sql")))
    data, files = opened(mariadb, "ace_files"), open_server_data(FIXTURE)
    assert told_by(data) == told_by(files)
    assert data.counts()["instances"] == sum(len(files.block(block).instances) for block in files.landblocks())
    assert data.faults == []


def test_absurd_values_are_faults_of_their_rows(world: MariaDb) -> None:
    world.ask("ALTER TABLE landblock_instance MODIFY guid bigint, MODIFY weenie_Class_Id bigint")
    world.ask("ALTER TABLE landblock_instance MODIFY origin_Z decimal(40, 2) NULL, MODIFY is_Link_Child text NULL")
    world.ask("ALTER TABLE weenie_properties_int MODIFY value bigint NULL, MODIFY type text NULL")
    strange: list[tuple[object, ...]] = [
        (-5, 412, *PLACE, 0),
        (2**40, 412, *PLACE, 0),
        (0x7C95B010, -1, *PLACE, 0),
        (0x7C95B011, 2**33, *PLACE, 0),
        (0x7C95B012, 412, *PLACE[:3], None, *PLACE[4:], 0),
        (0x7C95B013, 412, *PLACE, "'; DROP TABLE weenie; --"),
        (0x7C95B014, 412, *PLACE[:3], "9" * 38, *PLACE[4:], None),
    ]
    world.fill(rows.INSTANCE, rows.COLUMNS[rows.INSTANCE], strange)
    world.ask("UPDATE landblock_instance SET is_Link_Child = NULL WHERE guid <> 0x7C95B013")
    world.fill(rows.INT, rows.COLUMNS[rows.INT], [(412, "seven", 1), (412, None, 1)])
    data = opened(world)
    content = data.block(BLOCK)
    assert [each.guid for each in content.instances] == [DOOR, LEVER, 0x7C95B014]
    assert len(content.faults) == 6
    assert "0x10000000000: its guid is 1099511627776; ids have 32 bits" in faults_of(content)
    assert "0x7C95B012: its origin_Z is NULL, no number" in faults_of(content)
    assert data.weenie(412) is not None
    assert len(data.faults) == 4  # no type of weenie_properties_int is a number any more
    assert world.ask("SELECT COUNT(*) FROM weenie")[0][0] == 4


@pytest.mark.parametrize("column", ["indexed", "absent"])
def test_rows_without_a_cell_are_counted(world: MariaDb, column: str) -> None:
    if column == "absent":
        world.ask("ALTER TABLE landblock_instance DROP COLUMN landblock")
    world.ask("ALTER TABLE landblock_instance MODIFY obj_Cell_Id int unsigned NULL")
    world.ask(f"UPDATE landblock_instance SET obj_Cell_Id = NULL WHERE guid = {LEVER}")
    data = opened(world)
    assert [fault.reason for fault in data.faults] == [
        "ace_world: 1 rows of landblock_instance have no id or no cell; left out"
    ]
    assert [each.guid for each in data.block(BLOCK).instances] == [DOOR]


def test_a_database_without_indexes_says_that_it_is_slow(world: MariaDb) -> None:
    world.ask("ALTER TABLE weenie_properties_int DROP KEY object_Id")
    data = opened(world)
    assert ["weenie_properties_int has no index on object_Id" in fault.reason for fault in data.faults] == [True]
    assert data.block(BLOCK).faults == []


def test_numbers_kept_as_texts_are_faults(world: MariaDb) -> None:
    world.ask("ALTER TABLE landblock_instance MODIFY origin_X varchar(50), MODIFY origin_Y longblob")
    content = opened(world).block(BLOCK)
    assert content.instances == []
    assert [f"its origin_X is '{PLACE[1]:.0f}', no number" in fault.reason for fault in content.faults] == [True] * 2


def test_an_instance_that_its_column_puts_elsewhere_is_a_fault(world: MariaDb) -> None:
    world.ask("ALTER TABLE landblock_instance DROP COLUMN landblock")
    world.ask("ALTER TABLE landblock_instance ADD COLUMN landblock int DEFAULT 0xC95B, ADD KEY (landblock)")
    content = opened(world).block(BLOCK)
    assert [each.guid for each in content.instances] == [DOOR, LEVER]
    assert "0x70001000: it is in 0x00010000, another landblock" in faults_of(content)


def refused(url: str) -> str:
    with pytest.raises(WorldError) as error:
        open_server_data(url)
    assert PASSWORD not in f"{error.value} {error.value!r}"
    return error.value.reason


def test_each_failure_is_a_sentence(world: MariaDb, monkeypatch: pytest.MonkeyPatch) -> None:
    url = without_password(world.url("ace_world"))
    port = free_port()
    assert refused(f"mysql://{USER}@127.0.0.1:{port}/ace_world") == (
        f"cannot be reached: 127.0.0.1 takes no connections on port {port}"
    )
    assert refused("mysql://u@no-such-host.invalid/w") == "cannot be reached: there is no host no-such-host.invalid"
    assert "the server has no database 'nowhere'" in refused(without_password(world.url("nowhere")))
    PASSWORDS.keep(read_address(url)[0], "wrong")
    assert refused(url) == "cannot be read: the server refuses the user 'reader' with this password"
    assert PASSWORDS.is_refused(read_address(url)[0])
    PASSWORDS.keep(read_address(url)[0], PASSWORD)
    world.ask("DROP TABLE weenie_properties_int")
    world.ask("ALTER TABLE weenie_properties_bool DROP COLUMN value")
    assert refused(url) == "has a table weenie_properties_bool without the column value"
    world.ask("DROP TABLE weenie")
    assert refused(url) == "holds no server data: it has no table weenie"
    world.ask("CREATE USER IF NOT EXISTS nobody@'%'")
    assert "the user 'nobody' may not read a database 'ace_world'" in refused(world.url("ace_world", None, "nobody"))
    monkeypatch.setitem(sys.modules, "pymysql", None)
    assert refused(url).endswith('its driver is not installed, which this does: pip install "cellar-door[mysql]"')


def test_the_password_may_come_from_the_environment(world: MariaDb, monkeypatch: pytest.MonkeyPatch) -> None:
    world.ask("DROP USER IF EXISTS other@'%'")
    world.ask("CREATE USER other@'%%' IDENTIFIED BY %s", [PASSWORD])
    world.ask("GRANT SELECT ON ace_world.* TO other@'%'")
    url = world.url("ace_world", None, "other")
    monkeypatch.setenv(VARIABLE, "wrong")
    assert "refuses the user 'other'" in refused(url)
    monkeypatch.setenv(VARIABLE, PASSWORD)
    assert open_server_data(url).landblocks() == [0x0001FFFF, BLOCK]


def test_nothing_can_be_written(world: MariaDb, tmp_path: Path) -> None:
    server = asked_directly(world)
    secret = tmp_path / "secret"
    secret.write_text("1", encoding="utf-8")
    for statement in (
        "INSERT INTO weenie (class_Id, class_Name, type) VALUES (1, 'a', 1)",
        "DELETE FROM weenie",
        "DROP TABLE weenie",
        "SELECT 1; DELETE FROM weenie",
        f"LOAD DATA LOCAL INFILE '{secret}' INTO TABLE weenie",
    ):
        with pytest.raises(FileError):
            server.ask(statement)
    server.close()
    assert world.ask("SELECT COUNT(*) FROM weenie")[0][0] == 4


def connections(server: MariaDb) -> list[int]:
    found = server.ask("SELECT ID FROM information_schema.PROCESSLIST WHERE USER = %s", [USER])
    return [number for (number,) in found]


def test_a_lost_connection_is_a_fault_and_the_next_landblock_connects_again(world: MariaDb) -> None:
    data = opened(world)
    for number in connections(world):
        world.ask(f"KILL {number}")
    lost = data.block(BLOCK)
    assert (lost.instances, lost.links) == ([], [])
    assert "the connection was lost; nothing of its data stands in this landblock until Reload" in faults_of(lost)
    assert data.weenie(412) is None
    assert data._server is not None
    data._server._not_before = 0.0
    assert [each.guid for each in data.block(0x0001FFFF).instances] == [0x70001000]
    again = data.block(BLOCK)
    assert [each.guid for each in again.instances] == [DOOR, LEVER]
    door = data.weenie(412)
    assert door is not None
    assert door.type == 19
    assert data.faults == []


def test_a_server_that_hangs_does_not_hold_up_landblocks(world: MariaDb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mysql, "QUESTION_S", 0.2)
    data = opened(world)
    world.ask("LOCK TABLES weenie WRITE")
    try:
        began = time.monotonic()
        assert "does not answer within 0.2 s; nothing of its data" in faults_of(data.block(BLOCK))
        assert "does not answer within 0.2 s; nothing of its data" in faults_of(data.block(0x0001FFFF))
        assert time.monotonic() - began < 3.0
    finally:
        world.ask("UNLOCK TABLES")
    assert data._server is not None
    data._server._not_before = 0.0
    assert [each.guid for each in data.block(BLOCK).instances] == [DOOR, LEVER]


def test_an_answer_that_is_too_large_is_refused(world: MariaDb, monkeypatch: pytest.MonkeyPatch) -> None:
    server = asked_directly(world)
    monkeypatch.setattr(database_server, "MOST_BYTES", 2**20)
    with pytest.raises(FileError, match="more than 1 MB"):
        server.ask("SELECT REPEAT('a', 2000000)")
    assert server.lost


class StoppedError(Exception):
    pass


@contextmanager
def stranger(answer: bytes | None, heard: list[bytes] | None = None) -> Iterator[int]:
    """A server on a port that sends this and hangs up, or with None never says anything. What it is told in the end
    goes to `heard`."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        kept: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    taken, _ = listening.accept()
                except OSError:
                    return
                kept.append(taken)
                if answer is not None:
                    taken.sendall(answer)
                    taken.shutdown(socket.SHUT_WR)

        thread = threading.Thread(target=serve)
        thread.start()
        yield listening.getsockname()[1]
        if sys.platform == "win32":  # where closing ends the wait, and here it does not
            listening.close()
        else:
            listening.shutdown(socket.SHUT_RDWR)
        thread.join()
        for taken in kept:
            if heard is not None:
                taken.settimeout(5.0)
                heard.append(taken.makefile("rb").read())
            taken.close()


def test_connecting_to_a_server_that_says_nothing_can_be_cancelled() -> None:
    pytest.importorskip("pymysql")

    def check() -> None:
        raise StoppedError

    with stranger(None) as port:
        began = time.monotonic()
        with pytest.raises(StoppedError), cancellable(check):
            open_server_data(f"mysql://u@127.0.0.1:{port}/w")
        assert time.monotonic() - began < database_server.CONNECT_S / 2


def greeting(tls: bool = True) -> bytes:
    """What a server says first, as far as drivers read it."""
    able = b"\xff\xff" if tls else b"\xff\xf7"
    said = b"\x0a10.11.0-MariaDB\0" + b"\1\0\0\0" + b"saltsalt\0" + able + b"\x2d\2\0\xff\x81\x15" + bytes(10)
    said += b"saltsaltsalt\0" + b"mysql_clear_password\0"
    return len(said).to_bytes(3, "little") + b"\0" + said


def test_strangers_that_answer_anything_are_a_sentence() -> None:
    pytest.importorskip("pymysql")
    some = random.Random(7)
    whole = greeting()
    answers = [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", whole, whole + b"\x15\0\0\2\xfemysql_clear_password\0"]
    answers += [whole + bytes([len(packet), 0, 0, 2]) + packet for packet in (b"\xfb/etc/passwd", b"\0", b"\xff", b"")]
    answers += [some.randbytes(some.randint(1, 300)) for _ in range(15)]
    for _ in range(30):
        changed = bytearray(whole + some.randbytes(40))
        for _ in range(some.randint(1, 8)):
            changed[some.randrange(len(changed))] = some.randrange(256)
        answers.append(bytes(changed))
    for answer in answers:
        with stranger(answer) as port:
            reason = refused(f"mysql://u@127.0.0.1:{port}/w")
            assert reason.startswith(("cannot be ", "does not answer", "is not told the password"))


def test_another_kind_of_server_is_no_database() -> None:
    pytest.importorskip("pymysql")
    with stranger(b"HTTP/1.1 400 Bad Request\r\n\r\n") as port:
        assert refused(f"mysql://u@127.0.0.1:{port}/w") == "does not answer as a MySQL or MariaDB server does"


def test_a_server_that_asks_for_a_file_gets_none(tmp_path: Path) -> None:
    pytest.importorskip("pymysql")
    secret = tmp_path / "secret"
    secret.write_text("open sesame", encoding="utf-8")
    wanted = b"\xfb" + str(secret).encode()
    agreed = (b"\7\0\0%c" % number + b"\0\0\0\2\0\0\0" for number in (2, 1))  # to the user, to the character set
    answer = greeting(tls=False) + b"".join(agreed) + bytes([len(wanted), 0, 0, 1]) + wanted
    heard: list[bytes] = []
    with stranger(answer, heard) as port:
        assert refused(f"mysql://u@127.0.0.1:{port}/w") == "does not answer as a MySQL or MariaDB server does"
    assert b"SET SESSION TRANSACTION READ ONLY" in heard[0]
    assert b"sesame" not in heard[0]


def test_the_password_is_not_sent_as_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pymysql")
    monkeypatch.setenv(VARIABLE, "secret")
    heard: list[bytes] = []
    with stranger(greeting(tls=False) + b"\x16\0\0\2\xfemysql_clear_password\0", heard) as port:
        assert "it asks for it as plain text" in refused(f"mysql://u@127.0.0.1:{port}/w")
    assert b"secret" not in heard[0]


def test_the_connection_is_encrypted_where_the_server_can(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=test", "-days", "2"]
    try:
        subprocess.run([*make, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    with running_mariadb(tmp_path, f"--ssl-cert={certificate}", f"--ssl-key={key}") as server:
        server.make("ace_world", CONTENT)
        server.ask(f"ALTER USER {USER}@'%' REQUIRE SSL")
        assert opened(server).landblocks() == [0x0001FFFF, BLOCK]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("mysql://u:{}@/w", "names no host"),
        ("mysql://u:{}@h:0/w", "names no host and port"),
        ("mysql://u:{}@h:99999/w", "with a port up to 65535"),
        ("mysql://u:{}@h", "names no database"),
        ("mysql://u:{}@h/a/b", "names no database"),
        ("mysql://u:{}@h/w?x=1", "goes on after the database"),
        ("mysql://u:{}@[h/w", "is no address"),
        ("mysql://u:{}@h/w\n", "is no address"),
        ("mariadb://u:{}@h/" + "w" * 2000, "is no address"),
    ],
)
def test_what_is_no_address_says_so_without_its_password(url: str, reason: str) -> None:
    said = refused(url.format("open:sesame@1/2%".replace("/", "%2F")))
    assert reason in said
    assert "sesame" not in said


def test_addresses_are_written_without_passwords() -> None:
    address, password = read_address("mariadb://a%40b:p%3Aw@[::1]:3307/my%20world")
    assert (address, password) == (ServerAddress("::1", "my world", "a@b", 3307), "p:w")
    assert str(address) == "mysql://a%40b@[::1]:3307/my%20world"
    assert read_address(str(address)) == (address, None)
    assert read_address("MySQL://h/w") == (ServerAddress("h", "w"), None)


def test_a_fault_names_the_database_and_no_password(world: MariaDb) -> None:
    data = opened(world)
    data.close()
    (fault,) = data.block(BLOCK).faults
    assert isinstance(fault, Fault)
    assert fault.reason.startswith(f"mysql://{USER}@127.0.0.1:{world.port}/ace_world: ")
    assert "sesame" not in fault.reason
