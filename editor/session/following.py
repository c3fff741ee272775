"""Follows a live capture on a worker thread, in a copy of the open world of its own, in which nothing is ever changed.

The thread looks at the file a hundred times a second, takes bounded turns, and tells the window at most once until the
window has looked. What was followed can be looked at after the end, until `close`.
"""

from __future__ import annotations

import time
import traceback
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.session import background
from editor.session.server_choice import ServerChoice
from editor.session.session import ENGINE_ERRORS
from editor.session.sources import open_source
from engine.files.cancelling import cancellable
from engine.physics.rules import RETAIL
from engine.sim.captures.live.follower import SETS, Followed, Follower, Stand
from engine.sim.conditions.calls import CallConditions
from engine.sim.conditions.words import Condition
from engine.world.world import World

POLL: Final = 0.01
"""Seconds between two looks at the file."""
PAUSED_POLL: Final = 0.2
RECORDS: Final = 8
"""Records of a turn."""
BREATHS: Final = 3.0
"""How much longer than a turn the window is left alone while much is to be caught up with. Both threads share one
interpreter: while this one works, each call into Qt costs the window a tenth of a millisecond."""
BREATH: Final = (0.002, 0.05)
"""The least and the most of it, in seconds."""
TRAIL: Final = 90
"""Places of the way that is shown, three seconds."""
MARK_STAYS: Final = 60
"""Records for which the last difference is shown."""
STOP_AT: Final = RETAIL
"""The rule set whose differences pause the following, and whose causes conditions ask for: a client goes by it."""
MOST_HELD: Final = 1000
"""Records that are remembered for the conditions that held of them."""


@dataclass(frozen=True)
class News:
    """How the following stands after a turn: never changed, so that the window may read it at any time."""

    is_open: bool = False
    """The world is ready."""
    latest: Followed | None = None
    """The last record of the client's player."""
    latest_at: float = 0.0
    """When the last record came, by the monotonic clock."""
    different: Followed | None = None
    """The last one of the player's that came out otherwise, while it is to be shown."""
    way: tuple[Stand, ...] = ()


class _FollowJob(background.Job):
    class Signals(QObject):
        told = Signal()
        failed = Signal(str)

    def __init__(self, following: Following) -> None:
        super().__init__()
        self.signals = _FollowJob.Signals()
        self._following: Following | None = following

    def work(self) -> None:
        following = self._following
        assert following is not None
        try:
            following.work(self)
        except ENGINE_ERRORS as error:
            self.signals.failed.emit(str(error))
        except background.CancelledError:
            raise
        except Exception:  # a bug: the window must not show a following that has died
            self.signals.failed.emit(f"there is an error in this program: {traceback.format_exc(limit=-1)}")
            raise
        finally:
            following.work_ended()
            self._following = None  # no reference cycles remain


class Following(QObject):
    """One file that is followed. `start`, then `changed` tells that `news` and `follower` have something new."""

    changed = Signal()
    ended = Signal(str)
    """It has stopped; why, if it could not go on."""

    def __init__(
        self,
        path: Path,
        source: str,
        scene: str | None,
        server: ServerChoice | None,
        pauses: bool,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.path = path
        self.source = source
        self.scene = scene
        self.pauses = pauses
        self.lock = Lock()
        """Held by whoever uses `follower`. A turn in which landblocks come in may take some tenths of a second."""
        self.news = News()
        self.paused_at: int | None = None
        """The number of the record that the following waits at."""
        self.held: dict[int, str] = {}
        """The records of which a condition held, by number, and which; only ever added to, the oldest forgotten."""
        self.reason = ""
        """Why it could not go on."""
        self.follower: Follower | None = None
        """None while the world is being opened."""
        self._conditions = CallConditions([], STOP_AT)
        self._server = server
        self._world: World | None = None
        self._way: deque[Stand] = deque(maxlen=TRAIL)
        self._wake = Event()
        self._untold = True
        self._is_over = False
        self._is_unwanted = False
        self.job = _FollowJob(self)
        self.job.signals.told.connect(self._on_told)
        self.job.signals.failed.connect(self._on_failed)
        self.job.reports.ended.connect(self._on_ended)

    @property
    def is_on(self) -> bool:
        """Whether it follows, or waits to go on."""
        return not self.job.is_done and not self.job.is_cancelled

    @property
    def is_paused(self) -> bool:
        return self.is_on and self.paused_at is not None

    @property
    def why_paused(self) -> str:
        """The condition that it paused at; "" at a difference."""
        return "" if self.paused_at is None else self.held.get(self.paused_at, "")

    def stop_when(self, conditions: Sequence[Condition]) -> None:
        """Pause at the next record of which one of these holds; they are some that a capture answers."""
        self._conditions = CallConditions(conditions, STOP_AT)

    def start(self) -> None:
        background.start(self.job)

    @Slot()
    def go_on(self) -> None:
        """Follow on from a pause, at first what was written meanwhile."""
        self.paused_at = None
        self._wake.set()

    def stop(self) -> None:
        """Stop following; what was followed stays."""
        self.job.cancel()
        self._wake.set()

    def close(self) -> None:
        """Stop, and forget everything."""
        if self._is_unwanted:
            return
        self.stop()
        with self.lock:
            self._is_unwanted = True
            dispose = self._is_over
        if dispose:
            self._dispose()
            self.deleteLater()

    # --- the worker

    def work(self, job: background.Job) -> None:
        """On the worker thread, until the job is cancelled."""
        job.progress(background.UNKNOWN, f"Opening the world that {self.path.name} is followed in …")
        with cancellable(job.check):
            world = open_source(self.source, self.scene, self._server, lambda fraction, sentence: job.check())
        with self.lock:
            self._world = world
            self.follower = Follower(self.path, world)
        self.news = News(is_open=True)
        self._tell()
        while not job.is_cancelled:
            wait = self._turn()
            if wait:
                self._wake.wait(wait)
                self._wake.clear()

    def _turn(self) -> float:
        """One turn; the seconds to wait before the next."""
        follower = self.follower
        assert follower is not None
        if self.paused_at is not None:
            return PAUSED_POLL
        begun = time.monotonic()
        with self.lock:
            stop_at = STOP_AT if self.pauses else ""
            problem, conditions = follower.problem, self._conditions
            follower.name_causes(conditions.rules if conditions.needs_causes else "")
            turn = follower.turn(RECORDS, stop_at, lambda followed: conditions.held(followed, follower))
            behind = follower.behind
        if turn.records:
            self._note(turn.records)
            last = turn.records[-1]
            if turn.reached:
                self._keep_held(last.number, turn.reached)
            if turn.reached or (stop_at and last.differs(stop_at)):
                self.paused_at = last.number
        if turn or problem != follower.problem:
            self._tell()
        if turn.is_idle:
            return POLL
        least, most = BREATH
        return min(max(BREATHS * (time.monotonic() - begun), least), most) if behind else 0.0

    def _keep_held(self, number: int, why: str) -> None:
        """In another dictionary: the window reads the last one meanwhile."""
        held = {**self.held, number: why}
        if len(held) > MOST_HELD:
            del held[min(held)]
        self.held = held

    def _note(self, records: list[Followed]) -> None:
        news = self.news
        latest, different = news.latest, news.different
        for followed in records:
            if not followed.is_players:
                continue
            latest = followed
            self._way.append(followed.stand())
            if any(map(followed.differs, SETS)):
                different = followed
            elif different is not None and followed.number - different.number > MARK_STAYS:
                different = None
        self.news = News(True, latest, time.monotonic(), different, tuple(self._way))

    def _tell(self) -> None:
        if self._untold:
            self._untold = False
            self.job.signals.told.emit()

    def work_ended(self) -> None:
        """On the worker thread: close what nobody wants any more."""
        with self.lock:
            self._is_over = True
            dispose = self._is_unwanted
        if dispose:
            self._dispose()

    def _dispose(self) -> None:
        follower, self.follower = self.follower, None
        if follower is not None:
            follower.close()
        world, self._world = self._world, None
        if world is not None:
            world.close()

    # --- the window

    @Slot()
    def _on_told(self) -> None:
        self._untold = True
        self.changed.emit()

    @Slot(str)
    def _on_failed(self, reason: str) -> None:
        self.reason = reason

    @Slot()
    def _on_ended(self) -> None:
        self.ended.emit(self.reason)
        if self._is_unwanted:
            self.deleteLater()
