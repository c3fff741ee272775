"""Replays a recording before it is shown: whether it still gives the same result, and what happened in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from editor.session.background import Job
from engine.sim.errors import SimError
from engine.sim.playback import Divergence, Playback, verify
from engine.sim.recording import Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation


@dataclass
class Rerun:
    """The outcome of a replay. `reports` has each tick in which something happened, and the one after it; a body that
    stays blocked is reported once. After a divergence the recording is cut, because the rest is not this world's
    past."""

    recording: Recording
    reports: list[TickReport] = field(default_factory=list)
    divergence: Divergence | None = None


def rerun(sim: Simulation, recording: Recording, job: Job) -> Rerun:
    """Replay the recording. The simulation ends where the recording does, with trailing edits not yet applied."""
    made = Rerun(recording)
    count = len(recording)
    last, was_blocked = -2, False

    def hear(controls: Controls, report: TickReport) -> None:
        nonlocal last, was_blocked
        if _is_worth_telling(report) or report.blocked != was_blocked:
            last = report.tick
        was_blocked = report.blocked
        if report.tick - last <= 1:
            made.reports.append(report)

    def told(tick: int) -> bool:
        done = tick - recording.first_tick + 1
        job.progress(done / count, f"Running tick {done:,} of {count:,} again …")
        return not job.is_cancelled

    sim.listen_to_ticks(hear)
    try:
        made.divergence = verify(sim, recording, progress=told)
    finally:
        sim.unlisten_to_ticks(hear)
    job.check()
    if made.divergence is not None:
        tick = made.divergence.tick
        made.reports = [report for report in made.reports if report.tick < tick]
        try:
            Playback(sim, recording).branch(tick)
        except SimError as error:
            raise SimError(f"cannot be run again: {error.reason}") from error
    return made


def _is_worth_telling(report: TickReport) -> bool:
    return bool(
        report.collided_objects
        or report.collided_with_environment
        or report.cell_changed
        or report.jumped
        or report.landed
        or report.left_ground
        or report.events
    )
