"""The last tick at or before one in which a value changed.

A value may change back, so there is no bisecting: the player's samples are read backwards, everything else is run again
from the snapshots, block by block, each block longer than the one after it. Rules, keys and whatever only edits can
change need only the ticks in which that may have happened.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Final

from engine.entities.door import NEVER, Door
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE, TS_SLIDING, TS_WATER_CONTACT
from engine.physics.rules import RULE_NAMES
from engine.sim.edits.doors import CloseDoor, LockDoor, OpenDoor, SetDoorTimer, SetResetInterval, UseDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.player import FacePlayer, PutPlayerBack, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import OpenLandblock, RestoreSnapshot, SetTimeOfDay
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS, Playback
from engine.sim.recording import INTEGERS, REALS, Recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import STANDING_STILL, Simulation
from engine.sim.why.answer import SIMULATION, Asked
from engine.sim.why.kinds import DOOR_PATHS
from engine.sim.why.values import KEY_TITLES, Values, key_value, reader

MOST_KEYFRAMES: Final = 64
"""In a block: longer ones no longer save anything, as restoring a snapshot takes as long as 50 ticks."""

TICKS_A_STEP: Final = 64
"""Run between two pauses: less than 2 ms of the demo."""

SAMPLES_A_STEP: Final = 4_000

_SAMPLED_REALS: Final = {
    "origin": (0, 3),
    "origin.x": (0, 1),
    "origin.y": (1, 2),
    "origin.z": (2, 3),
    "velocity": (3, 6),
    "velocity.x": (3, 4),
    "velocity.y": (4, 5),
    "velocity.z": (5, 6),
    "heading": (6, 7),
}
_SAMPLED_BITS: Final = {
    "contact": TS_CONTACT,
    "on_walkable": TS_ON_WALKABLE,
    "sliding": TS_SLIDING,
    "in_water": TS_WATER_CONTACT,
    "transient": 0xFFFFFFFF,
}

BY_EDITS: Final = frozenset(
    (
        *("scale", "step_up_height", "step_down_height", "info_flags", "target", "elasticity", "friction", "style"),
        *("spheres", "sphere", "sphere[1]", "sphere[2]", "sphere[3]", "flags", "radius", "height", "my_run_rate"),
        *("run_skill", "jump_skill", "burden", "stamina", "player_killer"),
    )
)
"""Values of the player that ticks leave alone."""

_OF_RULES: Final = (SetRule, SetRuleSet, RestoreSnapshot)
_OF_TIME: Final = (SetTimeOfDay, RestoreSnapshot)
_NOT_OF_NUMBERS: Final = (
    *(Teleport, PutPlayerBack, FacePlayer, SetRule, SetRuleSet, SetTimeOfDay, OpenLandblock),
    *(UseDoor, OpenDoor, CloseDoor, LockDoor, SetResetInterval, SetDoorTimer),
)
_NOT_OF_OTHERS: Final = (Teleport, PutPlayerBack, FacePlayer, SetPlayerNumber, SetTimeOfDay, OpenLandblock)
_OF_DOORS: Final = (UseDoor, OpenDoor, CloseDoor, LockDoor, SetResetInterval, SetDoorTimer)

STANDING: Final = frozenset(
    (
        *("origin", "origin.x", "origin.y", "origin.z", "heading", "cell", "rotation", "flags", "parent", "target"),
        *("rows_cell", "rows_origin", "rows_rotation", "registered", "suspended"),
    )
)
"""Values that ticks leave alone of what has no body: doors, chests, signs."""

Steps = Generator[None, None, "Change | None"]


@dataclass(frozen=True, slots=True)
class Change:
    """A tick after which a value is another one than before its edits."""

    tick: int
    before: object
    after: object


class History:
    """Looks for changes of values in a recording, with a simulation that it leads about."""

    def __init__(self, sim: Simulation, recording: Recording) -> None:
        self.sim = sim
        self.recording = recording
        self.playback = Playback(sim, recording)

    def last_change(self, asked: Asked) -> Steps:
        """The change of a value, None when it is so since the recording begins."""
        recording = self.recording
        if not recording.first_tick <= asked.tick <= self.last_tick:
            raise SimError(f"the recording has the ticks {recording.first_tick} to {self.last_tick}, not {asked.tick}")
        if self.is_key(asked):
            return self._change_of_keys(asked)
        sampled = self._sampled(asked)
        if sampled is not None:
            return self._change_of_samples(asked, sampled)
        return self._change_by_reruns(asked)

    def is_key(self, asked: Asked) -> bool:
        """Whether a key of the player is asked for, which is no state."""
        return asked.entity == self.recording.player_id and asked.path in KEY_TITLES

    def controls_at(self, tick: int) -> Controls:
        """The keys of a tick; at the end those of the last one, and none before the first."""
        if not self.recording.controls:
            return STANDING_STILL
        return self.recording.controls[min(tick, self.recording.end - 1) - self.recording.first_tick]

    @property
    def last_tick(self) -> int:
        """The last one after which a value can be asked for: that of the edits at the end if there are any."""
        return self.recording.end if self.recording.edits.get(self.recording.end) else self.recording.end - 1

    def stand_after(self, tick: int) -> None:
        """Be where a tick has ended; the edits for the next one have not been made."""
        if tick + 1 == self.recording.end:  # the end comes with the edits that were made there
            self.playback.seek(tick)
            self.playback.step()
        else:
            self.playback.seek(min(tick + 1, self.recording.end))

    def stand_before(self, tick: int) -> None:
        """Be where a tick begins; its edits have not been made."""
        if tick == self.recording.first_tick:
            self.playback.start()
        elif tick == self.recording.end:
            self.stand_after(tick - 1)
        else:
            self.playback.seek(tick)

    # --- keys and samples

    def _change_of_keys(self, asked: Asked) -> Steps:
        recording, path = self.recording, asked.path
        yield
        value = key_value(self.controls_at(asked.tick), path)
        for tick in range(min(asked.tick, recording.end - 1) - 1, recording.first_tick - 1, -1):
            before = key_value(self.controls_at(tick), path)
            if before != value:
                return Change(tick + 1, before, value)
        return None

    def _sampled(self, asked: Asked) -> Callable[[int], object] | None:
        """What reads a value of the player from the samples, by the place of the tick among them."""
        if asked.entity != self.recording.player_id:
            return None
        reals, integers = self.recording.samples.reals, self.recording.samples.integers
        part, bits = _SAMPLED_REALS.get(asked.path), _SAMPLED_BITS.get(asked.path)
        if part is not None:
            a, b = part
            if b == a + 1:
                return lambda index: reals[index * REALS + a]
            return lambda index: tuple(reals[index * REALS + a : index * REALS + b])
        if asked.path == "transient":
            return lambda index: integers[index * INTEGERS + 1]
        if bits is not None:
            return lambda index: (integers[index * INTEGERS + 1] & bits) != 0
        return (lambda index: integers[index * INTEGERS]) if asked.path == "cell" else None

    def _change_of_samples(self, asked: Asked, of: Callable[[int], object]) -> Steps:
        first, last = self.recording.first_tick, asked.tick
        if last == self.recording.end:
            found = yield from self._change_in([last], reader(asked.entity, asked.path, self.sim))
            if found is not None:
                return found
            last -= 1
        if last < first:
            return None
        value = of(last - first)
        for index in range(last - first - 1, -1, -1):
            before = of(index)
            if before != value:
                return Change(first + index + 1, before, value)
            if index % SAMPLES_A_STEP == 0:
                yield
        self.playback.start()
        start = reader(asked.entity, asked.path, self.sim)(self.sim)
        return None if start == value else Change(first, start, value)

    # --- reruns

    def _change_by_reruns(self, asked: Asked) -> Steps:
        self.stand_after(asked.tick)
        yield
        if self._never_changes(asked):
            return None
        read = reader(asked.entity, asked.path, self.sim)
        ticks = self._ticks_of_edits(asked)
        if ticks is not None:
            return (yield from self._change_in(ticks, read))
        end = asked.tick + 1
        if asked.tick == self.recording.end:
            found = yield from self._change_in([asked.tick], read)
            if found is not None:
                return found
            end = asked.tick
        count = 1
        while end > self.recording.first_tick:
            number = max(self.recording.keyframes.at_or_before(end - 1) - count + 1, 0)
            start = self.recording.keyframes.ticks[number]
            found = yield from self._change_between(start, end, read)
            if found is not None:
                return found
            end, count = start, min(count * 4, MOST_KEYFRAMES)
        return None

    def _change_between(self, start: int, end: int, read: Values) -> Steps:
        """The last change in the ticks from `start`, which has a snapshot, up to `end`."""
        playback, sim = self.playback, self.sim
        playback.seek(start)
        yield
        found: Change | None = None
        before = read(sim)
        recording = self.recording
        controls, edits, first = recording.controls, recording.edits, recording.first_tick
        for tick in range(start, end):
            if tick in edits:
                playback.step()
            else:
                self._tick(controls[tick - first])  # as a step without edits, which takes longer to find that out
            after = read(sim)
            if after != before:
                found = Change(tick, before, after)
                before = after
            if tick % TICKS_A_STEP == 0:
                yield
        if sim.state_hash(recording.state_version) != recording.hash_after(end - 1):
            raise SimError(f"the ticks up to {end - 1} do not run again as they were recorded")
        return found

    def _tick(self, controls: Controls) -> None:
        try:
            self.sim.tick(controls)
        except ENGINE_ERRORS as error:
            raise SimError(f"tick {self.sim.tick_number} cannot be run again: {error}") from error

    def _change_in(self, ticks: list[int], read: Values) -> Steps:
        """The last change in one of these ticks, which come in descending order."""
        for tick in ticks:
            self.stand_before(tick)
            before = read(self.sim)
            yield
            if tick < self.recording.end:
                self.playback.step()
            else:
                self.playback.make_edits()
            after = read(self.sim)
            if before != after:
                return Change(tick, before, after)
        return None

    # --- where it may have changed

    def _ticks_of_edits(self, asked: Asked) -> list[int] | None:
        """The ticks whose edits may have changed a value that nothing else changes; None when ticks change it too."""
        if asked.entity == SIMULATION and asked.path in RULE_NAMES:
            return self._with_edits(asked.tick, lambda edit: isinstance(edit, _OF_RULES))
        if asked.entity == SIMULATION and asked.path == "time_of_day":
            return self._with_edits(asked.tick, lambda edit: isinstance(edit, _OF_TIME))
        if asked.entity == self.recording.player_id and asked.path in BY_EDITS:
            return self._with_edits(asked.tick, lambda edit: not isinstance(edit, _NOT_OF_NUMBERS))
        if asked.path in STANDING and self._stands(asked.entity):
            kinds = (*_NOT_OF_OTHERS, *_OF_DOORS)
            return self._with_edits(asked.tick, lambda edit: not isinstance(edit, kinds))
        return None

    def _stands(self, entity_id: int) -> bool:
        """Whether an entity has no body, and has been there from the start."""
        entity = self.sim.population.find(entity_id)
        return entity is not None and entity.body is None and self._at_start(lambda: self._is_there(entity_id))

    def _is_there(self, entity_id: int) -> bool:
        return self.sim.population.find(entity_id) is not None

    def _at_start(self, holds: Callable[[], bool]) -> bool:
        """Whether something holds where the recording begins."""
        self.playback.start()
        return holds()

    def _with_edits(self, last: int, matters: Callable[[Edit], bool]) -> list[int]:
        found = (tick for tick, edits in self.recording.edits.items() if tick <= last and any(map(matters, edits)))
        return sorted(found, reverse=True)

    def _never_changes(self, asked: Asked) -> bool:
        """A door that nobody has used, with no timer that runs and no edit that could be about it, is as it was.

        The simulation stands after the tick that was asked about. Uses leave their stamp, whoever made them.
        """
        door_id = asked.entity
        if asked.path not in DOOR_PATHS or not self._rests(door_id):
            return False

        def matters(edit: Edit) -> bool:
            if isinstance(edit, (*_NOT_OF_OTHERS, UseDoor, SetRule, SetRuleSet)):
                return False
            about = getattr(edit, "door_id", getattr(edit, "entity_id", door_id))
            return bool(about == door_id)

        if self._with_edits(asked.tick, matters) or not self._at_start(lambda: self._rests(door_id)):
            self.stand_after(asked.tick)
            return False
        return True

    def _rests(self, entity_id: int) -> bool:
        door = self.sim.population.find(entity_id)
        return (
            isinstance(door, Door)
            and door.use_stamp == door.reset_at == door.busy_until == door.retry_at == NEVER
            and not door.held
        )


def drain(steps: Iterator[None]) -> None:
    """All steps of a question at once."""
    for _ in steps:
        pass
