"""The text of conditions: read, written, mistaken, and gone on with."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.physics.flags import TS_WATER_CONTACT
from engine.sim.conditions.completion import Completion, Vocabulary, completions
from engine.sim.conditions.meaning import holds
from engine.sim.conditions.moment import Moment, Standing
from engine.sim.conditions.primitives import PRIMITIVES
from engine.sim.conditions.reading import Misread, read_condition
from engine.sim.conditions.words import (
    DEEPEST,
    LONGEST,
    And,
    Condition,
    Leaf,
    Named,
    Not,
    Or,
    Primitive,
    condition_text,
    need_of,
)
from tests.sim.helpers.condition_runs import conditions

WORDS = Vocabulary(["Front Door", "Cellar Door"], ["Front Door", "Guard", '"Salt and Pepper"'], ["Kitchen"])


def text_of(text: str) -> str:
    """The one text of what was written."""
    found = read_condition(text)
    return found.sentence if isinstance(found, Misread) else condition_text(found)


def offered(text: str) -> list[str]:
    return [completion.text for completion in completions(text, WORDS)]


def deeper_than_is_read(condition: Condition, deep: int = 1) -> bool:
    if isinstance(condition, Leaf):
        return deep > DEEPEST
    inner = (condition.part,) if isinstance(condition, Not) else condition.parts
    return any(deeper_than_is_read(part, deep + 1 + (not isinstance(part, Leaf))) for part in inner)


@given(conditions() | conditions(st.text(max_size=20)))
def test_every_condition_is_read_back_from_its_text(condition: Condition) -> None:
    text = condition_text(condition)
    if len(text) <= LONGEST and not deeper_than_is_read(condition):
        assert read_condition(text) == condition


@pytest.mark.parametrize("primitive", PRIMITIVES, ids=lambda primitive: primitive.id)
def test_a_primitive_is_read_in_capitals_and_spread_out(primitive: Primitive) -> None:
    form = primitive.form
    text = form.replace("N", "0.5").replace("X", "x1")
    assert text_of(f"  {text.upper()} ".replace(" ", "  ").replace("X1", "x1")) == text


@given(conditions(), st.integers(0, 10**6))
def test_mutated_text_is_a_condition_or_one_sentence(condition: Condition, seed: int) -> None:
    rng, text = random.Random(seed), list(condition_text(condition))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        text[at : at + rng.randint(0, 3)] = rng.choice((*'"()\\ \n\t.0mx', "and ", " not ", "is", "\u2028", "é", ""))
    _is_total("".join(text))


@given(st.text())
def test_any_text_is_a_condition_or_one_sentence(text: str) -> None:
    _is_total(text)


def _is_total(text: str) -> None:
    found = read_condition(text)
    completions(text, WORDS)
    if isinstance(found, Misread):
        assert 0 <= found.at <= max(len(text), LONGEST)
        assert found.sentence.endswith(".")
        assert len(found.sentence) < 600
    else:
        again = condition_text(found)
        assert len(again) > LONGEST or read_condition(again) == found


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("blokced", "At character 1, “blokced” does not fit; what fits is “blocked”, “"),
        ("blocked by", "The condition ends too early; after character 10 fits a name or an id."),
        ("moved more than far", "At character 17, “far” does not fit; what fits is a number."),
        ("(jumps", "The condition ends too early; after character 6 fits “and” or “or” or “)”."),
        ("jumps)", "At character 6, “)” does not fit; what fits is “and” or “or”."),
        ("speed over 8 jumps", "At character 14, “jumps” does not fit; what fits is “m/s” or “and” or “or”."),
        ('blocked by "Front', "The name that begins at character 12 has no closing quote."),
        ("cell changes without a portal", "At character 22, “a” does not fit; what fits is “crossing a portal”."),
        ("not " * 20 + "jumps", "At character 65, more than 16 brackets and nots are in each other."),
        ("x" * 501, "A condition has at most 500 characters, not 501."),
    ],
)
def test_a_mistake_is_one_sentence_with_the_place_and_what_fits(text: str, sentence: str) -> None:
    assert text_of(text).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("blocked by front  door", "blocked by front door"),
        ("z falls by more than .5", ""),
        ("z falls by more than 0.50m", "z falls by more than 0.5 m"),
        ("((jumps))", "jumps"),
        ("jumps or lands and blocked", "jumps or lands and blocked"),
        ("(jumps or lands) and blocked", "(jumps or lands) and blocked"),
        ("door Front Door is open", "door Front Door is open"),
        ('touches "Guard"', "touches Guard"),
        ('touches "walls"', 'touches "walls"'),
        ("in cell 0xc95b0101", "in cell 0xC95B0101"),
    ],
)
def test_there_is_one_text_for_each_condition(text: str, canonical: str) -> None:
    assert text_of(text) == canonical or not canonical


def test_and_binds_closer_than_or() -> None:
    first, second, third = (read_condition(text) for text in ("jumps", "lands", "blocked"))
    assert read_condition("jumps or lands and blocked") == Or((first, And((second, third))))  # type: ignore[arg-type]


def test_a_name_goes_on_to_the_next_word_of_the_grammar() -> None:
    found = read_condition("blocked by Door of the Inn and not touches Old Guard")
    assert isinstance(found, And)
    blocked = found.parts[0]
    assert isinstance(blocked, Leaf)
    assert blocked.values == (Named("Door of the Inn"),)


def test_what_is_being_written_is_completed() -> None:
    assert offered("")[:3] == ["not", "(", "cell changes"]
    assert offered("blo") == ["blocked", "blocked by"]
    assert offered("blocked by Fr") == ["Front Door"]
    assert offered("blocked by front do") == ["Front Door"]
    assert offered("jumps and blocked by sal") == ['"Salt and Pepper"']
    assert offered("blocked by Front Door ") == ["and", "or"]
    assert offered("door front door is") == ["is open", "is closed", "is locked", "is moving"]
    assert offered("(jumps ")[-1] == ")"
    assert offered("in cell ") == ["Kitchen"]
    assert completions("not z fal", WORDS) == [Completion(4, "z falls by more than")]


@given(conditions())
def test_completion_offers_the_way_to_every_condition(condition: Condition) -> None:
    text = condition_text(condition)
    for blank in [at for at, sign in enumerate(text) if sign == " "][:6]:
        before = text[: blank + 1]
        assert isinstance(read_condition(before), Misread) or offered(before), before


def test_what_samples_leave_open_is_not_decided() -> None:
    here = Standing(0xC95B0101, 0xC95B0101, (1.0, 2.0, 3.0), 1)
    known = Moment(here, here)
    for text, answer in (
        ("jumps", None),
        ("jumps and cell changes", False),
        ("jumps or not cell changes", True),
        ("jumps or cell changes", None),
        ("not jumps", None),
        ("rules disagree and z over 5", False),
    ):
        condition = read_condition(text)
        assert not isinstance(condition, Misread)
        assert holds(condition, known) is answer, text


def test_only_the_rules_need_the_tick_twice() -> None:
    twice = [primitive.id for primitive in PRIMITIVES if need_of(Leaf(primitive)).name == "RULES"]
    assert twice == ["rules_disagree"]


def test_water_is_told_by_the_ground_in_contact() -> None:
    dry, wet = (Standing(0xC95B0001, 0xC95B0001, (1.0, 2.0, 3.0), bits) for bits in (1, 1 | TS_WATER_CONTACT))
    condition = read_condition("in water")
    assert not isinstance(condition, Misread)
    assert [holds(condition, Moment(dry, after)) for after in (dry, wet)] == [False, True]


def test_the_documentation_has_every_primitive_with_its_meaning() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "conditions.md").read_text(encoding="utf-8")
    for primitive in PRIMITIVES:
        assert f"| `{primitive.form}` | {primitive.meaning} |" in page


def test_the_examples_of_the_documentation_are_conditions() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "conditions.md").read_text(encoding="utf-8")
    examples = page.split("```")[1].strip().splitlines()
    assert len(examples) == 5
    assert [text_of(example) for example in examples] == examples
