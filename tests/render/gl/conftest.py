"""One context without a window for all tests here; they need no display."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from engine.render.gl.offscreen import OffscreenContext, OffscreenTarget

Targets = Callable[[int, int], OffscreenTarget]


@pytest.fixture(scope="session")
def context() -> Iterator[OffscreenContext]:
    with OffscreenContext() as made:
        yield made


@pytest.fixture
def targets(context: OffscreenContext) -> Iterator[Targets]:
    """Makes framebuffers that are given back after the test."""
    made: list[OffscreenTarget] = []

    def make(width: int, height: int) -> OffscreenTarget:
        made.append(OffscreenTarget(width, height))
        return made[-1]

    yield make
    for target in made:
        target.close()
