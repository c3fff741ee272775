"""The changing state of bodies, of their movement and of shadow registrations, value by value (see `state_io`)."""

from __future__ import annotations

import math
from typing import Final

from engine.entities.motion_interp import MotionInterp, MotionState
from engine.entities.motion_table import MotionPerformer
from engine.entities.state_io import StateIO
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO
from engine.physics.body import Body
from engine.physics.errors import PhysicsError
from engine.physics.objects.shadows import Registration
from engine.physics.place import Place

HELD_SINCE: Final = 6
"""The version of saved states that tells where a cell held a lost body last."""


def visit_place(io: StateIO, place: Place) -> None:
    place.cell_id = io.integer("cell", place.cell_id)
    place.origin = io.vec("origin", place.origin)
    rotation = io.quat("rotation", place.turn.rotation)
    if io.reading:
        place.turn = Frame(ZERO, rotation)


def _visit_held(io: StateIO, body: Body) -> None:
    held = body.held
    if not io.flag("held", held is not None):
        body.held = None
        return
    if held is None:
        held = Place(0, ZERO, Frame())
    visit_place(io, held)
    body.held = held


def visit_body(io: StateIO, body: Body) -> None:
    """All of a body. Read back, it is in the cell that the graph has under that id now."""
    visit_place(io, body.place)
    inside = io.flag("in_cell", body.cell is not None)
    if io.reading:
        cell_id = body.place.cell_id
        cell = body.graph.get_visible(cell_id) if inside else None
        if cell is None:
            body.leave_cell()
        elif cell is not body.cell:
            body.change_cell(cell)
        body.place.cell_id = cell_id
        body.last_transition = None
    if io.version >= HELD_SINCE:
        _visit_held(io, body)
    count = io.count("spheres", len(body.spheres))
    if io.reading:
        body.spheres = [Sphere(ZERO, 0.0) for _ in range(count)]
    for sphere in body.spheres:
        sphere.center = io.vec("sphere", sphere.center)
        sphere.radius = io.real("sphere", sphere.radius)
    body.scale = io.real("scale", body.scale)
    body.step_up_height = io.real("step_up_height", body.step_up_height)
    body.step_down_height = io.real("step_down_height", body.step_down_height)
    body.state = io.integer("state", body.state)
    body.info_flags = io.integer("info_flags", body.info_flags)
    body.target_id = io.integer("target", body.target_id)
    body.transient = io.integer("transient", body.transient)
    body.velocity = io.vec("velocity", body.velocity)
    body.acceleration = io.vec("acceleration", body.acceleration)
    body.omega = io.vec("omega", body.omega)
    body.cached_velocity = io.vec("cached_velocity", body.cached_velocity)
    body.contact_plane = io.plane("contact_plane", body.contact_plane)
    body.contact_plane_cell_id = io.integer("contact_plane_cell", body.contact_plane_cell_id)
    body.sliding_normal = io.vec("sliding_normal", body.sliding_normal)
    body.elasticity = io.real("elasticity", body.elasticity)
    body.friction = io.real("friction", body.friction)
    body.colliding_with_environment = io.flag("colliding_with_environment", body.colliding_with_environment)


def visit_motion(io: StateIO, interp: MotionInterp) -> None:
    """The keys, the motions interpreted from them, and the skills."""
    _visit_motion_state(io, interp.raw)
    _visit_motion_state(io, interp.interpreted)
    interp.hold_key = io.integer("hold_key", interp.hold_key)
    interp.my_run_rate = io.real("my_run_rate", interp.my_run_rate)
    if io.version < 7:
        io.real("base_turn_speed", math.pi / 2.0)  # which every body had
    interp.jump_extent = io.real("jump_extent", interp.jump_extent)
    interp.standing_long_jump = io.flag("standing_long_jump", interp.standing_long_jump)
    weenie = interp.weenie
    if weenie is not None:
        weenie.run_skill = io.real("run_skill", weenie.run_skill)
        weenie.jump_skill = io.real("jump_skill", weenie.jump_skill)
        weenie.burden = io.real("burden", weenie.burden)
        weenie.stamina = io.real("stamina", weenie.stamina)
        weenie.player_killer = io.flag("player_killer", weenie.player_killer)
        weenie.pk_fight = io.real("pk_fight", weenie.pk_fight) if io.version >= 5 else 0.0


def visit_performer(io: StateIO, performer: MotionPerformer) -> None:
    """The animations that play; a body saved by a version without them stands still and starts afresh."""
    if io.version >= 7:
        performer.visit(io)
    elif io.reading:
        performer.set_default_state()


def _visit_motion_state(io: StateIO, state: MotionState) -> None:
    state.forward_command = io.integer("forward_command", state.forward_command)
    state.forward_speed = io.real("forward_speed", state.forward_speed)
    state.side_step_command = io.integer("side_step_command", state.side_step_command)
    state.side_step_speed = io.real("side_step_speed", state.side_step_speed)
    state.turn_command = io.integer("turn_command", state.turn_command)
    state.turn_speed = io.real("turn_speed", state.turn_speed)


def visit_registration(io: StateIO, entry: Registration) -> None:
    """A registration without its shapes. After reading, its rows have to be made and put into cells."""
    entry.obj.state = io.integer("state", entry.obj.state)
    entry.obj.flags = io.integer("flags", entry.obj.flags)
    entry.obj.parent_id = io.integer("parent", entry.obj.parent_id)
    entry.obj.target_id = io.integer("target", entry.obj.target_id)
    entry.cell_id = io.integer("rows_cell", entry.cell_id)
    origin = io.vec("rows_origin", entry.frame.origin)
    rotation = io.quat("rows_rotation", entry.frame.rotation)
    if io.reading:
        entry.frame = Frame(origin, rotation)
    entry.suspended = io.flag("suspended", entry.suspended)
    entry.cell_ids = io.integers("cells", entry.cell_ids)
    ca = entry.ca
    ids = io.integers("cell_array", ca.ids)
    gaps = io.integers("cell_array_gaps", ca.gaps)
    if io.reading:
        for gap in gaps:
            if not 0 <= gap < len(ids):
                raise PhysicsError("the saved state has a gap beyond a cell array's end")
        ca.ids = ids
        ca.cells = [None for _ in ids]  # until its rows are made: to ask for cells may load some, which look here
        ca.gaps = gaps
