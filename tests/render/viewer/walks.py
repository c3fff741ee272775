"""A player who walks, and a viewer who watches him, at two frames per tick."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.geometry.vec import Vec3
from engine.render.viewer.inputs import STILL, ViewerInput
from engine.render.viewer.player_pose import PlayerPose, between, pose_of
from engine.render.viewer.viewer import Viewer
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.visibility.frame import FrameResult
from engine.world.world import World

FORWARD = Controls(forward=1.0)
FRAME = 1.0 / 60.0


@dataclass
class Seen:
    """One frame of a walk."""

    frame: FrameResult
    pose: PlayerPose
    viewer_id: int
    eye: Vec3


class Walk:
    """The simulation, the player's pose between its ticks, and the viewer."""

    def __init__(self, world: World) -> None:
        self.sim = Simulation(world)
        self._before = self._after = pose_of(self.sim)
        self._part = 1.0
        self.viewer = Viewer(self.sim.world, self.pose, self.sim.rules)

    def pose(self) -> PlayerPose:
        return between(self._before, self._after, self._part)

    def stand(self, cell_id: int, feet: Vec3, heading: float) -> None:
        self.sim.apply_edit(Teleport(cell_id, *feet, heading))
        self._before = self._after = pose_of(self.sim)
        self.viewer.chase.settle()
        self.viewer.update(FRAME, STILL)

    def frames(self, ticks: int, controls: Controls = FORWARD, inputs: ViewerInput = STILL) -> Iterator[Seen]:
        for _ in range(ticks):
            self.sim.tick(controls)
            self._before, self._after = self._after, pose_of(self.sim)
            for self._part in (0.5, 1.0):
                self.viewer.update(FRAME, inputs)
                frame = self.viewer.frame(640.0, 480.0)
                yield Seen(frame, self.pose(), self.viewer.rig.cell_id, self.viewer.rig.eye)

    def searches(self) -> int:
        """Counts the searches for the cell of a point."""
        viewer = self.viewer
        latches = viewer.free.latch.locator.searches + viewer.orbit.latch.locator.searches
        sweeps = viewer.chase.sweep.adjusted + viewer.first_person.sweep.adjusted
        return viewer.locator.searches + latches + sweeps


def runs(values: list[int]) -> list[int]:
    """The values, with runs of equal ones reduced to one."""
    return [value for number, value in enumerate(values) if number == 0 or values[number - 1] != value]
