"""Follows a capture while a client writes it: every record is replayed at once, under both rule sets.

    follower = Follower(path, world)
    while ...: turn = follower.turn()          # a bounded piece of work; nothing is waited for

A line that is no record is a fault and the following goes on. Tick numbers that begin again, and a file that does, are
a new session. The world stays as it was when it was loaded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.geometry.errors import GeometryError
from engine.geometry.frame import Frame
from engine.geometry.quat import quat_is_valid
from engine.geometry.vec import ZERO, Vec3
from engine.physics.errors import PhysicsError
from engine.physics.flags import OI_IS_PLAYER
from engine.physics.rules import ACE, RETAIL, rule_set
from engine.sim.captures.form import MAX_LINE, CaptureRecord, parse_record
from engine.sim.captures.frame import CaptureFrame, FrameFinder
from engine.sim.captures.live.kept import KeptRecords, Mark
from engine.sim.captures.live.tail import PIECE, Lines, Tail
from engine.sim.captures.replay import FIELDS, Replay, bring_in, replay_record
from engine.sim.tick.contact_watch import ContactWatch
from engine.sim.tick.contacts import SweepContacts
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import TraceNode
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.faults import WorldError
from engine.world.world import World

SETS: Final = (RETAIL, ACE)
"""The rule sets by which every record is replayed."""

RECORDS: Final = 16
"""Records of a turn: some ten milliseconds of work."""
MOST_TOLD: Final = 200
MOST_DIFFERING: Final = 10_000
MOST_MISSING: Final = 1000
"""Missing landblocks and cells that are remembered, so as to be told once each."""

_REFUSALS: Final = (WorldError, PhysicsError, GeometryError)


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a body is: its feet in the landblock of its cell, and its size."""

    cell_id: int
    origin: Vec3
    heading: float
    radius: float
    height: float


@dataclass(frozen=True, slots=True)
class Followed:
    """One record, replayed. `replays` are in the order of SETS, and empty where the world has no such place."""

    number: int
    record: CaptureRecord
    frame: CaptureFrame
    is_players: bool
    replays: tuple[Replay, ...]
    contacts: SweepContacts | None = None
    """What was in the player's way, if it was asked for (`Follower.name_causes`)."""

    def differs(self, rules: str) -> bool:
        return bool(self.replays) and not self.replays[SETS.index(rules)].agrees

    def stand(self) -> Stand:
        """Where the client says that the body ended."""
        return self._stand(self.record.result.cell_id, self.record.result.position)

    def stand_by(self, rules: str) -> Stand | None:
        """Where our engine lets it end."""
        if not self.replays:
            return None
        replay = self.replays[SETS.index(rules)]
        return self._stand(replay.result.cell_id, replay.position)

    def _stand(self, cell_id: int, p: Vec3) -> Stand:
        given = self.record.input
        at = self.frame.into(cell_id, p)
        return Stand(cell_id, at, _heading(self.record), given.sphere_radius, given.sphere_height)


@dataclass
class Turn:
    """What one turn brought."""

    records: list[Followed] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    """Sentences about lines that are no records, places that the world lacks, and a file that begins again."""
    sessions: int = 0
    """Sessions that began."""
    is_idle: bool = False
    """Everything that was there has been followed."""
    reached: str = ""
    """What the caller wanted to stop at, of the last record."""

    def __bool__(self) -> bool:
        return bool(self.records or self.told or self.sessions)


class Follower:
    """One file, followed in a world. The caller lets it work, turn by turn, on a thread of its choice."""

    def __init__(self, path: Path, world: World, kept: KeptRecords | None = None) -> None:
        self.path = path
        self.sims = tuple(Simulation(world, rule_set(name)) for name in SETS)
        self.kept = KeptRecords() if kept is None else kept
        self.sessions = 0
        self.differing = dict.fromkeys(SETS, 0)
        """Records that came out otherwise, by rule set."""
        self.differing_numbers: deque[int] = deque(maxlen=MOST_DIFFERING)
        """The last records that came out otherwise under either."""
        self.not_replayed = 0
        self.of_others = 0
        """Records of another body than the player's."""
        self.player = 0
        """The body that is followed: the first that moves as a player; until one does, the first."""
        self.told: deque[str] = deque(maxlen=MOST_TOLD)
        """The last sentences about the file and its lines."""
        self.fault_count = 0
        self._player_is_sure = False
        self._tail = Tail(path)
        self._lines = Lines(MAX_LINE)
        self._waiting: deque[tuple[int, bytes | None]] = deque()
        self._finder = FrameFinder(self.sims[0].graph)
        self._last_tick = 0
        self._begins_again = True
        """The next record is the first of a session."""
        self._causes: ContactWatch | None = None
        self._causes_by = ""
        self._missing: set[int] = set()
        self._tried = b""

    def close(self) -> None:
        for sim in self.sims:
            sim.close()

    @property
    def problem(self) -> str:
        """Why the file cannot be read at present."""
        return self._tail.problem

    @property
    def behind(self) -> int:
        """About how many bytes are there and not followed yet."""
        return self._tail.behind + sum(len(line or b"") for _, line in self._waiting)

    # --- following

    def name_causes(self, rules: str) -> None:
        """Let the player's records from now on have their causes, as the replay under a rule set finds them; "": none
        any more. What that set answers stays the same."""
        if rules != self._causes_by:
            self._causes_by = rules
            self._causes = ContactWatch() if rules else None

    def turn(self, most: int = RECORDS, stop_at: str = "", until: Callable[[Followed], str] | None = None) -> Turn:
        """Follow at most so many records; with `stop_at` none after one that differs under that rule set, with `until`
        none after one of which that says something, which is the turn's `reached`."""
        turn = Turn()
        if not self._waiting:
            self._read(turn)
        for _ in range(most):
            if not self._waiting:
                break
            number, line = self._waiting.popleft()
            followed = self._follow(number, line, turn)
            if followed is None:
                continue
            turn.reached = "" if until is None else until(followed)
            if turn.reached or (stop_at and followed.differs(stop_at)):
                break
        return turn

    def _read(self, turn: Turn) -> None:
        piece = self._tail.turn(PIECE)
        if piece.began:
            self._lines.start_again()
            self._tell(turn, f"{self.path}: {piece.began}; it is followed from its beginning")
            self._begins_again = True
        self._waiting.extend(self._lines.add(piece.data))
        rest = self._lines.rest
        if not self._waiting and rest.endswith(b"}") and rest != self._tried:
            self._tried = rest  # a record whose line's end is missing, or a part of one
            if self._is_record(rest):
                self._waiting.append((self._lines.number, rest))
                self._lines.drop_rest()
        turn.is_idle = not self._waiting and not piece.data

    @staticmethod
    def _is_record(text: bytes) -> bool:
        try:
            parse_record(text, "")
        except WorldError:
            return False
        return True

    def _follow(self, line: int, text: bytes | None, turn: Turn) -> Followed | None:
        where = f"{self.path}:{line}"
        if text is None:
            self._fault(turn, f"{where}: has more than {MAX_LINE:,} bytes in one line, which no record has")
            return None
        try:
            record = parse_record(text, where)
        except WorldError as error:
            self._fault(turn, str(error))
            return None
        if record.tick < self._last_tick or self._begins_again:
            self._begins_again = False
            self.sessions += 1
            turn.sessions += 1
            self._player_is_sure, self.player = False, record.input.moving_entity_id
            self._finder = FrameFinder(self.sims[0].graph)
        self._last_tick = record.tick
        mover = record.input.moving_entity_id
        if not self._player_is_sure and record.input.mover_flags & OI_IS_PLAYER:
            self._player_is_sure, self.player = True, mover
        return self._replay(record, line, text, turn)

    def _replay(self, record: CaptureRecord, line: int, text: bytes, turn: Turn) -> Followed:
        given = record.input
        is_players = given.moving_entity_id == self.player
        replays: tuple[Replay, ...] = ()
        is_there = self._is_there(given.cell_id, record.where, turn)
        frame = self._finder.find(given.cell_id, given.current)
        try:
            if is_there:
                causes = [self._causes if is_players and name == self._causes_by else None for name in SETS]
                replays = tuple(
                    replay_record(sim.graph, sim.rules, record, frame, watch)
                    for sim, watch in zip(self.sims, causes, strict=True)
                )
        except _REFUSALS as error:
            reason = str(error)
            self._fault(turn, reason if reason.startswith(record.where) else f"{record.where}: {reason}")
        retail, ace = map(_bits, replays) if replays else (None, None)
        mark = Mark(record.tick, given.cell_id, frame.anchor, given.moving_entity_id, line, retail, ace)
        contacts = self._causes.take() if self._causes is not None and is_players and replays else None
        followed = Followed(self.kept.add(text, mark), record, frame, is_players, replays, contacts)
        for name in SETS:
            self.differing[name] += followed.differs(name)
        if any(map(followed.differs, SETS)):
            self.differing_numbers.append(followed.number)
        self.not_replayed += not replays
        self.of_others += not is_players
        turn.records.append(followed)
        return followed

    def _is_there(self, cell_id: int, where: str, turn: Turn) -> bool:
        """Whether the world has the cell; it and what is around it come in. What is missing is told once."""
        key = cell_id if cell_id in self._missing else landblock_id(cell_id)
        if key in self._missing:
            return False
        if all(bring_in(sim, cell_id) for sim in self.sims):
            return True
        if len(self._missing) < MOST_MISSING:
            has_block = self.sims[0].world.landblock(cell_id) is not None
            what = f"cell {cell_text(cell_id)}" if has_block else f"landblock {cell_text(landblock_id(cell_id))}"
            self._missing.add(cell_id if has_block else landblock_id(cell_id))
            self._tell(turn, f"{where}: the world has no {what}; moves there are not replayed")
        return False

    def _fault(self, turn: Turn, sentence: str) -> None:
        """A line that is no record, or one that cannot be replayed."""
        self.fault_count += 1
        self._tell(turn, sentence)

    def _tell(self, turn: Turn, sentence: str) -> None:
        self.told.append(sentence)
        turn.told.append(sentence)

    # --- looking back

    def again(self, number: int) -> tuple[CaptureRecord, CaptureFrame, list[Replay]]:
        """Replay a kept record once more: nothing changes the world, so it comes out the same."""
        record, frame = self._kept(number)
        try:
            return record, frame, [replay_record(sim.graph, sim.rules, record, frame) for sim in self.sims]
        except _REFUSALS:
            return record, frame, []

    def trace(self, number: int, rules: str) -> list[TraceNode]:
        """The sweep of a kept record under a rule set; none where it cannot be replayed."""
        record, frame = self._kept(number)
        recorder = TraceRecorder()
        sim = self.sims[SETS.index(rules)]
        try:
            replay_record(sim.graph, sim.rules, record, frame, recorder)
        except _REFUSALS:
            return []
        return recorder.sweeps

    def start_of(self, number: int) -> tuple[int, Vec3, float]:
        """Where a kept record begins: its cell, the feet in the landblock of it, and the heading."""
        record, frame = self._kept(number)
        cell_id = record.input.cell_id
        return cell_id, frame.into(cell_id, record.input.current), _heading(record)

    def _kept(self, number: int) -> tuple[CaptureRecord, CaptureFrame]:
        mark = self.kept.mark(number)
        return parse_record(self.kept.text(number), f"{self.path}:{mark.line}"), CaptureFrame(mark.anchor)


def _heading(record: CaptureRecord) -> float:
    body = record.before
    if body is None or not quat_is_valid(body.orientation):
        return 0.0
    return Frame(ZERO, body.orientation).heading()


def _bits(replay: Replay) -> int:
    names = {difference.field for difference in replay.differences}
    return sum(1 << place for place, name in enumerate(FIELDS) if name in names)


def fields_of(bits: int) -> list[str]:
    """The fields that differ, by their bits in a `Mark`."""
    return [name for place, name in enumerate(FIELDS) if bits & 1 << place]
