"""The world of most overlay tests."""

from __future__ import annotations

import pytest

from engine.build import WorldBuilder, rect
from engine.world.world import World


@pytest.fixture(scope="module")
def world() -> World:
    """A hall of 6 x 4 x 2.8 m and a study behind a door."""
    builder = WorldBuilder()
    hall = builder.room("hall", rect(0, 0, 6, 4), height=2.8)
    study = builder.room("study", rect(6.2, 0, 4, 4), height=2.8)
    builder.door(hall, study)
    return builder.build().load()
