"""A house of three rooms on two floors, built in a few lines, and its scene."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.build import WorldBuilder, rect
from engine.render.scene import Scene
from engine.world.loader import open_world
from engine.world.world import World

BLOCK = 0x0007FFFF
HALL, STUDY, LOFT = 0x00070100, 0x00070101, 0x00070102


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4), height=2.8)
    study = world.room("study", rect(6.2, 0, 4, 4), height=2.8)
    loft = world.room("loft", rect(0, 0, 6, 4), floor=3.0, height=2.5)
    world.door(hall, study)
    world.hatch(loft, hall, rect(4, 1, 1.5, 2))
    made = tmp_path_factory.mktemp("dollhouse")
    world.build().write(made)
    return made


@pytest.fixture
def world(folder: Path) -> Iterator[World]:
    with open_world(folder) as opened:
        opened.graph.load_landblock(BLOCK)
        yield opened


@pytest.fixture
def scene(world: World) -> Iterator[Scene]:
    made = Scene(world)
    yield made
    made.close()
