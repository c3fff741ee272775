"""The changing state of the steered body, taken and put back without text: what a search remembers of a place.

It is what `visit_body` and `visit_motion` go through, but for what only edits change (sizes, skills) and for the keys,
which every move sets anew before anything reads them.
"""

from __future__ import annotations

from typing import Final

from engine.entities.bodies import PlayerBody
from engine.entities.motion_table import Modifier
from engine.entities.sequence import SequenceNode
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.vec import ZERO, Vec3
from engine.physics.place import Place
from engine.physics.sweep.collision_info import NO_PLANE
from engine.world.cells.cell import ObjCell

NO_MODIFIERS: Final[list[Modifier]] = []
NO_NODES: Final[list[SequenceNode]] = []
NO_RATES: Final[list[float]] = []
NOT_TURNED: Final = Frame()
"""Shared, and never changed: hundreds of thousands of states wait, and the collector goes through all their lists."""


class SavedBody:
    """One state of a body. The parts that never change are shared with it."""

    cell: ObjCell | None
    cell_id: int
    origin: Vec3
    turn: Frame
    held: Place | None
    state: int
    transient: int
    velocity: Vec3
    acceleration: Vec3
    omega: Vec3
    cached_velocity: Vec3
    contact_plane: Plane
    contact_plane_cell_id: int
    sliding_normal: Vec3
    colliding_with_environment: bool
    charging: bool
    charge: float
    jump_extent: float
    standing_long_jump: bool
    style: int
    substate: int
    speed: float
    modifiers: list[Modifier]
    nodes: list[SequenceNode]
    rates: list[float]
    current: int
    first_cyclic: int
    frame: float
    motion_velocity: Vec3
    motion_omega: Vec3

    def __init__(self) -> None:
        self.cell = None
        self.cell_id = 0
        self.origin = ZERO
        self.turn = NOT_TURNED
        self.held = None
        self.state = 0
        self.transient = 0
        self.velocity = ZERO
        self.acceleration = ZERO
        self.omega = ZERO
        self.cached_velocity = ZERO
        self.contact_plane = NO_PLANE
        self.contact_plane_cell_id = 0
        self.sliding_normal = ZERO
        self.colliding_with_environment = False
        self.charging = False
        self.charge = 0.0
        self.jump_extent = 0.0
        self.standing_long_jump = False
        self.style = 0
        self.substate = 0
        self.speed = 1.0
        self.modifiers = NO_MODIFIERS
        self.nodes = NO_NODES
        self.rates = NO_RATES
        self.current = -1
        self.first_cyclic = -1
        self.frame = 0.0
        self.motion_velocity = ZERO
        self.motion_omega = ZERO


def saved(body: PlayerBody, like: SavedBody | None = None) -> SavedBody:
    """The body as it is now; it shares with another state the animations that play in both, which nothing changes."""
    made = SavedBody()
    place = body.place
    made.cell = body.cell
    made.cell_id = place.cell_id
    made.origin = place.origin
    made.turn = place.turn
    made.held = None if body.held is None else body.held.copy()
    made.state = body.state
    made.transient = body.transient
    made.velocity = body.velocity
    made.acceleration = body.acceleration
    made.omega = body.omega
    made.cached_velocity = body.cached_velocity
    made.contact_plane = body.contact_plane
    made.contact_plane_cell_id = body.contact_plane_cell_id
    made.sliding_normal = body.sliding_normal
    made.colliding_with_environment = body.colliding_with_environment
    made.charging = body.charging
    made.charge = body.charge
    interp = body.interp
    made.jump_extent = interp.jump_extent
    made.standing_long_jump = interp.standing_long_jump
    performer = interp.performer
    made.style = performer.style
    made.substate = performer.substate
    made.speed = performer.speed
    if performer.modifiers:
        made.modifiers = [Modifier(each.motion, each.speed) for each in performer.modifiers]
    sequence = performer.sequence
    if like is not None and _plays_the_same(sequence.nodes, like):
        made.nodes = like.nodes
        made.rates = like.rates
    else:
        made.nodes = sequence.nodes.copy()
        made.rates = [node.framerate for node in made.nodes]
    made.current = sequence.current
    made.first_cyclic = sequence.first_cyclic
    made.frame = sequence.frame
    made.motion_velocity = sequence.velocity
    made.motion_omega = sequence.omega
    return made


def _plays_the_same(nodes: list[SequenceNode], like: SavedBody) -> bool:
    known = like.nodes
    if len(nodes) != len(known):
        return False
    for index in range(len(nodes)):
        node = nodes[index]
        if node is not known[index] or node.framerate != like.rates[index]:
            return False
    return True


def put_back(body: PlayerBody, state: SavedBody) -> None:
    """Make the body as it was. A node's speed is all of it that ever changes, so the nodes themselves are shared."""
    cell = state.cell
    if cell is not body.cell:
        body.leave_cell()
        if cell is not None:
            cell.object_list.append(body.id)
        body.cell = cell
    place = body.place
    place.cell_id = state.cell_id
    place.origin = state.origin
    place.turn = state.turn
    body.held = None if state.held is None else state.held.copy()
    body.last_transition = None
    body.state = state.state
    body.transient = state.transient
    body.velocity = state.velocity
    body.acceleration = state.acceleration
    body.omega = state.omega
    body.cached_velocity = state.cached_velocity
    body.contact_plane = state.contact_plane
    body.contact_plane_cell_id = state.contact_plane_cell_id
    body.sliding_normal = state.sliding_normal
    body.colliding_with_environment = state.colliding_with_environment
    body.charging = state.charging
    body.charge = state.charge
    interp = body.interp
    interp.jump_extent = state.jump_extent
    interp.standing_long_jump = state.standing_long_jump
    performer = interp.performer
    performer.style = state.style
    performer.substate = state.substate
    performer.speed = state.speed
    if performer.modifiers or state.modifiers:
        performer.modifiers = [Modifier(each.motion, each.speed) for each in state.modifiers]
    sequence = performer.sequence
    nodes = state.nodes.copy()
    rates = state.rates
    for index in range(len(nodes)):
        nodes[index].framerate = rates[index]
    sequence.nodes = nodes
    sequence.current = state.current
    sequence.first_cyclic = state.first_cyclic
    sequence.frame = state.frame
    sequence.velocity = state.motion_velocity
    sequence.omega = state.motion_omega
