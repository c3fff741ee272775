"""Runs a kept recording again, tick by tick, beside what it has recorded.

    run = WalkRun(world, recording, Terms(rules=rule_set("ace")))
    for _ in run.steps():                    # a tick for each; whoever drives it may pause in between
        ...
    run.outcome

On the same terms the whole state has to come out as recorded, by the hash that the recording has of every tick. On
others the state differs because of what was changed, so the player is compared: his cell, place, heading, velocity and
contact, to the bit. It takes the same memory however long the walk is, unless it is recorded as the new truth.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final

from engine.entities.state_io import STATE_VERSION
from engine.files.cancelling import check_cancelled
from engine.physics.rules import RULE_NAMES
from engine.sim.compare.answers import CELL, CONTACT, HEADING, POSITION, REFUSED, STATE, VELOCITY, body_distance
from engine.sim.compare.sides import Forms, arrival_of, set_forms
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS, restore
from engine.sim.recording import Recorder, Recording, Sample, sample_of
from engine.sim.tick.simulation import Simulation
from engine.sim.walks.outcome import Outcome, Verdict
from engine.sim.walks.terms import OF_THE_RULES, Terms, with_last_word
from engine.world.graph.graph import NO_CELL
from engine.world.loader.base import collector_paused
from engine.world.world import World

ENDS: Final = "end"
"""What differs where the walk cannot go on."""


class WalkRun:
    """A recording run again on other terms, or on the same. `outcome` is there when all steps were taken.

    With `keep` it is recorded anew meanwhile: `recorded` is the new truth.
    """

    def __init__(
        self,
        world: World,
        recording: Recording,
        terms: Terms | None = None,
        *,
        keep: bool = False,
        sim: Simulation | None = None,
    ) -> None:
        """`sim` is a simulation of this world with the recording's player that may be led, which saves making one."""
        self.world = world
        self.recording = recording
        self.terms = Terms() if terms is None else terms
        self.outcome: Outcome | None = None
        self.recorded: Recording | None = None
        self.landblocks: set[int] = set()
        """Those that the new recording came near to; whoever writes it notes their identity."""
        self._keep = keep
        self._lent = sim
        self._sim: Simulation | None = None
        self._version = STATE_VERSION
        self._forms: Forms = {}
        self._left_out: list[str] = []
        self._refused: list[str] = []
        self._is_exact = self.terms.is_same
        self._first: tuple[int, tuple[str, ...], float, Sample] | None = None
        self._differing = 0
        self._widest = self._final = 0.0

    def run(self) -> Outcome:
        """All of it at once."""
        for _ in self.steps():
            pass
        assert self.outcome is not None
        return self.outcome

    def steps(self) -> Generator[None, None, None]:
        """Run it; each step is a tick at most."""
        try:
            yield from self._begin()
            assert self._sim is not None
            yield from self._ticks(self._sim)
        except SimError as error:
            self.outcome = Outcome(Verdict.CANNOT_BEGIN, reason=error.reason)
        finally:
            self._close()

    def _close(self) -> None:
        sim, self._sim = self._sim, None
        if sim is not None and sim is not self._lent:
            sim.close()

    # --- the beginning

    def _begin(self) -> Iterator[None]:
        """Be before the first tick, with what is otherwise."""
        recording, terms = self.recording, self.terms
        if not recording.keyframes.ticks:
            raise SimError("the recording has no snapshot at its start")
        self._version = recording.state_version
        sim = self._sim = self._lent or Simulation(self.world.loaded, player_id=recording.player_id)
        yield
        with collector_paused():  # a collection takes longer than all the rest, and may come afterwards
            restore(sim, recording.keyframes.snapshot(0))
        yield
        if terms.arrives:
            sim = yield from self._arrive(sim)
        try:
            if terms.rules is not None:
                self._force(sim)
            yield from self._make_before(sim)
            if terms.is_edited or terms.arrives:
                sim.restore(sim.snapshot())  # the events of these edits are no part of the first tick
        except ENGINE_ERRORS as error:
            raise SimError(str(error)) from error
        yield

    def _arrive(self, before: Simulation) -> Generator[None, None, Simulation]:
        """A simulation of the world as it is now, with the same body at the same place."""
        arrival = arrival_of(before)
        self._close()
        sim = self._sim = Simulation(self.world.loaded, player_id=self.recording.player_id)
        yield
        try:
            for edit in arrival:
                sim.apply_edit(edit)
        except ENGINE_ERRORS as error:
            raise SimError(f"he cannot stand where it begins: {error}") from error
        return sim

    def _force(self, sim: Simulation) -> None:
        """Go by the rules that are asked for. Where they are the recording's own, nothing is otherwise."""
        wanted = self.terms.rules
        assert wanted is not None
        self._forms = {rule: wanted.form(rule) for rule in RULE_NAMES}
        own = any(isinstance(edit, OF_THE_RULES) for edits in self.recording.edits.values() for edit in edits)
        if not own and all(sim.rules.form(rule) == form for rule, form in self._forms.items()):
            self._is_exact = replace(self.terms, rules=None).is_same
            self._forms = {}
            return
        set_forms(sim, self._forms)

    def _make_before(self, sim: Simulation) -> Iterator[None]:
        for edit in self.terms.undone:
            with suppress(*ENGINE_ERRORS):
                sim.apply_edit(edit)
            yield
        for edit in self.terms.before:
            try:
                sim.apply_edit(edit)
            except ENGINE_ERRORS as error:
                self._left_out.append(f"an edit could not be made there: {error}")
            yield

    # --- the ticks

    def _ticks(self, sim: Simulation) -> Iterator[None]:
        recording = self.recording
        recorder = Recorder(sim, recording.source) if self._keep else None
        ran = 0
        reason = ""
        for ran, controls in enumerate(recording.controls):
            check_cancelled()
            self._make_edits(sim, ran)
            try:
                report = sim.tick(controls)
            except ENGINE_ERRORS as error:
                reason = str(error)
                self._note(ran, (ENDS,), 0.0, recording.samples[ran])
                break
            self._compare(sim, ran, sample_of(report))
            yield
        else:
            ran = len(recording)
        if recorder is not None:
            self.recorded, self.landblocks = recorder.so_far(), recorder.landblocks
            self.recorded.server = recording.server
        self.outcome = self._found(ran, reason)

    def _make_edits(self, sim: Simulation, index: int) -> None:
        """Make the edits that the next tick is the first to see. What was changed before the walk has the last word."""
        self._refused = []
        terms = self.terms
        for edit in self.recording.edits.get(self.recording.first_tick + index, ()):
            if edit in terms.without:
                continue
            try:
                sim.apply_edit(edit)
            except ENGINE_ERRORS as error:
                self._refused.append(str(error))
            for again in with_last_word(edit, terms.last_words):
                with suppress(*ENGINE_ERRORS):
                    sim.apply_edit(again)
            if self._forms:
                set_forms(sim, self._forms)

    def _compare(self, sim: Simulation, index: int, now: Sample) -> None:
        recording = self.recording
        recorded = recording.samples[index]
        apart = 0.0
        what: tuple[str, ...] = ()
        if now != recorded:
            apart = distance_of(recorded, now)
            what = differing(recorded, now) if self.terms.tolerance is None else ()
        if self.terms.tolerance is not None and (apart > self.terms.tolerance):
            what = (POSITION,)
        if self._refused:
            what = (*what, REFUSED)
        if self._is_exact and sim.state_hash(self._version) != recording.hash_after(recording.first_tick + index):
            what = (*what, STATE)
        self._final = apart
        self._widest = max(self._widest, apart)
        if what:
            self._differing += 1
            self._note(index, what, apart, now)

    def _note(self, index: int, what: tuple[str, ...], apart: float, now: Sample) -> None:
        if self._first is None:
            self._first = (index, what, apart, now)

    def _found(self, ran: int, reason: str) -> Outcome:
        left_out = tuple(dict.fromkeys(self._left_out))
        if self._first is None:
            return Outcome(Verdict.AS_BEFORE, ran, widest=self._widest, final=self._final, left_out=left_out)
        index, what, apart, sample = self._first
        return Outcome(
            Verdict.OTHERWISE,
            ran,
            self.recording.first_tick + index,
            what,
            apart,
            self._widest,
            self._final,
            self._differing,
            sample.cell,
            sample.origin,
            reason,
            left_out,
        )


def differing(recorded: Sample, now: Sample) -> tuple[str, ...]:
    """What of the player differs after a tick, to the bit."""
    values = (
        (CELL, recorded.cell, now.cell),
        (POSITION, recorded.origin, now.origin),
        (HEADING, recorded.heading, now.heading),
        (VELOCITY, recorded.velocity, now.velocity),
        (CONTACT, recorded.transient, now.transient),
    )
    return tuple(name for name, before, after in values if before != after)


def distance_of(recorded: Sample, now: Sample) -> float:
    """A body that no cell holds has no landblock of its own: its coordinates are those of the last one."""
    if recorded.cell == now.cell and recorded.origin == now.origin:
        return 0.0
    if NO_CELL in (recorded.cell, now.cell):
        return body_distance(recorded, Sample(recorded.cell, now.origin, now.velocity, now.heading, now.transient))
    return body_distance(recorded, now)
