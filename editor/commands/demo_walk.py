"""The demo world's story without a window: the closed front door blocks, used it lets through, down into the cellar and
back, and half a minute later the door blocks again.

Only the controls are written down here; every line that is printed comes from a report of the simulation, and so does
the word on whether a chapter went as it should.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from editor.session.sources import DEMO, open_source
from editor.session.spawn import simulation_of
from engine.build.demo import SPOTS
from engine.entities.door import TICKS_PER_SECOND, Door
from engine.entities.events import CLOSED, OPENING
from engine.geometry.elementary import atan2
from engine.geometry.vec import Vec3, distance
from engine.physics.errors import PhysicsError
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import QUANTUM, Simulation
from engine.world.cells.ids import cell_text

FRONT_DOOR: Final = "Front Door"
FIRST_ROOM: Final = 0x100

PARLOUR_SIDE: Final[Vec3] = (59.29, 111.21, 20.1)
KITCHEN_SIDE: Final[Vec3] = (61.47, 110.90, 20.1)
"""Either side of the doorway between parlour and kitchen."""
BESIDE_THE_RAMP: Final[Vec3] = (63.00, 108.16, 17.2)

DOWN: Final = (
    "cottage_parlour",
    PARLOUR_SIDE,
    KITCHEN_SIDE,
    "cottage_inside_back_door",
    "ramp_top",
    "ramp_foot",
    BESIDE_THE_RAMP,
    "cellar",
)
UP: Final = (*DOWN[-2::-1], "cottage_inside_front_door")

NEAR: Final = 0.2
"""Metres from a point at which he is there."""
GOES_ON: Final = 0.02
"""Metres in a tick from which on he gets along again."""
LONGEST_WAY: Final = 240
PUSH: Final = 30
"""Ticks that he pushes at the closed door."""
LONGEST_WAIT: Final = 1800

Reports = Sequence[TickReport]


@dataclass(frozen=True)
class Chapter:
    """A part of the story: what he does, and what its reports have to show."""

    title: str
    follow: Callable[[Simulation, Door], Iterator[TickReport]]
    holds: Callable[[Reports, Door], bool]


def walk_the_demo(say: Callable[[str], None]) -> bool:
    """Tell the story, a line for every event; whether all of it went as it should."""
    with open_source(DEMO) as world:
        sim = simulation_of(world, DEMO, None)
        door = next(door for door in sim.population.doors if door.name == FRONT_DOOR)
        teller = Teller(sim, say)
        teller.begin()
        went_well = [_tell(chapter, sim, door, teller) for chapter in CHAPTERS]
        sim.close()
    return all(went_well)


def _tell(chapter: Chapter, sim: Simulation, door: Door, teller: Teller) -> bool:
    reports = []
    try:
        for report in chapter.follow(sim, door):
            reports.append(report)
            teller.tell(report)
    except PhysicsError as error:
        teller.say(f"■ {chapter.title}: {error}")
        return False
    good = chapter.holds(reports, door)
    teller.say(f"✓ {chapter.title}" if good else f"■ Not so: {chapter.title}")
    return good


class Teller:
    """Turns reports into lines: tick, time, cell, and what began to happen."""

    def __init__(self, sim: Simulation, say: Callable[[str], None]) -> None:
        self.say = say
        self._sim = sim
        self._against = ""

    def begin(self) -> None:
        place = self._sim.player.steered.place
        self._line(self._sim.tick_number, place.cell_id, f"the player stands at {_point(place.origin)}")

    def tell(self, report: TickReport) -> None:
        for words in self._words(report):
            self._line(report.tick, report.cell, words)

    def _line(self, tick: int, cell_id: int, words: str) -> None:
        self.say(f"tick {tick:5,}  {tick / TICKS_PER_SECOND:6.2f} s  {cell_text(cell_id)}  {words}")

    def _words(self, report: TickReport) -> Iterator[str]:
        if report.cell_changed:
            yield f"enters from {cell_text(report.cell_before)} at {_point(report.origin)}"
        yield from (f"{self._name(event.entity_id)} {event.what}" for event in report.events)
        against = self._hindrance(report)
        if against and against != self._against:
            yield against
        if against or (report.swept and distance(report.origin, report.origin_before) > GOES_ON):
            self._against = against
        if report.left_ground:
            yield "leaves the ground"
        if report.landed:
            yield "stands on the ground again"
        yield from (f"fault: {fault}" for fault in report.faults)

    def _hindrance(self, report: TickReport) -> str:
        names = [self._name(object_id) for object_id in report.collided_objects]
        names += ["the walls"] if report.collided_with_environment else []
        return f"blocked by {', '.join(names)}" if report.blocked and names else ""

    def _name(self, entity_id: int) -> str:
        entity = self._sim.population.find(entity_id)
        return cell_text(entity_id) if entity is None else f"{entity.name} {cell_text(entity_id)}"


def _point(point: Vec3) -> str:
    return "x {:.3f}  y {:.3f}  z {:.3f}".format(*point)


# --- the keys


def _walk(sim: Simulation, goals: Sequence[str | Vec3]) -> Iterator[TickReport]:
    """Walk from point to point, with the keys that turn and the one that goes forward."""
    for goal in goals:
        place = SPOTS[goal].origin if isinstance(goal, str) else goal
        for _ in range(LONGEST_WAY):
            if distance(sim.player.steered.place.origin, place) < NEAR:
                break
            yield sim.tick(_towards(sim, place))
        else:
            raise PhysicsError(f"the player did not come to {goal}")


def _towards(sim: Simulation, place: Vec3) -> Controls:
    """The keys of a tick: turn as far as it takes, and go once the heading is right."""
    body = sim.player.steered
    x, y, _ = body.place.origin
    wanted = math.degrees(atan2(place[0] - x, place[1] - y))
    astray = (wanted - body.place.turn.heading() + 180.0) % 360.0 - 180.0
    in_a_tick = math.degrees(body.interp.base_turn_speed * QUANTUM)
    turn = min(max(astray / in_a_tick, -1.0), 1.0)
    return Controls(forward=1.0 if abs(astray) <= in_a_tick else 0.0, turn=turn)


def _to_the_door(sim: Simulation, door: Door) -> Iterator[TickReport]:
    yield from _walk(sim, ["cottage_inside_front_door"])
    yield from _push(sim, door)


def _push(sim: Simulation, door: Door) -> Iterator[TickReport]:
    outside = SPOTS["cottage_outside_front_door"].origin
    for _ in range(PUSH):
        yield sim.tick(_towards(sim, outside))


def _use_and_pass(sim: Simulation, door: Door) -> Iterator[TickReport]:
    yield sim.tick(Controls(use=door.id))
    yield from _walk(sim, ["cottage_outside_front_door"])


def _down(sim: Simulation, door: Door) -> Iterator[TickReport]:
    yield from _walk(sim, ["cottage_inside_front_door", *DOWN])


def _up(sim: Simulation, door: Door) -> Iterator[TickReport]:
    yield from _walk(sim, UP)


def _wait_and_push(sim: Simulation, door: Door) -> Iterator[TickReport]:
    for _ in range(LONGEST_WAIT):
        report = sim.tick(Controls())
        yield report
        if _happened([report], door, CLOSED):
            break
    yield from _push(sim, door)


# --- what the reports have to show


def _blocked(reports: Reports, door: Door) -> bool:
    against = [report for report in reports[-PUSH:] if report.blocked and door.id in report.collided_objects]
    return bool(against) and _inside(reports[-1])


def _inside(report: TickReport) -> bool:
    return report.cell & 0xFFFF >= FIRST_ROOM


def _happened(reports: Reports, door: Door, what: str) -> bool:
    return any(event.entity_id == door.id and event.what == what for report in reports for event in report.events)


def _passed(reports: Reports, door: Door) -> bool:
    return _happened(reports, door, OPENING) and not _inside(reports[-1]) and not any(r.blocked for r in reports)


def _ends_in(spot: str) -> Callable[[Reports, Door], bool]:
    return lambda reports, door: reports[-1].cell == SPOTS[spot].cell_id


def _blocked_again(reports: Reports, door: Door) -> bool:
    return _happened(reports, door, CLOSED) and _blocked(reports, door)


CHAPTERS: Final = (
    Chapter("The closed door blocks.", _to_the_door, _blocked),
    Chapter("The used door lets through.", _use_and_pass, _passed),
    Chapter("The way leads down into the cellar.", _down, _ends_in("cellar")),
    Chapter("The way leads back to the door.", _up, _ends_in("cottage_inside_front_door")),
    Chapter("Half a minute after it was used the door is closed and blocks again.", _wait_and_push, _blocked_again),
)
