"""Changes that make bad input out of sound files, drawn from a seeded generator."""

from __future__ import annotations

import random
import sqlite3
from typing import Final

PAGE: Final = 512
"""Bytes of an SQLite page, as small as it can be: many pages for little data."""

NUMBERS: Final = (
    *("0", "-1", "-0", "1e308", "-1e308", "1e999", "1e-400", "NaN", "inf", "0x", "0xFFFFFFFF", "0x100000000", "1."),
    *("4294967296", "2147483648", "-2147483649", "9" * 30, "9" * 400, "9" * 6000, "0x" + "F" * 40, "NULL", "True"),
)
PIECES: Final = (
    *("'", '"', "`", "(", ")", ",", ";", "/*", "*/", "--", "-- ", "#", "\\", "\\'", "''", "\n", "\r", "\0", "@", "."),
    *("INSERT INTO `weenie` ", "VALUES ", "(1, 2)", "{", "[", "}", "]", '"x":', "\ufeff", "\u2028", "\U0001f6aa"),
)
"""Signs and words that mean something to a reader, where they do not belong."""
VALUES: Final = (
    *(None, -1, 2**31, 2**32, 2**63 - 1, -(2**63), 1e308, float("inf"), 0.5, "", "x", "5", "0x5", "9" * 5000),
    *(b"", b"\xff" * 40, "'; DROP", "\0", "a\0b", "\ufffd", "x" * 100_000),
)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The data after one to three changes: bits, cuts, copies of parts, foreign pieces, numbers, repetitions."""
    for _ in range(chance.randint(1, 3)):
        if not data:
            return data
        at = chance.randrange(len(data))
        match chance.randrange(8):
            case 0:
                data = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
            case 1:
                data = data[:at] + chance.randbytes(chance.randint(1, 6)) + data[at + chance.randint(0, 6) :]
            case 2:
                data = data[:at] if chance.random() < 0.3 else data[:at] + data[at + chance.randint(1, 40) :]
            case 3:
                other = chance.randrange(len(data))
                data = data[:at] + data[other : other + chance.randint(1, 400)] + data[at:]
            case 4:
                data = data[:at] + chance.choice(PIECES).encode() + data[at:]
            case 5 | 6:
                data = _with_another_number(data, at, chance)
            case _:
                piece = data[at : at + chance.randint(1, 60)]
                data = data[:at] + piece * chance.choice((2, 100, 3_000)) + data[at:]
    return data


def _with_another_number(data: bytes, at: int, chance: random.Random) -> bytes:
    """The number at or after a place replaced by an absurd one."""
    digits = b"0123456789"
    while at < len(data) and data[at] not in digits:
        at += 1
    end = at
    while end < len(data) and data[end] in digits + b".xXeE+-ABCDEFabcdef":
        end += 1
    return data[:at] + chance.choice(NUMBERS).encode() + data[end:]


def with_mutated_pages(data: bytes, chance: random.Random) -> bytes:
    """An SQLite file after one to four changes of its pages and their headers."""
    content = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        count = len(content) // PAGE
        if count < 2:
            break
        one, other = chance.randrange(count), chance.randrange(count)
        start, there = one * PAGE, other * PAGE
        match chance.randrange(9):
            case 0:
                content[start : start + PAGE], content[there : there + PAGE] = (
                    content[there : there + PAGE],
                    content[start : start + PAGE],
                )
            case 1:
                content[start : start + PAGE] = content[there : there + PAGE]
            case 2:
                content[start : start + PAGE] = bytes(PAGE) if chance.random() < 0.5 else chance.randbytes(PAGE)
            case 3:
                del content[chance.randrange(len(content)) :]
            case 4:  # the file's header: page size, counts, encoding, versions
                content[chance.randrange(16, 100)] = chance.randrange(256)
            case 5:  # a page's header: its kind, counts of cells, where they begin, the last child
                content[start + chance.randrange(12) + (100 if one == 0 else 0)] = chance.choice(
                    (0, 1, 2, 5, 10, 13, 255)
                )
            case 6:  # a length or a row's id, which are numbers of up to nine bytes
                at = start + chance.randrange(PAGE - 9)
                content[at : at + 9] = b"\xff" * 9
            case 7:
                content[start + chance.randrange(PAGE)] ^= 1 << chance.randrange(8)
            case _:
                content += content[start : start + PAGE] * chance.choice((1, 50))
    return bytes(content)


def change_table(connection: sqlite3.Connection, table: str, column: str, chance: random.Random) -> None:
    """One change that SQL can make of a table, its columns or its values."""
    value = chance.choice(VALUES)
    match chance.randrange(10):
        case 0:
            connection.execute(f'DROP TABLE "{table}"')
        case 1:
            connection.execute(
                f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "{chance.choice(("value", "x y", "a"))}"'
            )
        case 2:
            connection.execute(f'ALTER TABLE "{table}" RENAME TO "old {table}"')
            connection.execute(f'CREATE VIEW "{table}" AS SELECT * FROM "old {table}"')
        case 3:
            connection.execute(f'ALTER TABLE "{table}" ADD COLUMN "extra" AS (randomblob(1000000) || "{column}")')
        case 4:
            connection.execute(f'INSERT INTO "{table}" SELECT * FROM "{table}"')
        case 5:
            connection.execute(f'INSERT INTO "{table}" ("{column}") VALUES (?)', (value,))
        case _:
            connection.execute(
                f'UPDATE "{table}" SET "{column}" = ? WHERE rowid IN (SELECT rowid FROM "{table}" LIMIT ?)',
                (value, chance.choice((1, 2, -1))),
            )
