"""What the open run can be compared with: the two sides of each comparison."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.physics.rules import RuleSet, rule_set
from engine.sim.compare.answers import rules_in
from engine.sim.compare.sides import Change, Side, arrival_of, begun, body_changes, rule_changes
from engine.sim.edits.edit import Edit
from engine.sim.edits.player import FacePlayer, PutPlayerBack, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import OpenLandblock, SetTimeOfDay
from engine.sim.errors import SimError
from engine.sim.playback import check_world
from engine.sim.recording import Recording
from engine.sim.recording_file import load_recording
from engine.world.world import World

Sides = tuple[Side, Side]

SAME_RULES: Final = "The run goes by these rules itself."
SAME_BODY: Final = "The run has this body itself."
NOTHING_EDITED: Final = "Nothing in the world was edited."

NO_EDITS_OF_WORLD: Final = (
    *(Teleport, PutPlayerBack, FacePlayer, SetPlayerNumber),
    *(SetRule, SetRuleSet, OpenLandblock, SetTimeOfDay),
)
"""Edits of a run that leave the world as it is."""


def rules_at_start(world: World, recording: Recording) -> RuleSet:
    """The rules by which a run begins."""
    known = rules_in(recording.keyframes.snapshot(0))
    if known is not None:
        return known
    sim = begun(Side("", world, recording))
    rules = sim.rules.copy()
    sim.close()
    return rules


def flipped(rules: RuleSet, rule: str) -> RuleSet:
    """Rules with the other form of one."""
    after = rules.copy()
    after.set_form(rule, other_form(rules, rule))
    return after


def other_form(rules: RuleSet, rule: str) -> str:
    return "ace" if rules.form(rule) == "retail" else "retail"


def by_rules(world: World, recording: Recording, before: RuleSet, after: RuleSet) -> Sides:
    """The same keys by other rules; a SimError when they are no others."""
    changes = rule_changes(before, after)
    if not changes:
        raise SimError(SAME_RULES)
    names = _rule_names(before, after, changes)
    return Side(names[0], world, recording), Side(names[1], world, recording, changes)


def by_body(world: World, recording: Recording, numbers: Sequence[tuple[str, float]]) -> Sides:
    """The same keys with other numbers of the player."""
    sim = begun(Side("", world, recording))
    try:
        if all(sim.player.number(name) == value for name, value in numbers):
            raise SimError(SAME_BODY)
        for name, value in numbers:
            sim.apply_edit(SetPlayerNumber(name, value))
    finally:
        sim.close()
    changes = body_changes(numbers)
    return Side("as walked", world, recording), Side(body_title(numbers), world, recording, changes)


def body_title(numbers: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{name} {value:g}" for name, value in numbers)


def by_recording(world: World, recording: Recording, path: Path) -> Sides:
    """The keys and edits of another recording of this world."""
    other = load_recording(path)
    check_world(world, other)
    return Side("this run", world, recording), Side(path.name, world, other)


def before_edits(world: World, recording: Recording, *, began_edited: bool) -> Sides:
    """The same keys in the world as it was before it was edited; a SimError when it never was.

    `began_edited`: it had been before the recording began.
    """
    arrival = None
    if began_edited:
        sim = begun(Side("", world, recording))
        arrival = arrival_of(sim)
        sim.close()
    elif not is_edited(recording):
        raise SimError(NOTHING_EDITED)

    def is_left_out(tick: int, number: int, edit: Edit) -> bool:
        return is_of_world(edit, recording.player_id)

    second = Side("without", world, recording, arrival=arrival, leaves_out=is_left_out)
    return Side("with edits", world, recording), second


def is_edited(recording: Recording) -> bool:
    """Whether a recording has edits of the world."""
    player = recording.player_id
    return any(is_of_world(edit, player) for edits in recording.edits.values() for edit in edits)


def is_of_world(edit: Edit, player_id: int) -> bool:
    """Whether an edit changes the world, and not only the player, the rules or the light."""
    return not isinstance(edit, NO_EDITS_OF_WORLD) and getattr(edit, "entity_id", 0) != player_id


def _rule_names(before: RuleSet, after: RuleSet, changes: Sequence[Change]) -> tuple[str, str]:
    """The names of the sets; where they are none, those of the forms of a single rule, or plain ones."""
    first, second = set_name(before), set_name(after)
    if first and second:
        return first, second
    if len(changes) == 1:
        return before.form(changes[0].title), after.form(changes[0].title)
    return first or "as walked", second or "other rules"


def set_name(rules: RuleSet) -> str:
    """The name of a whole rule set; "" for a mixture."""
    return next((name for name in ("retail", "ace") if not rule_changes(rule_set(name), rules)), "")
