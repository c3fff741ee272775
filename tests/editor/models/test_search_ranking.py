"""What the palette offers for a few letters, and in which order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from editor.models.search_ranking import PaletteEntry, place_word, rank, remember

COMMANDS = [
    PaletteEntry("open", "Open…", "File", "Ctrl+O"),
    PaletteEntry("undo", "Undo", "Edit", "Ctrl+Z", why_not="There is nothing to undo."),
    PaletteEntry("step", "Step", "Edit", "."),
    PaletteEntry("step-ten", "Step 10", "Edit", "Shift+."),
    PaletteEntry("portals", "Portals", "View › Overlays"),
    PaletteEntry("reset", "Reset Layout", "View"),
    PaletteEntry("door-use", "Open", "Doors"),
    PaletteEntry("door-lock", "Lock", "Doors", "L"),
    PaletteEntry("sweep", "Show Sweep", "Dock"),
    PaletteEntry("cell", "0xC95B0104", "Cell", thing=True),
    PaletteEntry("other", "0xC95B0105", "Cell", thing=True),
    PaletteEntry("front", "Front Door", "Door 0x7C95B001", thing=True),
]


def keys(query: str, *recent: str) -> list[str]:
    return [found.entry.key for found in rank(COMMANDS, query, recent)]


def test_without_a_query_commands_keep_menu_order_and_things_are_left_out() -> None:
    assert keys("") == [entry.key for entry in COMMANDS if not entry.thing]


def test_without_a_word_what_was_used_last_comes_first_even_a_cell() -> None:
    assert keys("", "cell", "reset")[:3] == ["cell", "reset", "open"]


def test_the_beginning_of_the_title_counts_before_the_inside() -> None:
    assert keys("lo")[0] == "door-lock"
    assert keys("step")[:2] == ["step", "step-ten"]


def test_the_first_letters_of_the_words_find_a_command() -> None:
    assert keys("rl")[0] == "reset"
    assert keys("ss")[0] == "sweep"


def test_letters_in_order_find_a_command() -> None:
    assert keys("ptls") == ["portals"]


def test_a_word_may_be_said_of_where_the_command_is() -> None:
    assert keys("doors open") == ["door-use"]
    assert keys("overlays por") == ["portals"]


def test_every_word_has_to_be_found() -> None:
    assert keys("open nowhere") == []


def test_what_can_not_be_done_comes_after_what_can() -> None:
    entries = [PaletteEntry("a", "Save As", why_not="No project is open."), PaletteEntry("b", "Save It")]
    assert [found.entry.key for found in rank(entries, "save")] == ["b", "a"]


def test_a_cell_is_found_by_its_id_in_either_case_and_by_its_last_digits() -> None:
    assert keys("0xc95b0104") == ["cell"]
    assert keys("0105") == ["other"]


def test_a_door_is_found_by_its_name() -> None:
    assert keys("front")[0] == "front"


def test_of_equals_the_one_used_last_comes_first() -> None:
    assert keys("0xC95B01")[0] == "cell"
    assert keys("0xC95B01", "other")[0] == "other"


def test_the_letters_that_were_typed_are_marked() -> None:
    found = rank(COMMANDS, "lay")[0]
    assert (found.entry.key, found.marks) == ("reset", (6, 7, 8))


def test_what_is_used_again_moves_to_the_front_and_the_oldest_is_forgotten() -> None:
    assert remember(["b", "a"], "a") == ["a", "b"]
    assert remember([str(i) for i in range(12)], "new") == ["new", *(str(i) for i in range(11))]


@given(st.text(alphabet="abc d", min_size=1, max_size=6), st.text(alphabet="abc d", max_size=12))
def test_the_marked_letters_are_those_of_the_word_in_order(word: str, text: str) -> None:
    placed = place_word(word, text)
    if placed is not None:
        marks = placed[1]
        assert "".join(text[i] for i in marks) == word
        assert list(marks) == sorted(set(marks))


@given(st.text(alphabet="abcd ", max_size=12))
def test_a_title_is_found_by_all_of_its_words(title: str) -> None:
    if title.split():
        assert rank([PaletteEntry("it", title)], title)
