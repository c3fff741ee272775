"""The doors of the running world as rows: the state of each, its countdown, and the edits for it (physics.md 9)."""

from __future__ import annotations

from typing import Final

from editor.models.doors_ahead import too_far
from editor.models.live_table import ACCEPTED, ADJUSTED, DIM, FAULT, Column, Row, Value, number
from editor.session.session import Kind, Selection
from engine.entities.door import NEVER, TICKS_PER_SECOND, Door
from engine.physics.flags import ETHEREAL
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, UseDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import SetStateBits
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text, landblock_id

NAME, STATE, COLLISION, LOCK, RESETS_IN, INTERVAL, CELL, ID = range(8)

COLUMNS: Final = (
    Column("Door"),
    Column("State", sample="held open"),
    Column("Collision", tip="Whether its ETHEREAL bit lets bodies through now", sample="✓ passable"),
    Column("Lock", sample="locked"),
    Column("Resets In", mono=True, right=True, tip="Seconds until it returns to its default"),
    Column(
        "Interval",
        mono=True,
        right=True,
        tip="Seconds from the last use to the reset",
        sample="300.0",
    ),
    Column("Cell", mono=True),
    Column("Id", mono=True),
)


def state_of(door: Door) -> str:
    """The state of a door in a word."""
    if door.busy_until != NEVER:  # also after the motion's end, until the next tick settles it
        return "opening" if door.is_open else "closing"
    if door.held:
        return "held open"
    return "open" if door.is_open else "closed"


def is_passable(sim: Simulation, door: Door) -> bool:
    return sim.population.state_of(door.id) & ETHEREAL != 0


def countdown(sim: Simulation, door: Door) -> float | None:
    """Seconds until it returns to its default by itself; None when it does not."""
    return None if door.reset_at == NEVER else max(door.reset_at - sim.tick_number, 0) / TICKS_PER_SECOND


def door_rows(sim: Simulation) -> list[Row]:
    return [_row(sim, door) for door in sim.population.doors]


def _row(sim: Simulation, door: Door) -> Row:
    state = state_of(door)
    passable = is_passable(sim, door)
    left = countdown(sim, door)
    return Row(
        door.id,
        (
            Value(door.name),
            Value(state, tone="" if state == "closed" else ACCEPTED if state == "open" else ADJUSTED),
            Value("✓ passable", tone=ACCEPTED) if passable else Value("■ solid", tone=FAULT),
            Value("locked", tone=ADJUSTED) if door.locked else Value("–", "unlocked", DIM),
            Value("–", "", DIM) if left is None else Value(f"{left:.1f}", repr(left)),
            number(door.reset_interval, 1),
            Value(sim.world.names.cell_field(door.place_cell()), cell_text(door.place_cell())),
            Value(cell_text(door.id)),
        ),
        Selection(Kind.ENTITY, landblock_id(door.place_cell()), door.id),
    )


def use_name(door: Door) -> str:
    return f"{'Close' if door.is_open else 'Open'} {door.name}"


def use_door(sim: Simulation, door: Door) -> UseDoor:
    """Use it as the player would: it resets after its interval, and a lock matters."""
    return UseDoor(door.id, user_of(sim))


def user_of(sim: Simulation) -> int:
    """Who uses a door: the player, or nobody in particular while he is nowhere."""
    return 0 if sim.player.steered.cell is None else sim.player.id


def hold_name(door: Door) -> str:
    return f"Force Close {door.name}" if door.is_open else f"Hold {door.name} Open"


def hold_door(door: Door) -> Edit:
    """Open it and keep it open, or close it, even if it is locked; no reset follows."""
    return CloseDoor(door.id) if door.is_open else OpenDoor(door.id)


def lock_name(door: Door) -> str:
    return f"{'Unlock' if door.locked else 'Lock'} {door.name}"


def lock_door(door: Door) -> LockDoor:
    return LockDoor(door.id, not door.locked)


def why_not_use(sim: Simulation, door: Door) -> str:
    """The reason why using it now would do nothing; empty when it would do something."""
    if door.is_busy(sim.tick_number):
        return f"{door.name} is {state_of(door)}; wait until it stops."
    player = sim.player
    if door.locked and not door.is_behind(player.place_cell(), player.origin()):
        return f"{door.name} is locked and opens only from behind; the player stands in front of it."
    if door.is_open and door.only_opens:
        return f"{door.name} only opens; it closes by itself."
    return ""


def what_use_does(sim: Simulation, door: Door) -> str:
    """What using it now would come to, for a tooltip. The editor uses a door from anywhere, the player does not."""
    far = too_far(sim, door)
    if far:
        return f"Use it as if the player were near: {far} (Enter)"
    if door.locked and not door.is_open:
        return "Use it as the player would: he stands behind it, where the lock is not asked (Enter)"
    return "Use it as the player would (Enter)"


def ethereal_name(sim: Simulation, door: Door) -> str:
    return f"Make {door.name} {'Solid' if is_passable(sim, door) else 'Ethereal'}"


def ethereal_door(sim: Simulation, door: Door) -> SetStateBits:
    """Toggle the bit that lets bodies through, whatever the leaves do."""
    return SetStateBits(door.id, ETHEREAL, not is_passable(sim, door))
