"""A MariaDB of the tests' own, with the server's tables: in a temporary folder, on a free port, gone afterwards."""

from __future__ import annotations

import contextlib
import getpass
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest

from engine.world.server import rows

PROGRAM: Final = shutil.which("mariadbd", path="/usr/sbin:/usr/local/sbin:/usr/bin") or shutil.which("mariadbd")
INSTALLER: Final = shutil.which("mariadb-install-db")

CLIENT: Final = shutil.which("mariadb")

USER, PASSWORD = "reader", "open:sesame@1/2%"
STARTING_S: Final = 60.0
LEAN: Final = (
    "--innodb-log-file-size=4M",
    "--innodb-buffer-pool-size=64M",
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-doublewrite=0",
    "--skip-name-resolve",
    "--performance-schema=0",
)
INTEGER, REAL = "int(10) unsigned NOT NULL", "float NOT NULL"
TYPES: Final = {
    "type": "smallint(5) unsigned NOT NULL",
    "position_Type": "smallint(5) unsigned NOT NULL",
    "is_Link_Child": "bit(1) NOT NULL DEFAULT b'0'",
    "class_Name": "varchar(100) NOT NULL",
    **dict.fromkeys(rows.PLACE_COLUMNS[1:], REAL),
}
VALUES: Final = {
    rows.BOOL: "bit(1) NOT NULL",
    rows.FLOAT: "double NOT NULL",
    rows.STRING: "text NOT NULL",
    rows.INT: "int(10) NOT NULL",
}
KEYS: Final = {
    rows.INSTANCE: "PRIMARY KEY (guid), landblock int(5) GENERATED ALWAYS AS (obj_Cell_Id >> 16), KEY (landblock)",
    rows.LINK: "id int AUTO_INCREMENT PRIMARY KEY, UNIQUE KEY (parent_GUID, child_GUID)",
    rows.ENCOUNTER: "id int AUTO_INCREMENT PRIMARY KEY, KEY (landblock)",
    rows.WEENIE: "PRIMARY KEY (class_Id)",
    rows.GENERATOR: "id int AUTO_INCREMENT PRIMARY KEY, KEY (object_Id)",
}


def create_statement(table: str) -> str:
    """A table as a server has it, as far as its columns are read, and with the column for times that its files name."""
    columns = [
        f"`{name}` {VALUES.get(table, INTEGER) if name == 'value' else TYPES.get(name, INTEGER)}"
        for name in rows.COLUMNS[table]
    ]
    key = f"id int AUTO_INCREMENT PRIMARY KEY, UNIQUE KEY (object_Id, {rows.COLUMNS[table][1]})"
    columns += ["last_Modified datetime NOT NULL DEFAULT CURRENT_TIMESTAMP", KEYS.get(table, key)]
    return f"CREATE TABLE `{table}` ({', '.join(columns)})"


@dataclass
class MariaDb:
    """A running server. `ask` has all rights; worlds are read with those of USER."""

    process: subprocess.Popen[bytes]
    socket: Path
    port: int
    connection: Any

    def ask(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self.connection.cursor() as cursor:
            cursor.execute(statement, values or None)
            return list(cursor.fetchall())

    def make(self, database: str, content: Mapping[str, Sequence[Sequence[object]]] | None = None) -> None:
        """A database with all tables, and rows in the order of `rows.COLUMNS`."""
        self.ask(f"DROP DATABASE IF EXISTS `{database}`")
        self.ask(f"CREATE DATABASE `{database}` CHARACTER SET utf8mb4")
        self.ask(f"USE `{database}`")
        for table, columns in rows.COLUMNS.items():
            self.ask(create_statement(table))
            self.fill(table, columns, (content or {}).get(table, ()))

    def fill(self, table: str, columns: Sequence[str], content: Sequence[Sequence[object]]) -> None:
        if content:
            marks = ", ".join(["%s"] * len(columns))
            statement = f"INSERT INTO `{table}` ({', '.join(columns)}) VALUES ({marks})"
            with self.connection.cursor() as cursor:
                cursor.executemany(statement, content)

    def run_files(self, database: str, files: Sequence[Path]) -> None:
        """Run SQL files as they are, by the server's own client. What nothing here reads is bytes."""
        self.make(database)
        text = "\n".join(file.read_text(encoding="utf-8") for file in files)
        named: dict[str, dict[str, None]] = {}
        for table, columns in re.findall(r"INSERT INTO `(\w+)` \(([^)]*)\)", text):
            named.setdefault(table, {}).update(dict.fromkeys(re.findall(r"`(\w+)`", columns)))
        for table, names in named.items():
            if table not in rows.ALL_TABLES:
                self.ask(f"CREATE TABLE `{table}` (own_key int AUTO_INCREMENT PRIMARY KEY)")
            for name in names:
                self.ask(f"ALTER TABLE `{table}` ADD COLUMN IF NOT EXISTS `{name}` blob")
        assert CLIENT is not None
        command = [CLIENT, "--no-defaults", f"--socket={self.socket}", "--user=root", database]
        subprocess.run(command, input=text.encode(), check=True)

    def url(self, database: str, password: str | None = PASSWORD, user: str = USER) -> str:
        secret = "" if password is None else f":{quote(password, safe='')}"
        return f"mysql://{user}{secret}@127.0.0.1:{self.port}/{database}"


@contextlib.contextmanager
def running_mariadb(folder: Path, *options: str) -> Iterator[MariaDb]:
    """Make an empty server in a folder and let it run for the block; skips the test where there is none."""
    if PROGRAM is None or INSTALLER is None or CLIENT is None:
        pytest.skip("mariadb-server is not installed")
    pymysql = pytest.importorskip("pymysql", reason="PyMySQL is not installed")
    data = folder / "data"
    user = f"--user={getpass.getuser()}"
    install = [INSTALLER, "--no-defaults", user, f"--datadir={data}", "--auth-root-authentication-method=normal"]
    with open(folder / "log", "wb") as log:
        subprocess.run([*install, "--skip-test-db", *LEAN], check=True, stdout=log, stderr=log)
        port = free_port()
        where = [
            f"--datadir={data}",
            f"--socket={folder / 's'}",
            f"--port={port}",
            "--bind-address=127.0.0.1",
            *options,
        ]
        process = subprocess.Popen([PROGRAM, "--no-defaults", user, *where, *LEAN, *options], stdout=log, stderr=log)
        try:
            until = time.monotonic() + STARTING_S
            while not answers(folder / "s"):
                assert process.poll() is None, (folder / "log").read_text(errors="replace")
                assert time.monotonic() < until, "MariaDB does not start"
                time.sleep(0.05)
            connection = pymysql.connect(unix_socket=str(folder / "s"), user="root", autocommit=True)
            server = MariaDb(process, folder / "s", port, connection)
            server.ask(f"CREATE USER {USER}@'%%' IDENTIFIED BY %s", [PASSWORD])
            server.ask(f"GRANT ALL ON *.* TO {USER}@'%'")
            yield server
            connection.close()
        finally:
            process.terminate()
            process.wait()


def answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as asking:
        return asking.connect_ex(str(path)) == 0


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
