"""The causes in the reports against the trees of a recorder that listens to the same sweeps, on random walks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from engine.build import WorldBuilder
from engine.build.demo import SPOTS
from engine.geometry.constants import EPSILON
from engine.geometry.vec import dot, length
from engine.physics.rules import RuleSet
from engine.sim.tick.contacts import EDGE, MET, NO_CELL, STEEP, THING, Contact, SweepContacts
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.sim.trace import cell_search
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import (
    NO_POLYGON,
    OBJECT,
    POLYGON,
    PROBE,
    ROLLED_BACK,
    STEP,
    SURROUNDINGS,
    TraceNode,
)
from tests.sim.helpers.demo_walks import Demo, demo_simulation
from tests.sim.helpers.small_worlds import FORWARD, built, furnished, house, slope, standing, two_rooms, with_cellar

OK = "OK"
WORLDS = [
    (two_rooms, "hall", (3.0, 2.0)),
    (furnished, "room", (3.5, 5.0)),
    (with_cellar, "room", (4.5, 4.0)),
    (slope, "top", (2.0, 2.0)),
    (house, "room", (108.0, 108.0)),
]
Named = tuple[int, int]
"""An object, or 0 and a polygon."""


@pytest.fixture(scope="module")
def demo() -> Demo:
    return demo_simulation()


def outside_probes(node: TraceNode) -> list[TraceNode]:
    """The nodes below one, but not those within a probe."""
    found = []
    for child in node.children:
        if child.kind != PROBE:
            found += [child, *outside_probes(child)]
    return found


def named_by_trace(step: TraceNode) -> list[Named]:
    """What answered other than OK outside of probes, as object and last polygon, and what was touched while the body
    left it: the sweep may still slide along that (5.6)."""
    named = [
        (0, node.polygon_id) for node in outside_probes(step) if node.kind == POLYGON and "being left" in node.answer
    ]
    for node in outside_probes(step):
        if node.kind in (OBJECT, SURROUNDINGS) and node.answer not in (OK, "not tested"):
            polygons = [each.polygon_id for each in outside_probes(node) if each.kind == POLYGON]
            named.append((node.object_id, polygons[-1] if polygons else NO_POLYGON))
    return named


def all_named_by_trace(sweep: TraceNode) -> set[Named]:
    """Every polygon of the sweep with its object, in probes too."""
    found = set()
    for node in sweep.walk():
        if node.kind in (OBJECT, SURROUNDINGS):
            polygons = [each.polygon_id for each in node.walk() if each.kind == POLYGON]
            found |= {(node.object_id, polygon) for polygon in (*polygons, NO_POLYGON)}
    return found


def name(contact: Contact) -> Named:
    return (contact.object_id if contact.what == THING else 0, contact.polygon_id)


def check(report: TickReport, sweeps: list[TraceNode], seen: Counter[str]) -> None:
    contacts = report.contacts
    assert contacts is not None
    steps = [node for sweep in sweeps for node in sweep.children if node.kind == STEP]
    check_stop(contacts, steps, seen)
    met = {named for sweep in sweeps for named in all_named_by_trace(sweep)}
    for contact in (*contacts.stopped_by, *contacts.slid_along):
        if contact.how == MET:
            assert name(contact) in met
        seen["edge" if contact.how == EDGE else "steep" if contact.how == STEEP else "met"] += 1
    check_ground(report, contacts, sweeps, seen)
    check_cell(report, contacts, steps, seen)
    check_shortfall(report, contacts, steps, seen)


def check_stop(contacts: SweepContacts, steps: list[TraceNode], seen: Counter[str]) -> None:
    back = [step for step in steps if step.latch is not None and step.latch.what == ROLLED_BACK]
    assert bool(contacts.stopped_by) == bool(back)
    for step in back[-1:]:
        named = named_by_trace(step)
        direct = [contact for contact in contacts.stopped_by if contact.how == MET]
        if len(back) == 1 and direct and direct[0] is contacts.stopped_by[0]:
            assert name(direct[0]) in named
            seen["stop"] += 1


def check_ground(report: TickReport, contacts: SweepContacts, sweeps: list[TraceNode], seen: Counter[str]) -> None:
    """The ground that was found is a floor of the trace, and the contact plane is its plane."""
    if contacts.ground is None:
        return
    floors = [node for sweep in sweeps for node in sweep.find(POLYGON) if node.polygon_id == contacts.ground.polygon_id]
    normals = [node.normal for node in floors if node.normal is not None]
    assert any(dot(normal, report.contact_plane.normal) > 0.9999 for normal in normals)
    assert dot(contacts.ground.normal, report.contact_plane.normal) > 0.9999
    seen["ground found"] += 1


def check_cell(report: TickReport, contacts: SweepContacts, steps: list[TraceNode], seen: Counter[str]) -> None:
    if not report.cell_changed or report.lost:
        return
    step = [each for each in steps if each.latch is not None and each.latch.cell_before != each.latch.cell][-1]
    assert step.search is not None
    candidate = step.search.find(report.cell)
    assert candidate is not None
    assert contacts.came_by == candidate.entry.how
    assert contacts.portal == candidate.entry.portal
    assert contacts.portal >= 0 or contacts.came_by == cell_search.LAND
    seen["cell"] += 1


def check_shortfall(report: TickReport, contacts: SweepContacts, steps: list[TraceNode], seen: Counter[str]) -> None:
    """Whoever gets less than he asked for has a cause, or the sweep shows that the ground bent his way."""
    short = length(tuple(a - b for a, b in zip(report.wanted, report.made, strict=True))) > EPSILON  # type: ignore[arg-type]
    if not report.swept or not short or contacts.stopped_by or contacts.slid_along:
        return
    if contacts.held or contacts.climbed or report.landed:
        seen["held" if contacts.held else "climbed" if contacts.climbed else "landed"] += 1
        return
    bent = [step for step in steps if step.latch is not None and step.latch.left != step.latch.asked]
    lowered = [
        node for step in steps for node in step.find(POLYGON) if "floor" in node.answer or "under" in node.answer
    ]
    assert bent or lowered
    seen["ground"] += 1


def walk(sim: Simulation, rng: random.Random, ticks: int, seen: Counter[str]) -> None:
    recorder = TraceRecorder()
    sim.watch(sim.player.id, recorder)
    sim.name_causes()
    for _ in range(ticks):
        controls = Controls(
            forward=1.0, run=rng.random() < 0.3, turn=rng.choice((0.0, 0.0, 1.0, -1.0)), jump=rng.random() < 0.03
        )
        report = sim.tick(controls)
        check(report, recorder.sweeps, seen)
        recorder.clear()
    sim.unwatch(sim.player.id, recorder)


@pytest.mark.parametrize(("make", "room", "at"), WORLDS)
@pytest.mark.parametrize("retail", [True, False], ids=["retail", "ace"])
def test_causes_are_those_of_the_trace_in_small_worlds(
    make: Callable[[], WorldBuilder], room: str, at: tuple[float, float], retail: bool
) -> None:
    seen: Counter[str] = Counter()
    for seed in range(4):
        rng = random.Random(seed)
        sim = standing(built(make), room, at, rng.uniform(0.0, 360.0), RuleSet(retail))
        walk(sim, rng, 120, seen)
    assert seen["stop"] + seen["held"] + seen["edge"] > 5


@pytest.mark.unwatched
def test_causes_are_those_of_the_trace_all_over_the_demo(demo: Demo) -> None:
    demo.begin()
    seen: Counter[str] = Counter()
    rng = random.Random(12)
    for spot in sorted(SPOTS):
        walk(demo.at(spot, rng.uniform(0.0, 360.0)), rng, 30, seen)
    demo.sim.name_causes(False)
    assert min(seen[kind] for kind in ("stop", "met", "cell", "held", "climbed", "landed", "ground found")) > 0


def test_asking_for_causes_changes_no_bit_and_nobody_pays_unasked() -> None:
    plain, asked = (standing(built(two_rooms), "hall", (3.0, 2.0), 90.0) for _ in range(2))
    asked.name_causes()
    for _ in range(60):
        assert plain.tick(FORWARD).contacts is None
        report = asked.tick(FORWARD)
        assert report.contacts is not None
        assert all(contact.how != NO_CELL for contact in report.contacts.stopped_by)
    assert plain.state_hash() == asked.state_hash()
    assert plain.player.steered.observer is None
    asked.name_causes(False)
    assert asked.player.steered.observer is None
