"""The position and direction of the camera behind the player (rendering.md C3)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engine.build.demo import SPOTS, ensure_demo
from engine.geometry.plane import Plane
from engine.geometry.vec import Vec3, distance, sub
from engine.physics.rules import RuleSet
from engine.render.viewer.following import Chase
from engine.render.viewer.inputs import STILL
from engine.render.viewer.player_pose import PlayerPose, pose_of
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world
from tests.visibility.helpers.worlds import demo

STREET = SPOTS["street"]
HERE = PlayerPose(STREET.cell_id, STREET.origin, 30.0)


def chase(pose: PlayerPose = HERE, offset: Vec3 | None = None) -> Chase:
    """The camera at rest behind a player who stands in the open street."""
    demo().graph.get_visible(pose.cell_id)
    rig = Chase(demo().graph, RuleSet(), lambda: pose)
    if offset is not None:
        rig.offset = offset
    rig.update(0.01, STILL)
    return rig


def test_the_eye_is_2_87_metres_from_the_pivot_and_looks_down_at_it() -> None:
    rig = chase()
    assert rig.offset == pytest.approx((0.0, -2.75, 0.825))
    assert distance(rig.eye, HERE.pivot) == pytest.approx(2.871, abs=1e-3)
    assert (rig.heading, rig.pitch) == pytest.approx((30.0, -16.699), abs=1e-2)


@pytest.mark.parametrize(
    "offset",
    [
        (0.0, -2.75, 0.76),  # too high
        (0.0, -2.75, -0.51),  # too low
        (1.01, -2.75, 0.5),  # too far aside
        (-1.01, -2.75, 0.5),
        (0.0, 0.2, 0.5),  # before him
        (0.0, -0.4, 0.5),  # not behind his back
    ],
)
def test_from_above_beside_or_ahead_the_camera_looks_at_the_pivot(offset: Vec3) -> None:
    rig = chase(offset=offset)
    way = sub(HERE.pivot, rig.eye)
    assert rig.pitch == pytest.approx(math.degrees(math.atan2(way[2], math.hypot(way[0], way[1]))), abs=1e-2)
    assert abs(rig.pitch) > 5.0


@pytest.mark.parametrize("offset", [(0.0, -2.75, 0.74), (0.0, -2.75, -0.49), (0.9, -1.0, 0.3), (0.0, -0.51, 0.1)])
def test_a_low_camera_behind_the_player_looks_level_the_way_he_faces(offset: Vec3) -> None:
    rig = chase(offset=offset)
    assert (rig.heading, rig.pitch) == pytest.approx((30.0, 0.0))


def test_behind_a_player_walking_uphill_the_camera_tilts_like_the_ground() -> None:
    assert chase(replace(HERE, climb=12.0), (0.0, -2.75, 0.5)).pitch == pytest.approx(12.0)
    assert chase(replace(HERE, climb=12.0)).pitch == pytest.approx(-16.699, abs=1e-2), "the pivot is still the pivot"


def test_the_slope_is_that_of_the_ground_where_a_walking_player_faces() -> None:
    sim = Simulation(open_world(ensure_demo()))
    sim.apply_edit(Teleport(STREET.cell_id, *STREET.origin, 90.0))
    for _ in range(3):
        sim.tick(Controls(forward=1.0))
    rising = Plane((-math.sin(0.2), 0.0, math.cos(0.2)), 0.0)  # towards the east
    sim.player.steered.contact_plane = rising
    assert pose_of(sim).climb == pytest.approx(math.degrees(0.2), abs=1e-3)
    for _ in range(10):
        sim.tick(Controls())
    sim.player.steered.contact_plane = rising
    assert pose_of(sim).climb == 0.0, "a standing player looks level"
    sim.close()
    sim.world.loaded.close()
