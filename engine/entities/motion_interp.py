"""Interprets keys as motions of the body: the client's CMotionInterp (physics.md 11.6-11.8)."""

from __future__ import annotations

import math
from typing import Final

from engine.entities.commands import (
    CROUCH,
    DEAD,
    FALLEN,
    FALLING,
    READY,
    RUN_FORWARD,
    SIDE_STEP_LEFT,
    SIDE_STEP_RIGHT,
    SITTING,
    SLEEPING,
    TURN_LEFT,
    TURN_RIGHT,
    WALK_BACKWARD,
    WALK_FORWARD,
)
from engine.entities.human import RUN_SPEED, SIDE_STEP_SPEED, WALK_SPEED, human_motions
from engine.entities.motion_table import MotionPerformer
from engine.entities.skills import JUMP_V_Z_UNKNOWN, jump_stamina_cost, jump_v_z, run_rate
from engine.geometry.constants import EPSILON
from engine.geometry.vec import Vec3, r24v
from engine.physics.body import Body
from engine.physics.flags import GRAVITY
from engine.world.cells.motion import MotionTable

BACKWARD_FACTOR: Final = -0.65
SIDE_STEP_FACTOR: Final = 0.5 * (3.12 / 1.25)
RUN_TURN_FACTOR: Final = 1.5
MAX_SIDE_STEP: Final = 3.0
HOLD_UNSPECIFIED: Final = 0
HOLD_NONE: Final = 1
HOLD_RUN: Final = 2

MAX_BURDEN_TO_JUMP: Final = 2.0


class Skills:
    """The skills that movement needs, which the server knows of an entity (the weenie)."""

    run_skill: float
    jump_skill: float
    burden: float
    stamina: float
    player_killer: bool
    """PK or PK lite."""
    pk_fight: float
    """Seconds that the last PK attack still counts, 20 right after it."""

    def __init__(self, run_skill: float = 200.0, jump_skill: float = 100.0, burden: float = 0.0) -> None:
        self.run_skill = run_skill
        self.jump_skill = jump_skill
        self.burden = burden
        self.stamina = 100.0
        self.player_killer = False
        self.pk_fight = 0.0

    def jump_cost(self, extent: float) -> int:
        return jump_stamina_cost(self.burden, extent, self.player_killer and self.pk_fight > 0.0)


class MotionState:
    """The commands to walk, to side-step and to turn, each with its speed."""

    forward_command: int
    forward_speed: float
    side_step_command: int
    side_step_speed: float
    turn_command: int
    turn_speed: float

    def __init__(self) -> None:
        self.forward_command = READY
        self.forward_speed = 1.0
        self.side_step_command = 0
        self.side_step_speed = 1.0
        self.turn_command = 0
        self.turn_speed = 1.0


class MotionInterp:
    """One creature's movement: the raw state of its keys, and the interpreted state that moves it."""

    __deletable__ = ("body",)

    body: Body
    weenie: Skills | None
    is_creature: bool
    raw: MotionState
    interpreted: MotionState
    hold_key: int
    my_run_rate: float
    performer: MotionPerformer
    jump_extent: float
    standing_long_jump: bool

    def __init__(self, body: Body, weenie: Skills | None, table: MotionTable | None = None) -> None:
        """Without a motion table the body moves at a human's speeds, without animations."""
        self.body = body
        self.performer = MotionPerformer(human_motions() if table is None else table)
        self.weenie = weenie
        self.is_creature = True
        self.raw = MotionState()
        self.interpreted = MotionState()
        self.hold_key = HOLD_NONE
        self.my_run_rate = 1.0
        self.jump_extent = 0.0
        self.standing_long_jump = False

    def let_go(self) -> None:
        """A weak link to the owning body: a reference cycle would keep both, and the world around them."""
        del self.body

    # --- from raw to interpreted

    def run_rate(self) -> float:
        """The weenie's, else one's own."""
        weenie = self.weenie
        if weenie is None:
            return self.my_run_rate
        skill = weenie.run_skill if weenie.stamina > 0.0 else 0.0
        return run_rate(weenie.burden, skill, self.body.rules)

    def adjust_motion(self, motion: int, speed: float, hold_key: int = HOLD_UNSPECIFIED) -> tuple[int, float]:
        """A key's motion as the body's: backwards is forwards at a negative speed, left is right at one."""
        if not self.is_creature or motion == RUN_FORWARD:
            return (motion, speed)
        if motion == WALK_BACKWARD:
            motion = WALK_FORWARD
            speed *= BACKWARD_FACTOR
        elif motion == TURN_LEFT:
            motion = TURN_RIGHT
            speed = -speed
        elif motion == SIDE_STEP_LEFT:
            motion = SIDE_STEP_RIGHT
            speed = -speed
        if motion == SIDE_STEP_RIGHT:
            speed *= SIDE_STEP_FACTOR
        if hold_key == HOLD_UNSPECIFIED:
            hold_key = self.hold_key
        if hold_key == HOLD_RUN:
            return self.apply_run(motion, speed)
        return (motion, speed)

    def apply_run(self, motion: int, speed: float) -> tuple[int, float]:
        """The same motion at a run; backwards one keeps walking, only faster."""
        rate = self.run_rate()
        if motion == WALK_FORWARD:
            return (RUN_FORWARD if speed > 0.0 else WALK_FORWARD, speed * rate)
        if motion == TURN_RIGHT:
            return (motion, speed * RUN_TURN_FACTOR)
        if motion == SIDE_STEP_RIGHT:
            return (motion, min(max(speed * rate, -MAX_SIDE_STEP), MAX_SIDE_STEP))
        return (motion, speed)

    def apply_raw_movement(self) -> None:
        """Interpret the raw state anew."""
        raw = self.raw
        state = self.interpreted
        state.forward_command, state.forward_speed = self.adjust_motion(raw.forward_command, raw.forward_speed)
        state.side_step_command, state.side_step_speed = self.adjust_motion(raw.side_step_command, raw.side_step_speed)
        state.turn_command, state.turn_speed = self.adjust_motion(raw.turn_command, raw.turn_speed)

    def set_keys(self, forward: float, side_step: float, turn: float, run: bool) -> None:
        """Set the keys: each from −1 (back, left) to 1 (forward, right), 0 for a key that is up."""
        raw = self.raw
        raw.forward_command = READY if forward == 0.0 else WALK_FORWARD if forward > 0.0 else WALK_BACKWARD
        raw.forward_speed = 1.0 if forward == 0.0 else abs(forward)
        raw.side_step_command = 0 if side_step == 0.0 else SIDE_STEP_RIGHT if side_step > 0.0 else SIDE_STEP_LEFT
        raw.side_step_speed = 1.0 if side_step == 0.0 else abs(side_step)
        raw.turn_command = 0 if turn == 0.0 else TURN_RIGHT if turn > 0.0 else TURN_LEFT
        raw.turn_speed = 1.0 if turn == 0.0 else abs(turn)
        self.hold_key = HOLD_RUN if run else HOLD_NONE
        self.apply_raw_movement()

    # --- what the body makes of it

    def get_state_velocity(self) -> Vec3:
        """Return the velocity of the interpreted state on leaving the ground, in body space: +y forward, +x right.

        On the ground the motion table's sequence moves it, and nothing limits that (physics.md #4, #5).
        """
        state = self.interpreted
        x = 0.0
        y = 0.0
        if state.side_step_command == SIDE_STEP_RIGHT:
            x = SIDE_STEP_SPEED * state.side_step_speed
        if state.forward_command == WALK_FORWARD:
            y = WALK_SPEED * state.forward_speed
        elif state.forward_command == RUN_FORWARD:
            y = RUN_SPEED * state.forward_speed
        limit = RUN_SPEED * self.run_rate()
        size = math.sqrt(x * x + y * y)
        if size > limit:
            x = x / size * limit
            y = y / size * limit
        return (x, y, 0.0)

    def contact_allows_move(self, motion: int) -> bool:
        """Whether a motion is performed or only remembered: in the air a body falls, and can turn."""
        if motion in (DEAD, FALLING, TURN_RIGHT, TURN_LEFT):
            return True
        if not self.is_creature or not self.body.state & GRAVITY:
            return True
        in_contact, on_walkable = self.body.contact_bits()
        return in_contact and on_walkable

    def apply_interpreted_movement(self) -> None:
        """Let the motion table do what is interpreted: in the air one falls; a standing long jump waits for its jump.

        The client does so whenever something changes; what does not change is left as it plays, so any tick will do.
        """
        state = self.interpreted
        performer = self.performer
        if not self.contact_allows_move(state.forward_command):
            performer.do_motion(FALLING, 1.0)
        elif self.standing_long_jump:
            performer.do_motion(READY, 1.0)
            performer.stop_motion(SIDE_STEP_RIGHT)
        else:
            performer.do_motion(state.forward_command, state.forward_speed)
            if state.side_step_command != 0:
                performer.do_motion(state.side_step_command, state.side_step_speed)
            else:
                performer.stop_motion(SIDE_STEP_RIGHT)
        if state.turn_command != 0:
            performer.do_motion(state.turn_command, state.turn_speed)
        else:
            performer.stop_motion(TURN_RIGHT)

    @property
    def base_turn_speed(self) -> float:
        """Radians a second of the motion table's TurnRight."""
        performer = self.performer
        turn = performer.table.cycle(performer.style, TURN_RIGHT)
        return 0.0 if turn is None else abs(turn.omega[2])

    # --- leaving the ground and coming back

    def get_jump_v_z(self) -> float:
        if self.jump_extent < EPSILON:
            return 0.0
        weenie = self.weenie
        if weenie is None:
            return JUMP_V_Z_UNKNOWN
        skill = weenie.jump_skill if weenie.stamina > 0.0 else 0.0
        return jump_v_z(weenie.burden, skill, self.jump_extent)

    def jump_is_allowed(self, extent: float) -> bool:
        """On the ground, upright, not too laden, and with the stamina that it costs."""
        if not self.contact_allows_move(READY):
            return False
        if self.interpreted.forward_command in (FALLEN, CROUCH, SITTING, SLEEPING):
            return False
        weenie = self.weenie
        if weenie is None:
            return True
        if weenie.burden >= MAX_BURDEN_TO_JUMP:
            return False
        return weenie.stamina >= float(weenie.jump_cost(extent))

    def charge_jump(self) -> bool:
        """Begin to charge. Who stands still without turning prepares a standing long jump."""
        if not self.jump_is_allowed(0.0):
            return False
        state = self.interpreted
        if state.forward_command == READY and state.side_step_command == 0 and state.turn_command == 0:
            self.standing_long_jump = True
        return True

    def jump(self, extent: float) -> bool:
        """Take off; the falling edge of ON_WALKABLE supplies the velocity (`leave_ground`)."""
        if not self.jump_is_allowed(extent):
            self.standing_long_jump = False
            return False
        self.jump_extent = extent
        self.body.set_on_walkable(False)
        return True

    def get_leave_ground_velocity(self) -> Vec3:
        """The movement's velocity and the jump's; without either what the body has, in its own space."""
        x, y, _ = self.get_state_velocity()
        z = self.get_jump_v_z()
        if abs(x) < EPSILON and abs(y) < EPSILON and abs(z) < EPSILON:
            return self.body.place.turn.global_to_local_vec(self.body.velocity)
        return (x, y, z)

    def leave_ground(self) -> None:
        """Walking becomes flying: stepping off an edge keeps the running velocity."""
        if not self.is_creature or not self.body.state & GRAVITY:
            return
        self.body.set_velocity(r24v(self.body.place.turn.local_to_global_vec(self.get_leave_ground_velocity())))
        self.standing_long_jump = False
        self.jump_extent = 0.0
        self.apply_raw_movement()

    def hit_ground(self) -> None:
        """Perform the motions of the keys again, without their transitions."""
        if self.is_creature and self.body.state & GRAVITY:
            self.performer.sequence.remove_link_animations()
            self.apply_raw_movement()
