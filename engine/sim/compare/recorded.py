"""A recording run again beside its own answers: the hashes and samples that it keeps of every tick."""

from __future__ import annotations

from collections.abc import Iterator

from engine.files.cancelling import check_cancelled
from engine.sim.compare.answers import CELL, CONTACT, HEADING, POSITION, STATE, VELOCITY, TickDifference, body_distance
from engine.sim.compare.gaps import Gaps
from engine.sim.playback import Playback
from engine.sim.recording import Recording, Sample, sample_of
from engine.sim.tick.simulation import Simulation


def recorded_differences(sim: Simulation, recording: Recording, gaps: Gaps) -> Iterator[TickDifference]:
    """Every tick of a recording, as recorded and as it is now.

    A SimError when the recording cannot begin in this world, and later where an edit or a tick is refused now.

    `what` has the state when only its hash differs: a recording keeps the whole state of some ticks alone.
    """
    playback = Playback(sim, recording)
    playback.start()
    return _ticks(playback, gaps)


def _ticks(playback: Playback, gaps: Gaps) -> Iterator[TickDifference]:
    sim, recording = playback.sim, playback.recording
    version = recording.state_version
    for index in range(len(recording)):
        check_cancelled()
        now = sample_of(playback.step())
        recorded = recording.samples[index]
        what = _differing(recorded, now)
        if sim.state_hash(version) != recording.hash_after(recording.first_tick + index):
            what = (*what, STATE)
        apart = body_distance(recorded, now) if CELL in what or POSITION in what else 0.0
        gaps.add(index, apart)
        yield TickDifference(index, recorded, now, apart, what)


def _differing(one: Sample, two: Sample) -> tuple[str, ...]:
    values = (
        (CELL, one.cell, two.cell),
        (POSITION, one.origin, two.origin),
        (HEADING, one.heading, two.heading),
        (VELOCITY, one.velocity, two.velocity),
        (CONTACT, one.transient, two.transient),
    )
    return tuple(name for name, before, after in values if before != after)
