"""Files with all that SQL allows, changed row by row: what is not meant stays as it is, to the character."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.world.faults import WorldError
from engine.world.server.model import Place
from engine.world.server.sql_file import SqlContent, parse_sql
from engine.world.server.writing.block_file import BlockFile
from engine.world.server.writing.guids import MOST, first_guid, next_guid
from engine.world.server.writing.layout import InstanceRow, LinkRow, comment_text, landblock_text, number_text
from tests.world.server.worlds import instance_sql, link_sql

CELL = 0xC95B0100
FIRST = 0x7C95B000
UPRIGHT = (1.0, 0.0, 0.0, 0.0)
TIME = "2024-05-26 19:09:10"
HEAD = "INSERT INTO landblock_instance (guid, weenie_Class_Id, obj_Cell_Id, origin_X, origin_Y, origin_Z, angles_W, \
angles_X, angles_Y, angles_Z) VALUES\n"


def place(x: float, y: float = 2.0, z: float = 3.0) -> Place:
    return Place(CELL, (x, y, z), UPRIGHT)


def row(number: int, name: str = "Door", modified: str = TIME) -> InstanceRow:
    return InstanceRow(FIRST + number, 412, place(1.0), False, modified, name)


def link(parent: int, child: int, name: str = "Lever") -> LinkRow:
    return LinkRow(FIRST + parent, FIRST + child, TIME, name, 286)


def read(text: str) -> SqlContent:
    content = parse_sql(text.removeprefix("\ufeff"), "a.sql")
    assert not content.faults
    return content


def guids(text: str) -> list[int]:
    return [instance.guid - FIRST for instance in read(text).instances]


def pairs(text: str) -> list[tuple[int, int]]:
    return [(each.parent - FIRST, each.child - FIRST) for each in read(text).links]


def test_a_moved_row_keeps_line_ends_mark_and_missing_last_line_end() -> None:
    text = "\ufeff" + landblock_text(0xC95B, [row(0), row(1)], []).removesuffix("\n").replace("\n", "\r\n")
    file = BlockFile(text, "a.sql")
    file.move(FIRST, place(1.5), "2030-01-01 00:00:00")
    moved = file.text()
    expected = text.replace("1, 2, 3", "1.5, 2, 3", 1).replace(TIME, "2030-01-01 00:00:00", 1)
    assert moved == expected.replace("[1.000000", "[1.500000", 1)


def test_new_rows_follow_the_files_line_ends() -> None:
    text = landblock_text(0xC95B, [row(0)], [link(0, 0)]).removesuffix("\n").replace("\n", "\r\n")
    file = BlockFile(text, "a.sql")
    file.add(row(1), [link(1, 0)])
    file.add_link(link(0, 1))
    whole = landblock_text(0xC95B, [row(0), row(1)], [link(0, 0), link(0, 1), link(1, 0)])
    assert file.text() == whole.removesuffix("\n").replace("\n", "\r\n")


def test_numbers_that_are_right_stay_as_they_are_written() -> None:
    text = f"{HEAD}(0x{FIRST:X}, 412, {CELL}, 1.0, 2.50, 3e0, 1.0, 0, -0, .0);"
    file = BlockFile(text, "a.sql")
    file.move(FIRST, Place(CELL, (1.0, 2.75, 3.0), UPRIGHT))
    assert file.text() == text.replace("2.50", "2.75")


@pytest.mark.parametrize("gone", range(3))
@pytest.mark.parametrize(
    ("form", "left"),
    [
        ("{0} /* a */\n , {1} /* b */\n , {2} /* c */;\n", "{0} /* {2} */\n , {1} /* {3} */;\n"),
        ("{0}, -- a\n{1}, -- b\n{2} -- c\n;", None),
        ("{0},{1},{2};", "{0},{1};"),
        ("{0} -- a;\n,{1} -- b'\n,{2} -- c\n;SELECT 1;", None),
    ],
)
def test_one_of_several_rows_goes_with_its_comma_and_comment(form: str, left: str | None, gone: int) -> None:
    rows = [f"(0x{FIRST + number:08X}, 412, {CELL}, 1, 2, 3, 1, 0, 0, 0)" for number in range(3)]
    file = BlockFile(HEAD + form.format(*rows), "a.sql")
    file.remove(FIRST + gone)
    kept = [number for number in range(3) if number != gone]
    assert guids(file.text()) == kept
    assert f"-- {'abc'[gone]}" not in file.text()
    if left is not None:
        assert file.text() == HEAD + left.format(*(rows[number] for number in kept), *("abc"[each] for each in kept))


@pytest.mark.parametrize("stays", range(3))
def test_two_of_three_rows_go(stays: int) -> None:
    links = "     , ".join(
        f"(0x{FIRST:X}, 0x{FIRST + number:X}) /* {name} */\n" for number, name in enumerate(("a", "b", "c"))
    )
    file = BlockFile(f"INSERT INTO landblock_instance_link (parent_GUID, child_GUID) VALUES {links};", "a.sql")
    for number in {0, 1, 2} - {stays}:
        file.remove_link(FIRST, FIRST + number)
    assert pairs(file.text()) == [(0, stays)]
    assert [name in file.text() for name in ("/* a", "/* b", "/* c")] == [number == stays for number in range(3)]


def test_comments_within_a_row_stay() -> None:
    values = f"(0x{FIRST:X} /* (guid, */, 412, {CELL} -- ', cell\n, 1, 2, 3, 1, 0, 0, 0)"
    text = f"{HEAD}{values} ON DUPLICATE KEY UPDATE guid = 1;"
    file = BlockFile(text, "a.sql")
    file.move(FIRST, place(7.0))
    assert file.text() == text.replace("\n, 1,", "\n, 7,")


def test_other_statements_and_rows_that_mean_nothing_stay() -> None:
    wrong = instance_sql(FIRST, 412, CELL).replace("412", "'none'")
    text = f"SET @a = ';';\n\n{wrong}\n{instance_sql(FIRST, 412, CELL)}\nUPDATE `weenie` SET `type` = 2;"
    file = BlockFile(text, "a.sql")
    file.remove(FIRST)
    assert file.text() == f"SET @a = ';';\n\n{wrong}\nUPDATE `weenie` SET `type` = 2;"
    file = BlockFile(text, "a.sql")
    file.add(row(1, modified=""))
    assert file.text().index("0x7C95B001") < file.text().index("UPDATE")
    assert guids(file.text().replace(wrong, "")) == [0, 1]


def test_a_comment_of_another_place_is_not_taken_for_a_rows_own() -> None:
    text = instance_sql(FIRST, 412, CELL) + f"/* @teleloc 0x{CELL:08X} [50 2 3] 1 0 0 0 */\n/* @teleloc 0x1 [a] b */\n"
    file = BlockFile(text, "a.sql")
    file.move(FIRST, place(9.0))
    assert file.text() == text.replace(", 1, 2, 3", ", 9, 2, 3")


def test_what_is_no_sql_is_refused() -> None:
    with pytest.raises(WorldError, match=r"a\.sql: line 1: .* with 1 values"):
        BlockFile(f"{HEAD.replace(chr(10), '')} (1);", "a.sql")
    with pytest.raises(WorldError, match="without the column"):
        BlockFile("INSERT INTO landblock_instance (guid) VALUES (1);", "a.sql")


def test_a_link_child_is_written_as_wide_as_before() -> None:
    text = landblock_text(0xC95B, [row(0)], [])
    file = BlockFile(text, "a.sql")
    file.set_link_child(FIRST, value=True)
    changed = file.text()
    assert changed == text.replace("False", " True")
    file = BlockFile(changed, "a.sql")
    file.set_link_child(FIRST, value=False)
    assert file.text() == text


def test_links_are_renamed_and_go() -> None:
    text = landblock_text(0xC95B, [row(0)], [link(0, 1), link(0, 2)]) + link_sql(FIRST + 1, FIRST + 2)
    file = BlockFile(text, "a.sql")
    file.rename_child(FIRST, FIRST + 1, FIRST + 9)
    file.remove_link(FIRST, FIRST + 2)
    assert pairs(file.text()) == [(0, 9), (1, 2)]


NAMES = st.text(st.characters(), max_size=40) | st.sampled_from(
    ["*/", "**//*", "/*! DROP */", "a */ DELETE FROM x; /*", "\\", "it's", "'", "`", "--", "#", "\n; --", "\ud800"]
)
NUMBERS = st.floats(-1e6, 1e6, width=32)


@given(name=NAMES, time=NAMES.filter(bool), numbers=st.lists(NUMBERS, min_size=7, max_size=7), child=st.booleans())
@settings(max_examples=400, deadline=None)
def test_whatever_is_written_is_read(name: str, time: str, numbers: list[float], child: bool) -> None:
    """No name breaks out of its comment, and no text out of its quotes."""
    x, y, z, w, i, j, k = numbers
    wanted = InstanceRow(FIRST, 412, Place(CELL, (x, y, z), (w, i, j, k)), child, time, name)
    text = landblock_text(0xC95B, [wanted], [LinkRow(FIRST, FIRST + 1, time, name, 7)])
    content = read(text)
    (instance,), (between,) = content.instances, content.links
    assert (instance.guid, instance.wcid, instance.is_link_child) == (FIRST, 412, child)
    assert (between.parent, between.child) == (FIRST, FIRST + 1)
    assert [*instance.place.origin, *instance.place.rotation] == pytest.approx(numbers, rel=5.1e-6, abs=5.1e-7)
    file = BlockFile(text, "a.sql")
    assert file.modified(FIRST) == time
    assert file.text() == text
    if "\ud800" not in time:
        file.move(FIRST, Place(CELL, (x + 1.0, y, z), (w, i, j, k)))
        (again,) = read(file.text()).instances
        assert again.place.origin[0] == pytest.approx(x + 1.0, rel=5.1e-6, abs=5.1e-7)


@given(NUMBERS)
@settings(deadline=None)
def test_a_number_is_plain_and_written_the_same_again(value: float) -> None:
    text = number_text(value)
    assert set(text) <= set("-.0123456789")
    assert text != "-0"
    assert number_text(float(text)) == text
    assert len(text.lstrip("-").replace(".", "").lstrip("0").rstrip("0")) <= 6


@given(NAMES)
def test_a_comment_ends_where_it_ends(text: str) -> None:
    assert comment_text(text).count("*/") == 1
    assert "\n" not in comment_text(text)
    comment_text(text).encode()


CHANGES = st.sampled_from(["move", "remove", "add", "link", "unlink", "child"])


@given(st.lists(st.tuples(CHANGES, st.integers(0, 9), st.integers(0, 9)), max_size=15), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_changes_give_what_they_say(changes: list[tuple[str, int, int]], at_once: bool) -> None:
    """Against a plain model; the file has a statement for each row, or one for all."""
    stay = dict.fromkeys(range(6), 1.0)
    joined = {(0, 1), (0, 2), (0, 3), (4, 5)}
    text = landblock_text(0xC95B, [row(number) for number in stay], [link(*pair) for pair in sorted(joined)])
    if at_once:
        values = " /* a */\n     , ".join(f"(0x{FIRST + n:X}, 412, {CELL}, 1, 2, 3, 1, 0, 0, 0)" for n in stay)
        text = f"{HEAD}{values};\n{landblock_text(0xC95B, [], [link(*pair) for pair in sorted(joined)])}"
    held, held_pairs = set(guids(text)), set(pairs(text))
    stay, joined = dict.fromkeys(held, 1.0), set(held_pairs)
    file, seen = BlockFile(text, "a.sql"), set[tuple[str, int]]()
    for what, one, other in changes:
        if (what, one) in seen:
            continue
        seen.add((what, one))
        if what == "move" and one in held:
            file.move(FIRST + one, place(1.0 + other))
            stay[one] = 1.0 + other
        elif what == "child" and one in held:
            file.set_link_child(FIRST + one, value=True)
        elif what == "add" and one not in held:
            file.add(row(one), [link(one, other)])
            stay[one] = 1.0
            joined.add((one, other))
        elif what == "unlink" and (one, other) in held_pairs:
            file.remove_link(FIRST + one, FIRST + other)
            joined.discard((one, other))
    for what, one, other in changes:
        if what == "link" and (one, other) not in held_pairs | joined:
            file.add_link(link(one, other))
            joined.add((one, other))
        elif what == "remove" and one in held:
            file.remove(FIRST + one)
            stay.pop(one, None)
    content = read(file.text())
    assert {each.guid - FIRST: each.place.origin[0] for each in content.instances} == stay
    assert set(pairs(file.text())) == joined
    assert len(content.links) == len(joined)


def test_the_next_id_is_behind_the_last_one() -> None:
    assert next_guid(0xC95B, []) == FIRST
    assert next_guid(0xC95B, [FIRST, FIRST + 5, 0x7C95C123, 0x80C95B123]) == FIRST + 6
    full = [first_guid(0xC95B) + number for number in range(MOST) if number != 7]
    assert next_guid(0xC95B, full) == FIRST + 7
    with pytest.raises(WorldError, match="has 4,096 things in landblock 0xC95B"):
        next_guid(0xC95B, [*full, FIRST + 7])


PLACES = st.builds(
    lambda x, y, z, turn: Place(CELL, (x, y, z), turn),
    *[st.floats(-1000, 1000, width=32) | st.integers(-20, 200).map(float)] * 3,
    st.sampled_from([UPRIGHT, (0.0, 0.0, 0.0, 0.0), (0.70710677, 0.0, 0.0, -0.70710677)]),
)


@given(st.lists(PLACES, min_size=1, max_size=4), PLACES, st.booleans(), st.data())
@settings(max_examples=300, deadline=None)
def test_a_changed_file_is_what_the_tools_would_write(
    places: list[Place], there: Place, is_child: bool, data: st.DataObject
) -> None:
    """Moving, changing, removing and adding in a file of theirs gives the file that is written anew."""
    listed = [InstanceRow(FIRST + each, 412, at, False, TIME, "Door") for each, at in enumerate(places)]
    text = landblock_text(0xC95B, listed, [])
    one = data.draw(st.integers(0, len(places) - 1))
    file = BlockFile(text, "a.sql")
    if number_texts(there) != number_texts(places[one]):
        file.move(FIRST + one, there)
    file.set_link_child(FIRST + one, value=is_child)
    changed = [*listed[:one], InstanceRow(FIRST + one, 412, there, is_child, TIME, "Door"), *listed[one + 1 :]]
    assert file.text() == landblock_text(0xC95B, changed, [])
    file = BlockFile(text, "a.sql")
    file.remove(FIRST + one)
    new = InstanceRow(FIRST + 9, 7, there, is_child, TIME, "New")
    file.add(new)
    assert file.text() == landblock_text(0xC95B, [*listed[:one], *listed[one + 1 :], new], [])


def number_texts(place: Place) -> list[str]:
    return [number_text(number) for number in (*place.origin, *place.rotation)]


def test_without_a_time_no_row_gets_an_empty_one() -> None:
    file = BlockFile(landblock_text(0xC95B, [row(0)], [link(0, 1)]), "a.sql")
    file.add_link(LinkRow(FIRST, FIRST + 2))
    assert pairs(file.text()) == [(0, 1), (0, 2)]
    assert "''" not in file.text()
