"""The rooms of two retail houses, by their own stab lists."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from editor.session.sources import open_source
from engine.sim.tick.simulation import Simulation
from engine.survey.stabs.lists import ComputedList, computed_lists
from engine.survey.stabs.render import CHECKS as PICTURES
from engine.survey.stabs.render import check_pictures
from tests.shared import SHARED, needs_shared

pytestmark = [pytest.mark.conformance, needs_shared]

BLOCK = 0xA9B4FFFF
HOUSES = (range(0xA9B4013F, 0xA9B40151), range(0xA9B4016F, 0xA9B40176))
"""All the rooms of each; the fixtures lack 0x13F, 0x150 and 0x16F."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rooms of all fixtures in one folder."""
    made = tmp_path_factory.mktemp("retail")
    for file in (SHARED / "fixtures").glob("*/0xA9B4*.json"):
        shutil.copy(file, made)
    return made


@pytest.fixture(scope="module")
def lists(folder: Path) -> dict[int, ComputedList]:
    with open_source(str(folder)) as world:
        return {each.room.id: each for each in computed_lists(world, BLOCK)}


def test_no_retail_list_lacks_what_an_eye_sees(lists: dict[int, ComputedList]) -> None:
    assert len(lists) == 22
    assert [cell_id for cell_id, each in lists.items() if each.missing or each.unproven] == []


def test_each_retail_list_names_all_other_rooms_of_its_house(lists: dict[int, ComputedList]) -> None:
    for cell_id, each in lists.items():
        house = next(house for house in HOUSES if cell_id in house)
        assert each.room.stab_set == {*house} - {cell_id}


def test_nothing_is_too_much_where_rooms_that_are_not_there_may_show_it(lists: dict[int, ComputedList]) -> None:
    sure = {cell_id & 0xFFFF for cell_id, each in lists.items() if not each.is_open}
    assert sure == {0x145, 0x148, 0x149, 0x14E}
    for each in lists.values():
        assert each.differs() == (each.room.id & 0xFFFF in sure)


def test_the_pictures_of_retail_rooms_have_no_finding(folder: Path) -> None:
    with open_source(str(folder)) as world:
        sim = Simulation(world)
        assert [each.sentence for each in check_pictures(sim, BLOCK, {check.id for check in PICTURES})] == []
        sim.close()
