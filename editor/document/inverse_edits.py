"""What takes an edit back: for every edit of the simulation the edits that undo it, read from the state before it.

An inverse is an edit like any other. It is made when the user says undo, at whatever tick that is, and changes only
what the edit changed: what time has moved since then stays where time has put it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from editor.authoring.cell_edits import record_now
from editor.models.lost_wording import last_place
from engine.entities.door import Door
from engine.entities.specs import unpack_spec
from engine.physics.errors import PhysicsError
from engine.physics.flags import HIDDEN, IGNORE_COLLISIONS, REPORT_COLLISIONS, assigned_state
from engine.physics.rules import RULE_NAMES
from engine.sim.tick.edit import Edit, EditArgument
from engine.sim.tick.simulation import Simulation, spec_text
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.loader.edited import cell_record_bytes

Inverse = Callable[[Simulation, Edit], list[Edit]]


def inverse_of(sim: Simulation, edit: Edit) -> list[Edit]:
    """The edits that take `edit` back; ask before it is made. None for those that changes nothing."""
    make = _INVERSES.get(edit.name)
    if make is None:
        raise PhysicsError(f"there is no way back from {edit.name!r}")
    return make(sim, edit)


def _whole(argument: EditArgument) -> int:
    if not isinstance(argument, int):
        raise PhysicsError(f"{argument!r} is no id and no number of bits")
    return argument


def _placed(sim: Simulation, entity_id: int) -> list[Edit]:
    """Where somebody or something stands now."""
    entity = sim.population.find(entity_id)
    if entity is None:
        entry = sim.population.registry.entity(entity_id)
        cell_id, frame = entry.cell_id, entry.frame
    else:
        cell_id, frame = last_place(entity)
    if cell_id == 0:
        return []  # a player who was nowhere stays where he has been put
    return [Edit("place_entity", (entity_id, cell_id, *frame.origin, *frame.rotation))]


def _teleported(sim: Simulation, edit: Edit) -> list[Edit]:
    return _placed(sim, sim.player.id)


def _faced(sim: Simulation, edit: Edit) -> list[Edit]:
    return [Edit("face", (sim.player.steered.place.turn.heading(),))]


def _moved(sim: Simulation, edit: Edit) -> list[Edit]:
    return _placed(sim, _whole(edit.args[0]))


def _numbered(sim: Simulation, edit: Edit) -> list[Edit]:
    return [Edit("set_player", (edit.args[0], sim.player.number(str(edit.args[0]))))]


def _pushed(sim: Simulation, edit: Edit) -> list[Edit]:
    body = sim.population.entity(_whole(edit.args[0])).body
    return [] if body is None else [Edit("set_velocity", (edit.args[0], *body.velocity))]


def _state_set(sim: Simulation, edit: Edit) -> list[Edit]:
    state = sim.population.state_of(_whole(edit.args[0]))
    return _bits_back(_whole(edit.args[0]), state, assigned_state(state, _whole(edit.args[1])))


def _bits_set(sim: Simulation, edit: Edit) -> list[Edit]:
    state, bits = sim.population.state_of(_whole(edit.args[0])), _whole(edit.args[1])
    after = assigned_state(state, state | bits if edit.args[2] else state & ~bits)
    return _bits_back(_whole(edit.args[0]), state, after)


def _bits_back(entity_id: int, before: int, after: int) -> list[Edit]:
    """The bits that change, no others: time may switch a door's ethereal bit meanwhile."""
    changed = before ^ after
    pairs = [(changed & before, True), (changed & ~before, False)]
    if changed & HIDDEN:  # first, for others follow it
        others = (changed & ~HIDDEN) | REPORT_COLLISIONS | IGNORE_COLLISIONS
        pairs = [(HIDDEN, before & HIDDEN != 0), (others & before, True), (others & ~before, False)]
    return [Edit("set_state_bits", (entity_id, bits, on)) for bits, on in pairs if bits]


def state_edits(entity_id: int, now: int, wanted: int) -> list[Edit]:
    """To exactly these bits: where HIDDEN changes, others follow it, and have to be set again."""
    edit = Edit("set_state", (entity_id, wanted))
    return [edit] if assigned_state(now, wanted) == wanted else [edit, edit]


def _added(sim: Simulation, edit: Edit) -> list[Edit]:
    return [Edit("remove_entity", (unpack_spec(str(edit.args[0]).encode()).guid,))]


def _removed(sim: Simulation, edit: Edit) -> list[Edit]:
    """The entity as it was asked for, then what has become of it until now."""
    thing_id = _whole(edit.args[0])
    if thing_id in sim.population.statics.things:
        return _static_again(sim, thing_id)
    entity = sim.population.entity(thing_id)
    edits = [
        Edit("add_entity", (spec_text(unpack_spec(entity.spec)),)),
        *_placed(sim, entity.id),
        *state_edits(entity.id, unpack_spec(entity.spec).state, sim.population.state_of(entity.id)),
    ]
    if isinstance(entity, Door):
        edits += _door_again(entity)
    elif entity.body is not None:
        edits.append(Edit("set_velocity", (entity.id, *entity.body.velocity)))
    return edits


def _static_again(sim: Simulation, thing_id: int) -> list[Edit]:
    """As its record has it, and only what was changed of that."""
    statics, entry = sim.population.statics, sim.population.registry.entity(thing_id)
    edits = [Edit("restore_static", (thing_id,))]
    recorded = statics.recorded(thing_id)
    here = (entry.cell_id, entry.frame.origin, entry.frame.rotation)
    if recorded is None or here != (statics.home_of(thing_id), recorded.frame.origin, recorded.frame.rotation):
        edits += _placed(sim, thing_id)
    return [*edits, Edit("set_state", (thing_id, entry.obj.state))]


def _restored(sim: Simulation, edit: Edit) -> list[Edit]:
    return [Edit("remove_entity", edit.args)]


def _scaled(sim: Simulation, edit: Edit) -> list[Edit]:
    return [Edit("set_scale", (edit.args[0], sim.population.entity(_whole(edit.args[0])).scale))]


def _lit(sim: Simulation, edit: Edit) -> list[Edit]:
    return [Edit("set_time_of_day", (sim.time_of_day,))]


def _door_again(door: Door) -> list[Edit]:
    edits = [
        Edit("lock_door", (door.id, door.locked)),
        Edit("set_reset_interval", (door.id, door.reset_interval)),
        Edit("set_door_timer", (door.id, door.reset_at)),
    ]
    if door.is_open != door.default_open:
        edits.append(Edit("open_door" if door.is_open else "close_door", (door.id,)))
    return edits


def _used(sim: Simulation, edit: Edit) -> list[Edit]:
    door = sim.population.door(_whole(edit.args[0]))
    return [*_swung(sim, edit), Edit("set_door_timer", (door.id, door.reset_at))]


def _swung(sim: Simulation, edit: Edit) -> list[Edit]:
    """A door that stands open is opened again, one that is closed is closed."""
    door = sim.population.door(_whole(edit.args[0]))
    return [Edit("open_door" if door.is_open else "close_door", (door.id,))]


def _locked(sim: Simulation, edit: Edit) -> list[Edit]:
    door = sim.population.door(_whole(edit.args[0]))
    return [Edit("lock_door", (door.id, door.locked))]


def _interval_set(sim: Simulation, edit: Edit) -> list[Edit]:
    door = sim.population.door(_whole(edit.args[0]))
    return [Edit("set_reset_interval", (door.id, door.reset_interval))]


def _timer_set(sim: Simulation, edit: Edit) -> list[Edit]:
    door = sim.population.door(_whole(edit.args[0]))
    return [Edit("set_door_timer", (door.id, door.reset_at))]


def _cell_replaced(sim: Simulation, edit: Edit) -> list[Edit]:
    cell_id = int.from_bytes(bytes(edit.args[0])[:4], "little") if isinstance(edit.args[0], bytes) else 0
    cell = sim.graph.get_visible(cell_id)
    if not isinstance(cell, EnvCell):
        raise PhysicsError(f"there is no room {cell_text(cell_id)} to replace")
    kept = sim.rooms.records_of(cell_id)
    if kept is not None:
        return [Edit("replace_cell", kept)]
    return [Edit("replace_cell", (cell_record_bytes(record_now(sim, cell_id)), b""))]


def _rule_set(sim: Simulation, edit: Edit) -> list[Edit]:
    return _rules_back(sim, [str(edit.args[0])])


def _rules_set(sim: Simulation, edit: Edit) -> list[Edit]:
    return _rules_back(sim, [rule for rule in RULE_NAMES if sim.rules.form(rule) != edit.args[0]])


def _rules_back(sim: Simulation, rules: Sequence[str]) -> list[Edit]:
    return [Edit("set_rule", (rule, sim.rules.form(rule))) for rule in rules]


_INVERSES: Final[dict[str, Inverse]] = {
    "teleport": _teleported,
    "put_player_back": _teleported,
    "face": _faced,
    "set_player": _numbered,
    "set_velocity": _pushed,
    "set_state": _state_set,
    "set_state_bits": _bits_set,
    "move_entity": _moved,
    "place_entity": _moved,
    "add_entity": _added,
    "remove_entity": _removed,
    "restore_static": _restored,
    "set_scale": _scaled,
    "use": _used,
    "open_door": _swung,
    "close_door": _swung,
    "lock_door": _locked,
    "set_reset_interval": _interval_set,
    "set_door_timer": _timer_set,
    "replace_cell": _cell_replaced,
    "set_rule": _rule_set,
    "set_rules": _rules_set,
    "set_time_of_day": _lit,
}
