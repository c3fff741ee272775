"""Writes a body's moves in the capture form, one line a sweep (physics.md 12.1).

    stream = StringIO()
    sim.watch(sim.player.id, CaptureWriter(stream, sim.player.steered))

The positions are in the frame of the landblock in which the first move began, as in captures that clients make.
"""

from __future__ import annotations

from typing import Final, TextIO

from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, ZERO, Vec3
from engine.physics.body import Body
from engine.physics.flags import (
    OI_CONTACT,
    OI_FREE_ROTATE,
    OI_ON_WALKABLE,
    TS_CONTACT,
    TS_ON_WALKABLE,
    TS_WATER_CONTACT,
)
from engine.physics.resolve import ResolveBody, resolve_spheres
from engine.physics.sweep.collision_info import NO_PLANE
from engine.physics.sweep.trace import SweepObserver
from engine.physics.sweep.transition import Transition
from engine.sim.captures.form import CaptureBody, CaptureInput, CaptureRecord, CaptureResult, record_text
from engine.sim.captures.frame import CaptureFrame

MILLISECONDS: Final = 1000.0 / 30.0
"""Of a tick; no clock is read."""

_NOT_THE_MOVERS: Final = OI_CONTACT | OI_ON_WALKABLE | OI_FREE_ROTATE
"""The contact is the body's in this form, and nobody turns."""


class CaptureWriter(SweepObserver):
    """An observer that writes each finished move of one body. Placements are no moves and are left out."""

    def __init__(self, stream: TextIO, body: Body) -> None:
        self.count = 0
        self.tick = 0
        """The tick number of the next record; a caller that counts ticks may set it before each."""
        self._stream = stream
        self._body = body
        self._frame: CaptureFrame | None = None
        self._input: CaptureInput | None = None
        self._before: CaptureBody | None = None

    # --- what it hears

    def sweep_begins(self, tr: Transition) -> None:
        begin, sp, oi = tr.sp.begin, tr.sp, tr.oi
        self._input = None
        if begin is None or oi.mover_id != self._body.id:
            return
        if self._frame is None:
            self._frame = CaptureFrame(begin.cell_id)
        frame = self._frame
        swept = [sp.local0, sp.local1][: sp.num_sphere]
        height = swept[-1].center[2] + sp.local0.radius
        target = frame.out_of(sp.end.cell_id, sp.end.origin)
        self._input = CaptureInput(
            frame.out_of(begin.cell_id, begin.origin),
            target,
            begin.cell_id,
            sp.local0.radius,
            height,
            oi.step_up_height,
            oi.step_down_height,
            (self._body.transient & TS_ON_WALKABLE) != 0,
            oi.state & ~_NOT_THE_MOVERS,
            oi.mover_id,
            _told_apart(swept, height),
        )
        self._before = self._body_now(frame, target)

    def move_ends(self, tr: Transition, done: bool) -> None:
        given, frame = self._input, self._frame
        if given is None or frame is None or tr.oi.mover_id != self._body.id:
            return
        self._input = None
        sp, ci = tr.sp, tr.ci
        result = CaptureResult(
            frame.out_of(sp.curr.cell_id, sp.curr.origin),
            sp.curr.cell_id,
            ci.contact_plane_valid or (tr.oi.state & OI_ON_WALKABLE) != 0,
            ci.collision_normal_valid,
            ci.collision_normal,
        )
        when = float(round(self.tick * MILLISECONDS))
        after = self._body_now(frame, given.target)
        self._stream.write(record_text(CaptureRecord(self.tick, when, given, self._before, result, after)) + "\n")
        self.count += 1
        self.tick += 1

    # --- forms

    def _body_now(self, frame: CaptureFrame, position: Vec3) -> CaptureBody:
        """The body as a resolve would have to find it: a contact plane it is not in touch with is none (5.3)."""
        body = self._body
        ts = body.transient
        resolved = body if isinstance(body, ResolveBody) else None
        touching = (ts & TS_CONTACT) != 0 or (resolved is not None and body.contact_plane.normal != ZERO)
        plane = NO_PLANE
        if touching:
            plane = frame.plane_out_of(body.contact_plane_cell_id or body.place.cell_id, body.contact_plane)
        walkable = resolved.walkable if resolved is not None else None
        corners = None if walkable is None else [frame.out_of(body.place.cell_id, c) for c in walkable.vertices]
        return CaptureBody(
            position,
            body.place.turn.rotation,
            body.velocity,
            body.acceleration,
            body.omega,
            plane.normal if touching else UP,
            body.sliding_normal,
            touching,
            plane,
            body.contact_plane_cell_id if touching else 0,
            touching and (ts & TS_WATER_CONTACT) != 0,
            corners is not None,
            NO_PLANE if walkable is None else frame.plane_out_of(body.place.cell_id, walkable.plane),
            None if corners is None else tuple(corners),
            UP if resolved is None else resolved.walkable_up,
            body.elasticity,
            body.friction,
            body.state,
            ts,
        )


def _told_apart(swept: list[Sphere], height: float) -> tuple[tuple[Vec3, float], ...]:
    """The spheres that were swept, unless radius and height say the same."""
    stated = resolve_spheres(swept[0].radius, height)
    if [(s.center, s.radius) for s in stated] == [(s.center, s.radius) for s in swept]:
        return ()
    return tuple((s.center, s.radius) for s in swept)
