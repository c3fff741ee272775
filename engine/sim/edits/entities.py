"""Edits of entities and static things: adding, removing, moving and scaling them, and their PhysicsState."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.entities.door import Door
from engine.entities.footing import let_fall
from engine.entities.specs import pack_spec, unpack_spec
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import ZERO, r24v
from engine.physics.errors import PhysicsError
from engine.physics.flags import HIDDEN, IGNORE_COLLISIONS, REPORT_COLLISIONS, assigned_state
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetDoorTimer, SetResetInterval
from engine.sim.edits.edit import Edit
from engine.sim.edits.placing import check_finite, place_again
from engine.world.cells.ids import cell_text
from engine.world.entity_spec import EntitySpec

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation

_STATE_BITS: Final = 0xFFFFFFFF


@dataclass(frozen=True)
class SetVelocity(Edit):
    """Push a body: the player's, or that of any entity that can move."""

    entity_id: int
    x: float
    y: float
    z: float

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.entity_id)
        body = sim.population.entity(self.entity_id).body
        if body is None:
            raise PhysicsError(f"{cell_text(self.entity_id)} cannot move")
        check_finite((self.x, self.y, self.z), 0.0)
        body.set_velocity(r24v((self.x, self.y, self.z)))

    def inverse(self, sim: Simulation) -> list[Edit]:
        body = sim.population.entity(self.entity_id).body
        if body is None:
            return []
        x, y, z = body.velocity
        return [SetVelocity(self.entity_id, x, y, z)]


@dataclass(frozen=True)
class SetState(Edit):
    """Give an entity, a static thing or the player new PhysicsState bits, as the server's SetState does (9.3)."""

    entity_id: int
    state: int

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.entity_id)
        sim.population.set_state(self.entity_id, self.state & _STATE_BITS)
        let_fall(sim.population.bodies)

    def inverse(self, sim: Simulation) -> list[Edit]:
        before = sim.population.state_of(self.entity_id)
        return _restore_bits(self.entity_id, before, assigned_state(before, self.state))

    def normalized(self) -> Edit:
        return SetState(self.entity_id, self.state & _STATE_BITS)


@dataclass(frozen=True)
class SetStateBits(Edit):
    """Switch some of the PhysicsState bits on or off."""

    entity_id: int
    bits: int
    on: bool

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.entity_id)
        sim.population.set_state(self.entity_id, self._wanted(sim.population.state_of(self.entity_id)))
        let_fall(sim.population.bodies)

    def inverse(self, sim: Simulation) -> list[Edit]:
        before = sim.population.state_of(self.entity_id)
        return _restore_bits(self.entity_id, before, assigned_state(before, self._wanted(before)))

    def normalized(self) -> Edit:
        return SetStateBits(self.entity_id, self.bits & _STATE_BITS, self.on)

    def _wanted(self, state: int) -> int:
        bits = self.bits & _STATE_BITS
        return state | bits if self.on else state & ~bits


@dataclass(frozen=True)
class MoveEntity(Edit):
    """Put an entity or a static thing upright somewhere else, through walls if need be."""

    entity_id: int
    cell_id: int
    x: float
    y: float
    z: float
    heading: float

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.entity_id)
        origin = (self.x, self.y, self.z)
        check_finite(origin, self.heading)
        sim.population.move(self.entity_id, self.cell_id, origin, Frame(ZERO, from_heading(self.heading)))
        let_fall(sim.population.bodies)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return place_again(sim, self.entity_id)


@dataclass(frozen=True)
class AddEntity(Edit):
    """Put a new entity into the world; `spec` as `spec_text` writes it."""

    spec: str

    @property
    def entity_id(self) -> int:
        return unpack_spec(self.spec.encode()).guid

    def apply(self, sim: Simulation) -> None:
        wanted = unpack_spec(self.spec.encode())
        listed = sim.world.entity_spec(wanted.guid)
        if listed is not None and not sim.surroundings.has(listed.cell_id):
            raise PhysicsError(f"there is an entity {cell_text(wanted.guid)} already, in a landblock that is not open")
        if sim.population.add(wanted) is None:
            fault = sim.population.faults.pop()
            raise PhysicsError(fault.reason)
        sim.watchers.attach()

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [RemoveEntity(self.entity_id)]


@dataclass(frozen=True)
class RemoveEntity(Edit):
    """Take an entity or a static thing out of the world."""

    entity_id: int

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.entity_id)
        sim.population.remove(self.entity_id)
        let_fall(sim.population.bodies)

    def inverse(self, sim: Simulation) -> list[Edit]:
        """The entity as it was added, then what has become of it until now."""
        if self.entity_id in sim.population.statics.things:
            return _restore_static(sim, self.entity_id)
        entity = sim.population.entity(self.entity_id)
        spec = unpack_spec(entity.spec)
        edits: list[Edit] = [AddEntity(spec_text(spec))]
        edits += place_again(sim, entity.id)
        edits += state_edits(entity.id, spec.state, sim.population.state_of(entity.id))
        if isinstance(entity, Door):
            edits += _restore_door(entity)
        elif entity.body is not None:
            x, y, z = entity.body.velocity
            edits.append(SetVelocity(entity.id, x, y, z))
        return edits


@dataclass(frozen=True)
class RestoreStatic(Edit):
    """Put a static thing that was removed back where its record has it."""

    static_id: int

    def apply(self, sim: Simulation) -> None:
        sim.population.restore_static(self.static_id)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [RemoveEntity(self.static_id)]


@dataclass(frozen=True)
class SetScale(Edit):
    """Scale an entity: what is drawn, what others collide with, and what it sweeps with itself."""

    entity_id: int
    scale: float

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.entity_id)
        sim.population.set_scale(self.entity_id, self.scale + 0.0)
        let_fall(sim.population.bodies)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [SetScale(self.entity_id, sim.population.entity(self.entity_id).scale)]


def spec_text(spec: EntitySpec) -> str:
    """An entity's specification as `AddEntity` takes it."""
    return pack_spec(spec).decode()


def state_edits(entity_id: int, now: int, wanted: int) -> list[Edit]:
    """The edits that set exactly these bits: other bits follow HIDDEN where it changes, and have to be set again."""
    edit = SetState(entity_id, wanted)
    return [edit] if assigned_state(now, wanted) == wanted else [edit, edit]


def _restore_bits(entity_id: int, before: int, after: int) -> list[Edit]:
    """Only the bits that change: time may switch a door's ethereal bit meanwhile."""
    changed = before ^ after
    pairs = [(changed & before, True), (changed & ~before, False)]
    if changed & HIDDEN:  # first, for other bits follow it
        others = (changed & ~HIDDEN) | REPORT_COLLISIONS | IGNORE_COLLISIONS
        pairs = [(HIDDEN, before & HIDDEN != 0), (others & before, True), (others & ~before, False)]
    return [SetStateBits(entity_id, bits, on) for bits, on in pairs if bits]


def _restore_static(sim: Simulation, static_id: int) -> list[Edit]:
    """A static thing as its record has it, and only what was changed of that."""
    statics, entry = sim.population.statics, sim.population.registry.entity(static_id)
    edits: list[Edit] = [RestoreStatic(static_id)]
    recorded = statics.recorded(static_id)
    here = (entry.cell_id, entry.frame.origin, entry.frame.rotation)
    if recorded is None or here != (statics.home_of(static_id), recorded.frame.origin, recorded.frame.rotation):
        edits += place_again(sim, static_id)
    edits.append(SetState(static_id, entry.obj.state))
    return edits


def _restore_door(door: Door) -> list[Edit]:
    edits: list[Edit] = [
        LockDoor(door.id, door.locked),
        SetResetInterval(door.id, door.reset_interval),
        SetDoorTimer(door.id, door.reset_at),
    ]
    if door.is_open != door.default_open:
        edits.append(OpenDoor(door.id) if door.is_open else CloseDoor(door.id))
    return edits
