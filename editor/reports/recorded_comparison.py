"""A recording run again beside what it recorded: where they part, and the gap, as data and in words."""

from __future__ import annotations

from typing import Any

from editor.process.plain_text import counted
from editor.reports.comparison import gap_lines, sample_data, span_data
from engine.entities.state_io import STATE_VERSION
from engine.sim.compare.answers import TickDifference
from engine.sim.compare.gaps import Gaps
from engine.sim.compare.recorded import recorded_differences
from engine.sim.errors import SimError
from engine.sim.playback import Divergence, verify
from engine.sim.recording import Recording
from engine.sim.tick.simulation import Simulation
from engine.world.world import World


class RecordedComparison:
    """A recording beside its own answers, run to its end. `ended` is why it could not be run to there."""

    def __init__(self, world: World, recording: Recording, name: str) -> None:
        self.recording = recording
        self.name = name
        self.gaps = Gaps()
        self.first: TickDifference | None = None
        self.ended = ""
        self.ticks = self.differing = 0
        self.divergence: Divergence | None = None
        sim = Simulation(world.loaded, player_id=recording.player_id)
        try:
            ticks = recorded_differences(sim, recording, self.gaps)
        except SimError:
            sim.close()
            raise
        try:
            for tick in ticks:
                self.ticks += 1
                self.differing += not tick.is_same
                if self.first is None and not tick.is_same:
                    self.first = tick
        except SimError as error:
            self.ended = error.reason
        finally:
            sim.close()
        if self.first is not None:
            self.divergence = _divergence(world, recording)

    @property
    def is_same(self) -> bool:
        return self.first is None and not self.ended


def _divergence(world: World, recording: Recording) -> Divergence | None:
    sim = Simulation(world.loaded, player_id=recording.player_id)
    try:
        return verify(sim, recording)
    finally:
        sim.close()


def recorded_lines(compared: RecordedComparison) -> list[str]:
    first, name = compared.first, compared.name
    if first is None:
        lines = [f"{name} runs as it was recorded in {counted(compared.ticks, 'tick')}."]
    else:
        lines = [f"{name} and what it recorded part in tick {first.index}: {', '.join(first.what)}."]
        if compared.divergence is not None:
            lines += [f"  {line}" for line in compared.divergence.lines()]
        version = compared.recording.state_version
        if version == STATE_VERSION:
            lines.append(
                "The same version of the simulation recorded it: the world is another one, or the file changed."
            )
        lines += gap_lines(compared.gaps)
    return [*lines, f"It ends there: {compared.ended}."] if compared.ended else lines


def recorded_data(compared: RecordedComparison) -> dict[str, Any]:
    first = compared.first
    return {
        "first": {"name": compared.name, "ticks": len(compared.recording)},
        "second": {"name": "recorded", "program": compared.recording.program},
        "same": compared.is_same,
        "ticks": compared.ticks,
        "differing_ticks": compared.differing,
        "parts": None
        if first is None
        else {
            "tick": first.index,
            "what": list(first.what),
            "distance": first.distance,
            "recorded": sample_data(first.first),
            "now": sample_data(first.second),
            "values": []
            if compared.divergence is None
            else [
                {"path": each.path, "recorded": each.recorded, "now": each.ours}
                for each in (*compared.divergence.player, *compared.divergence.fields)
            ],
        },
        "apart": [span_data(span) for span in compared.gaps.spans],
        "ended": compared.ended,
    }
