"""A small language for walks: keys, waits and changes, one command per line.

# from the street into the inn
forward 2s run            keys: forward, back, left, right (step aside), run; 2s or 60t (ticks)
turn left 90              degrees, by the turn key; `run` turns faster
face 270                  a compass heading, at once
jump 0.5 forward          charge half the power, with other keys held, and take off
land                      no keys until the feet are on the ground (10 s at most, or `land 3s`)
wait 30s
use 0x7A9B4015            the player uses a door; ids, or names in quotes: use "Inn Door"
open ID, close ID, lock ID, unlock ID
teleport 0xC95B0104,96,96,0,90     cell,x,y,z and a heading, or a place that the world has a name for
set run_skill 300         radius, height, sunk (foot below the origin), step_up, step_down, run_skill,
                       jump_skill, burden, stamina,
                       pk_fight (seconds that the last PK attack still counts)
state ID on 0x4           PhysicsState bits on or off
rules ace                 rule set; `rule edge_slide_order ace` flips one
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.entities.bodies import FULL_CHARGE
from engine.entities.door import TICKS_PER_SECOND
from engine.entities.motion_interp import RUN_TURN_FACTOR
from engine.entities.player import player_names
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.physics.rules import ACE, RETAIL, RULE_NAMES
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, UseDoor
from engine.sim.edits.entities import SetStateBits
from engine.sim.edits.player import FacePlayer, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import QUANTUM, Simulation
from engine.world.cells.ids import parse_cell_id
from engine.world.faults import WorldError

LANDING_LIMIT: Final = 10.0
MAX_SECONDS: Final = 24.0 * 3600.0

KEYS: Final = ("forward", "back", "left", "right", "run")


class ScriptError(WorldError):
    """A script that cannot be followed: file, line and reason."""


@dataclass(frozen=True)
class StartPlace:
    """A place to stand: feet and heading."""

    cell_id: int
    origin: Vec3
    heading: float = 0.0


@dataclass(frozen=True)
class Order:
    """One line of a script: `follow` does it, tick by tick."""

    line: int
    text: str
    follow: Callable[[Simulation], Iterator[TickReport]]


@dataclass(frozen=True)
class Script:
    """A script that has been read."""

    file: str
    orders: Sequence[Order]

    def run(self, sim: Simulation) -> Iterator[TickReport]:
        """Follow it, a report for every tick."""
        for order in self.orders:
            try:
                yield from order.follow(sim)
            except (PhysicsError, WorldError) as error:
                if isinstance(error, ScriptError):
                    raise
                raise ScriptError(f"{order.text!r}: {error}", self.file, f"line {order.line}") from error


def parse_script(text: str, file: str = "script", places: Mapping[str, StartPlace] | None = None) -> Script:
    """Read a script; `places` are the names that `teleport` knows."""
    orders: list[Order] = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            words = shlex.split(line, comments=True)
            if words:
                orders.append(Order(number, " ".join(words), _order(words, places or {})))
        except (ValueError, WorldError, PhysicsError) as error:
            reason = error.reason if isinstance(error, WorldError) else str(error)
            raise ScriptError(reason, file, f"line {number}") from error
    return Script(file, orders)


def parse_place(text: str, places: Mapping[str, StartPlace] | None = None) -> StartPlace:
    """A place by its name, or as CELL,X,Y,Z[,HEADING]."""
    if places and text in places:
        return places[text]
    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in (4, 5):
        known = f" (or {', '.join(list(places)[:4])}, ...)" if places else ""
        raise WorldError(f"{text!r} is not a place: write CELL,X,Y,Z or CELL,X,Y,Z,HEADING{known}")
    x, y, z, heading = (_number(part) for part in (*parts[1:], "0")[:4])
    return StartPlace(parse_cell_id(parts[0]), (x, y, z), heading)


Follow = Callable[[Simulation], Iterator[TickReport]]


def _order(words: list[str], places: Mapping[str, StartPlace]) -> Follow:
    name, rest = words[0], words[1:]
    if name in KEYS:
        return _press(words)
    if name == "wait":
        return _hold(Controls(), _ticks(_only(rest, "wait 30s")))
    if name == "land":
        return _land(_ticks(rest[0]) if rest else round(LANDING_LIMIT * TICKS_PER_SECOND))
    maker = _MAKERS.get(name)
    if maker is not None:
        return maker(rest)
    if name == "teleport":
        place = parse_place(" ".join(rest), places)
        return _edit(lambda sim: sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading)))
    raise WorldError(f"{name!r} is not a command; there are {', '.join((*KEYS, 'wait', 'land', 'teleport', *_MAKERS))}")


# --- keys


def _controls(words: Sequence[str], jump: bool = False) -> Controls:
    for word in words:
        if word not in KEYS:
            raise WorldError(f"{word!r} is not a key; the keys are {', '.join(KEYS)}")
    forward = float("forward" in words) - float("back" in words)
    side_step = float("right" in words) - float("left" in words)
    return Controls(forward, side_step, 0.0, "run" in words, jump)


def _press(words: list[str]) -> Follow:
    times = [word for word in words if word[0].isdigit()]
    if len(times) != 1:
        raise WorldError("a key is held for a time: forward 2s, or forward 60t in ticks")
    return _hold(_controls([word for word in words if word != times[0]]), _ticks(times[0]))


def _hold(controls: Controls, ticks: int) -> Follow:
    def follow(sim: Simulation) -> Iterator[TickReport]:
        for _ in range(ticks):
            yield sim.tick(controls)

    return follow


def _turn(rest: list[str]) -> Follow:
    run = "run" in rest
    words = [word for word in rest if word != "run"]
    if len(words) != 2 or words[0] not in ("left", "right"):
        raise WorldError("write turn left 90 or turn right 90")
    degrees = _number(words[1])
    if not 0.0 <= degrees <= 36000.0:
        raise WorldError(f"{words[1]} is not an angle to turn by")
    sense = -1.0 if words[0] == "left" else 1.0

    def follow(sim: Simulation) -> Iterator[TickReport]:
        speed = sim.player.steered.interp.base_turn_speed * (RUN_TURN_FACTOR if run else 1.0)
        if speed <= 0.0:
            raise PhysicsError("the player's motion table has no turn")
        wanted = math.radians(degrees) / (speed * QUANTUM)
        ticks = math.ceil(wanted - 1e-9)
        heading = sim.player.steered.place.turn.heading() + sense * degrees
        for _ in range(ticks):
            yield sim.tick(Controls(turn=sense * wanted / ticks, run=run))
        sim.apply_edit(
            FacePlayer(heading % 360.0)
        )  # animations turn by whole frames; the client sets a heading that it turned to as well

    return follow


def _jump(rest: list[str]) -> Follow:
    if not rest:
        raise WorldError("write jump 0.5: the power, from 0 to 1")
    power = _number(rest[0])
    if not 0.0 <= power <= 1.0:
        raise WorldError(f"a jump has a power from 0 to 1, not {rest[0]}")
    charging, released = _controls(rest[1:], jump=True), _controls(rest[1:])
    ticks = max(round(power * FULL_CHARGE * TICKS_PER_SECOND), 1)

    def follow(sim: Simulation) -> Iterator[TickReport]:
        for _ in range(ticks):
            yield sim.tick(charging)
        report = sim.tick(released)
        yield report
        if not report.jumped:
            raise PhysicsError("there is no way to jump from here")

    return follow


def _land(limit: int) -> Follow:
    def follow(sim: Simulation) -> Iterator[TickReport]:
        _, on_walkable = sim.player.steered.contact_bits()
        for _ in range(limit):
            if on_walkable:
                return
            report = sim.tick()
            on_walkable = report.on_walkable
            yield report
        if not on_walkable:
            raise PhysicsError(f"there was no ground within {limit / TICKS_PER_SECOND:g} s")

    return follow


# --- changes


def _edit(change: Callable[[Simulation], None]) -> Follow:
    def follow(sim: Simulation) -> Iterator[TickReport]:
        change(sim)
        return iter(())

    return follow


def _on_entity(change: Callable[[Simulation, int], None]) -> Callable[[list[str]], Follow]:
    def maker(rest: list[str]) -> Follow:
        which = _only(rest, 'use 0x7A9B4015, or use "Inn Door"')
        return _edit(lambda sim: change(sim, entity_id(sim, which)))

    return maker


def entity_id(sim: Simulation, which: str) -> int:
    """The entity of an id or of a name, in a landblock that has come in or in another one."""
    if which[:2] in ("0x", "0X"):
        try:
            return int(which, 16)
        except ValueError as error:
            raise WorldError(f"{which!r} is not an id") from error
    named = [(entity.id, entity.name) for entity in sim.population.ordered]
    named += [(spec.guid, spec.name) for spec in sim.world.entities if not sim.surroundings.has(spec.cell_id)]
    found = [entity for entity, name in named if name == which]
    if len(found) != 1:
        names = ", ".join(sorted({f'"{name}"' for _, name in named})[:12])
        raise WorldError(f"there are {len(found)} entities {which!r}; the world has {names or 'none'}")
    return found[0]


def _face(rest: list[str]) -> Follow:
    heading = _number(_only(rest, "face 270"))
    return _edit(lambda sim: sim.apply_edit(FacePlayer(heading)))


def _set(rest: list[str]) -> Follow:
    if len(rest) != 2 or rest[0] not in player_names():
        raise WorldError(f"write set NAME VALUE; the names are {', '.join(player_names())}")
    value = _number(rest[1])
    return _edit(lambda sim: sim.apply_edit(SetPlayerNumber(rest[0], value)))


def _state(rest: list[str]) -> Follow:
    if len(rest) != 3 or rest[1] not in ("on", "off"):
        raise WorldError("write state ID on 0x4, or state ID off 0x4")
    try:
        bits = int(rest[2], 0)
    except ValueError as error:
        raise WorldError(f"{rest[2]!r} is not a set of bits: write it as 0x4") from error
    return _edit(lambda sim: sim.apply_edit(SetStateBits(entity_id(sim, rest[0]), bits, rest[1] == "on")))


def _rule(rest: list[str]) -> Follow:
    if len(rest) != 2 or rest[0] not in RULE_NAMES or rest[1] not in (RETAIL, ACE):
        raise WorldError(f"write rule NAME retail, or rule NAME ace; the rules are {', '.join(RULE_NAMES)}")
    return _edit(lambda sim: sim.apply_edit(SetRule(rest[0], rest[1])))


def _rules(rest: list[str]) -> Follow:
    name = _only(rest, "rules ace")
    if name not in (RETAIL, ACE):
        raise WorldError(f"the rule sets are {RETAIL} and {ACE}, not {name!r}")
    return _edit(lambda sim: sim.apply_edit(SetRuleSet(name)))


_MAKERS: Final[dict[str, Callable[[list[str]], Follow]]] = {
    "turn": _turn,
    "face": _face,
    "jump": _jump,
    "use": _on_entity(lambda sim, which: sim.apply_edit(UseDoor(which, sim.player.id))),
    "open": _on_entity(lambda sim, which: sim.apply_edit(OpenDoor(which))),
    "close": _on_entity(lambda sim, which: sim.apply_edit(CloseDoor(which))),
    "lock": _on_entity(lambda sim, which: sim.apply_edit(LockDoor(which, True))),
    "unlock": _on_entity(lambda sim, which: sim.apply_edit(LockDoor(which, False))),
    "set": _set,
    "state": _state,
    "rule": _rule,
    "rules": _rules,
}


# --- words


def _only(rest: list[str], example: str) -> str:
    if len(rest) != 1:
        raise WorldError(f"write {example}")
    return rest[0]


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise WorldError(f"{text!r} is not a number") from error
    if not math.isfinite(value):
        raise WorldError(f"{text!r} is not a usable number")
    return value


def _ticks(text: str) -> int:
    """A time as ticks: 2s or 60t."""
    if text[-1:] not in ("s", "t"):
        raise WorldError(f"{text!r} is not a time: write 2s for seconds or 60t for ticks")
    value = _number(text[:-1])
    seconds = value if text[-1] == "s" else value / TICKS_PER_SECOND
    if not 0.0 <= seconds <= MAX_SECONDS:
        raise WorldError(f"{text!r} is not a time to wait")
    return round(seconds * TICKS_PER_SECOND)
