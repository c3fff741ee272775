"""One side of a comparison: a recording led through a world, with changes made before its first tick.

    side = Side("ace", world, recording, rule_changes(RuleSet(), rule_set("ace")))
    follower = Follower(side)
    follower.start()
    report = follower.step()

A walk's script is run and recorded first, so that both sides get the same keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.entities.player import player_names
from engine.physics.rules import AGREED_RULES, CELL_RULES, RULE_NAMES, RuleSet
from engine.sim.compare.undone import UndoneEdits
from engine.sim.edits.edit import Edit
from engine.sim.edits.player import SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import RestoreSnapshot
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS, restore
from engine.sim.recording import Recording
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.graph.graph import NO_CELL
from engine.world.world import World

RULE: Final = "rule"
BODY: Final = "body"
EDIT: Final = "edit"

OVERRIDING: Final = (SetRule, SetRuleSet, SetPlayerNumber, RestoreSnapshot)
"""Edits of a recording that could undo a change; it is made again after them."""


@dataclass(frozen=True)
class Change:
    """A change that one side has and the other has not: a rule, a number of the body, or a step of a project.

    `title` is the rule's name, the number with its value, or the name of the step.
    """

    kind: str
    title: str
    edits: tuple[Edit, ...]


LeavesOut = Callable[[int, int, Edit], bool]


@dataclass(frozen=True)
class Side:
    """What runs on one side. `arrival`: the edits by which the player comes into a world that the recording's first
    snapshot does not fit; None begins with that snapshot. `leaves_out` says of the recording's edits, by tick and
    number among the edits of that tick, which of them this side does without."""

    name: str
    world: World
    recording: Recording
    changes: tuple[Change, ...] = ()
    arrival: tuple[Edit, ...] | None = None
    leaves_out: LeavesOut | None = None

    def with_changes(self, changes: Iterable[Change]) -> Side:
        return replace(self, changes=tuple(changes))


Forms = dict[str, str]
"""Rules with a form of each."""


def rule_changes(before: RuleSet, after: RuleSet) -> tuple[Change, ...]:
    """A change for every rule whose form differs; rules on which both sets agree decide nothing."""
    return tuple(
        Change(RULE, rule, (SetRule(rule, after.form(rule)),))
        for rule in RULE_NAMES
        if rule not in AGREED_RULES and before.form(rule) != after.form(rule)
    )


def body_changes(numbers: Iterable[tuple[str, float]]) -> tuple[Change, ...]:
    """A change for every number of the player."""
    return tuple(Change(BODY, f"{name} {value:g}", (SetPlayerNumber(name, value),)) for name, value in numbers)


def set_forms(sim: Simulation, forms: Forms) -> None:
    """Flip several rules at once: what finds its cells by them does so a single time.

    Where that leaves the same objects in a cell, it leaves them in their order: a new one would be a difference that no
    rule makes.
    """
    before = [sim.rules.form(rule) for rule in CELL_RULES]
    for rule, form in forms.items():
        sim.rules.set_form(rule, form)
    if [sim.rules.form(rule) for rule in CELL_RULES] == before:
        return
    registry = sim.population.registry
    listed = {cell.id: registry.objects_in(cell.id) for cell in sim.graph.all_cells()}
    sim.population.find_all_cells_again()
    for cell_id, objects in listed.items():
        now = registry.objects_in(cell_id)
        if now != objects and sorted(now) == sorted(objects):
            registry.set_objects_in(cell_id, objects)


def begun(side: Side) -> Simulation:
    """A new simulation of a side as its recording begins, without its changes."""
    sim = Simulation(side.world.loaded, player_id=side.recording.player_id)
    try:
        if side.arrival is None:
            restore(sim, side.recording.keyframes.snapshot(0))
        else:
            for edit in side.arrival:
                sim.apply_edit(edit)
    except ENGINE_ERRORS as error:
        sim.close()
        raise SimError(f"the run cannot begin in {side.world.name}: {error}") from error
    except SimError:
        sim.close()
        raise
    return sim


def arrival_of(sim: Simulation) -> tuple[Edit, ...]:
    """The edits by which a player of the same body comes to the same place in another world, by the same rules."""
    plain = Simulation(sim.world.loaded, player_id=sim.player.id)
    forms = sim.rules.form
    rules = [SetRule(rule, forms(rule)) for rule in RULE_NAMES if forms(rule) != plain.rules.form(rule)]
    numbers = [
        SetPlayerNumber(name, sim.player.number(name))
        for name in player_names()
        if sim.player.number(name) != plain.player.number(name)
    ]
    plain.close()
    place = sim.player.steered.place
    if place.cell_id == NO_CELL:
        return (*rules, *numbers)
    return (*rules, *numbers, Teleport(place.cell_id, *sim.player.soles(), place.turn.heading()))


class Follower:
    """A simulation that is led along the recording of its side, with the side's changes in force.

    `index` counts the ticks from 0. An edit that this side refuses is left out, and noted in `refused` for the tick.
    """

    def __init__(self, side: Side) -> None:
        self.side = side
        self.sim = begun(side)
        self.index = 0
        self.refused: list[str] = []
        self.left_out: list[str] = []
        """Why changes could not be made, of those that could not."""
        self._undone = UndoneEdits()
        self._forms: Forms = {}
        self._others: list[Edit] = []
        for change in side.changes:
            for edit in change.edits:
                if isinstance(edit, SetRule):
                    self._forms[edit.rule] = edit.form
                else:
                    self._others.append(edit)

    def start(self) -> None:
        """Make the changes; their events are no part of the first tick."""
        self.refused = []
        self._change(self._others)
        self.left_out = list(dict.fromkeys(self.refused))
        self.sim.restore(self.sim.snapshot())

    def close(self) -> None:
        self.sim.close()

    @property
    def is_at_end(self) -> bool:
        return self.index >= len(self.side.recording)

    def go_to(self, index: int, snapshot: bytes) -> None:
        """Be where a snapshot of this side was taken, before the tick of that index."""
        restore(self.sim, snapshot)
        self.index = index

    def force(self, forms: Forms) -> None:
        """Go by these forms from now on, whatever the recording sets."""
        self._forms = forms
        set_forms(self.sim, forms)

    def run_to(self, index: int) -> None:
        while self.index < index:
            self.step()

    def make_edits(self) -> None:
        """Make the edits that the next tick is the first to see."""
        self.refused = []
        for edit in self._edits():
            self._make(edit)
            if isinstance(edit, RestoreSnapshot):
                self._change(self._others)
            elif isinstance(edit, OVERRIDING):
                self._change([other for other in self._others if isinstance(other, SetPlayerNumber)])

    def _edits(self) -> Sequence[Edit]:
        """The edits of the recording before the next tick, as far as this side makes them.

        What was made and at once undone is left out by a side that differs: undoing restores the state of the run that
        was recorded, which is not this one's.
        """
        side, tick = self.side, self.side.recording.first_tick + self.index
        edits: Sequence[Edit] = side.recording.edits.get(tick, ())
        if not edits or not (side.changes or side.leaves_out):
            return edits
        numbers = self._undone.left(side.world, side.recording, tick)
        return [edits[n] for n in numbers if side.leaves_out is None or not side.leaves_out(tick, n, edits[n])]

    def step(self) -> TickReport:
        """Run the next tick after its edits; a SimError when the engine cannot."""
        self.make_edits()
        try:
            report = self.sim.tick(self.side.recording.controls[self.index])
        except ENGINE_ERRORS as error:
            raise SimError(f"tick {self.index} of {self.side.name} cannot be run: {error}") from error
        self.index += 1
        return report

    def _change(self, edits: Sequence[Edit]) -> None:
        set_forms(self.sim, self._forms)
        for edit in edits:
            self._make(edit)

    def _make(self, edit: Edit) -> None:
        try:
            self.sim.apply_edit(edit)
        except ENGINE_ERRORS as error:
            self.refused.append(str(error))
