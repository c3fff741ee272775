"""The reader of SQL: what it understands, what it refuses, and that it never ends in anything but its one error."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.world.faults import WorldError
from engine.world.server import rows
from engine.world.server.sql import (
    Insert,
    ValueProblem,
    inserts,
    real_value,
    text_value,
    truth_value,
    whole_value,
)
from engine.world.server.sql_file import parse_sql
from tests.world.server.worlds import destination_sql, instance_sql, link_sql, weenie_sql

DOOR = weenie_sql(412, 19, "Door", int={93: 8}, bool={2: False}, float={11: 300}, d_i_d={1: 0x020019FF})


def read(text: str, *tables: str) -> list[Insert]:
    return list(inserts(text, "a.sql", tables or ("weenie",)))


def values(text: str) -> list[list[str]]:
    return [row.values for insert in read(text) for row in insert.rows]


def refused(text: str) -> str:
    with pytest.raises(WorldError) as error:
        read(text)
    return str(error.value)


def test_one_row_and_many_rows_keep_their_written_form() -> None:
    text = "INSERT INTO `weenie` (`a`, b) VALUES (0x7A9B4000, -0.707107), (1.50, 1e-5)\n, (007 , NULL);"
    assert values(text) == [["0x7A9B4000", "-0.707107"], ["1.50", "1e-5"], ["007", "NULL"]]


def test_a_row_knows_its_line_and_its_characters() -> None:
    text = "-- first\nINSERT INTO weenie (a)\nVALUES (1) /* one */\n     , (22);"
    first, second = read(text)[0].rows
    assert (first.line, second.line) == (3, 4)
    assert [text[row.start : row.end] for row in (first, second)] == ["(1)", "(22)"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("'it''s'", "it's"),
        (r"'it\'s'", "it's"),
        (r"'a\\b'", "a\\b"),
        (r"'two\nlines'", "two\nlines"),
        ("'a;b,(c)'", "a;b,(c)"),
        ("'/* none */'", "/* none */"),
        ("'-- none'", "-- none"),
        ('"it\'s"', "it's"),
        ('"say ""so"""', 'say "so"'),
        ("''", ""),
    ],
)
def test_texts_keep_signs_and_give_up_their_escapes(written: str, meant: str) -> None:
    ((found, end),) = values(f"INSERT INTO weenie (a, b) VALUES ({written}, 2);")
    assert (found, end) == (written, "2")
    assert text_value(found) == meant


def test_comments_stand_anywhere() -> None:
    text = """# one
    /* two */ INSERT /* three */ INTO weenie (a /* , b */, c) -- four
    VALUES /* five; */ (1 /* six ) */, 2) /* seven ' */; -- eight"""
    assert values(text) == [["1", "2"]]


def test_other_tables_and_statements_are_skipped() -> None:
    text = """SET @parent = LAST_INSERT_ID(); INSERT INTO emote VALUES (@parent, 'a;b', NOW());
    CREATE TABLE `a;b` (c INT DEFAULT '1;2'); DELETE FROM weenie WHERE a = 1;
    INSERT IGNORE INTO ace.weenie (a) VALUES (3) ON DUPLICATE KEY UPDATE a = 4; REPLACE INTO `weenie` (a) VALUES (5);
    /*!40000 ALTER TABLE x */; UPDATE x SET a = 1 - -1 / 2"""
    assert values(text) == [["3"], ["5"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("INSERT INTO weenie (a) VALUES ('b);", "a text that does not end"),
        ("/* INSERT INTO weenie", "a comment that does not end"),
        ("\n\nINSERT INTO weenie (a, b) VALUES (1);", "line 3: has a row of weenie with 1 values for 2 columns"),
        ("INSERT INTO weenie (a) VALUES (1, 2);", "2 values for 1 columns"),
        ("INSERT INTO weenie (a) VALUES (1)", "the file ends where an INSERT into weenie should go on"),
        ("INSERT INTO weenie (a) VALUES (1) (2);", "'(2);' stands where"),
        ("INSERT INTO weenie (a, A) VALUES (1, 2);", "names a column twice"),
        ("INSERT INTO weenie VALUES (1);", "holds 'VALUES (1);'"),
        ("INSERT INTO weenie (a) SELECT 1;", "without VALUES"),
        ("INSERT weenie (a) VALUES (1);", "without INTO"),
        ("INSERT INTO weenie (a) VALUES (1 2);", "holds '2);'"),
        ("INSERT INTO weenie (a) VALUES (NOW());", "holds '());'"),
        ("INSERT INTO weenie (a) VALUES (12ab);", "where a value should be"),
        ("hello; )", "holds ')' where a statement should begin"),
        ("DROP TABLE `weenie", "a name that does not end"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_line(text: str, said: str) -> None:
    message = refused(text)
    assert said in message
    assert message.startswith("a.sql: line ")


def test_values_say_what_they_are_not() -> None:
    assert (whole_value("0x10"), whole_value("-3"), whole_value("True")) == (16, -3, 1)
    assert (real_value("0x10"), real_value("-.5")) == (16.0, -0.5)
    assert (truth_value("true"), truth_value("0")) == (True, False)
    for convert, written in ((whole_value, "1.5"), (real_value, "'1'"), (truth_value, "2"), (whole_value, "9" * 5000)):
        with pytest.raises(ValueProblem):
            convert(written)


@pytest.mark.parametrize(
    "text",
    [
        "/*" * 200_000,
        "/* " + "/*" * 200_000 + "*/",
        "INSERT INTO weenie (a) VALUES (" + "(" * 200_000,
        "INSERT INTO weenie (a) VALUES ('" + "''" * 200_000,
        "INSERT INTO weenie (a) VALUES ('" + "\\'" * 200_000,
        "INSERT INTO weenie (a) VALUES (" + "1," * 200_000,
        "INSERT INTO weenie (a) VALUES (" + "/**/" * 100_000,
        "INSERT INTO weenie (" + "a," * 200_000,
        "1" * 500_000,
        "INSERT INTO weenie (a) VALUES (" + "1" * 500_000 + "x",
        "`" * 199_999,
        "DROP " + "-" * 200_000 + "'",
        "DROP " + "'a'" * 100_001 + "'",
    ],
)
def test_long_and_deep_texts_take_no_longer_than_their_length(text: str) -> None:
    refused(text)


def test_a_long_statement_comes_in_pieces() -> None:
    pieces = read("INSERT INTO weenie (a) VALUES " + ",\n".join(f"({number})" for number in range(2_500)) + ";")
    assert [len(piece.rows) for piece in pieces] == [1000, 1000, 500]
    rows = [row for piece in pieces for row in piece.rows]
    assert [row.values for row in rows] == [[str(number)] for number in range(2_500)]
    assert [row.line for row in rows] == list(range(1, 2_501))


def test_too_many_short_rows_are_refused() -> None:
    assert "more than" in refused("INSERT INTO weenie (a) VALUES (1)" + ",(1)" * 200_000 + ";")


# --- mutated

WHOLE = "\n".join(
    (
        DOOR,
        destination_sql(412, 0xA9B40100),
        "DELETE FROM `landblock_instance` WHERE `landblock` = 0xA9B4;\n",
        instance_sql(0x7A9B4000, 412, 0xA9B40000),
        link_sql(0x7A9B4000, 0x7A9B4001),
        "INSERT INTO `encounter` (`landblock`, `weenie_Class_Id`, `cell_X`, `cell_Y`) VALUES (0xA9B4, 7, 1, 2);",
    )
)
SIGNS = "'\"`(),;/*-#\\\n 0xX1e.+@NULLTrue\0é𐍈"


def test_the_whole_text_reads_without_a_fault() -> None:
    content = parse_sql(WHOLE, "a.sql")
    assert content.faults == []
    assert (len(content.instances), len(content.links), list(content.weenies)) == (1, 1, [412])
    assert content.encounters[0][0] == 0xA9B4


def test_mutated_text_is_read_or_refused_and_nothing_else() -> None:
    chance = random.Random(13)
    for _ in range(2500):
        text = WHOLE
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(text))
            sort = chance.randrange(4)
            length = chance.randint(1, 8) if sort else chance.randint(1, len(text))
            new = "".join(chance.choice(SIGNS) for _ in range(chance.randint(1, 4)))
            text = text[:at] + ("" if sort < 2 else new) + text[at + (0 if sort == 2 else length) :]
            if not text:
                break
        content = parse_sql(text, "a.sql")
        for fault in content.faults:
            assert "a.sql" in fault.reason


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=SIGNS + "INSERTOweni", max_size=60))
def test_any_text_behind_a_beginning_is_read_or_refused(rest: str) -> None:
    try:
        read(f"INSERT INTO weenie (a) VALUES ({rest}", *rows.ALL_TABLES)
    except WorldError as error:
        assert error.key is not None  # noqa: PT017


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(max_size=30).map(lambda text: text.replace("\0", "")), min_size=1, max_size=5))
def test_every_text_comes_through_quotes_as_it_was(texts: list[str]) -> None:
    written = ["'" + text.replace("\\", "\\\\").replace("'", "''") + "'" for text in texts]
    columns = ", ".join(f"c{index}" for index in range(len(texts)))
    ((*found,),) = values(f"INSERT INTO weenie ({columns}) VALUES ({', '.join(written)});")
    assert found == written
    assert [text_value(value) for value in found] == texts
