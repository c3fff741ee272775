"""Runs recorded in any world, packed, and the packed world opened again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from editor.export.reproduction import ReproductionPlan, WorldPlace, plan_reproduction, write_reproduction
from editor.session.server_choice import ServerChoice
from editor.session.sources import open_source
from editor.session.spawn import first_landblock, simulation_of
from engine.sim.edits.edit import Edit
from engine.sim.playback import check_world, verify
from engine.sim.recording import Recorder, Recording
from engine.sim.recording_file import recording_bytes
from engine.sim.reproduction.moves import Moves, RecordedMoves
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.world import World

FORWARD = Controls(forward=1.0)
RUN = Controls(forward=1.0, run=True)
TURN = Controls(forward=1.0, turn=1.0)
EditsOf = Callable[[Simulation], Sequence[Edit]]


def quiet(fraction: float, sentence: str) -> None:
    """Nobody listens."""


def no_edits(sim: Simulation) -> Sequence[Edit]:
    return ()


def recorded(
    source: str,
    ticks: int = 40,
    edits: EditsOf = no_edits,
    scene: str | None = None,
    server: ServerChoice | None = None,
) -> RecordedMoves:
    """A walk in the world of a source, with edits in the middle and at the end."""
    with open_source(source, scene, server) as world:
        sim = simulation_of(world, source, first_landblock(world, world.source.block_index()))
        with Recorder(sim, source) as recorder:
            for number in range(ticks):
                if number == ticks // 2:
                    for edit in edits(sim):
                        sim.apply_edit(edit)
                sim.tick(FORWARD if number % 20 < 12 else TURN)
        sim.close()
    data = recording_bytes(recorder.recording)
    return RecordedMoves(data, "the recording")


def planned(
    moves: Moves, source: str, scene: str | None = None, server: ServerChoice | None = None
) -> ReproductionPlan:
    return plan_reproduction(lambda world: moves, WorldPlace((source,), scene, server), quiet)


def saved(plan: ReproductionPlan, path: Path, *, textures: bool = True, note: str = "") -> Path:
    write_reproduction(plan, path, [], quiet, textures=textures, note=note)
    return path


def check_same(world: World, recording: Recording) -> None:
    """The world satisfies the recording's digests and gives each of its hashes."""
    check_world(world, recording)
    sim = Simulation(world, player_id=recording.player_id)
    assert verify(sim, recording) is None
    sim.close()
