"""One eye with two roots: what a flood from the player's cell sees and one from the eye's does not, and the other way
round (rendering.md 21.3)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.visibility.camera import Camera
from engine.visibility.frame import FrameDriver


@dataclass(frozen=True, slots=True)
class RootComparison:
    """The effect of the root on a frame: the rooms that are seen from one cell and not from the other."""

    player_id: int
    viewer_id: int
    both: tuple[int, ...]
    only_player: tuple[int, ...]
    only_viewer: tuple[int, ...]


def compare_roots(driver: FrameDriver, camera: Camera, player_id: int, viewer_id: int) -> RootComparison:
    player, viewer = (set(driver.frame_events(camera, root_id).visible_ids()) for root_id in (player_id, viewer_id))
    return RootComparison(
        player_id,
        viewer_id,
        tuple(sorted(player & viewer)),
        tuple(sorted(player - viewer)),
        tuple(sorted(viewer - player)),
    )
