"""The cells that an eye sees: the player's own, or that of a drawn frame (rendering.md 4.1, 7.5)."""

from __future__ import annotations

from typing import Final

from editor.models.graph.cell_graph import VisibleRooms
from engine.render.viewer.player_pose import PlayerPose, pose_of
from engine.sim.tick.simulation import Simulation
from engine.visibility.camera import focal_of_screen, looking
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameResult
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.graph.graph import CURRENT, NO_CELL, GraphChange

SIZE: Final = (1280.0, 800.0)
BLIND: Final = VisibleRooms()


def sight_of(sim: Simulation, frame: FrameResult) -> VisibleRooms:
    """The rooms of a frame, numbered in the order of discovery from 1; the rooms around the eye come last."""
    seen: dict[int, int] = {}
    for flood in frame.floods():
        for visible in flood.cells:
            seen.setdefault(visible.cell_id, len(seen) + 1)
    root = sim.graph.peek(frame.root_id)
    stab = frozenset(root.stab_set) if isinstance(root, EnvCell) else frozenset()
    return VisibleRooms(sim.graph.current_id, seen, stab)


class PlayerSight:
    """The rooms that the player sees, searched again after a move or a change of a cell."""

    def __init__(self, sim: Simulation) -> None:
        self.sim = sim
        self._visibility = Visibility(sim.graph)
        self._world_view = WorldView(sim.world)
        self._driver = FrameDriver(self._world_view, self._visibility)
        self._pose: PlayerPose | None = None
        self._sight = BLIND
        sim.graph.observe(self._on_change)

    def close(self) -> None:
        self.sim.graph.unobserve(self._on_change)
        self._visibility.close()
        self._world_view.close()

    def _on_change(self, change: GraphChange) -> None:
        if change.kind != CURRENT:
            self._pose = None

    def look(self) -> VisibleRooms:
        pose = pose_of(self.sim)
        if pose != self._pose:
            self._pose = pose
            self._sight = BLIND if pose.cell_id == NO_CELL else self._look(pose)
        return self._sight

    def _look(self, pose: PlayerPose) -> VisibleRooms:
        width, height = SIZE
        focal = focal_of_screen(width, height)
        camera = looking(pose.cell_id, pose.pivot, pose.heading, 0.0, width, height, focal)
        return sight_of(self.sim, self._driver.frame_events(camera, pose.cell_id))
