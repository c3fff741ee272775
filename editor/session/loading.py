"""Loads what the user asked for on a worker thread, step by step, and asks where the user has to choose.

    request -> detect the type -> open the world -> index its landblocks -> load one, with a simulation -> Arrival

`READERS` has one function for each kind of content. Each gets the request and its job, to which it reports progress and
which it checks for cancellation. It returns an arrival, a question, or another source to detect.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from editor.places.place_text import WrittenPlace
from editor.project.owned_files import is_own_file
from editor.project.project import ProjectError
from editor.project.project_file import parse_project
from editor.project.project_replay import OpenedProject, replay_project
from editor.session.background import UNKNOWN, Job
from editor.session.named_sources import is_named, whole_name
from editor.session.open_error import Failure, short_name
from editor.session.recording_check import Rerun, rerun
from editor.session.server_choice import ANY_WORLD, ServerChoice, ServerDataError, attach
from editor.session.server_question import BesideQuestion, ServerDataQuestion, lost_server, server_of_file
from editor.session.sources import DEMO, Content, Found, look_at, open_found, open_source
from editor.session.spawn import first_landblock, simulation_of
from engine.dat.errors import DatError
from engine.files.kinds import CAPTURE, PROJECT, RECORDING
from engine.render.errors import RenderError
from engine.render.scene import Scene
from engine.sim.captures.form import CaptureRecord, capture_of
from engine.sim.captures.frame import FrameFinder
from engine.sim.captures.replay import Replay, bring_in, replay_record
from engine.sim.errors import SimError
from engine.sim.playback import check_world
from engine.sim.probes import attach_probes
from engine.sim.recording_file import parse_recording
from engine.sim.tick.simulation import Simulation
from engine.sim.world_identity import ENTITIES, differing_parts
from engine.world.block_index import BlockIndex
from engine.world.cells.ids import cell_text, is_env_cell, landblock_id, low_of
from engine.world.faults import WorldError
from engine.world.server.look import server_look
from engine.world.world import World

ASKED_FROM: Final = 25
"""From this many landblocks on, the user is asked which one to start in; fewer fit in the window at a glance."""
NO_LAND: Final = "have no land of their own; in a terminal, replay-capture --ground Z gives them some"


@dataclass(frozen=True)
class Request:
    """What to open. `place` is the id of the landblock or cell to start in, 0 for the best one; `world` is the world of
    a recording or capture if it is not where the file says; `ask` is whether a user is there to choose from many
    landblocks."""

    source: str
    scene: str | None = None
    place: int = 0
    world: str = ""
    ask: bool = True
    at: WrittenPlace | None = None
    """Where the player is to stand, in the landblock of `place`."""
    here: tuple[str, str | None] | None = None
    """Source and scene of the open world."""
    named: frozenset[str] = frozenset()
    """Full paths that the user has opened before: a file that names one of them needs no confirmation."""
    autosaves: Path | None = None
    """The folder of our own autosaves: a file there is trusted if it is ours (`own_files`)."""
    servers: Mapping[str, ServerChoice] = field(default_factory=dict)
    """The server data of worlds, by their full paths; that of `ANY_WORLD` counts for whatever world opens."""

    def server_of(self, source: str) -> ServerChoice | None:
        """The server data that a world opens with."""
        return self.servers.get(ANY_WORLD) or self.servers.get(whole_name(source))

    def with_server(self, choice: ServerChoice) -> Request:
        """The same with server data demanded for whatever world opens."""
        return replace(self, servers={**self.servers, ANY_WORLD: choice})

    @property
    def name(self) -> str:
        return short_name(self.source)


@dataclass
class Arrival:
    """A world that is ready. `source` and `scene` open the same world again; `place` is the requested id."""

    request: Request
    sim: Simulation
    source: str
    scene: str | None
    index: BlockIndex
    landblock: int | None
    place: int = 0
    run: Rerun | None = None
    """The opened recording, replayed to its end."""
    project: OpenedProject | None = None
    """The opened project, with its edits replayed."""
    server: ServerChoice | None = None
    """The server data that the world was opened with."""
    scene_ahead: Scene | None = None
    """The scene for drawing, with its landblock already built; None when it cannot be drawn."""

    def close(self) -> None:
        """Close the world, because the arrival is not wanted."""
        if self.scene_ahead is not None:
            self.scene_ahead.close()
        self.sim.close()
        self.sim.world.loaded.close()


@dataclass
class CaptureArrival:
    """A capture with its moves replayed in a world of their own, where everything stands as it does at its start.

    `opened` is the same world for the window, if it was not open there yet.
    """

    request: Request
    source: str
    records: list[CaptureRecord]
    replays: list[Replay]
    sim: Simulation
    opened: Arrival | None = None
    anchor: int = 0
    """An id in the landblock whose corner is the frame's origin; 0: that of the first move."""

    def close(self) -> None:
        self.sim.close()
        self.sim.world.loaded.close()
        if self.opened is not None:
            self.opened.close()


@dataclass(frozen=True)
class SceneQuestion:
    """Asks which of several scenes to open."""

    request: Request
    names: tuple[str, ...]

    def answer(self, name: str) -> Request:
        return replace(self.request, scene=name)

    def close(self) -> None:
        """Do nothing: no world is open yet."""


@dataclass(frozen=True)
class BlockQuestion:
    """Asks which of many landblocks to start in. The world is open; a receiver that does not continue with it closes
    it."""

    request: Request
    source: str
    world: World
    index: BlockIndex

    def furnish(self, choice: ServerChoice, job: Job) -> None:
        """Let other server data stand in the world; raises a ServerDataError."""
        attach(self.world, choice, teller(job))

    def close(self) -> None:
        self.world.close()


@dataclass(frozen=True)
class WorldQuestion:
    """Asks for the world that a recording or capture was made in, or that a project is about. `failure` is the reason
    for asking. `said` is where the file says the world is, when the user has never opened that place: nothing was
    read there."""

    request: Request
    failure: Failure
    said: str = ""

    def agree(self) -> Request:
        """The request with the world confirmed that the file names."""
        return replace(self.request, named=self.request.named | {whole_name(self.said)})

    def answer(self, source: str) -> Request:
        return replace(self.request, world=source)

    def close(self) -> None:
        """Do nothing: no world is open."""


Question = SceneQuestion | BlockQuestion | WorldQuestion | ServerDataQuestion | BesideQuestion
Outcome = Arrival | CaptureArrival | Question
Reader = Callable[[Request, Found, Job], Outcome]


def arrive(request: Request, job: Job) -> Outcome:
    """The outcome of a request; raises the engine's errors when it has none."""
    job.progress(UNKNOWN, f"Opening {request.name} …")
    found = look_at(request.source)
    outcome = READERS[found.content](request, found, job)
    if isinstance(outcome, Arrival):
        draw_ahead(outcome, job)
    return outcome


def draw_ahead(arrival: Arrival, job: Job) -> None:
    """Build what the first frame shows here, on the worker thread. The view reports what fails."""
    wanted = False
    try:
        _draw_ahead(arrival, job)
        wanted = True
    finally:
        if not wanted:
            arrival.close()


def _draw_ahead(arrival: Arrival, job: Job) -> None:
    try:
        arrival.scene_ahead = scene = Scene(arrival.sim.world, arrival.sim)
        block = None if arrival.landblock is None else arrival.sim.world.landblock(arrival.landblock)
        if block is None:
            return
        for cell in block.env_cells:
            job.check()
            scene.shell(cell.id)
            scene.parts_in(cell.id)
        for building in block.buildings:
            scene.building_shell(building, block.id)
        scene.terrain(block.id)
        scene.parts_on_land(block.id)
    except RenderError:
        return


def _open_plain(request: Request, found: Found, job: Job) -> Outcome:
    """Open a world that is not part of another file."""
    if len(found.scenes) > 1 and request.scene is None:
        if not request.ask:
            names = ", ".join(found.scenes)
            raise WorldError(f"holds several scenes; name one with --scene: {names}", request.source)
        return SceneQuestion(request, found.scenes)
    if found.source == DEMO:
        job.progress(UNKNOWN, "Opening the demo world; its data files are written first if they are not there yet …")
    with ExitStack() as stack:
        server = request.server_of(found.source)
        world = stack.enter_context(open_found(found, request.scene, server, teller(job)))
        index = read_index(world, job)
        if request.place == 0 and request.ask and len(index) >= ASKED_FROM:
            stack.pop_all()
            return BlockQuestion(request, found.source, world, index)
        arrival = enter(request, found.source, world, index, request.place, job)
        stack.pop_all()
        return arrival


def read_index(world: World, job: Job) -> BlockIndex:
    """Index the world's landblocks, reporting progress."""

    def told(fraction: float) -> None:
        job.check()
        job.progress(fraction, f"Listing the landblocks of {world.name} …")

    index = world.source.block_index(told)
    job.check()
    return index


def enter(request: Request, source: str, world: World, index: BlockIndex, place: int, job: Job) -> Arrival:
    """Start the simulation, in the given landblock or cell or in the best one."""
    if place:
        block_id: int | None = landblock_id(place)
        _check_place(world, index, place)
    else:
        block_id = first_landblock(world, index, teller(job))
    job.check()
    if block_id is not None:
        job.progress(UNKNOWN, f"Loading landblock {cell_text(block_id)} …")
        world.landblock(block_id)
    job.check()
    sim = simulation_of(world, source, block_id, place, request.at)
    return Arrival(request, sim, source, request.scene, index, block_id, place, server=request.server_of(source))


def _check_place(world: World, index: BlockIndex, place: int) -> None:
    block_id = landblock_id(place)
    if place not in index:
        count = len(index)
        only = f"{cell_text(index.ids[0])} is the only one" if count == 1 else f"it has {count:,} others"
        raise WorldError(f"has no landblock {cell_text(block_id)}; {only}", _name_of(world))
    if is_env_cell(low_of(place)) and world.graph.get_visible(place) is None:
        block = world.landblock(block_id)
        rooms = [] if block is None else block.env_cells
        there = f"{cell_text(rooms[0].id)} to {cell_text(rooms[-1].id)}" if rooms else "none"
        raise WorldError(f"has no cell {cell_text(place)}; the rooms of its landblock are {there}", _name_of(world))


def _name_of(world: World) -> str:
    return str(world.path or world.name)


# --- recordings


def _open_recording(request: Request, found: Found, job: Job) -> Outcome:
    """Open the world that the recording was made in, and replay the recording to its end."""
    path = Path(request.source)
    recording = parse_recording(found.file.content(RECORDING), str(path))
    job.check()
    source = request.world or recording.source
    if not request.world and not is_named(source, request.named, path.parent):
        return _question_of_place(request, source)
    if not source:
        return WorldQuestion(request, Failure(f"{request.name} does not say which world it was recorded in."))
    server = server_of_file(request, recording.server, source)
    if isinstance(server, ServerDataQuestion):
        return server
    job.progress(UNKNOWN, f"Opening {short_name(source)}, in which {request.name} was recorded …")
    try:
        recorded_in = look_at(source)
        # The worlds in a file of several scenes are named like the scenes.
        scene = recording.world if recording.world in recorded_in.scenes else None
        world = open_found(recorded_in, scene, server, teller(job))
    except ServerDataError as error:
        return lost_server(request, server, error)
    except (DatError, WorldError) as error:
        sentence = f"{request.name} was recorded in {recording.world}, which cannot be opened from there."
        return WorldQuestion(request, Failure(sentence, f"world    {source}\nreason   {error}"))
    with ExitStack() as stack:
        stack.enter_context(world)
        try:
            untold = check_world(world, recording)
        except SimError as error:
            if recording.server is not None and differing_parts(world, recording.identity) == [ENTITIES]:
                return lost_server(request, server, error)
            sentence = f"{request.name} was not recorded in this {short_name(source)}: the world is a different one."
            return WorldQuestion(request, Failure(sentence, f"world    {source}\nreason   {error.reason}"))
        index = read_index(world, job)
        sim = Simulation(world, player_id=recording.player_id)
        attach_probes(sim)
        run = rerun(sim, recording, job)
        run.untold = untold
        place = sim.player.steered.place.cell_id
        here = landblock_id(place) if place in index else first_landblock(world, index, teller(job))
        stack.pop_all()
        return Arrival(request, sim, source, scene, index, here, run=run, server=server)


def _question_of_place(request: Request, source: str) -> WorldQuestion:
    sentence = f"{request.name} says that its world is {source}, which has never been opened here."
    details = f"file     {request.source}\nworld    {source}\nNothing was read there; in a terminal, --world names it"
    return WorldQuestion(request, Failure(sentence, details), source)


# --- captures


def _open_capture(request: Request, found: Found, job: Job) -> Outcome:
    """Replay the capture in a fresh copy of the open world, or of the named one."""
    records = capture_of(found.file.content(CAPTURE), request.source)
    job.check()
    source, scene = (request.world, request.scene) if request.world else request.here or ("", None)
    if not source:
        return WorldQuestion(request, Failure(f"{request.name} does not say which world it was captured in."))
    job.progress(UNKNOWN, f"Opening {short_name(source)} for the moves of {request.name} …")
    with ExitStack() as stack:
        server = request.server_of(source)
        world = stack.enter_context(open_source(source, scene, server, teller(job)))
        sim = Simulation(world)
        for number, record in enumerate(records):
            job.check()
            job.progress(number / len(records), f"Loading what {request.name} moved through …")
            if not bring_in(sim, record.input.cell_id):
                where = cell_text(record.input.cell_id)
                sentence = f"{request.name} was not captured in {world.name}: it has no cell {where}."
                details = f"capture  {record.where}\nworld    {source}\ndumps    {NO_LAND}"
                return WorldQuestion(request, Failure(sentence, details))
        replays = replays_of(sim, records, request.name, job)
        opened = None
        if (source, scene) != request.here:
            mine = stack.enter_context(open_source(source, scene, server, teller(job)))
            begin = Request(source, scene, servers=request.servers)
            opened = enter(begin, source, mine, read_index(mine, job), records[0].input.cell_id, job)
        stack.pop_all()
        return CaptureArrival(request, source, records, replays, sim, opened)


def replays_of(sim: Simulation, records: list[CaptureRecord], name: str, job: Job, anchor: int = 0) -> list[Replay]:
    """All moves replayed, where everything stands as it does at the world's start."""
    finder = FrameFinder(sim.graph, anchor)
    replays = []
    for number, record in enumerate(records):
        job.check()
        job.progress(number / len(records), f"Replaying move {number + 1:,} of {len(records):,} of {name} …")
        frame = finder.find(record.input.cell_id, record.input.current)
        replays.append(replay_record(sim.graph, sim.rules, record, frame))
    return replays


def _open_reproduction(request: Request, found: Found, job: Job) -> Outcome:
    from editor.session.reproductions import open_reproduction  # it opens by what is in this module

    return open_reproduction(request, found, job)


# --- projects


def _open_project(request: Request, found: Found, job: Job) -> Outcome:
    """Open the world that the project is about, and replay its edits."""
    path = Path(request.source)
    project = parse_project(found.file.content(PROJECT), request.source)
    named = request.named
    if request.world:
        named |= {whole_name(request.world)}
        project = replace(project, source=os.path.abspath(request.world) if request.world != DEMO else DEMO)
    source, world = project.source_from(path.parent), project.within_from(path.parent)
    is_own = is_own_file(found.file.look.opened, request.autosaves)
    if not is_own:  # the world that our own autosave names was open here
        unnamed = [name for name in (source, world) if not is_named(name, named, path.parent)]
        if unnamed:
            return _question_of_place(request, unnamed[0])
    server = server_of_file(request, project.server_from(path.parent), source, is_own=is_own)
    if isinstance(server, ServerDataQuestion):
        return server
    job.progress(UNKNOWN, f"Opening {short_name(source)}, the world of {request.name} …")
    inner = Request(source, project.scene, project.place, world, ask=False, named=named, servers=request.servers)
    if project.server is not None and server is not None:
        inner = inner.with_server(server)
    try:
        within = look_at(source)
        if within.content is Content.PROJECT:
            raise ProjectError("its world is a project", request.source)
        outcome = READERS[within.content](inner, within, job)
    except ServerDataError as error:
        return lost_server(request, server, error)
    except (DatError, WorldError, SimError) as error:
        reason = f"its world cannot be opened ({error.reason}); it should be at {source}"
        sentence = f"{request.name} cannot be opened: {reason}"
        return WorldQuestion(request, Failure(sentence, f"project  {path}\nworld    {source}\nreason   {error}"))
    if isinstance(outcome, ServerDataQuestion) or (isinstance(outcome, WorldQuestion) and outcome.said):
        return replace(outcome, request=request)
    if isinstance(outcome, CaptureArrival) and outcome.opened is not None:  # a reproduction's: the world counts
        world_of_it, outcome.opened = outcome.opened, None
        outcome.close()
        outcome = world_of_it
    with ExitStack() as stack:
        stack.callback(outcome.close)
        if not isinstance(outcome, Arrival):
            raise ProjectError(f"its world cannot be opened alone; it should be at {source}", request.source)
        job.check()
        opened = replay_project(path, project, outcome.sim, teller(job))
        opened.is_elsewhere = bool(request.world) or (ANY_WORLD in request.servers and project.server is not None)
        opened.is_own = is_own
        stack.pop_all()
    request = replace(request, source=opened.reopen_path)
    in_view = outcome.landblock
    if project.landblock is not None and project.landblock in outcome.index:
        in_view = project.landblock
        outcome.sim.world.landblock(in_view)
    return replace(outcome, request=request, landblock=in_view, run=None, project=opened)


# --- server data


def _offer_beside(request: Request, found: Found, job: Job) -> Outcome:
    """Server data stands in a world: the open one, if any."""
    what = server_look(Path(request.source))
    if request.here is None:
        reason = (
            f"is {what}, not a world; open a world first, such as the client's data folder, and then this beside it"
        )
        raise WorldError(reason, request.source)
    return BesideQuestion(request, Failure(f"{request.name} is {what}, not a world. It can stand in the open one."))


def teller(job: Job) -> Callable[[float, str], None]:
    def told(fraction: float, sentence: str) -> None:
        job.check()
        job.progress(fraction, sentence)

    return told


READERS: Final[dict[Content, Reader]] = {
    Content.WORLD: _open_plain,
    Content.RECORDING: _open_recording,
    Content.CAPTURE: _open_capture,
    Content.PROJECT: _open_project,
    Content.REPRODUCTION: _open_reproduction,
    Content.SERVER_DATA: _offer_beside,
}
