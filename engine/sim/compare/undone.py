"""Edits that were undone before a tick saw them: which edits of a tick are left when they are taken out.

A recording has both, the edits and the state that undid them. That state belongs to the run that was recorded; a side
on which something is different has to do without both instead. Which edits a state undoes is found by making them.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.sim.edits.edit import Edit
from engine.sim.edits.world import RestoreSnapshot
from engine.sim.errors import SimError
from engine.sim.playback import ENGINE_ERRORS, Playback, restore
from engine.sim.recording import Recording
from engine.sim.tick.simulation import Simulation
from engine.world.world import World


class UndoneEdits:
    """The edits that are left, by tick; they are looked for once."""

    def __init__(self) -> None:
        self._left: dict[int, tuple[int, Sequence[int]]] = {}

    def left(self, world: World, recording: Recording, tick: int) -> Sequence[int]:
        """The numbers of the edits before a tick without those that were undone."""
        edits = recording.edits.get(tick, [])
        if not any(isinstance(edit, RestoreSnapshot) for edit in edits):
            return range(len(edits))
        known = self._left.get(tick)
        if known is None or known[0] != len(edits):
            known = self._left[tick] = (len(edits), _left(world, recording, tick, edits))
        return known[1]


def _left(world: World, recording: Recording, tick: int, edits: Sequence[Edit]) -> Sequence[int]:
    sim = Simulation(world.loaded, player_id=recording.player_id)
    try:
        keyframes = recording.keyframes
        restore(sim, keyframes.snapshot(keyframes.at_or_before(tick)))
        playback = Playback(sim, recording)
        while sim.tick_number < tick:
            playback.step()
        return _not_undone(sim, edits)
    except (SimError, *ENGINE_ERRORS):
        return range(len(edits))
    finally:
        sim.close()


def _not_undone(sim: Simulation, edits: Sequence[Edit]) -> list[int]:
    left: list[tuple[bytes, int]] = []
    for number, edit in enumerate(edits):
        if isinstance(edit, RestoreSnapshot):
            begun = next((at for at in reversed(range(len(left))) if left[at][0] == edit.snapshot), None)
            if begun is not None:
                del left[begun:]
                sim.apply_edit(edit)
                continue
        left.append((sim.snapshot(), number))
        sim.apply_edit(edit)
    return [number for _, number in left]
