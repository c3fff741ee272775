"""Runs the calls of a kept capture again, and compares their answers with the recorded ones.

A capture has calls and no keys, so each of them stands by itself: the first that answers otherwise is named, and how
many there are. Answers are compared within the tolerances of captures (`engine/sim/captures/replay.py`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from engine.files.cancelling import check_cancelled
from engine.geometry.vec import distance
from engine.physics.rules import RULE_NAMES
from engine.sim.captures.form import CaptureRecord, CaptureResult, record_text
from engine.sim.captures.frame import FrameFinder
from engine.sim.captures.replay import Replay, bring_in, replay_record
from engine.sim.compare.sides import set_forms
from engine.sim.playback import ENGINE_ERRORS
from engine.sim.tick.simulation import Simulation
from engine.sim.walks.outcome import CALLS, Outcome, Verdict
from engine.sim.walks.terms import Terms
from engine.world.cells.ids import cell_text
from engine.world.world import World


class CaptureRun:
    """A capture run again. `outcome` is there when all steps were taken; with `keep`, `recorded` has its calls with the
    answers of now."""

    def __init__(
        self,
        world: World,
        records: Sequence[CaptureRecord],
        terms: Terms | None = None,
        anchor: int = 0,
        *,
        keep: bool = False,
    ) -> None:
        self.world = world
        self.records = records
        self.terms = Terms() if terms is None else terms
        self.outcome: Outcome | None = None
        self.recorded: list[CaptureRecord] | None = [] if keep else None
        self._anchor = anchor
        self._left_out: list[str] = []
        self._first: tuple[int, Replay, float] | None = None
        self._differing = 0
        self._widest = self._final = 0.0

    def run(self) -> Outcome:
        """All of it at once."""
        for _ in self.steps():
            pass
        assert self.outcome is not None
        return self.outcome

    def steps(self) -> Generator[None, None, None]:
        """Run it; each step is a call at most."""
        sim = Simulation(self.world.loaded, self.terms.rules)
        try:
            reason = ""
            for record in self.records:
                if not bring_in(sim, record.input.cell_id):
                    reason = f"{record.where}: the world has no cell {cell_text(record.input.cell_id)}"
                    break
                yield
            if reason:
                self.outcome = Outcome(Verdict.CANNOT_BEGIN, reason=reason, unit=CALLS)
                return
            self._make_before(sim)
            yield from self._calls(sim)
        finally:
            sim.close()

    def _make_before(self, sim: Simulation) -> None:
        for edit in self.terms.undone:
            with suppress(*ENGINE_ERRORS):
                sim.apply_edit(edit)
        for edit in self.terms.before:
            try:
                sim.apply_edit(edit)
            except ENGINE_ERRORS as error:
                self._left_out.append(f"an edit could not be made there: {error}")
        rules = self.terms.rules
        if rules is not None and self.terms.before:
            set_forms(sim, {rule: rules.form(rule) for rule in RULE_NAMES})

    def _calls(self, sim: Simulation) -> Iterator[None]:
        finder = FrameFinder(sim.graph, self._anchor)
        reason = ""
        ran = 0
        for record in self.records:
            check_cancelled()
            frame = finder.find(record.input.cell_id, record.input.current)
            try:
                replay = replay_record(sim.graph, sim.rules, record, frame)
            except ENGINE_ERRORS as error:
                reason = str(error)
                break
            self._note(ran, replay)
            ran += 1
            yield
        self.outcome = self._found(ran, reason)

    def _note(self, index: int, replay: Replay) -> None:
        record, tolerance = replay.record, self.terms.tolerance
        apart = distance(record.result.position, replay.position)
        agrees = replay.agrees if tolerance is None else apart <= tolerance
        if self.recorded is not None:
            self.recorded.append(record if agrees else _with_answer(replay))
        self._final = 0.0 if agrees else apart
        self._widest = max(self._widest, self._final)
        if not agrees:
            self._differing += 1
            self._first = self._first or (index, replay, apart)

    def _found(self, ran: int, reason: str) -> Outcome:
        left_out = tuple(dict.fromkeys(self._left_out))
        if self._first is None and not reason:
            return Outcome(Verdict.AS_BEFORE, ran, left_out=left_out, unit=CALLS)
        if self._first is None:
            return Outcome(
                Verdict.OTHERWISE, ran, ran, ("end",), differing=1, reason=reason, left_out=left_out, unit=CALLS
            )
        index, replay, apart = self._first
        cell_id = replay.result.cell_id
        return Outcome(
            Verdict.OTHERWISE,
            ran,
            index,
            tuple(each.field for each in replay.differences) or ("position",),
            apart,
            self._widest,
            self._final,
            self._differing,
            cell_id,
            replay.frame.into(cell_id, replay.position),
            reason,
            left_out,
            CALLS,
        )


def _with_answer(replay: Replay) -> CaptureRecord:
    """The call with our answer instead of the recorded one."""
    result = replay.result
    normal = result.collision_normal if result.collision_normal_valid else replay.record.result.collision_normal
    answer = CaptureResult(replay.position, result.cell_id, result.is_on_ground, result.collision_normal_valid, normal)
    return replace(replay.record, result=answer)


def capture_bytes(records: Sequence[CaptureRecord]) -> bytes:
    """The file of a capture."""
    return "".join(f"{record_text(record)}\n" for record in records).encode("ascii")
