"""One offscreen context for all tests here, which needs no display. It always uses Mesa's software rasteriser, which
draws the same pictures everywhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from editor.pictures.contexts import offscreen_context
from engine.render.gl.offscreen import OffscreenContext, OffscreenTarget
from tests.render.gl.helpers.demo_pictures import DemoPictures

os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"

Targets = Callable[[int, int], OffscreenTarget]


@pytest.fixture(scope="session")
def context() -> Iterator[OffscreenContext]:
    with offscreen_context() as made:
        yield made


@pytest.fixture
def targets(context: OffscreenContext) -> Iterator[Targets]:
    """Makes framebuffers and releases them after the test."""
    made: list[OffscreenTarget] = []

    def make(width: int, height: int) -> OffscreenTarget:
        made.append(OffscreenTarget(width, height))
        return made[-1]

    yield make
    for target in made:
        target.close()


@pytest.fixture(scope="session")
def demo(context: OffscreenContext) -> Iterator[DemoPictures]:
    """Shared: no test changes anything in it."""
    made = DemoPictures()
    yield made
    made.close()


@pytest.fixture(scope="module")
def own_demo(context: OffscreenContext) -> Iterator[DemoPictures]:
    """One that the tests of a file change, each checking the result of its own change."""
    made = DemoPictures()
    yield made
    made.close()
