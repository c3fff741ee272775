"""Opens reproductions: the world in one, with its recording replayed or its capture's moves."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

from editor.session.background import Job
from editor.session.jpeg import decode_jpeg
from editor.session.loading import Arrival, CaptureArrival, Outcome, Request, enter, read_index, teller
from editor.session.loading import replays_of as capture_replays
from editor.session.recording_check import rerun
from editor.session.server_choice import furnish
from editor.session.sources import Found
from editor.session.spawn import first_landblock
from engine.files.errors import FileError
from engine.files.kinds import REPRODUCTION
from engine.files.reading import FileLook
from engine.sim.captures.form import capture_of
from engine.sim.playback import check_world
from engine.sim.probes import attach_probes
from engine.sim.recording_file import parse_recording
from engine.sim.reproduction.edges import watch_edge
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import landblock_id
from engine.world.faults import WorldError
from engine.world.loader.reproduction.content import RECORDING, Reproduction
from engine.world.loader.reproduction.form import parse_reproduction
from engine.world.loader.reproduction.heading import is_reproduction
from engine.world.loader.reproduction.source import source_of
from engine.world.world import World

HEAD = 100
"""Bytes that tell a reproduction."""


def reproduction_at(path: Path) -> Reproduction | None:
    """The reproduction at a path; None when there is something else."""
    try:
        look = FileLook(path, HEAD)
        data = look.content(REPRODUCTION) if is_reproduction(look.head) else None
    except FileError as error:
        raise WorldError(error.reason, str(path)) from error
    return None if data is None else parse_reproduction(data, str(path))


def packed_world(content: Reproduction, path: Path) -> World:
    """The world in a reproduction that was read from a path."""
    source = source_of(content, str(path))
    source.jpeg = decode_jpeg
    return World(source, path)


def open_reproduction(request: Request, found: Found, job: Job) -> Outcome:
    """Open the world in the file, at the first tick of its recording or with the moves of its capture."""
    path = Path(found.source)
    content = parse_reproduction(found.file.content(REPRODUCTION), str(path))
    job.check()
    if content.head.moves == RECORDING:
        return _open_recorded(request, content, path, job)
    return _open_captured(request, content, path, job)


def _world(request: Request, content: Reproduction, path: Path) -> World:
    return furnish(packed_world(content, path), request.server_of(str(path)))


def _open_recorded(request: Request, content: Reproduction, path: Path, job: Job) -> Outcome:
    recording = parse_recording(content.moves, str(path))
    recording.source = os.path.abspath(path)  # what goes on from here goes on in this world
    with ExitStack() as stack:
        world = stack.enter_context(_world(request, content, path))
        check_world(world, recording)
        index = read_index(world, job)
        sim = Simulation(world, player_id=recording.player_id)
        attach_probes(sim)
        watch_edge(sim)
        run = rerun(sim, recording, job)
        place = sim.player.steered.place.cell_id
        here = landblock_id(place) if place in index else first_landblock(world, index, teller(job))
        stack.pop_all()
        return Arrival(request, sim, str(path), None, index, here, run=run)


def _open_captured(request: Request, content: Reproduction, path: Path, job: Job) -> Outcome:
    """The moves are replayed in a world of their own, beside the one for the window."""
    records = capture_of(content.moves, str(path))
    with ExitStack() as stack:
        world = stack.enter_context(_world(request, content, path))
        sim = Simulation(world)
        for record in records:
            job.check()
            sim.surroundings.join(record.input.cell_id)
        anchor = content.head.anchor or records[0].input.cell_id
        replays = capture_replays(sim, records, request.name, job, anchor)
        mine = stack.enter_context(_world(request, content, path))
        opened = enter(request, str(path), mine, read_index(mine, job), records[0].input.cell_id, job)
        stack.pop_all()
        return CaptureArrival(request, str(path), records, replays, sim, opened, anchor)
