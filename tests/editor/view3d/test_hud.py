"""The warnings in the numbers over the 3D view."""

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
def test_the_hud_warns_if_the_eyes_cell_is_not_visible_from_the_root(eye: str, root: str | None, warned: bool) -> None:
    """The same happens in the chase view when the player, as the root, has gone through a door ahead of the eye."""
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
