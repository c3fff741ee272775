"""The two cameras that follow the player: from the head, and over the shoulder (rendering.md 21.2, 21.4).

Both place the eye and find the viewer cell by one sweep of the viewer sphere from the pivot, and both are rooted at the
player's physics cell unless the viewer's is requested (21.3).
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.vec import Vec3, add, distance, lerp, scale, sub
from engine.physics.rules import RuleSet
from engine.render.viewer.inputs import ViewerInput
from engine.render.viewer.player_pose import PlayerPose, PoseSource
from engine.render.viewer.rig import STEEPEST, Rig, heading_and_pitch, sane_step, turned
from engine.render.viewer.smooth import clamp, stiffness_part, turn_between
from engine.render.viewer.viewer_sweep import Landing, SweptEye, ViewerSweep
from engine.visibility.root import PLAYER
from engine.world.cells.ids import is_env_cell, landblock_id
from engine.world.cells.landdefs import block_offset
from engine.world.graph.graph import NO_CELL, CellGraph

# Chase
DEFAULT_OFFSET: Final[Vec3] = (0.0, -2.75, 0.825)
"""Behind and above the pivot, in the player's frame: (0, -2.5, 0.75) by the scale of 1.1 that the game sets in each
frame (rendering.md C3)."""
LEVEL_ASIDE: Final = 1.0
LEVEL_BEHIND: Final = -0.5
LEVEL_LOWEST: Final = -0.5
LEVEL_HIGHEST: Final = 0.75
"""Metres from the pivot: an eye straight behind the player and about as high as his own looks where he faces."""
STIFFNESS: Final = 0.45
STEERED_STIFFNESS: Final = 3.0 * STIFFNESS
"""While the mouse turns the player: the client's stiffness would trail a fifth of a second behind the hand. Ours."""
NEAREST: Final = 0.5
FARTHEST_ASIDE: Final = 10.0
_ZOOM: Final = 0.2
_LOWEST: Final = -60.0
_HIGHEST: Final = 80.0
"""Degrees of the offset over the pivot."""
BEHIND: Final = 180.0
_STRAIGHT: Final = 0.1
"""Degrees from behind the player at which the camera counts as behind him."""
_TOO_FAR: Final = 20.0
"""Metres to the sought frame at which the camera jumps: the player was put somewhere else."""

# The player's parts
FADE_BEGINS: Final = 0.45
FADE_ENDS: Final = 0.2

# First person
IN_HEAD: Final[Vec3] = (0.0, 0.18, 0.0)
LOOK_LIMIT: Final = math.degrees(math.asin(0.8))
_REGAIN: Final = 0.25
"""Seconds in which the eye is before the head again after it was held back."""
_HALVINGS: Final = 24
_SHORT_OF: Final = 0.001
"""Metres before the threshold at which the eye is held: clear of the band in which an eye is in a portal's plane."""


class Following(Rig):
    """The common steps: get the player's pose, sweep, take over the eye."""

    root_mode = PLAYER

    def __init__(self, graph: CellGraph, rules: RuleSet, player: PoseSource) -> None:
        super().__init__()
        self.graph = graph
        self.sweep = ViewerSweep(graph, rules)
        self._player = player
        self.pose = player()

    def _take(self, pose: PlayerPose, swept: SweptEye) -> None:
        """A lost eye has no viewer cell: it is drawn from the player's cell, whose landblock its place is in."""
        if swept.landing is Landing.LOST:
            self.cell_id = NO_CELL
            self.block_id = landblock_id(pose.cell_id)
            self.eye = swept.eye
        else:
            self._stand(swept.cell_id, swept.eye)

    @property
    def distance_to_player(self) -> float:
        """Metres from the eye to the player's pivot at the last update."""
        return distance(add(self.eye, block_offset(self.pose.cell_id, self.block_id)), self.pose.pivot)


class Chase(Following):
    """Behind the player. `offset` is where the eye is sought, in the player's frame, from the pivot."""

    def __init__(self, graph: CellGraph, rules: RuleSet, player: PoseSource) -> None:
        super().__init__(graph, rules, player)
        self.offset: Vec3 = DEFAULT_OFFSET
        self.stiffness = STIFFNESS
        self._origin: Vec3 | None = None
        self._origin_block = NO_CELL
        self._returning = False

    @property
    def size(self) -> float:
        """Metres from the pivot to the sought eye."""
        return distance(self.offset, (0.0, 0.0, 0.0))

    def come_to(self, size: float) -> None:
        """Seek the eye at so many metres from the pivot."""
        self.offset = scale(self.offset, size / self.size)

    def return_behind(self) -> None:
        """Go back to where the client's camera is, behind and above him."""
        self.offset = DEFAULT_OFFSET
        self._returning = False

    def settle(self) -> None:
        """Be behind the player at once when the next update comes."""
        self._origin = None

    def update(self, dt: float, inputs: ViewerInput) -> None:
        dt = sane_step(dt)
        self._turn_offset(inputs)
        before, pose = self.pose, self._player()
        self.pose = pose
        if pose.cell_id == NO_CELL:
            self.settle()
            return
        part = stiffness_part(STEERED_STIFFNESS if inputs.steering else self.stiffness, dt)
        self._swing_behind(before, pose, inputs, part)
        sought = add(pose.pivot, turned(self.offset, pose.heading))
        self._approach(pose, sought, part)
        assert self._origin is not None
        self._take(pose, self.sweep.sweep(pose.cell_id, pose.pivot, self._origin, pose.player_id, pose.ethereal))
        near = self.distance_to_player
        self.player_alpha = clamp((near - FADE_ENDS) / (FADE_BEGINS - FADE_ENDS), 0.0, 1.0)

    def _swing_behind(self, before: PlayerPose, pose: PlayerPose, inputs: ViewerInput, part: float) -> None:
        """After a look around, swing back behind the player once he moves or the mouse turns him."""
        if inputs.looking_around:
            self._returning = False
        elif inputs.steering or before.origin != pose.origin or before.heading != pose.heading:
            self._returning = True
        if not self._returning:
            return
        heading, _ = heading_and_pitch(self.offset)
        astray = turn_between(heading, BEHIND)
        if abs(astray) < _STRAIGHT:
            part, self._returning = 1.0, False
        x, y, z = self.offset
        flat = math.hypot(x, y)
        x, y, _ = turned((0.0, flat, 0.0), heading + astray * part)
        self.offset = (x, y, z)

    def _turn_offset(self, inputs: ViewerInput) -> None:
        """Orbiting goes around the pivot, dollying along the offset."""
        heading, height = heading_and_pitch(self.offset)
        heading += inputs.orbit[0] + inputs.look[0]
        height = clamp(height - inputs.orbit[1] - inputs.look[1], _LOWEST, _HIGHEST)
        size = max(NEAREST, self.size * max(0.1, 1.0 - _ZOOM * inputs.dolly))
        flat = size * math.cos(math.radians(height))
        x, y, _ = turned((0.0, flat, 0.0), heading)
        z = size * math.sin(math.radians(height))
        widest = max(abs(x), abs(y))
        self.offset = (x, y, z) if widest <= FARTHEST_ASIDE else scale((x, y, z), FARTHEST_ASIDE / widest)

    def _approach(self, pose: PlayerPose, sought: Vec3, part: float) -> None:
        """The camera's frame goes a part of the way to the sought one, before any collision."""
        heading, pitch = self._look(pose, sought)
        here = self._origin
        if here is not None:
            here = add(here, block_offset(pose.cell_id, self._origin_block))
        self._origin_block = landblock_id(pose.cell_id)
        if here is None or distance(here, sought) > _TOO_FAR:
            self._origin, self.heading, self.pitch = sought, heading, pitch
            return
        self._origin = lerp(here, sought, part)
        self.heading = (self.heading + turn_between(self.heading, heading) * part) % 360.0
        self.pitch = clamp(self.pitch + (pitch - self.pitch) * part, -STEEPEST, STEEPEST)

    def _look(self, pose: PlayerPose, sought: Vec3) -> tuple[float, float]:
        """At the pivot; or from low behind the player along his heading, tilted as the ground is that he walks on."""
        x, y, z = self.offset
        if abs(x) <= LEVEL_ASIDE and y <= LEVEL_BEHIND and LEVEL_LOWEST <= z <= LEVEL_HIGHEST:
            return pose.heading, pose.climb
        return heading_and_pitch(sub(pose.pivot, sought))


class FirstPerson(Following):
    """In the player's head; the player's own heading is where it looks, `pitch` is the camera's.

    The eye is a little before the head, so at a threshold it would be in the next room before the player is. As long as
    the flood starts from the player's cell that eye would lose the room it is in (21.3). So with the root mode PLAYER
    the eye is held back in the player's cell, and regains its place in the next one.
    """

    def __init__(self, graph: CellGraph, rules: RuleSet, player: PoseSource) -> None:
        super().__init__(graph, rules, player)
        self.player_alpha = 0.0
        self._reach = 1.0

    def update(self, dt: float, inputs: ViewerInput) -> None:
        self.pitch = clamp(self.pitch + inputs.look[1] + inputs.orbit[1], -LOOK_LIMIT, LOOK_LIMIT)
        pose = self._player()
        self.pose = pose
        if pose.cell_id == NO_CELL:
            return
        self.heading = pose.heading
        self._reach = min(1.0, self._reach + sane_step(dt) / _REGAIN)
        sought = add(pose.pivot, turned(scale(IN_HEAD, self._reach), pose.heading))
        swept = self.sweep.sweep(pose.cell_id, pose.pivot, sought, pose.player_id, pose.ethereal)
        self._take(pose, swept)
        crossed = is_env_cell(swept.cell_id) or is_env_cell(pose.cell_id)
        if self.root_mode == PLAYER and swept.cell_id not in (pose.cell_id, NO_CELL) and crossed:
            self._hold_back(pose)

    def _hold_back(self, pose: PlayerPose) -> None:
        """The farthest place on the way from the pivot to the eye that is still on the player's side."""
        eye = add(self.eye, block_offset(pose.cell_id, self.block_id))
        inside, outside = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2.0
            if self._on_players_side(pose, lerp(pose.pivot, eye, middle)):
                inside = middle
            else:
                outside = middle
        whole = distance(pose.pivot, eye)
        reached = max(0.0, whole * inside - _SHORT_OF)
        self._reach = reached / IN_HEAD[1]
        self._stand(pose.cell_id, lerp(pose.pivot, eye, reached / whole))

    def _on_players_side(self, pose: PlayerPose, point: Vec3) -> bool:
        """In the player's room; for a player outdoors, not in the room that the eye is in."""
        if is_env_cell(pose.cell_id):
            cell = self.graph.peek(pose.cell_id)
            return cell is not None and cell.point_in_cell(point)
        room = self.graph.peek(self.cell_id)
        return room is None or not room.point_in_cell(add(point, block_offset(self.cell_id, pose.cell_id)))
