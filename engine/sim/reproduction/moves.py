"""The two kinds of moves that a reproduction can hold, and their replay."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.files.cancelling import check_cancelled
from engine.physics.rules import ACE, RETAIL, rule_set
from engine.sim.captures.form import CaptureRecord, capture_of
from engine.sim.captures.frame import FrameFinder
from engine.sim.captures.replay import Replay, replay_record
from engine.sim.errors import SimError
from engine.sim.playback import Playback, check_world, verify
from engine.sim.recording import Recording
from engine.sim.recording_file import parse_recording
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError
from engine.world.loader.reproduction.content import CAPTURE, RECORDING
from engine.world.world import World

RULE_SETS: Final = (RETAIL, ACE)
TOLD_EVERY: Final = 16

Told = Callable[[float, str], None]
"""Hears of the progress: the fraction done, and a sentence."""


@dataclass
class Replayed:
    """A simulation after the replay, and the results as texts that compare: equal lists mean equal replays."""

    sim: Simulation
    results: list[str]


class Moves(ABC):
    """Moves that can be replayed in a world. `data` is their file, byte for byte."""

    kind: str
    data: bytes

    @abstractmethod
    def replay(self, world: World, told: Told) -> Replayed:
        """Replay all of it in a world just opened; raises a SimError when this is not its world or it cannot be
        replayed."""

    @abstractmethod
    def counts(self) -> dict[str, int]:
        """How much there is of what."""

    @abstractmethod
    def landblocks(self) -> set[int]:
        """The landblocks that the moves themselves name."""


class RecordedMoves(Moves):
    """A recording. Its own hashes say whether a replay gives the same."""

    kind = RECORDING

    def __init__(self, data: bytes, file: str, recording: Recording | None = None) -> None:
        self.data = data
        self.recording = parse_recording(data, file) if recording is None else recording

    def replay(self, world: World, told: Told) -> Replayed:
        recording = self.recording
        check_world(world, recording)
        sim = Simulation(world, player_id=recording.player_id)
        count = len(recording)

        def progressed(tick: int) -> bool:
            if tick % TOLD_EVERY == 0:
                check_cancelled()
                done = tick - recording.first_tick + 1
                told(done / count, f"Replaying tick {done:,} of {count:,} in {world.name} …")
            return True

        divergence = verify(sim, recording, progress=progressed)
        if divergence is not None:
            raise SimError(f"does not give the same again in {world.name}: {divergence.reason}")
        playback = Playback(sim, recording)
        playback.seek(recording.end)  # with the edits that no tick has seen
        return Replayed(sim, [sim.state_hash().hex(), f"{count} ticks"])

    def counts(self) -> dict[str, int]:
        edits = sum(map(len, self.recording.edits.values()))
        return {"tick": len(self.recording), **({"edit": edits} if edits else {})}

    def landblocks(self) -> set[int]:
        return {int(name, 16) for name in self.recording.identity if name.startswith("0x")}


class CapturedMoves(Moves):
    """A capture. Its moves are replayed under both rule sets, each by itself."""

    kind = CAPTURE

    def __init__(self, data: bytes, file: str, anchor: int = 0) -> None:
        self.data = data
        self.records: list[CaptureRecord] = capture_of(data, file)
        self.anchor = anchor or self.records[0].input.cell_id

    def replay(self, world: World, told: Told) -> Replayed:
        results: list[str] = []
        sims: list[Simulation] = []
        for name in RULE_SETS:
            if sims:
                sims.pop().close()
            sims.append(Simulation(world, rule_set(name)))
            results += self._replay_under(sims[0], name, told)
        return Replayed(sims[0], results)

    def _replay_under(self, sim: Simulation, name: str, told: Told) -> list[str]:
        for record in self.records:
            check_cancelled()
            sim.surroundings.join(record.input.cell_id)
            if sim.graph.get_visible(record.input.cell_id) is None:
                where = cell_text(record.input.cell_id)
                raise SimError(f"was not captured in {sim.world.name}: it has no cell {where}", record.where)
        finder = FrameFinder(sim.graph, self.anchor)
        results: list[str] = []
        for number, record in enumerate(self.records):
            check_cancelled()
            told(number / len(self.records), f"Replaying move {number + 1:,} of {len(self.records):,} ({name}) …")
            frame = finder.find(record.input.cell_id, record.input.current)
            try:
                results.append(_result_text(replay_record(sim.graph, sim.rules, record, frame)))
            except WorldError as error:
                raise SimError(error.reason, record.where) from error
        return results

    def counts(self) -> dict[str, int]:
        return {"move": len(self.records)}

    def landblocks(self) -> set[int]:
        return {record.input.cell_id | 0xFFFF for record in self.records}


def _result_text(replay: Replay) -> str:
    result = replay.result
    differences = "; ".join(map(str, replay.differences))
    return (
        f"{result.ok} {result.cell_id:08X} {result.position!r} {result.is_on_ground} {result.collision_normal_valid} "
        f"{result.collision_normal!r} {result.last_collided_object_id:08X} {result.collided_with_environment} "
        f"{differences}"
    )
