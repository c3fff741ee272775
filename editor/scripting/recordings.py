"""Recordings and captures: what was recorded as arrays, and what a replay says about it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from editor.process.output_files import output_file
from editor.process.server_arguments import ALSO
from editor.reports.sweep_headline import outcome_text
from editor.scripting.answers import sample_answer, trace_answer
from editor.scripting.errors import ClosedError, OpenError, RefusedError, reported
from editor.scripting.rules import Rules, rule_set_of
from editor.scripting.values import Id, Sample, Trace, Vec3
from editor.session.named_sources import is_named
from engine.entities.specs import unpack_spec
from engine.files.errors import FileError
from engine.files.reading import read_head
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE
from engine.physics.rules import RuleSet
from engine.sim.captures.form import CaptureRecord, capture_of, read_capture
from engine.sim.captures.replay import bring_in, replay_capture
from engine.sim.conditions.known_names import check_names
from engine.sim.conditions.reading import condition_of
from engine.sim.conditions.search import ConditionSearch
from engine.sim.edits.catalogue import FIELDS, name_of, values_of
from engine.sim.edits.edit import Edit, EditValue
from engine.sim.edits.entities import AddEntity
from engine.sim.playback import Playback, check_world, verify
from engine.sim.recording import INTEGERS, REALS
from engine.sim.recording import Recording as EngineRecording
from engine.sim.recording_file import load_recording, parse_recording, save_recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder
from engine.world.cells.ids import cell_text
from engine.world.loader.reproduction.content import CAPTURE, Reproduction
from engine.world.loader.reproduction.heading import is_reproduction
from engine.world.loader.source_kinds import HEAD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from editor.scripting.runs import Run
    from editor.scripting.worlds import World

Where = str | os.PathLike[str]


def open_recording(path: Where, world: World | Where | None = None) -> Recording:
    """Open a .cdrec file, or the recording in a reproduction. Its world is only opened when a replay needs it: `world`,
    or else the one in the reproduction or the one that the file names, which is read if it is the demo or lies beside
    the file."""
    name = os.fspath(path)
    with reported(OpenError):
        packed = _packed(name)
        if packed is None:
            return Recording(load_recording(Path(name)), name, world)
        if packed.head.moves == CAPTURE:
            raise OpenError("holds a capture; open_capture opens it", file=name)
        recording = parse_recording(packed.moves, name)
        recording.server = None  # what stood there is in the file
        return Recording(recording, name, name if world is None else world)


def _packed(name: str) -> Reproduction | None:
    """The content of a reproduction; None for other files."""
    try:
        if not is_reproduction(read_head(name, HEAD)):
            return None
    except FileError as error:
        raise OpenError(error.reason, file=name) from None
    from editor.session.reproductions import reproduction_at  # it loads what only reproductions need

    return reproduction_at(Path(name))


@dataclass(frozen=True)
class RecordedEdit:
    """An edit that a recording has: `tick` is the first to see it."""

    tick: int
    name: str
    values: dict[str, EditValue]
    edit: Edit


class Recording:
    """A recorded run. Ticks have the run's numbers, `first_tick` to `end - 1`; arrays have a row for each.

    Close it, or open it in a `with` block, if it opened its world itself.
    """

    def __init__(
        self, recording: EngineRecording, path: str, world: World | Where | None, landblocks: Iterable[int] = ()
    ) -> None:
        """`landblocks` are those that the run came near to, for one whose world's identity is not noted yet."""
        self.engine = recording
        """The engine's own; it is no part of the promise."""
        self.path = path
        self._given = world
        self._landblocks = landblocks
        self._stack = ExitStack()
        self._opened: World | None = None
        self._is_closed = False
        self._is_checked = not path
        """Whether the world is known to be the one that it was recorded in; that of a run is."""

    def __repr__(self) -> str:
        return f"Recording({self.path!r}, {len(self)} ticks)"

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the world if the recording opened it."""
        self._is_closed = True
        self._stack.close()

    def __len__(self) -> int:
        """The number of ticks."""
        return len(self.engine)

    @property
    def first_tick(self) -> int:
        return self.engine.first_tick

    @property
    def end(self) -> int:
        """The number of the tick that would come next."""
        return self.engine.end

    @property
    def source(self) -> str:
        """The world as the file names it."""
        return self.engine.source

    @property
    def program(self) -> str:
        """The version of the program that recorded it."""
        return self.engine.program

    # --- what was recorded

    @property
    def positions(self) -> NDArray[np.float64]:
        """The player's origin after every tick, (ticks, 3), in the landblock of his cell."""
        return self._reals()[:, 0:3]

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Metres a second after every tick, (ticks, 3)."""
        return self._reals()[:, 3:6]

    @property
    def headings(self) -> NDArray[np.float64]:
        return self._reals()[:, 6]

    @property
    def cells(self) -> NDArray[np.uint32]:
        """The player's cell after every tick; 0 when no cell holds him."""
        return self._integers()[:, 0]

    @property
    def in_contact(self) -> NDArray[np.bool_]:
        """Whether he touches the ground after every tick."""
        return self._bits(TS_CONTACT)

    @property
    def on_ground(self) -> NDArray[np.bool_]:
        """Whether he stands on something that he can walk on."""
        return self._bits(TS_ON_WALKABLE)

    def _bits(self, bits: int) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = (self._integers()[:, 1] & bits) != 0
        return found

    def _reals(self) -> NDArray[np.float64]:
        import numpy as np

        return np.array(self.engine.samples.reals, np.float64).reshape(len(self), REALS)

    def _integers(self) -> NDArray[np.uint32]:
        import numpy as np

        return np.array(self.engine.samples.integers, np.uint32).reshape(len(self), INTEGERS)

    def __getitem__(self, tick: int) -> Sample:
        """The player after a tick, by its number."""
        return sample_answer(self.engine.samples[self._index(tick)])

    def __iter__(self) -> Iterator[Sample]:
        """The player after every tick."""
        return (self[tick] for tick in range(self.first_tick, self.end))

    def keys(self, tick: int) -> Controls:
        """The keys of a tick, as `Run.tick` takes them."""
        return self.engine.controls[self._index(tick)]

    @property
    def edits(self) -> list[RecordedEdit]:
        """The edits, in the order of ticks."""
        return [
            RecordedEdit(tick, name_of(edit), dict(zip(_fields(edit), values_of(edit), strict=True)), edit)
            for tick, edits in sorted(self.engine.edits.items())
            for edit in edits
        ]

    def _index(self, tick: int) -> int:
        if not len(self):
            raise RefusedError("no tick was recorded", file=self.path or None)
        if not self.first_tick <= tick < self.end:
            raise RefusedError(f"has the ticks {self.first_tick} to {self.end - 1}, not {tick}", file=self.path or None)
        return tick - self.first_tick

    # --- replaying

    @property
    def world(self) -> World:
        """The world that it runs in again; opened when it is first asked for."""
        from editor.scripting.worlds import World

        if self._is_closed:
            raise ClosedError("the recording is closed", file=self.path or None)
        found = self._given if isinstance(self._given, World) else self._opened
        if found is None:
            found = self._opened = self._stack.enter_context(self._open())
        if not self._is_checked:
            with reported(OpenError):
                check_world(found.loaded, self.engine)
            self._is_checked = True
        return found

    def _open(self) -> World:
        from editor.scripting.worlds import open_world

        given = self._given if isinstance(self._given, str | os.PathLike) else None
        source = self.source if given is None else os.fspath(given)
        if not source:
            raise OpenError("does not say where its world is; name it with world=...", file=self.path)
        place = self.engine.server
        servers = () if place is None else place.paths
        beside = Path(self.path).absolute().parent
        for what, name in (
            *([("world", source)] if given is None else []),
            *(("server data", each) for each in servers),
        ):
            if not is_named(name, frozenset(), beside):
                reason = (
                    f"says that its {what} is {name}, which is not beside it; open that world, and give it as world="
                )
                raise OpenError(reason, file=self.path)
        also = () if place is None or not servers else [what for what in ALSO if what in place.also]
        return open_world(source, scene=self._scene(source), server_data=servers, server_also=also)

    def _scene(self, source: str) -> str | None:
        from editor.session.sources import look_at

        with reported(OpenError):
            return self.engine.world if self.engine.world in look_at(source).scenes else None

    def _simulation(self) -> Simulation:
        return Simulation(self.world.loaded, player_id=self.engine.player_id)

    def check(self) -> str:
        """Replay all of it and compare the state after every tick; empty when all is as recorded, else what differs."""
        sim = self._simulation()
        try:
            with reported():
                found = verify(sim, self.engine)
        finally:
            sim.close()
        return "" if found is None else "\n".join(found.lines())

    def run_at(self, tick: int) -> Run:
        """A run that stands before a tick, with its edits to come; what it does from there on is its own."""
        from editor.scripting.runs import Run

        sim = self._simulation()
        try:
            with reported():
                Playback(sim, self.engine).seek(tick)
                run = Run(self.world, sim, (), record=True)
        except BaseException:
            sim.close()
            raise
        self.world._runs.append(run)
        return run

    def find(self, condition: str) -> list[int]:
        """The ticks for which a condition of Stop When holds."""
        with reported():
            wanted = condition_of(condition, repr(condition))
            sim = self._simulation()
            try:
                Playback(sim, self.engine).start()  # names are those of its world as it began, and what came in later
                check_names(wanted, sim, repr(condition), self._added_names())
                search = ConditionSearch(sim, self.engine, wanted)
                try:
                    return list(search.run())
                finally:
                    search.close()
            finally:
                sim.close()

    def _added_names(self) -> list[str]:
        edits = (edit for edits in self.engine.edits.values() for edit in edits)
        return [unpack_spec(edit.spec.encode()).name for edit in edits if isinstance(edit, AddEntity)]

    def trace(self, tick: int) -> Trace:
        """The player's sweeps of a tick, made again."""
        self._index(tick)
        sim = self._simulation()
        try:
            with reported():
                playback, recorder = Playback(sim, self.engine), TraceRecorder()
                playback.seek(tick)
                sim.watch(sim.player.id, recorder)
                sim.name_causes()
                report = playback.step()
                return trace_answer(tick, outcome_text(sim, recorder.sweeps, report.contacts), recorder.sweeps)
        finally:
            sim.close()

    def save(self, path: Where) -> None:
        """Save it to a .cdrec file, whole or not at all."""
        with reported():
            if self._landblocks:
                self.engine.know_world(self.world.loaded, self._landblocks)
            save_recording(self.engine, output_file(os.fspath(path), [self.source] if self.source else []))


def _fields(edit: Edit) -> list[str]:
    return [field for field, _ in FIELDS[name_of(edit)]]


# --- captures


@dataclass(frozen=True)
class Move:
    """A resolve call of a client, with the client's answer and ours."""

    number: int
    tick: int
    cell: Id
    start: Vec3
    target: Vec3
    client_cell: Id
    client_position: Vec3
    cell_now: Id
    position_now: Vec3
    differences: tuple[str, ...]
    """What differs: position, cellId, isOnGround, collisionNormalValid, collisionNormal, with both values."""

    @property
    def agrees(self) -> bool:
        return not self.differences


def open_capture(path: Where, world: World) -> Capture:
    """Open a capture (.jsonl) of a client's moves, or the one in a reproduction, in the world that they were made
    in."""
    name = os.fspath(path)
    with reported(OpenError):
        packed = _packed(name)
        if packed is None:
            return Capture(read_capture(Path(name)), name, world)
        if packed.head.moves != CAPTURE:
            raise OpenError("holds a recording; open_recording opens it", file=name)
        return Capture(capture_of(packed.moves, name), name, world, packed.head.anchor)


class Capture:
    """The moves of a client: every one by itself, from where the client stood."""

    def __init__(self, records: list[CaptureRecord], path: str, world: World, anchor: int = 0) -> None:
        """`anchor` names the landblock whose corner is the frame's origin, 0: that of the first move."""
        self._anchor = anchor
        self.records = records
        """The engine's own; they are no part of the promise."""
        self.path = path
        self.world = world

    def __len__(self) -> int:
        """The number of moves."""
        return len(self.records)

    def replay(self, rules: Rules = "retail") -> list[Move]:
        """Make every move again by these rules, and compare the answers."""
        sim = Simulation(self.world.loaded)
        try:
            with reported():
                wanted = rule_set_of(rules, RuleSet())
                for record in self.records:
                    if not bring_in(sim, record.input.cell_id):
                        reason = f"the world has no cell {cell_text(record.input.cell_id)}"
                        raise RefusedError(reason, file=record.where, cell=record.input.cell_id)
                replays = replay_capture(sim.graph, wanted, self.records, None, self._anchor)
        finally:
            sim.close()
        return [
            Move(
                number,
                replay.record.tick,
                Id(replay.record.input.cell_id),
                replay.record.input.current,
                replay.record.input.target,
                Id(replay.record.result.cell_id),
                replay.record.result.position,
                Id(replay.result.cell_id),
                replay.position,
                tuple(map(str, replay.differences)),
            )
            for number, replay in enumerate(replays)
        ]
