"""The current motions of a body from its table, and the sequence that plays them: the client's CMotionTable and its
MotionState (physics.md #4).

Side steps and turns are cycles of their own where a body stands in its style's default state, and modifiers of what it
does otherwise.
"""

from __future__ import annotations

from typing import Final

from engine.entities.sequence import FROM_CYCLE, FROM_LINK, Sequence, SequenceNode
from engine.entities.state_io import StateIO
from engine.geometry.quat import IDENTITY
from engine.geometry.vec import ZERO
from engine.physics.errors import PhysicsError
from engine.world.cells.motion import Motion, MotionTable, motion_key

SUBSTATE_CLASS: Final = 0x40000000
MODIFIER_CLASS: Final = 0x20000000

FASTEST: Final = 1e5
"""Frames, metres and radians a second: far above what a motion table's limits and any skill come to."""

MOST_NODES: Final = 64
"""Keys that change faster than the ways between their motions are played would make these wait for ever."""

CLEARS_MODIFIERS: Final = 0x1
ONLY_FROM_DEFAULT: Final = 0x2
"""Bits of a motion (dat-format.md 3.10)."""


class Modifier:
    """A motion beside the cycle, at its speed."""

    motion: int
    speed: float

    def __init__(self, motion: int, speed: float) -> None:
        self.motion = motion
        self.speed = speed


class MotionPerformer:
    """The state in a motion table's style, and what plays for it."""

    table: MotionTable
    sequence: Sequence
    style: int
    substate: int
    speed: float
    modifiers: list[Modifier]

    def __init__(self, table: MotionTable) -> None:
        self.table = table
        self.sequence = Sequence()
        self.style = table.default_style
        self.substate = 0
        self.speed = 1.0
        self.modifiers = []
        self.set_default_state()

    def set_default_state(self) -> None:
        """The default of the table's default style, as if nothing had been before."""
        table = self.table
        self.style = table.default_style
        self.substate = table.default_substate(self.style)
        self.speed = 1.0
        self.modifiers = []
        self.sequence.clear_physics()
        self.sequence.clear_animations()
        self._append_cycle(self.substate, 1.0)

    # --- commands

    def do_motion(self, motion: int, speed: float) -> bool:
        """`GetObjectSequence`: be in that state, or do that beside it. False when the table has no such motion."""
        return self._do_motion(motion, speed, False)

    def stop_motion(self, motion: int) -> bool:
        """`StopSequenceMotion`: back to the default state, or without that modifier."""
        if motion & SUBSTATE_CLASS and self.substate == motion:
            self._do_motion(self.table.default_substate(self.style), 1.0, True)
            return True
        if motion & MODIFIER_CLASS:
            for index in range(len(self.modifiers)):
                if self.modifiers[index].motion == motion:
                    found = self._modifier(motion)
                    if found is not None:
                        self.sequence.add_physics(found, -self.modifiers[index].speed)
                    del self.modifiers[index]
                    return True
        return False

    def _do_motion(self, motion: int, speed: float, stop_modifiers: bool) -> bool:
        default = self.table.default_substate(self.style)
        if motion == default and not stop_modifiers and self.substate & MODIFIER_CLASS:
            return True  # stepping aside or turning on the spot is how it stands there
        if motion & SUBSTATE_CLASS:
            cycle = self.table.cycle(self.style, motion)
            if cycle is not None and self._is_allowed(motion, cycle, default):
                self._enter(motion, cycle, speed, default, stop_modifiers)
                return True
        return bool(motion & MODIFIER_CLASS) and self._modify(motion, speed)

    def _is_allowed(self, motion: int, cycle: Motion, default: int) -> bool:
        return not cycle.bitfield & ONLY_FROM_DEFAULT or motion == self.substate or self.substate == default

    def _enter(self, motion: int, cycle: Motion, speed: float, default: int, stop_modifiers: bool) -> None:
        sequence = self.sequence
        same_sign = (speed < 0.0) == (self.speed < 0.0)
        if motion == self.substate and not stop_modifiers and same_sign and (sequence.nodes or speed == self.speed):
            if speed != self.speed:
                self._change_speed(cycle, speed)
            return
        if cycle.bitfield & CLEARS_MODIFIERS:
            self.modifiers = []
        sequence.clear_physics()
        sequence.remove_cyclic_animations()
        self._append_links(motion, speed, default, same_sign)
        self._append_cycle(motion, speed)
        if len(sequence.nodes) > MOST_NODES:
            sequence.remove_link_animations()
        if self.substate != motion and self.substate & MODIFIER_CLASS and default != motion:
            self._add_modifier(self.substate, self.speed)
        self.speed = speed
        self.substate = motion
        self._modify_again()

    def _change_speed(self, cycle: Motion, speed: float) -> None:
        self.sequence.set_cyclic_speed(speed)
        self.sequence.add_physics(cycle, -self.speed)
        self.sequence.add_physics(cycle, speed)
        self.speed = speed

    def _append_links(self, motion: int, speed: float, default: int, same_sign: bool) -> None:
        """The way there: of its own, or by the default state."""
        if self._append_link(self.substate, self.speed, motion, speed, speed, same_sign):
            return
        self._append_link(self.substate, self.speed, default, 1.0, self.speed, True)
        self._append_link(default, 1.0, motion, speed, speed, True)

    def _append_link(
        self, start: int, start_speed: float, motion: int, speed: float, played_at: float, wanted: bool
    ) -> bool:
        """`get_link`: backwards, the way from there to here is played."""
        backwards = speed < 0.0 or start_speed < 0.0
        outer, command = (motion, start) if backwards else (start, motion)
        link = self.table.link(self.style, outer, command) if wanted else None
        if link is None:
            return False
        self.sequence.append(link, played_at, FROM_LINK, motion_key(self.style, outer), command)
        return True

    def _append_cycle(self, motion: int, speed: float) -> None:
        cycle = self.table.cycle(self.style, motion)
        if cycle is not None:
            self.sequence.append(cycle, speed, FROM_CYCLE, motion_key(self.style, motion), 0)

    # --- modifiers

    def _modifier(self, motion: int) -> Motion | None:
        modifiers = self.table.modifiers
        found = modifiers.get(motion_key(self.style, motion))
        return found if found is not None else modifiers.get(motion_key(0, motion))

    def _modify(self, motion: int, speed: float) -> bool:
        cycle = self.table.cycle(self.style, self.substate)
        found = self._modifier(motion)
        if cycle is None or cycle.bitfield & CLEARS_MODIFIERS or found is None:
            return False
        for modifier in self.modifiers:
            if modifier.motion == motion and modifier.speed == speed:
                return True
        if not self._add_modifier(motion, speed):
            self.stop_motion(motion)
            if not self._add_modifier(motion, speed):
                return False
        self.sequence.add_physics(found, speed)
        return True

    def _add_modifier(self, motion: int, speed: float) -> bool:
        for modifier in self.modifiers:
            if modifier.motion == motion:
                return False
        self.modifiers.insert(0, Modifier(motion, speed))
        return True

    def _modify_again(self) -> None:
        """`re_modify`: a new cycle has a velocity of its own, to which the modifiers are added once more."""
        waiting = self.modifiers
        self.modifiers = []
        for modifier in waiting:
            self._do_motion(modifier.motion, modifier.speed, False)

    # --- state

    def visit(self, io: StateIO) -> None:
        self.style = io.integer("style", self.style)
        self.substate = io.integer("substate", self.substate)
        self.speed = io.real("substate_speed", self.speed)
        count = io.count("modifiers", len(self.modifiers))
        if io.reading:
            self.modifiers = [Modifier(0, 0.0) for _ in range(count)]
        for modifier in self.modifiers:
            modifier.motion = io.integer("modifier", modifier.motion)
            modifier.speed = io.real("modifier_speed", modifier.speed)
        sequence = self.sequence
        count = io.count("nodes", len(sequence.nodes))
        if io.reading:
            sequence.nodes = [self._read_node(io) for _ in range(count)]
        else:
            for node in sequence.nodes:
                io.integer("source", node.source)
                io.integer("key", node.key)
                io.integer("command", node.command)
                io.integer("index", node.index)
                io.real("framerate", node.framerate)
        sequence.current = io.integer("current", sequence.current)
        sequence.first_cyclic = io.integer("first_cyclic", sequence.first_cyclic)
        sequence.frame = io.real("frame", sequence.frame)
        sequence.velocity = io.vec("motion_velocity", sequence.velocity)
        sequence.omega = io.vec("motion_omega", sequence.omega)
        if io.reading and not self._can_be():
            raise PhysicsError("the saved state plays an animation that is none")

    def _can_be(self) -> bool:
        """Check a sequence that was read from a file: its frames exist, and its speeds come to an end."""
        sequence = self.sequence
        speeds = [self.speed, *sequence.velocity, *sequence.omega]
        speeds += [node.framerate for node in sequence.nodes] + [modifier.speed for modifier in self.modifiers]
        if not all(abs(speed) <= FASTEST for speed in speeds):
            return False
        count = len(sequence.nodes)
        if count == 0:
            return sequence.current == -1 and sequence.first_cyclic == -1
        if not (0 <= sequence.current < count and 0 <= sequence.first_cyclic < count):
            return False
        stretch = sequence.nodes[sequence.current].stretch
        return float(stretch.low) <= sequence.frame <= float(stretch.high + 1)

    def _read_node(self, io: StateIO) -> SequenceNode:
        source = io.integer("source", 0)
        key = io.integer("key", 0)
        command = io.integer("command", 0)
        index = io.integer("index", 0)
        framerate = io.real("framerate", 0.0)
        table = self.table
        motion = table.cycles.get(key)
        if source == FROM_LINK:
            motion = table.link_of(self.style, key, command)
        if motion is None or not 0 <= index < len(motion.stretches):
            raise PhysicsError("the saved state plays a motion that this world's motion table does not have")
        return SequenceNode(motion.stretches[index], framerate, source, key, command, index)


def moves_by_itself(table: MotionTable) -> bool:
    """Whether the table's default state moves or turns a body; bodies that only stand cost nothing."""
    cycle = table.cycle(table.default_style, table.default_substate(table.default_style))
    if cycle is None:
        return False
    if cycle.velocity != ZERO or cycle.omega != ZERO:
        return True
    for stretch in cycle.stretches:
        for frame in stretch.animation.position_frames[stretch.low : stretch.high + 1]:
            if frame.origin != ZERO or frame.rotation != IDENTITY:
                return True
    return False
