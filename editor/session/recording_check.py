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
    """The outcome of a replay. `reports` has each tick in which something happened, and the one after it. After a
    divergence the recording is cut, because the rest is not this world's past."""

    recording: Recording
    repeats: dict[int, int] = field(default_factory=dict)
    """By the tick of a report: how many ticks after it were hindered by the same causes; they have no reports."""
    reports: list[TickReport] = field(default_factory=list)
    divergence: Divergence | None = None
    untold: str = ""
    """A sentence on what of its world an older recording cannot tell."""


def rerun(sim: Simulation, recording: Recording, job: Job) -> Rerun:
    """Replay the recording. The simulation ends where the recording does, with trailing edits not yet applied."""
    made = Rerun(recording)
    count = len(recording)
    last, outcome = -2, _outcome(TickReport(-1))

    def hear(controls: Controls, report: TickReport) -> None:
        nonlocal last, outcome
        before, outcome = outcome, _outcome(report)
        if _is_worth_telling(report) or outcome != before:
            last = report.tick
        if report.tick - last <= 1:
            made.reports.append(report)
        elif made.reports:
            after = made.reports[-1].tick
            made.repeats[after] = made.repeats.get(after, 0) + 1

    def told(tick: int) -> bool:
        done = tick - recording.first_tick + 1
        job.progress(done / count, f"Replaying tick {done:,} of {count:,} …")
        return not job.is_cancelled

    sim.name_causes()
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
            raise SimError(f"cannot be replayed: {error.reason}") from error
    return made


def _outcome(report: TickReport) -> tuple[object, ...]:
    """What hindered the player, and how; the same as long as he keeps pushing."""
    contacts = report.contacts
    if contacts is None:
        return (False,)
    stopped = tuple(contact.key for contact in contacts.stopped_by)
    slid = tuple(contact.key for contact in contacts.slid_along)
    held = (contacts.held, *(contact.key for contact in contacts.held_by))
    steep = None if contacts.steep is None else contacts.steep.key
    return (report.blocked, report.slid, held, stopped, slid, steep, tuple(contacts.run_into_by))


def _is_worth_telling(report: TickReport) -> bool:
    return bool(report.cell_changed or report.jumped or report.landed or report.left_ground or report.events)
