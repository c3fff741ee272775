"""Whether retail's and ACE's rules disagree about a tick: both run it from the same state in another simulation.

To put a whole state back and to find all cells anew under other rules takes milliseconds. From tick to tick mostly the
player alone has changed, and only he matters for how his tick ends: then the other simulation gets him alone. What else
his tick depends on is compared before each tick; where it has changed, the whole state is put back.
"""

from __future__ import annotations

from engine.entities.state_io import StateReader, StateWriter
from engine.physics.rules import ACE, RETAIL, RULE_NAMES, rule_set
from engine.sim.edits.rules import SetRuleSet
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation

Ending = tuple[object, ...]
"""Where the player ends, how fast and on what footing; or why the tick cannot run."""


class BothRules:
    """Runs single ticks under both rule sets. It never changes the simulation that it is about."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._others = {name: OtherRules(sim, name) for name in (RETAIL, ACE)}
        self._own = ""
        """The whole set that the simulation goes by; "" for a mixture."""
        self._changes = 0
        self._around: tuple[object, ...] = ()
        """What the player's tick depended on beside him when the whole state was taken last."""
        self._answer: bool | None = None

    def close(self) -> None:
        for other in self._others.values():
            other.close()

    def remember(self, last: TickReport | None = None) -> None:
        """The next tick begins from this state; `last` has led here, if the state remembered before that is its own
        beginning, and there was no edit since."""
        self._answer = None
        if last is None:
            self._own = next((name for name in (RETAIL, ACE) if self._is_all(name)), "")
        if last is None or last.moved or last.events or last.lost:
            self._changes += 1
        around = self._what_is_around()
        others = [other for name, other in self._others.items() if name != self._own]
        if around == self._around:
            writer = StateWriter()
            self._sim.population.visit_player(writer)
            player = writer.packed()
            if all(other.stand(player) for other in others):
                return
        self._around = around
        snapshot = self._sim.snapshot()
        for other in others:
            other.begin(snapshot)

    def _what_is_around(self) -> tuple[object, ...]:
        """Beside what changes by edits, and by ticks that say so. A door that somebody keeps open tries to close
        without a word."""
        sim = self._sim
        population, registry = sim.population, sim.population.registry
        if any(door.held for door in population.doors):
            self._changes += 1
        return (
            self._changes,
            [(cell_id, registry.objects_in(cell_id)) for cell_id in registry.cells_of(sim.player.id)],
            [body.state for body in population.bodies.values()],
            list(sim.surroundings.joined),
        )

    def disagree(self, controls: Controls, report: TickReport) -> bool:
        """About the tick that has run since. What ran under one of the sets already does not run again."""
        if self._answer is None:
            endings = [
                _ending(report) if name == self._own else self._others[name].run(controls) for name in (RETAIL, ACE)
            ]
            self._answer = endings[0] != endings[1]
        return self._answer

    def _is_all(self, name: str) -> bool:
        wanted, rules = rule_set(name), self._sim.rules
        return all(rules.form(rule) == wanted.form(rule) for rule in RULE_NAMES)


class OtherRules:
    """A simulation that goes by one whole rule set, brought before the ticks of the one that this is about."""

    def __init__(self, sim: Simulation, name: str) -> None:
        self._sim = sim
        self._name = name
        self._trial: Simulation | None = None
        self._snapshot = b""
        """The whole state to begin from; empty once it has been put back."""
        self._is_ready = False
        """All but the player is as it was put back."""
        self._cells: list[int] = []
        """The player's cells by these rules, in the state that was put back last."""

    def close(self) -> None:
        if self._trial is not None:
            self._trial.close()
            self._trial = None

    def begin(self, snapshot: bytes) -> None:
        """Begin from a whole state, if the tick is asked for."""
        self._snapshot = snapshot
        self._is_ready = False

    def stand(self, player: bytes) -> bool:
        """Begin from the last whole state with another player, as he stands now; False where that will not do.

        Where he comes into other cells than before, the others in them would be met in another order than if the whole
        state were put back.
        """
        trial, sim = self._trial, self._sim
        if trial is None or not self._is_ready:
            return False
        try:
            trial.population.visit_player(StateReader(player))
            entry = trial.population.registry.entity(sim.player.id)
            if entry.cell_ids:
                trial.population.registry.update_position(sim.player.id, entry.cell_id, entry.frame)
            trial.graph.set_current(sim.graph.current_id)
        except ENGINE_ERRORS:
            return False
        trial.tick_number = sim.tick_number
        return list(entry.cell_ids) == self._cells

    def run(self, controls: Controls) -> Ending:
        """How the tick ends."""
        try:
            trial = self._put_back()
            around = len(trial.surroundings.joined)
            report = trial.tick(controls)
        except ENGINE_ERRORS as error:
            self._is_ready = False
            return (str(error),)
        if report.events or report.lost or len(trial.surroundings.joined) != around:
            self._is_ready = False  # more than the player has changed
        return _ending(report)

    def _put_back(self) -> Simulation:
        if self._trial is None:
            sim = self._sim
            self._trial = Simulation(sim.world, sim.rules, sim.player.id, sim.player.name)
        trial = self._trial
        if self._snapshot:
            trial.restore(self._snapshot)
            trial.apply_edit(SetRuleSet(self._name))
            self._snapshot = b""
            self._is_ready = True
            self._take_player_out(trial)
            trial.population.movers = []  # they move after the player, so that they do not matter to him
        return trial

    def _take_player_out(self, trial: Simulation) -> None:
        """Out of the lists of his cells, with the others left in their order: in and out of their ends, as he goes from
        now on, he leaves no gap for one of them."""
        registry, player = trial.population.registry, trial.player.id
        self._cells = list(registry.cells_of(player))
        others = {cell: [each for each in registry.objects_in(cell) if each != player] for cell in self._cells}
        if self._cells:
            registry.take_out(player)
        for cell_id, ids in others.items():
            registry.set_objects_in(cell_id, ids)


def _ending(report: TickReport) -> Ending:
    footing = (report.in_contact, report.on_walkable)
    return (report.lost, report.cell, report.origin, report.velocity, footing)
