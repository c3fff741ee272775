"""The animations that play on a body, and how they move it: the client's CSequence (physics.md #4).

A body moves by whole frames of its animations: `lump` by lump, each as far as the sequence's velocity goes in one
frame's time. A tick in which no frame begins or ends does not move it at all.
"""

from __future__ import annotations

import math
from typing import Final

from engine.geometry.constants import EPSILON
from engine.geometry.frame import Frame, combine
from engine.geometry.quat import conjugate, multiply
from engine.geometry.vec import ZERO, Vec3
from engine.world.cells.motion import Motion, Stretch

UNTURNED: Final = Frame()

FROM_CYCLE: Final = 0
FROM_LINK: Final = 1


class SequenceNode:
    """A stretch of an animation at a speed. `source`, `key`, `command`, `index` say where in a motion table it is."""

    stretch: Stretch
    framerate: float
    source: int
    key: int
    command: int
    index: int

    def __init__(self, stretch: Stretch, framerate: float, source: int, key: int, command: int, index: int) -> None:
        self.stretch = stretch
        self.framerate = framerate
        self.source = source
        self.key = key
        self.command = command
        self.index = index

    def starting_frame(self) -> float:
        stretch = self.stretch
        return float(stretch.low) if self.framerate >= 0.0 else float(stretch.high + 1) - EPSILON

    def ending_frame(self) -> float:
        stretch = self.stretch
        return float(stretch.high + 1) - EPSILON if self.framerate >= 0.0 else float(stretch.low)


class Sequence:
    """The nodes that play in turn; those from `first_cyclic` on repeat. `velocity` and `omega` are local.

    `moved` and `turned` are what the last `update` came to, in the space that the body had before it.
    """

    nodes: list[SequenceNode]
    current: int
    first_cyclic: int
    frame: float
    velocity: Vec3
    omega: Vec3
    moved: Vec3
    turned: Frame

    def __init__(self) -> None:
        self.nodes = []
        self.current = -1
        self.first_cyclic = -1
        self.frame = 0.0
        self.velocity = ZERO
        self.omega = ZERO
        self.moved = ZERO
        self.turned = UNTURNED

    # --- what plays

    def clear_animations(self) -> None:
        self.nodes = []
        self.current = -1
        self.first_cyclic = -1
        self.frame = 0.0

    def clear_physics(self) -> None:
        self.velocity = ZERO
        self.omega = ZERO

    def append(self, motion: Motion, speed: float, source: int, key: int, command: int) -> None:
        """`add_motion`: its stretches behind all others, at that speed; velocity and omega are the motion's from now
        on."""
        x, y, z = motion.velocity
        self.velocity = (x * speed, y * speed, z * speed)
        x, y, z = motion.omega
        self.omega = (x * speed, y * speed, z * speed)
        for index in range(len(motion.stretches)):
            stretch = motion.stretches[index]
            if not stretch.animation.frames:
                continue
            self.nodes.append(SequenceNode(stretch, stretch.framerate * speed, source, key, command, index))
            self.first_cyclic = len(self.nodes) - 1
            if self.current < 0:
                self.current = 0
                self.frame = self.nodes[0].starting_frame()

    def add_physics(self, motion: Motion, speed: float) -> None:
        """`combine_motion`, and with a negative speed `subtract_motion`."""
        x, y, z = self.velocity
        mx, my, mz = motion.velocity
        self.velocity = (x + mx * speed, y + my * speed, z + mz * speed)
        x, y, z = self.omega
        mx, my, mz = motion.omega
        self.omega = (x + mx * speed, y + my * speed, z + mz * speed)

    def remove_cyclic_animations(self) -> None:
        """Remove the repeating nodes; the nodes before them still play."""
        if self.first_cyclic < 0:
            return
        if self.current >= self.first_cyclic:
            self.current = self.first_cyclic - 1
            self.frame = 0.0 if self.current < 0 else self.nodes[self.current].ending_frame()
        del self.nodes[self.first_cyclic :]
        self.first_cyclic = len(self.nodes) - 1

    def remove_link_animations(self) -> None:
        """Remove the nodes before the repeating ones."""
        count = self.first_cyclic
        if count <= 0:
            return
        del self.nodes[:count]
        self.first_cyclic = 0
        self.current -= count
        if self.current < 0:
            self.current = 0
            self.frame = self.nodes[0].starting_frame()

    def set_cyclic_speed(self, speed: float) -> None:
        """Change the speed of the repeating nodes. The client multiplies by the new speed over the old one, which
        for keys that are hardly pressed at first is not what they come to."""
        if self.first_cyclic < 0:
            return
        for index in range(self.first_cyclic, len(self.nodes)):
            node = self.nodes[index]
            node.framerate = node.stretch.framerate * speed

    # --- playing it

    def update(self, quantum: float) -> None:
        """Play for a quantum; `moved` and `turned` are what it comes to."""
        self.moved = (0.0, 0.0, 0.0)
        self.turned = UNTURNED
        if self.current < 0:
            self._apply(quantum)
            return
        left = quantum
        while True:
            node = self.nodes[self.current]
            rate = node.framerate
            low = node.stretch.low
            high = node.stretch.high
            step = rate * left
            k = math.floor(self.frame)
            self.frame += step
            rest = 0.0
            over = False
            if step > 0.0:
                if math.floor(self.frame) > high:
                    if abs(rate) > EPSILON:
                        rest = max(0.0, self.frame - float(high) - 1.0) / rate
                    self.frame = float(high)
                    over = True
                end = math.floor(self.frame)
                while k < end:
                    self._lump(node, k, True)
                    k += 1
            elif step < 0.0:
                if math.floor(self.frame) < low:
                    if abs(rate) > EPSILON:
                        rest = min(0.0, self.frame - float(low)) / rate
                    self.frame = float(low)
                    over = True
                end = math.floor(self.frame)
                while k > end:
                    self._lump(node, k, False)
                    k -= 1
            else:
                if abs(left) > EPSILON:
                    self._apply(left)
                return
            if not over:
                break
            left = rest
            self._next_node(node)
        self._drop_what_has_played()

    def _next_node(self, node: SequenceNode) -> None:
        if node.framerate < 0.0:
            self._lump(node, math.floor(self.frame), False)  # the frame left behind
        self.current += 1
        if self.current >= len(self.nodes):
            self.current = self.first_cyclic
        entered = self.nodes[self.current]
        self.frame = entered.starting_frame()
        if entered.framerate > 0.0:
            self._lump(entered, math.floor(self.frame), True)

    def _drop_what_has_played(self) -> None:
        count = min(self.current, self.first_cyclic)
        if count > 0:
            del self.nodes[:count]
            self.current -= count
            self.first_cyclic -= count

    def _lump(self, node: SequenceNode, k: int, forward: bool) -> None:
        """One frame's share: the displacement that the animation has for it, and one frame's time of the velocity."""
        moves = node.stretch.animation.position_frames
        if 0 <= k < len(moves):
            so_far = Frame(self.moved, self.turned.rotation)
            if forward:
                so_far = combine(so_far, moves[k])
            else:
                turned = multiply(so_far.rotation, conjugate(moves[k].rotation))
                x, y, z = Frame(ZERO, turned).local_to_global_vec(moves[k].origin)
                mx, my, mz = so_far.origin
                so_far = Frame((mx - x, my - y, mz - z), turned)
            self.moved = so_far.origin
            self.turned = Frame(ZERO, so_far.rotation)
        rate = abs(node.framerate)
        if rate > EPSILON:
            self._apply(1.0 / rate)

    def _apply(self, seconds: float) -> None:
        """Add the velocities plainly: the rotation so far does not rotate them."""
        vx, vy, vz = self.velocity
        x, y, z = self.moved
        self.moved = (x + vx * seconds, y + vy * seconds, z + vz * seconds)
        wx, wy, wz = self.omega
        if wx != 0.0 or wy != 0.0 or wz != 0.0:
            self.turned = self.turned.rotate((wx * seconds, wy * seconds, wz * seconds))
