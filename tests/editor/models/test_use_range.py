"""The player uses things from within their use radius alone; the editor uses them from anywhere."""

from __future__ import annotations

import pytest

from editor.document.document import Document
from editor.models.doors import use_door, use_name, what_use_does
from editor.models.doors_ahead import too_far, use_distance, use_radius
from engine.entities.door import Door
from engine.sim.edits.player import Teleport
from tests.editor.document.small_document import document_of
from tests.editor.validation.test_checks import HALL
from tests.sim.helpers.small_worlds import two_rooms


def doc(**extra: bool | int | float | str) -> tuple[Document, Door]:
    document = document_of(two_rooms(**extra).build())
    return document, document.sim.population.doors[0]


def stand(document: Document, x: float, y: float = 2.0) -> None:
    document.edit("Teleport", Teleport(HALL, x, y, 0.0, 90.0))


def test_the_distance_is_from_cylinder_to_cylinder() -> None:
    document, door = doc(use_radius=1.0)
    radius = document.sim.player.radius + door.setup.radius
    x, y, _ = door.origin()
    stand(document, x - 3.0, y)
    assert use_distance(document.sim, door) == pytest.approx(3.0 - radius, abs=0.01)
    stand(document, x - 0.1 - radius, y)
    assert use_distance(document.sim, door) == pytest.approx(0.1, abs=0.02)


def test_too_far_says_how_far_and_from_where_it_is_used() -> None:
    document, door = doc(use_radius=1.0)
    stand(document, 2.0)
    assert use_radius(door) == 1.0
    distance = use_distance(document.sim, door)
    assert too_far(document.sim, door) == f"door is {distance:.1f} m away; it is used from within 1 m."
    assert too_far(document.sim, door) in what_use_does(document.sim, door)
    stand(document, 5.3)
    assert too_far(document.sim, door) == ""
    assert what_use_does(document.sim, door) == "Use it as the player would (Enter)"


def test_the_editor_opens_it_from_anywhere() -> None:
    document, door = doc(use_radius=0.1)
    stand(document, 1.0)
    document.edit(use_name(door), use_door(document.sim, door))
    assert door.is_open


@pytest.mark.parametrize("radius", [None, "near", True, float("nan")])
def test_without_a_use_radius_any_distance_will_do(radius: object) -> None:
    document, door = doc() if radius is None else doc(use_radius=radius)  # type: ignore[arg-type]
    stand(document, 1.0)
    assert use_radius(door) is None
    assert too_far(document.sim, door) == ""
