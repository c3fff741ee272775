"""The terms on which a kept walk is run again: what is otherwise than when it was recorded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.physics.rules import RuleSet
from engine.sim.edits.catalogue import values_of
from engine.sim.edits.cells import ReplaceCell
from engine.sim.edits.edit import Edit
from engine.sim.edits.player import FacePlayer, PutPlayerBack, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import OpenLandblock, RestoreSnapshot, SetTimeOfDay

OF_THE_WALK: Final = (Teleport, PutPlayerBack, FacePlayer, SetTimeOfDay, OpenLandblock, RestoreSnapshot)
"""Edits that say where somebody walks or what he sees, and nothing of the world that he walks in."""

OF_THE_RULES: Final = (SetRule, SetRuleSet)
_SHORT: Final = 0xFFFF
"""Larger whole numbers in an edit are ids, or bits."""


@dataclass(frozen=True)
class Terms:
    """`before` is made before the first tick, after `undone`, which takes back what the recording began with; what of
    that is refused was not there yet. `without` are edits of the recording that are not made. `rules` are those to go
    by instead of the recording's own. With `arrives` the world is another one: the walk begins at its place in it, with
    everything else as it stands there.

    `tolerance` is in metres: within it a walk goes as before, whatever else differs. None compares to the bit.
    """

    before: tuple[Edit, ...] = ()
    undone: tuple[Edit, ...] = ()
    without: tuple[Edit, ...] = ()
    rules: RuleSet | None = None
    arrives: bool = False
    tolerance: float | None = None

    @property
    def is_same(self) -> bool:
        """Whether nothing is otherwise, so that the whole state has to come out as recorded."""
        return self.rules is None and not self.is_edited and not self.arrives and self.tolerance is None

    @property
    def is_edited(self) -> bool:
        return bool(self.before or self.undone or self.without)

    @property
    def last_words(self) -> tuple[Edit, ...]:
        """What stays as it was made before the walk, whatever the walk's own edits do."""
        return (*self.undone, *self.before)


def edits_of_world(edits: Iterable[Edit], player_id: int) -> Iterator[Edit]:
    """Those edits that change the world, its rules or the player's body, not where he is."""
    for edit in edits:
        if not isinstance(edit, OF_THE_WALK) and (isinstance(edit, SetPlayerNumber) or player_id not in ids_in(edit)):
            yield edit


def ids_in(edit: Edit) -> frozenset[int]:
    """The ids that an edit names."""
    found = {value for value in values_of(edit) if type(value) is int and value > _SHORT}
    return frozenset({*found, edit.cell_id} if isinstance(edit, ReplaceCell) else found)


def with_last_word(made: Edit, before: Sequence[Edit]) -> list[Edit]:
    """Those of the edits made before the walk that one of its own undoes: they are made again after it."""
    if isinstance(made, RestoreSnapshot):
        return list(before)
    if isinstance(made, OF_THE_RULES):
        return [edit for edit in before if isinstance(edit, OF_THE_RULES)]
    if isinstance(made, SetPlayerNumber):
        return [edit for edit in before if isinstance(edit, SetPlayerNumber) and edit.number == made.number]
    ids = ids_in(made)
    return [edit for edit in before if not ids.isdisjoint(ids_in(edit))]
