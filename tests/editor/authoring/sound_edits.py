"""Expectations of every edit: undo restores the state bit by bit, redo applies it again, and recordings replay it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from editor.document.document import Document
from engine.build.built import BuiltWorld
from engine.sim.edits.edit import Edit
from engine.sim.playback import verify
from engine.sim.tick.simulation import Simulation


def comes_back(document: Document, make: Callable[[Simulation], Sequence[Edit]]) -> None:
    """Made, undone and made again on the spot: each time the very same state."""
    sim = document.sim
    before = sim.state_hash()
    assert document.edit("the edit", *make(sim))
    after = sim.state_hash()
    assert after != before
    document.undo()
    assert sim.state_hash() == before
    document.redo()
    assert sim.state_hash() == after


def is_replayed(document: Document, built: BuiltWorld) -> None:
    """Everything that the document has recorded comes out the same in another world of the same records."""
    assert document.history is not None
    world = built.load()
    again = Simulation(world)
    assert verify(again, document.history.recording) is None
    assert again.tick_number == document.history.recording.end
