"""Worlds for the library's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import cellar_door
from tests.sim.helpers.small_worlds import built, two_rooms

HALL, STUDY = 0x00070100, 0x00070101
START = "0x00070100,4.6,2,0,90"
"""In the hall, facing the closed door."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rooms with a door, as data files."""
    return built(two_rooms).write(tmp_path_factory.mktemp("two rooms"))


@pytest.fixture
def world(folder: Path) -> Iterator[cellar_door.World]:
    with cellar_door.open_world(folder) as opened:
        yield opened
