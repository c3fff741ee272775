"""Runs a recording again: to any of its ticks, step by step, or as a whole with every hash compared.

The simulation has to be one of the recording's own world; `check_world` says whether it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from engine.entities.state_io import STATE_VERSION
from engine.geometry.errors import GeometryError
from engine.physics.errors import PhysicsError
from engine.sim.errors import SimError
from engine.sim.recording import Recording, Sample, sample_of
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.sim.world_identity import compare_world
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError
from engine.world.loader.base import collector_paused
from engine.world.world import World

SHOWN_TEXT: Final = 80
"""Longer values are reported as different, not printed."""

SHOWN_FIELDS: Final = 40
"""At most so many differences are listed; the rest is counted."""

ENGINE_ERRORS: Final = (PhysicsError, WorldError, GeometryError)
"""The errors with which a simulation refuses edits and states."""


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A value of the state by its path, like "player.velocity", as recorded and as it came out now."""

    path: str
    recorded: str
    ours: str

    def __str__(self) -> str:
        if max(len(self.recorded), len(self.ours)) > SHOWN_TEXT:
            return f"{self.path}: recorded and ours differ"
        return f"{self.path}: recorded {self.recorded}, ours {self.ours}"


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first tick whose state differs from the recorded one, or whose edits are refused.

    `player` is what differs in the player then. `fields` is everything that differs before tick `fields_at`, the first
    tick from there on whose whole state was recorded.
    """

    tick: int
    reason: str
    player: list[FieldDifference] = field(default_factory=list)
    fields: list[FieldDifference] = field(default_factory=list)
    fields_at: int = 0

    def lines(self) -> list[str]:
        found = [self.reason]
        found += [f"  after the tick, {difference}" for difference in self.player]
        if self.fields:
            found.append(f"  before tick {self.fields_at}, where all of the state was recorded:")
            found += [f"    {difference}" for difference in self.fields[:SHOWN_FIELDS]]
        if len(self.fields) > SHOWN_FIELDS:
            found.append(f"    and {len(self.fields) - SHOWN_FIELDS} more")
        return found


def check_world(world: World, recording: Recording) -> str:
    """A SimError when the world is not the one that the run was recorded in. Returns a sentence on what of it an older
    recording cannot tell, "" when all was compared."""
    compared = compare_world(world, recording.identity)
    if compared.differing:
        differ = ", ".join(compared.differing)
        raise SimError(f"{world.name} is no longer the world of the recording: {differ} differ")
    if not compared.untold:
        return ""
    return (
        f"It was recorded by an earlier version, by which it cannot be told whether {', '.join(compared.untold)} "
        "of this world is as it was then"
    )


class Playback:
    """A simulation that is led along a recording. `tick` is the number of the tick that comes next."""

    def __init__(self, sim: Simulation, recording: Recording) -> None:
        if sim.player.id != recording.player_id:
            raise SimError(f"the player recorded has the id {cell_text(recording.player_id)}, not this one's")
        self.sim = sim
        self.recording = recording
        self._version = recording.state_version

    @property
    def tick(self) -> int:
        return self.sim.tick_number

    def start(self) -> None:
        """Be where the recording began, before its first tick and the edits made for it."""
        self._go_to(self.recording.first_tick)

    def seek(self, tick: int) -> None:
        """Go to the state before that tick and its edits.

        At its end those edits are in place: whoever was changing something there finds it as it was left.
        """
        self._go_to(tick)
        if tick == self.recording.end:
            self.make_edits()

    def branch(self, tick: int) -> None:
        """Forget that tick and all that was recorded after it, and be there: what happens now is recorded instead."""
        self.recording.cut(tick)
        self._go_to(tick)

    def step(self) -> TickReport:
        """Run the next tick after its edits; raises a SimError when they are refused."""
        recording, now = self.recording, self.tick
        if not recording.first_tick <= now < recording.end:
            raise SimError(f"tick {now} was not recorded")
        self.make_edits()
        try:
            return self.sim.tick(recording.controls[now - recording.first_tick])
        except ENGINE_ERRORS as error:
            raise SimError(f"tick {now} cannot be replayed: {error}") from error

    def _go_to(self, tick: int) -> None:
        recording = self.recording
        if not recording.first_tick <= tick <= recording.end:
            raise SimError(f"the recording goes from tick {recording.first_tick} to {recording.end}, not to {tick}")
        number = recording.keyframes.at_or_before(tick)
        if number < 0:
            raise SimError("the recording has no snapshot at its start")
        at = recording.keyframes.ticks[number]
        with collector_paused():  # a collection takes longer than all the rest, and may come afterwards
            restore(self.sim, recording.keyframes.snapshot(number))
            if self.tick != at or self.sim.state_hash(self._version) != recording.hash_before(at):
                raise SimError(f"the snapshot of tick {at} is not the state that was recorded")
            while self.tick < tick:
                self.step()

    def make_edits(self) -> None:
        """Apply the edits that the next tick is the first to see; `step` applies them itself."""
        recording, now = self.recording, self.tick
        recording.replaying = True
        try:
            for edit in recording.edits.get(now, ()):
                self.sim.apply_edit(edit)
        except ENGINE_ERRORS as error:
            raise SimError(f"the edits for tick {now} cannot be replayed: {error}") from error
        finally:
            recording.replaying = False


def restore(sim: Simulation, snapshot: bytes) -> None:
    """A snapshot of a recording; a SimError when this world has no place for it."""
    try:
        sim.restore(snapshot)
    except ENGINE_ERRORS as error:
        raise SimError(f"its state does not fit this world: {error}") from error


Progress = Callable[[int], bool]
"""Called with every tick that agreed; returning False ends the check."""


def verify(
    sim: Simulation, recording: Recording, upto: int | None = None, progress: Progress | None = None
) -> Divergence | None:
    """Run the recording from its start and compare the state after each tick; None when all agree.

    `upto` is the tick before which to stop, the end unless given; the simulation stands there afterwards when nothing
    differs. Otherwise its state is of no use.
    """
    last = recording.end if upto is None else upto
    if not recording.first_tick <= last <= recording.end:
        raise SimError(f"the recording goes from tick {recording.first_tick} to {recording.end}, not to {last}")
    playback = Playback(sim, recording)
    version = recording.state_version
    playback.start()
    while playback.tick < last:
        tick = playback.tick
        try:
            report = playback.step()
        except SimError as error:
            return Divergence(tick, str(error))
        if sim.state_hash(version) != recording.hash_after(tick):
            return _explain(playback, tick, sample_of(report))
        if progress is not None and not progress(tick):
            break
    return None


def _explain(playback: Playback, tick: int, ours: Sample) -> Divergence:
    """Compare the player at once and everything at the next keyframe."""
    sim, recording = playback.sim, playback.recording
    reason = f"the state differs after tick {tick}"
    if recording.state_version < STATE_VERSION:
        reason += (
            f": it was recorded with version {recording.state_version} of the simulation, this is version "
            f"{STATE_VERSION}, in which bodies move differently"
        )
    player = player_differences(recording.samples[tick - recording.first_tick], ours)
    number = recording.keyframes.at_or_after(tick + 1)
    if number < 0:
        return Divergence(tick, reason, player)
    at = recording.keyframes.ticks[number]
    try:
        while playback.tick < at:
            playback.step()
        named = sim.named_state()
        restore(sim, recording.keyframes.snapshot(number))
    except SimError as error:
        return Divergence(tick, f"{reason}; the state before tick {at} cannot be compared: {error}", player)
    return Divergence(tick, reason, player, state_differences(sim.named_state(), named), at)


def player_differences(recorded: Sample, ours: Sample) -> list[FieldDifference]:
    values = (
        ("cell", cell_text(recorded.cell), cell_text(ours.cell)),
        ("origin", repr(recorded.origin), repr(ours.origin)),
        ("velocity", repr(recorded.velocity), repr(ours.velocity)),
        ("heading", repr(recorded.heading), repr(ours.heading)),
        ("transient", hex(recorded.transient), hex(ours.transient)),
    )
    return [FieldDifference(f"player.{name}", theirs, now) for name, theirs, now in values if theirs != now]


def state_differences(recorded: list[tuple[str, str]], ours: list[tuple[str, str]]) -> list[FieldDifference]:
    """Compare by path; repeated paths are numbered, and "-" stands for a value that the other state lacks."""
    theirs, now = _by_path(recorded), _by_path(ours)
    found = [
        FieldDifference(path, value, now.get(path, "-")) for path, value in theirs.items() if now.get(path) != value
    ]
    return found + [FieldDifference(path, "-", value) for path, value in now.items() if path not in theirs]


def _by_path(state: list[tuple[str, str]]) -> dict[str, str]:
    values: dict[str, str] = {}
    count: dict[str, int] = {}
    for path, value in state:
        count[path] = count.get(path, 0) + 1
        values[path if count[path] == 1 else f"{path}[{count[path] - 1}]"] = value
    return values
