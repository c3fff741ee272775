"""Columns of every recorded tick, read from the recording as it grows and noted as ticks run.

Cell, height, speed, heading, contact and keys are in the recording. Whether a tick was blocked is in its report, and
what it cost is known only to whoever ran it; both are noted when the document tells of the tick.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from editor.document.history import History
from editor.models.timeline.columns import Envelope, Numbers, Stretches, Whole
from engine.geometry.constants import BLOCK_LENGTH, MAX_VELOCITY
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE
from engine.sim.recording import INTEGERS, REALS, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport

TICKS_PER_SECOND: Final = 30.0
AT_ONCE: Final = 20_000
"""Ticks that are read in one go: some 20 ms."""

JUMP: Final = 1.25 * MAX_VELOCITY / TICKS_PER_SECOND
"""Metres per tick beyond any motion: the player was put elsewhere."""

PLACED: Final = 0.25
"""Metres from where his velocity leads, beyond which an edit has put him elsewhere."""

NO_CONTACT: Final = 0
CONTACT: Final = 1
ON_WALKABLE: Final = 2

FORWARD: Final = 1
BACK: Final = 2
TURN_LEFT: Final = 4
TURN_RIGHT: Final = 8
STEP_LEFT: Final = 16
STEP_RIGHT: Final = 32
RUN: Final = 64
JUMP_KEY: Final = 128
USE: Final = 256
KEY_WORDS: Final = {
    RUN: "run",
    FORWARD: "forward",
    BACK: "back",
    TURN_LEFT: "turn left",
    TURN_RIGHT: "turn right",
    STEP_LEFT: "step left",
    STEP_RIGHT: "step right",
    JUMP_KEY: "jump",
    USE: "use",
}


def keys_of(controls: Controls) -> int:
    """The keys of a tick as bits."""
    pressed = (
        (FORWARD, controls.forward > 0.0),
        (BACK, controls.forward < 0.0),
        (TURN_LEFT, controls.turn < 0.0),
        (TURN_RIGHT, controls.turn > 0.0),
        (STEP_LEFT, controls.side_step < 0.0),
        (STEP_RIGHT, controls.side_step > 0.0),
        (RUN, controls.run),
        (JUMP_KEY, controls.jump),
        (USE, controls.use != 0),
    )
    return sum(bit for bit, down in pressed if down)


def key_words(keys: int) -> str:
    """The held keys in words; empty for none."""
    return " ".join(word for bit, word in KEY_WORDS.items() if keys & bit)


class TickLog:
    """The columns of a session. Numbers count from the recording's first tick."""

    def __init__(self) -> None:
        self._begin(None)

    def _begin(self, recording: Recording | None) -> None:
        self._recording = recording
        self.first = 0 if recording is None else recording.first_tick
        self.height = Envelope()
        self.speed = Envelope()
        self.heading = Envelope()
        self.cells = Stretches()
        self.contact = Stretches()
        self.keys = Stretches()
        self.blocked = Stretches()
        self.tick_cost = Envelope()
        self.frame_cost = Envelope()
        self._last: NDArray[np.float64] | None = None
        """Position and heading after the last tick that was read."""
        self._last_block = 0

    def __len__(self) -> int:
        """The number of ticks that were read."""
        return self.cells.count

    @property
    def end(self) -> int:
        """The tick after the last one that was read."""
        return self.first + len(self)

    # --- what is noted when it happens

    def begin(self, recording: Recording | None) -> None:
        """Start over if this is another recording."""
        if recording is not self._recording:
            self._begin(recording)

    def note(self, report: TickReport, tick_cost: float, frame_cost: float) -> None:
        """Note a tick that has run; costs are in milliseconds, NaN if not measured."""
        number = report.tick - self.first
        if number < 0:
            return
        if number >= len(self.tick_cost):
            self.tick_cost.put(number, tick_cost)
            self.frame_cost.put(number, frame_cost)
        self.blocked.put(number, int(report.blocked))

    def cut(self, end: int) -> None:
        """Forget the ticks from `end` on: time continues from the past."""
        count = max(end - self.first, 0)
        for column in (self.height, self.speed, self.heading, self.tick_cost, self.frame_cost):
            column.cut(count)
        for stretches in (self.cells, self.contact, self.keys, self.blocked):
            stretches.cut(count)
        self._last = None

    # --- what is read from the recording

    def read(self, history: History) -> bool:
        """Read what is new; whether that is all of it: a long recording is read in pieces, between which the window
        goes on."""
        self.begin(history.recording)
        recording = history.recording
        first, last = len(self), min(len(recording), len(self) + AT_ONCE)
        if first < last:
            self._read(recording, first, last)
        return len(self) == len(recording)

    def _read(self, recording: Recording, first: int, last: int) -> None:
        if self._last is None and first:
            self._remember(recording, first - 1)
        reals = np.array(recording.samples.reals[first * REALS : last * REALS]).reshape(-1, REALS)
        integers = np.array(recording.samples.integers[first * INTEGERS : last * INTEGERS], np.int64)
        cells, transient = integers.reshape(-1, INTEGERS).T
        places = reals[:, :3] + self._block_origins(cells)
        if self._last is None:
            self._last = np.array([*places[0], reals[0, 6]])
        before = np.vstack((self._last[:3], places[:-1]))
        moved: Numbers = np.linalg.norm(places - before, axis=1)
        breaks = self._breaks(recording, first, places - before, moved, reals[:, 3:6])
        speed = moved * TICKS_PER_SECOND
        speed[breaks - first] = np.nan
        heading = reals[:, 6] % 360.0
        turned = np.abs(np.diff(heading, prepend=self._last[3]))
        wrapped = np.flatnonzero(turned > 180.0) + first
        self.height.extend(places[:, 2], breaks)
        self.speed.extend(speed)
        self.heading.extend(heading, np.union1d(breaks, wrapped))
        self.cells.extend(cells)
        self.contact.extend(
            np.where(transient & TS_ON_WALKABLE, ON_WALKABLE, np.where(transient & TS_CONTACT, CONTACT, NO_CONTACT))
        )
        self.keys.extend(_keys(recording.controls[first:last]))
        self._last = np.array([*places[-1], heading[-1]])

    def _remember(self, recording: Recording, number: int) -> None:
        """Remember where the player was after a tick, to continue from it."""
        sample = recording.samples[number]
        self._last_block = sample.cell >> 16
        self._last = np.array([*sample.origin, sample.heading % 360.0])
        self._last[:3] += self._block_origins(np.array([sample.cell]))[0]

    def _block_origins(self, cells: Whole) -> Numbers:
        """The origins of the landblocks of these cells; a lost player is still in the landblock that he left."""
        blocks = np.concatenate(([self._last_block], cells >> 16))
        known = np.maximum.accumulate(np.where(blocks != 0, np.arange(len(blocks)), 0))
        blocks = blocks[known]
        self._last_block = int(blocks[-1])
        blocks = blocks[1:]
        return np.column_stack((blocks >> 8, blocks & 0xFF, np.zeros(len(blocks)))) * BLOCK_LENGTH

    def _breaks(self, recording: Recording, first: int, way: Numbers, moved: Numbers, velocities: Numbers) -> Whole:
        """The numbers of the ticks in which the player was put elsewhere."""
        jumped = moved > JUMP
        tick = recording.first_tick + first
        edited = [number for number in range(len(moved)) if tick + number in recording.edits]
        if edited:
            beside = np.linalg.norm(way[edited] - velocities[edited] / TICKS_PER_SECOND, axis=1)
            jumped[edited] |= (beside > PLACED) & (moved[edited] > PLACED)
        found: Whole = np.flatnonzero(jumped) + first
        return found


def _keys(controls: list[Controls]) -> Whole:
    """Keys are held for many ticks, and their controls are then one object."""
    found = np.empty(len(controls), np.int64)
    last, keys = None, 0
    for number, each in enumerate(controls):
        if each is not last:
            last, keys = each, keys_of(each)
        found[number] = keys
    return found
