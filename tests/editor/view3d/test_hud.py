"""The numbers over the 3D view: what they warn of."""

from __future__ import annotations

import pytest

from editor.view3d.hud import Tone, hud_rows
from engine.build.demo import SPOTS, ensure_demo
from engine.render.viewer.viewer import Viewer
from engine.world.loader import open_world

LEFT_OUT = "the eye's own cell is not seen from this root"


@pytest.mark.parametrize(
    ("eye", "root", "warned"),
    [
        ("cottage_kitchen", None, False),
        ("cottage_kitchen", "cottage_kitchen", False),
        ("cottage_inside_front_door", "cottage_parlour", True),
        ("cottage_kitchen", "inn_common_room", True),
        ("garden", "cellar", True),
        ("garden", "street", False),
    ],
)
def test_an_eye_whose_cell_is_not_seen_from_the_root_is_told_of(eye: str, root: str | None, warned: bool) -> None:
    """As in a chase that is rooted at a player who has gone through a door before it."""
    with open_world(ensure_demo()) as world:
        viewer = Viewer(world)
        spot = SPOTS[eye]
        x, y, z = spot.origin
        world.graph.get_visible(spot.cell_id)
        viewer.free.place(spot.cell_id, (x, y, z + 1.5), spot.heading + 180.0)
        if root is not None:
            viewer.pin(SPOTS[root].cell_id)
        cells = hud_rows(viewer, viewer.frame(640, 400), 1.0)[0]
        viewer.close()
    warnings = [entry.value for entry in cells if entry.tone is Tone.WARNING]
    assert warnings == ([LEFT_OUT] if warned else [])
