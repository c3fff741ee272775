"""`bench view`, its part on edits: what is changed is in the picture, and is held against the frames of its place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks import picture
from benchmarks.picture import Pictures
from editor.pictures.contexts import offscreen_context
from engine.build.demo import ensure_demo
from engine.render.gl.offscreen import OffscreenTarget
from engine.world.loader import open_world


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pictures]:
    monkeypatch.setattr(picture, "FRAMES", 2)
    with offscreen_context(), open_world(ensure_demo()) as world:
        made = Pictures(world, OffscreenTarget(picture.WIDTH, picture.HEIGHT))
        yield made
        made.close()


def test_an_edit_may_cost_as_much_as_a_frame_of_the_place_that_it_is_in(pictures: Pictures) -> None:
    figures = picture._edits(pictures)
    costs = {figure.name: figure for figure in figures if "cost of" in figure.name}
    assert list(costs) == [
        "inn: cost of other surfaces of the room",
        "inn: cost of a moved static of the room",
        "street: cost of a moved static on the land",
    ]
    for name, cost in costs.items():
        after = next(figure for figure in figures if figure.name == name.replace("cost of", "frame after"))
        assert cost.limit is not None
        assert cost.value == pytest.approx(max(after.value - cost.limit, 0.0))


def test_the_thing_that_is_moved_on_the_street_is_in_the_picture(pictures: Pictures) -> None:
    pictures.go("street")
    nudge = picture._Nudge(pictures.sim, picture.nearest_on_land(pictures.sim, "street", 0.0))
    shown = []
    for _ in range(2):
        pictures.scene.update()
        pictures.draw(pictures.events("street", 0.0, False))
        shown.append(pictures.target.pixels().copy())
        nudge()
    assert (shown[0] != shown[1]).any(axis=2).sum() > 100
