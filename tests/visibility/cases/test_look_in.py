"""Looking into a house from the street, and from one house into another (rendering.md 24.6)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.visibility.flood import Visibility
from engine.visibility.options import FloodOptions, retail
from engine.visibility.records import FloodResult
from engine.visibility.view import ViewPoly, full_screen, view_of
from engine.world.loader.portal_scene import BLOCK
from tests.visibility.cases.spec_cases import Scene, assert_views, camera_of, look_in_cases
from tests.visibility.helpers.screens import at, corners, on_screen, same_outline


def case_id(case: Any) -> str:
    return str(case["id"])


def active_views(case: Any) -> list[ViewPoly]:
    """The views of the landscape: those of the case's exit, or the full screen."""
    if "outside_view" not in case:
        return [full_screen(camera_of(case))]
    views = [view_of(on_screen(outline)) for outline in case["outside_view"]]
    return [view for view in views if view is not None]


def moved(case: Any) -> Scene:
    return Scene("cottage", (0.0, float(case["building_shift_y"]), 0.0))


def look_in(visibility: Visibility, scene: Scene, case: Any, name: str) -> FloodResult:
    building, names = scene.building()
    view = active_views(case)[0]
    return visibility.flood_building(building, BLOCK, names.index(name), camera_of(case), view, 0)


@pytest.mark.parametrize("case", look_in_cases(), ids=case_id)
@pytest.mark.parametrize("options", [retail(), FloodOptions()], ids=["retail", "robust"])
def test_a_look_in_sees_the_cells_of_the_case(case: Any, options: FloodOptions) -> None:
    scene = moved(case)
    visibility = Visibility(scene.world.graph, options)
    for aperture in case["apertures"]:
        result = look_in(visibility, scene, case, aperture["aperture"])
        assert result.outside == []
        assert result.guards == []
        if aperture.get("rejected"):
            assert result.rejected != ""
            assert result.punch is None
            assert result.cells == []
            continue
        assert result.rejected == ""
        assert result.punch is not None
        assert same_outline([at(point) for point in result.punch.points], aperture["punch"])
        assert scene.draw(result) == aperture["draw"]
        assert_views(scene, result, aperture["views"])
    visibility.close()


@pytest.mark.parametrize("case", [c for c in look_in_cases() if c["root"] != "outdoor"], ids=case_id)
def test_the_flood_from_the_room_leaves_the_active_view_of_the_case(case: Any) -> None:
    scene = Scene("cottage")
    result = Visibility(scene.world.graph).flood_interior(scene.id(case["root"]), camera_of(case))
    assert len(result.outside) == len(case["outside_view"])
    for view, expected in zip(result.outside, case["outside_view"], strict=True):
        assert same_outline(corners(view), expected)


def test_a_look_in_does_not_change_the_flood_from_the_room() -> None:
    scene = Scene("cottage")
    case = next(c for c in look_in_cases() if c["id"] == "H3")
    visibility = Visibility(scene.world.graph)
    inside = visibility.flood_interior(scene.id("A"), camera_of({**case, "eye": [5, 2, 1.5], "heading": 0}))
    before = [(scene.name(v.cell_id), [corners(view) for view in v.views]) for v in inside.cells]
    outside = [corners(view) for view in inside.outside]
    assert scene.draw(look_in(visibility, scene, case, "back")) == ["B", "A"]
    assert [(scene.name(v.cell_id), [corners(view) for view in v.views]) for v in inside.cells] == before
    assert [corners(view) for view in inside.outside] == outside
    assert visibility.slots.levels == []
