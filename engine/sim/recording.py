"""A replayable run: a snapshot at its start, then controls and edits (ARCHITECTURE.md, "How it flows").

    recorder = Recorder(sim, "demo")
    ...                                       # whoever likes ticks and edits the simulation
    save_recording(recorder.stop(), path)

Keyframes make any tick reachable, a hash of the state after each tick says whether a replay is the same, and the
player's samples say where he was without one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Final

from engine import __version__, active_core
from engine.entities.state_io import STATE_VERSION
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.sim.edits.edit import Edit
from engine.sim.errors import SimError
from engine.sim.keyframes import Keyframes
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.sim.tick.state import snapshot_version
from engine.sim.world_identity import world_identity
from engine.world.graph.graph import NO_CELL
from engine.world.server.place import ServerPlace
from engine.world.world import World

SPACING: Final = 16
"""Ticks from keyframe to keyframe: less than a kilobyte each, with 10 ms of interpreted replay between them."""

HASH_SIZE: Final = 16
REALS: Final = 7
INTEGERS: Final = 2


@dataclass(frozen=True, slots=True)
class Sample:
    """The player after a tick."""

    cell: int
    origin: Vec3
    velocity: Vec3
    heading: float
    transient: int


class Samples:
    """The player after every tick, as plain arrays: for plots, and to say in what a replay first differs."""

    def __init__(self) -> None:
        self.reals = array("d")
        self.integers = array("I")

    def __len__(self) -> int:
        return len(self.integers) // INTEGERS

    def __getitem__(self, number: int) -> Sample:
        x, y, z, vx, vy, vz, heading = self.reals[number * REALS : number * REALS + REALS]
        cell, transient = self.integers[number * INTEGERS : number * INTEGERS + INTEGERS]
        return Sample(cell, (x, y, z), (vx, vy, vz), heading, transient)

    def add(self, sample: Sample) -> None:
        self.reals.extend((*sample.origin, *sample.velocity, sample.heading))
        self.integers.extend((sample.cell, sample.transient))

    def copy(self) -> Samples:
        made = Samples()
        made.reals, made.integers = self.reals[:], self.integers[:]
        return made

    def cut(self, count: int) -> None:
        del self.reals[count * REALS :], self.integers[count * INTEGERS :]


def sample_of(report: TickReport) -> Sample:
    """A lost body is in cell 0."""
    return Sample(
        NO_CELL if report.lost else report.cell, report.origin, report.velocity, report.heading, report.transient
    )


class Recording:
    """A recorded run. Tick numbers are the simulation's; `first_tick` is the first recorded one.

    `edits` are those that the tick of that number is the first to see. `source` is how the world can be opened again,
    `server` the server data in it, if that is known, and `identity` what it was like (`world_identity`). While
    `replaying`, the edits made are those of the recording itself.
    """

    def __init__(self, first_tick: int, start_hash: bytes, player_id: int, source: str, world: str) -> None:
        self.first_tick = first_tick
        self.start_hash = start_hash
        self.player_id = player_id
        self.source = source
        self.world = world
        self.program = __version__
        self.core = active_core()
        self.server: ServerPlace | None = None
        self.identity: dict[str, str] = {}
        self.controls: list[Controls] = []
        self.edits: dict[int, list[Edit]] = {}
        self.hashes = bytearray()
        self.samples = Samples()
        self.keyframes = Keyframes()
        self.replaying = False

    def __len__(self) -> int:
        """The number of ticks."""
        return len(self.controls)

    @property
    def end(self) -> int:
        """The number of the tick that would come next."""
        return self.first_tick + len(self.controls)

    @property
    def state_version(self) -> int:
        """The version of the state form of all hashes, that of the first tick, even if a later version continues it."""
        if not self.keyframes.ticks:
            return STATE_VERSION
        try:
            return snapshot_version(self.keyframes.snapshot(0))
        except PhysicsError as error:
            raise SimError(f"its state cannot be read: {error}") from error

    def hash_after(self, tick: int) -> bytes:
        """The state's hash after a recorded tick."""
        at = (tick - self.first_tick) * HASH_SIZE
        return bytes(self.hashes[at : at + HASH_SIZE])

    def hash_before(self, tick: int) -> bytes:
        """The same at its beginning, before the edits that were made for it."""
        return self.start_hash if tick == self.first_tick else self.hash_after(tick - 1)

    def add(self, controls: Controls, sample: Sample, state_hash: bytes) -> None:
        if self.controls and controls == self.controls[-1]:
            controls = self.controls[-1]  # keys are held for many ticks; one object will do
        self.controls.append(controls)
        self.samples.add(sample)
        self.hashes += state_hash

    def know_world(self, world: World, landblocks: Iterable[int]) -> None:
        """Note the identity of these landblocks; known ones stay as noted first."""
        self.identity = {**world_identity(world, landblocks), **self.identity}

    def copy(self) -> Recording:
        """One that stays as it is while this one grows."""
        made = Recording(self.first_tick, self.start_hash, self.player_id, self.source, self.world)
        made.program, made.core, made.identity = self.program, self.core, dict(self.identity)
        made.server = self.server
        made.controls = list(self.controls)
        made.edits = {tick: list(edits) for tick, edits in self.edits.items()}
        made.hashes = bytearray(self.hashes)
        made.samples, made.keyframes = self.samples.copy(), self.keyframes.copy()
        return made

    def cut(self, tick: int) -> None:
        """Drop that tick and all later ones, with their edits.

        A recorder would go on from there, so the simulation has to be brought there as well: `Playback.branch`.
        """
        count = tick - self.first_tick
        if not 0 <= count <= len(self):
            raise SimError(f"the recording has the ticks {self.first_tick} to {self.end - 1}, not {tick}")
        del self.controls[count:], self.hashes[count * HASH_SIZE :]
        self.samples.cut(count)
        self.keyframes.cut(tick)
        self.edits = {number: edits for number, edits in self.edits.items() if number < tick}


class Recorder:
    """Records the ticks and edits of a simulation from now on, or continues an older recording.

    What does not go on from the recording's end is left out: somebody may be looking at the past. Changes that are
    neither ticks nor edits, like a snapshot that is restored, are nothing it could know of.
    """

    def __init__(
        self, sim: Simulation, source: str = "", spacing: int = SPACING, recording: Recording | None = None
    ) -> None:
        self.sim = sim
        self.spacing = spacing
        self.recording = _begun(sim, source) if recording is None else recording
        if sim.tick_number != self.recording.end or sim.state_hash(
            self.recording.state_version
        ) != self.recording.hash_before(self.recording.end):
            raise SimError("the simulation does not stand where the recording ends")
        self._version = self.recording.state_version
        self._landblocks: set[int] = set()
        sim.listen(self._edited)
        sim.listen_to_ticks(self._ticked)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def is_at_end(self) -> bool:
        """The simulation stands where the recording ends, so the next tick will be recorded."""
        return self.sim.tick_number == self.recording.end

    def stop(self) -> Recording:
        """Stop recording. The recording is complete: it ends with a keyframe and knows its world."""
        self.sim.unlisten(self._edited)
        self.sim.unlisten_to_ticks(self._ticked)
        self._add_last_keyframe()
        self.recording.know_world(self.sim.world, self.landblocks)
        return self.recording

    @property
    def landblocks(self) -> set[int]:
        """The landblocks that the run came near to."""
        return self._landblocks | set(self.sim.surroundings.joined)

    def so_far(self) -> Recording:
        """Return a copy while recording continues; it does not know its world yet."""
        self._add_last_keyframe()
        return self.recording.copy()

    def _add_last_keyframe(self) -> None:
        recording = self.recording
        if self.is_at_end and recording.keyframes.ticks[-1] != recording.end and recording.end not in recording.edits:
            recording.keyframes.add(recording.end, self.sim.snapshot())

    def _edited(self, tick: int, edit: Edit) -> None:
        if tick == self.recording.end and not self.recording.replaying:
            self.recording.edits.setdefault(tick, []).append(edit)

    def _ticked(self, controls: Controls, report: TickReport) -> None:
        recording = self.recording
        if report.tick != recording.end:
            return
        recording.add(controls, sample_of(report), self.sim.state_hash(self._version))
        self._landblocks.update(self.sim.surroundings.joined)  # they may be gone again when the recording is stopped
        if len(recording) % self.spacing == 0:
            recording.keyframes.add(recording.end, self.sim.snapshot())


def _begun(sim: Simulation, source: str) -> Recording:
    """A recording without ticks that starts where the simulation stands."""
    recording = Recording(sim.tick_number, sim.state_hash(), sim.player.id, source, sim.world.name)
    recording.keyframes.add(sim.tick_number, sim.snapshot())
    return recording
