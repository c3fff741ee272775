"""The kinds of bodies that are sent to a door, and how each is put before it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from engine.entities.commands import NON_COMBAT, READY
from engine.entities.door import Door
from engine.entities.entity import Entity
from engine.entities.human import WALK_SPEED, human_spheres
from engine.entities.player import setup_of_spheres
from engine.entities.specs import CREATURE
from engine.geometry.constants import DEFAULT_STATE
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, Vec3, r24v
from engine.physics.body import Body
from engine.physics.errors import PhysicsError
from engine.physics.flags import (
    ALIGN_PATH,
    ENTITY_HAS_WEENIE,
    ENTITY_IS_CREATURE,
    ETHEREAL,
    GRAVITY,
    INELASTIC,
    MISSILE,
    PATH_CLIPPED,
    REPORT_COLLISIONS,
)
from engine.physics.place import Place
from engine.physics.set_position import SP_OK, SP_PLACEMENT, SP_SLIDE, relabel_arrival, set_position
from engine.sim.edits.player import SetPlayerNumber
from engine.world.cells.motion import Motion, MotionTable, motion_key
from engine.world.cells.position import into_block

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation

MISSILE_RADIUS: Final = 0.1
MISSILE_SPEED: Final = 15.0
"""Metres, and metres a second. The specification has no numbers for missiles; ours, of an arrow's kind."""

NEAR: Final = 0.2
"""Metres by which the free place that is found may be off the one that was asked for."""

LIFTS: Final = (0.02, 0.3, 0.6, 1.0, 1.5)
"""Metres over the door's lower edge that are tried one after the other: the floor before a door may be higher."""

_FIRST_ID: Final = 0xFFFF0001
_CREATURE_STATE: Final = GRAVITY | REPORT_COLLISIONS
_MISSILE_STATE: Final = MISSILE | ALIGN_PATH | PATH_CLIPPED | INELASTIC | REPORT_COLLISIONS
_EVERYBODY: Final = ENTITY_HAS_WEENIE | ENTITY_IS_CREATURE


class Who(Enum):
    """The rows of the table; the values are how each is called."""

    PLAYER = "Player"
    PLAYER_KILLER = "Player killer"
    OPENER = "Creature that opens doors"
    CREATURE = "Creature that does not"
    MISSILE = "Missile"
    ETHEREAL = "Ethereal body"

    @property
    def is_player(self) -> bool:
        return self in (Who.PLAYER, Who.PLAYER_KILLER)


def remove_others(sim: Simulation, door: Door) -> None:
    """Take everybody out who moves, so that a trial is about the door alone. The player is in no cell, but his place
    is the door's: bodies far from him are not stepped (11.1)."""
    for entity in list(sim.population.movers):
        sim.population.remove(entity.id)
    player = sim.player
    sim.population.registry.deregister(player.id)
    player.steered.leave_cell()
    player.steered.held = None
    player.steered.place = Place(door.place_cell(), door.place_frame().origin, Frame())


def put_before(
    sim: Simulation, who: Who, cell_id: int, point: Vec3, heading: float, flight_height: float
) -> Body | None:
    """Put a body of that kind at a point of the landblock of `cell_id`, facing a heading; None without a free place.

    A missile starts `flight_height` metres higher.
    """
    for lift in LIFTS:
        x, y, z = point
        origin = (x, y, z + (max(flight_height, lift) if who is Who.MISSILE else lift))
        body = _make(sim, who, cell_id, origin, heading)
        if _place(sim, body, cell_id, origin, heading):
            if who is Who.MISSILE:
                body.set_velocity(r24v(body.place.turn.local_to_global_vec((0.0, MISSILE_SPEED, 0.0))))
            return body
        if not who.is_player:
            sim.population.remove(body.id)
    return None


def _make(sim: Simulation, who: Who, cell_id: int, origin: Vec3, heading: float) -> Body:
    player = sim.player
    if who.is_player:
        sim.apply_edit(SetPlayerNumber("pk", 1.0 if who is Who.PLAYER_KILLER else 0.0))
        for other in ("pklite", "impenetrable", "bypass"):
            sim.apply_edit(SetPlayerNumber(other, 0.0))
        steered = player.steered
        steered.state = DEFAULT_STATE
        steered.charging = False
        steered.transient = 0
        return steered
    spheres = human_spheres(player.radius, player.height)
    state = _CREATURE_STATE
    table: MotionTable | None = _walks_ahead()
    if who is Who.MISSILE:
        spheres, state, table = [Sphere(ZERO, MISSILE_RADIUS)], _MISSILE_STATE, None
    elif who is Who.ETHEREAL:
        state |= ETHEREAL
    flags = ENTITY_HAS_WEENIE if who is Who.MISSILE else _EVERYBODY
    frame = Frame(r24v(origin), from_heading(heading))
    setup = setup_of_spheres(spheres)
    setup.step_up_height = player.steered.step_up_height
    setup.step_down_height = player.steered.step_down_height
    made = Entity(_free_id(sim), who.value, CREATURE, setup, 1.0, flags, cell_id, frame)
    made.opens_doors = who is Who.OPENER
    return sim.population.add_made(made, state, table)


def _free_id(sim: Simulation) -> int:
    wanted = _FIRST_ID
    while sim.population.find(wanted) is not None:
        wanted += 1
    return wanted


def _walks_ahead() -> MotionTable:
    """A creature that walks where it looks, as one walks whose motion table says so."""
    walk = Motion([], (0.0, WALK_SPEED, 0.0), ZERO, 0)
    return MotionTable(0, NON_COMBAT, {NON_COMBAT: READY}, {motion_key(NON_COMBAT, READY): walk}, {}, {})


def _place(sim: Simulation, body: Body, cell_id: int, origin: Vec3, heading: float) -> bool:
    """Let it appear there, at rest; False where no cell or no room is."""
    wanted = Place(cell_id, r24v(origin), Frame(ZERO, from_heading(heading)))
    body.velocity = ZERO
    try:
        relabel_arrival(body, wanted)
    except PhysicsError:
        return False
    if set_position(body, wanted, SP_PLACEMENT | SP_SLIDE) != SP_OK or body.cell is None:
        return False
    found = into_block(cell_id, body.place.cell_id, body.place.origin)
    if max(abs(found[0] - origin[0]), abs(found[1] - origin[1])) > NEAR:
        return False
    if body is sim.player.steered:
        sim.population.register_player()
        sim.enter_cell(body.cell.id, body.cell.seen_outside)
    return True
