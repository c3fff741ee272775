"""Names in conditions: those that nothing has are found, with one that looks alike."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.sim.conditions.known_names import check_names, unknown_names
from engine.sim.conditions.reading import Misread, read_condition
from engine.sim.conditions.words import Condition
from engine.sim.errors import SimError
from engine.sim.tick.simulation import Simulation
from engine.world.entity_index import BlockEntities
from engine.world.entity_spec import EntitySpec
from engine.world.faults import Fault
from engine.world.names import NameKey
from tests.sim.helpers.small_worlds import built, standing, two_rooms


class NoEntities(BlockEntities):
    """A server's data that has none here."""

    def landblocks(self) -> list[int]:
        return []

    def of_block(self, block_id: int) -> list[EntitySpec]:
        return []

    def is_made(self, block_id: int) -> bool:
        return False

    def source_of(self, entity_id: int) -> str:
        return ""

    def block_faults(self, block_id: int) -> list[Fault]:
        return []

    def overview(self) -> dict[str, object]:
        return {}

    def forget(self, block_id: int) -> None:
        pass

    def find(self, entity_id: int) -> EntitySpec | None:
        return None

    def faults(self) -> list[Fault]:
        return []

    def close(self) -> None:
        pass


def condition(text: str) -> Condition:
    found = read_condition(text)
    assert not isinstance(found, Misread)
    return found


@pytest.fixture
def sim() -> Iterator[Simulation]:
    made = standing(built(two_rooms), "hall", (1.0, 2.0), 90.0)
    names = made.world.names
    names.apply(names.changes({NameKey.cell(built(two_rooms).cell_id("hall")): "hall"}))
    by_block = made.world.source.by_block
    yield made
    made.world.source.by_block = by_block


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("blocked by Door and door  DOOR opens or in cell hall", []),
        ("slides along walls or touches 0x12345678 or in cell 0x00010100", []),
        ("blocked by doer", ["Nothing here is called “doer”; did you mean “door”?"]),
        ("not (door dorr is open or blocked)", ["No door here is called “dorr”; did you mean “door”?"]),
        ("leaves cell door", ["No cell here is called “door”."]),
        ("in cell hal or enters cell hal", ["No cell here is called “hal”; did you mean “hall”?"]),
        ("blocked by Xyz and touches Qqq", ["Nothing here is called “Xyz”.", "Nothing here is called “Qqq”."]),
    ],
)
def test_names_that_nothing_has_are_told_once_each(sim: Simulation, text: str, sentences: list[str]) -> None:
    assert [each.sentence for each in unknown_names(condition(text), sim)] == sentences
    if not sentences:
        assert check_names(condition(text), sim, "--until") == []
        return
    with pytest.raises(SimError, match="--until: "):
        check_names(condition(text), sim, "--until")


def test_names_that_come_later_are_known(sim: Simulation) -> None:
    assert check_names(condition("blocked by Gate"), sim, "--find", ["Gate"]) == []


def test_in_data_that_come_by_landblocks_a_name_may_yet_come(sim: Simulation) -> None:
    sim.world.source.by_block = NoEntities()
    text = "blocked by doer"
    told = "--until: Nothing that is loaded is called “doer”; did you mean “door”?"
    assert check_names(condition(text), sim, "--until") == [told]
