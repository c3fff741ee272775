"""What `compare` reads: the type of its files, their worlds, and the recording of a run."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from editor.commands.walk import absolute_source, places_of, read_script, start_of
from editor.places.place_text import WrittenPlace
from editor.places.standing import at_written
from editor.session.named_sources import is_named, whole_name
from editor.session.server_choice import server_choice
from editor.session.sources import Content, look_at, open_source
from engine.dat.errors import DatError
from engine.sim.edits.player import Teleport
from engine.sim.errors import SimError
from engine.sim.playback import check_world
from engine.sim.recording import Recorder, Recording
from engine.sim.recording_file import load_recording
from engine.sim.script import StartPlace, parse_script
from engine.sim.tick.simulation import Simulation
from engine.world.faults import WorldError
from engine.world.world import World

STANDARD_INPUT = "-"


def content_of(path: str, arguments: argparse.Namespace) -> Content | None:
    """The type of a file; None for a walk's script, which nothing but --start says of it."""
    if path == STANDARD_INPUT:
        return None
    try:
        content = look_at(path).content
    except WorldError as error:
        if arguments.start is None:
            raise SimError(f"{error.reason}; a walk's script needs --start and --world", error.file or path) from error
        return None
    if content is not Content.WORLD:
        return content
    if arguments.start is None:
        raise SimError("is a world; the first is a run: a recording, a capture, or a script with --start", path)
    return None


def projects_of(path: str) -> bool:
    """Whether a source is a project."""
    return look_at(path).content is Content.PROJECT


def same_world(one: str, two: str) -> bool:
    return whole_name(one) == whole_name(two)


@dataclass(frozen=True)
class Inputs:
    """The type of the first file; None for a script."""

    content: Content | None

    @staticmethod
    def of(arguments: argparse.Namespace) -> Inputs:
        return Inputs(content_of(arguments.run, arguments))


@dataclass(frozen=True)
class OpenedRun:
    """A run as a recording, with the world that it was made in and where that came from."""

    recording: Recording
    world: World
    source: str


@contextmanager
def open_run(
    path: str, arguments: argparse.Namespace, world: World | None = None, source: str = ""
) -> Iterator[OpenedRun]:
    """Open a recording, or run a script and record it; in `world`, which came from `source`, if it is given."""
    content = content_of(path, arguments)
    if content not in (None, Content.RECORDING):
        raise SimError(f"is a {content.value}, not a recording or a walk's script", path)
    recording = None if content is None else load_recording(Path(path))
    with ExitStack() as stack:
        if world is None:
            source = _source_of(recording, path, arguments)
            try:
                world = stack.enter_context(open_source(source, None, server_choice(arguments)))
            except (DatError, WorldError) as error:
                if recording is None or arguments.world is not None:
                    raise
                raise SimError(f"its world is not where it was; name it with --world: {error}", path) from error
        if recording is None:
            recording = recorded_walk(world, source, path, arguments)
        else:
            check_world(world, recording)
        yield OpenedRun(recording, world, source)


def _source_of(recording: Recording | None, path: str, arguments: argparse.Namespace) -> str:
    if arguments.world is not None:
        return absolute_source(arguments.world)
    if recording is None:
        raise SimError("is a walk's script: name its world with --world", path)
    if not recording.source:
        raise SimError("does not say where its world is; name it with --world", path)
    if not is_named(recording.source, frozenset(), Path(path).parent):
        reason = f"says that its world is {recording.source}, which is not beside it; name it with --world"
        raise SimError(reason, path)
    return recording.source


def recorded_walk(world: World, source: str, path: str, arguments: argparse.Namespace) -> Recording:
    """Run a script from its start, and record it: both sides get the same keys."""
    if arguments.start is None:
        raise SimError("is a walk's script: say with --start where it begins", path)
    places: Mapping[str, StartPlace] = places_of(source)
    script = parse_script(read_script(path), path, places)
    start = start_of(arguments.start, places)
    sim = Simulation(world)
    try:
        place = at_written(sim, start) if isinstance(start, WrittenPlace) else start
        sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
        recorder = Recorder(sim, source)
        for _ in script.run(sim):
            pass
        return recorder.stop()
    finally:
        sim.close()
