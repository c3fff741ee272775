"""What changed a value of a body: the player's, or that of another entity that moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.physics.flags import OK
from engine.physics.sweep.trace import SURROUNDINGS_NAMES
from engine.sim.contact_wording import contacts_text, way_text
from engine.sim.tick.contacts import BUILDING, MET, TERRAIN, THING, WALLS, Contact
from engine.sim.trace import cell_search
from engine.sim.trace.tree import PlaneRecord
from engine.sim.why.answer import Asked, CauseKind
from engine.sim.why.cause import Cause, by_contact, earlier, keys_of, of_object, same
from engine.sim.why.kinds import NONE
from engine.sim.why.moment import Moment
from engine.sim.why.rows import (
    Row,
    last_rolled_back,
    last_step,
    latch_of,
    row_of_plane,
    row_of_search,
)
from engine.sim.why.values import KEY_NAMES
from engine.sim.why.wording import held_text, subject, switched_text

LEAST_PUSH: Final = 0.01
"""Metres; less is how far a body sinks between two ticks of walking over a bend of the ground."""

_STUCK: Final = 3
"""Ticks in the air without a move, after which the sweep makes up level ground (physics.md 5.9)."""

Finder = Callable[[Moment, str], Cause]


def cause_of_body(moment: Moment, path: str) -> Cause:
    """What in a tick changed a value of its body."""
    group = path.partition(".")[0]
    return _FINDERS.get(group, _other)(moment, path)


def kept_by(moment: Moment) -> str:
    """What keeps a body that wants to move where it is, in a tick that does not change its place; "" for nothing."""
    report = moment.report
    if report is None or not moment.is_of_player or not report.blocked:
        return ""
    obstacles = _obstacles(moment)
    return f"{_name(moment)} is kept there by {contacts_text(moment.sim, obstacles)}" if obstacles else ""


# --- what happened


def _name(moment: Moment) -> str:
    return subject(moment.sim, moment.entity_id)


def _plane_step(moment: Moment) -> Row | None:
    return last_step(moment.steps, lambda before, after: before.contact_plane != after.contact_plane)


def _move_step(moment: Moment) -> Row | None:
    return last_step(moment.steps, lambda before, after: before.accepted != after.accepted)


def _obstacles(moment: Moment) -> list[Contact]:
    """What stopped the body, or what it slid along, the one that decided first."""
    contacts = moment.contacts
    found = contacts.stopped_by or contacts.slid_along[::-1]
    if not found and contacts.held:
        found = contacts.held_by
    if not found and contacts.steep is not None:
        found = [contacts.steep]
    return found


def _by_obstacle(moment: Moment, obstacle: Contact, text: str, then: str, push: bool = False) -> Cause:
    step = last_rolled_back(moment.steps) if moment.contacts.stopped_by else _move_step(moment)
    keys = moment.keys_that_matter()
    leads = (*of_object(moment, obstacle.object_id), *keys_of(moment, keys), *same(moment, then))
    found = by_contact(moment, obstacle, text, leads, step, push)
    if obstacle in moment.contacts.held_by:  # an earlier tick met it; what it left restricts the sub-step
        return found.at_row(step)
    return found


def _by_keys(moment: Moment, keys: tuple[str, ...], row: Row | None) -> Cause:
    now = dict(zip(KEY_NAMES, moment.controls.as_tuple(), strict=True))
    before = dict(zip(KEY_NAMES, moment.controls_before.as_tuple(), strict=True))
    switched = [key for key in keys if now[key] != before[key]]
    if switched:
        words = [switched_text(moment.sim, name, before[name], now[name]) for name in switched]
        text = " and ".join(words)
        held = [name for name in keys if name not in switched and now[name]]
        if held:
            text += f", {held_text(moment.sim, {name: now[name] for name in held})}"
    else:
        text = held_text(moment.sim, {name: now[name] for name in keys})
    later = [key for key in keys if key not in switched]  # that a key was switched now goes no further back
    return Cause(CauseKind.KEY, text, keys_of(moment, tuple(later)), key=keys[0]).at_row(row)


# --- where it is


def _position(moment: Moment, path: str) -> Cause:
    name, contacts = _name(moment), moment.contacts
    step = _move_step(moment)
    row = None if step is None else latch_of(step)
    if contacts.pushed > LEAST_PUSH:
        pushed = _pushed(moment, step)
        if pushed is not None:
            return pushed
    obstacles = _obstacles(moment)
    if obstacles:
        push = moment.before.in_contact and not moment.keys_that_matter() and contacts.slid_along[-1:] == obstacles[:1]
        did = "was pushed by" if push else "came up against" if contacts.stopped_by else "slid along"
        return _by_obstacle(moment, obstacles[0], f"{name} {did}", "velocity", push)
    if not moment.before.in_contact:
        return _in_the_air(moment, path, row)
    keys = moment.keys_that_matter()
    if path.endswith(".z") and moment.after.in_contact and step is not None:
        ground = _ground_row(step)
        if ground is not None:
            leads = (*keys_of(moment, keys), *same(moment, "velocity"))
            return _by_ground(moment, ground, f"{name} followed", leads)
    if keys:
        return _by_keys(moment, keys, row)
    return _own_motion(moment, row)


def _pushed(moment: Moment, step: Row | None) -> Cause | None:
    """Out of the ground: because something has come there, because the body is another one, or because it moved."""
    text = f"{_name(moment)} was pushed {moment.contacts.pushed:.2f} m out of"
    size = same(moment, "sphere", "sphere[1]") if moment.is_of_player else ()
    leads = (*size, *keys_of(moment, moment.keys_that_matter()), *same(moment, "velocity"))
    by = moment.contacts.pushed_by
    if by is not None:
        return by_contact(moment, by, text, (*of_object(moment, by.object_id), *leads), step, push=True)
    ground = None if step is None else _ground_row(step)
    if ground is None:
        return None
    return _by_ground(moment, ground, text, (*of_object(moment, ground[0].object_id), *leads), push=True)


def _in_the_air(moment: Moment, path: str, row: Row | None) -> Cause:
    name, edit = _name(moment), moment.edit_into_the_air
    if edit:
        return Cause(CauseKind.GRAVITY, f"{name} was in the air: {edit}", edit=edit, point=moment.after.place).at_row(
            row
        )
    if path.endswith((".x", ".y")):
        leads = (*same(moment, f"velocity{path[-2:]}"), *earlier(moment, "contact"))
        return Cause(CauseKind.MOTION, f"{name} went on through the air", leads, point=moment.after.place).at_row(row)
    leads = (*earlier(moment, "contact"), *same(moment, "velocity"))
    return Cause(CauseKind.GRAVITY, f"{name} was in the air", leads, point=moment.after.place).at_row(row)


def _own_motion(moment: Moment, row: Row | None) -> Cause:
    """No key of the tick makes it: what moves the body is what an earlier one began, or the body's own."""
    leads = same(moment, "velocity", "motion_velocity", "keys") if moment.is_of_player else same(moment, "velocity")
    return Cause(
        CauseKind.MOTION, f"{_name(moment)} moved on as it was moving", leads, point=moment.after.place
    ).at_row(row)


def _heading(moment: Moment, path: str) -> Cause:
    keys = moment.keys_that_matter()
    if keys:
        return _by_keys(moment, keys, None)
    return _own_motion(moment, None)


# --- the cell


def _cell(moment: Moment, path: str) -> Cause:
    name, contacts = _name(moment), moment.contacts
    names = moment.sim.world.names
    step = last_step(moment.steps, lambda before, after: before.accepted_cell != after.accepted_cell)
    row = None if step is None else row_of_search(step, moment.after.cell) or latch_of(step)
    if path != "cell" and moment.after.cell == moment.before.cell:
        return _other(moment, path)
    leads = (*same(moment, "origin"), *_passable(moment, moment.open_doors_that_matter()))
    if not moment.after.cell:
        text = f"{name} left {names.cell(moment.before.cell)}: no cell holds the centre there"
        return Cause(CauseKind.PICK, text, leads, True, point=moment.after.place).at_row(row)
    goal = f"{name} came into {names.cell(moment.after.cell)}"
    way = way_text(moment.sim, contacts, moment.before.cell)
    if contacts.portal >= 0:
        return Cause(
            CauseKind.PORTAL,
            f"{goal} {way}",
            leads,
            True,
            cell=contacts.portal_of,
            portal=contacts.portal,
            point=moment.after.place,
        ).at_row(row)
    how = f" {way}" if way else ""
    if not way and contacts.came_by and contacts.came_by != cell_search.LAND:
        how = f", by the {contacts.came_by}"
    return Cause(CauseKind.PICK, f"{goal}{how}", leads, True, cell=moment.after.cell, point=moment.after.place).at_row(
        row
    )


# --- the ground


def _ground_row(step: Row) -> tuple[Row, PlaneRecord] | None:
    """The row of the polygon on which the body is after a sub-step."""
    plane = None if step.node.after is None else step.node.after.contact_plane
    row = None if plane is None else row_of_plane(step, plane)
    return None if plane is None or row is None else (row, plane)


def _by_ground(
    moment: Moment, ground: tuple[Row, PlaneRecord], text: str, leads: tuple[Asked, ...], push: bool = False
) -> Cause:
    """A cause that is the polygon of a contact plane."""
    row, plane = ground
    contact = _contact_of(row, plane)
    return by_contact(moment, contact, text, leads, None, push).at_row(row)


_PARTS: Final = {SURROUNDINGS_NAMES[asked]: what for asked, what in enumerate((WALLS, TERRAIN, BUILDING))}


def _contact_of(row: Row, plane: PlaneRecord) -> Contact:
    """The polygon of a row, as a contact."""
    cell_id = row.cell_id or plane.cell_id
    what = THING if row.object_id else _PARTS.get(row.part, WALLS)
    contact = Contact(MET, what, cell_id, OK)
    contact.object_id, contact.polygon_id = row.object_id, row.node.polygon_id
    contact.normal = row.node.normal or plane.normal
    place = row.node.place
    if place is not None:
        contact.at, contact.at_cell = place.corners[0], place.cell_id
    return contact


def _footing(moment: Moment, path: str) -> Cause:
    name, contacts = _name(moment), moment.contacts
    step = _plane_step(moment)
    if moment.lost_contact:
        return _contact_lost(moment, step)
    leads = same(moment, "origin")
    if step is not None:
        ground = _ground_row(step)
        if ground is not None:
            did = "stepped onto" if moment.before.in_contact else "landed on"
            if moment.before.in_contact and moment.sunk > LEAST_PUSH:
                opened = _by_opened_door(moment, f"{name} came down through it", leads, ground[0])
                if opened is not None:
                    return opened
            leads = (*leads, *of_object(moment, ground[0].object_id))
            return _by_ground(moment, ground, f"{name} {did}", leads)
    ground_contact = contacts.ground
    if ground_contact is not None:
        return by_contact(moment, ground_contact, f"{name} came onto", leads, step)
    report = moment.report
    if report is not None and report.frames_stationary_fall >= _STUCK and _obstacles(moment):
        text = f"{name} was stuck in the air for {_STUCK} ticks by"
        return by_contact(moment, _obstacles(moment)[0], text, leads, step)
    return _other(moment, path)


def _by_opened_door(moment: Moment, text: str, leads: tuple[Asked, ...], row: Row | None) -> Cause | None:
    """What would have carried the body, or stopped it, if it were not open."""
    doors = moment.open_doors_that_matter()
    if not doors:
        return None
    names = " and ".join(subject(moment.sim, door_id) for door_id in doors)
    verb = "is" if len(doors) == 1 else "are"
    text = f"{names} {verb} open: {text}"
    return Cause(
        CauseKind.OBJECT, text, (*_passable(moment, doors), *leads), True, entity=doors[0], point=moment.after.place
    ).at_row(row)


def _passable(moment: Moment, doors: tuple[int, ...]) -> tuple[Asked, ...]:
    return tuple(Asked(door_id, "passable", moment.tick) for door_id in doors)


def _contact_lost(moment: Moment, step: Row | None) -> Cause:
    name, contacts = _name(moment), moment.contacts
    row = None if step is None else latch_of(step)
    if moment.report is not None and moment.report.jumped and moment.is_of_player:
        keys = moment.keys_that_matter() or ("jump",)
        return _by_keys(moment, tuple(sorted(keys, key=lambda key: key != "jump")), row)
    leads = same(moment, "origin")
    stood_on = contacts.stood_on
    if stood_on is None or stood_on.object_id in moment.open_doors:
        opened = _by_opened_door(moment, f"nothing carries {name} any more", leads, row)
        if opened is not None:
            return opened
    if stood_on is not None:
        stood_on.how = MET  # for its name: that there is nothing behind its edge goes without saying
        did = "was thrown off" if contacts.took_off else "stepped off"
        leads = (*leads, *of_object(moment, stood_on.object_id))
        found = by_contact(moment, stood_on, f"{name} {did}", leads, None)
        if found.sub_step is None:
            found = found.at_row(row)
        return found
    return Cause(CauseKind.FOLLOWS, f"nothing carries {name} where he is now", leads, True).at_row(row)


def _sliding(moment: Moment, path: str) -> Cause:
    name = _name(moment)
    step = last_step(moment.steps, lambda before, after: before.sliding_normal != after.sliding_normal)
    if moment.change.after not in (False, NONE):
        obstacles = _obstacles(moment)
        if obstacles:
            leads = (*keys_of(moment, moment.keys_that_matter()), *same(moment, "origin"))
            leads = (*of_object(moment, obstacles[0].object_id), *leads)
            return by_contact(moment, obstacles[0], f"{name} ran into", leads, step)
        return _other(moment, path)
    keys = moment.keys_that_matter()
    row = None if step is None else latch_of(step)
    if keys:
        return _by_keys(moment, keys, row)
    return Cause(
        CauseKind.FOLLOWS, f"{name} moved and slides along nothing any more", same(moment, "origin"), True
    ).at_row(row)


# --- velocity


def _velocity(moment: Moment, path: str) -> Cause:
    name = _name(moment)
    step = _plane_step(moment)
    if moment.lost_contact:
        return _contact_lost(moment, step)
    is_free = moment.only_fell or (moment.before.in_contact and moment.after.in_contact)
    obstacles = [] if is_free else _obstacles(moment)
    if not moment.before.in_contact and moment.after.in_contact:
        return _footing(moment, path)
    if obstacles:
        return _by_obstacle(moment, obstacles[0], f"{name} bounced off", "origin")
    if not moment.before.in_contact:
        report = moment.report
        if moment.is_of_player and report is not None and report.frames_stationary_fall > 1:
            return Cause(CauseKind.MOTION, f"{name} was stuck in the air", same(moment, "origin"))
        if path.endswith((".x", ".y")):
            return Cause(CauseKind.MOTION, f"{name} was too slow to go on", same(moment, "origin"))
        return Cause(CauseKind.GRAVITY, f"gravity pulled {name}", earlier(moment, "contact"))
    keys = moment.keys_that_matter()
    if keys:
        return _by_keys(moment, keys, None)
    return Cause(CauseKind.MOTION, f"friction of the ground slowed {name}", same(moment, "contact_plane"))


# --- the rest


def _running_out(moment: Moment, path: str) -> Cause:
    keys = moment.keys_that_matter()
    if keys:
        return _by_keys(moment, keys, None)
    return Cause(CauseKind.TIMER, "time ran off")


def _other(moment: Moment, path: str) -> Cause:
    """A value without a story of its own: it goes with the keys, the contact, the cell or the position."""
    name = _name(moment)
    keys = moment.keys_that_matter()
    now, before = moment.controls.as_tuple(), moment.controls_before.as_tuple()
    if any(now[KEY_NAMES.index(name)] != before[KEY_NAMES.index(name)] for name in keys):
        return _by_keys(moment, keys, None)
    if moment.before.in_contact != moment.after.in_contact:
        did = "came onto ground" if moment.after.in_contact else "lost the ground"
        return Cause(CauseKind.FOLLOWS, f"{name} {did}", same(moment, "contact"))
    if moment.before.cell != moment.after.cell:
        return Cause(CauseKind.FOLLOWS, f"{name} came into another cell", same(moment, "cell"))
    if moment.moved and path not in _OF_ANIMATIONS:
        return Cause(CauseKind.FOLLOWS, f"{name} moved", same(moment, "origin"), True)
    if keys:
        return _by_keys(moment, keys, None)
    obstacles = _obstacles(moment)
    if obstacles:
        return by_contact(moment, obstacles[0], f"{name} ran into", same(moment, "origin"), None)
    leads = same(moment, "substate") if path in _OF_ANIMATIONS and path != "substate" else ()
    if moment.is_of_player:
        leads = (*leads, *same(moment, "keys"))
    return Cause(CauseKind.MOTION, f"the motion of {name} went on", leads)


_OF_ANIMATIONS: Final = frozenset(
    ("substate", "substate_speed", "nodes", "modifiers", "current", "first_cyclic", "frame", "motion_velocity")
)

OF_PLACES: Final = ("origin", "soles")

_FINDERS: Final[dict[str, Finder]] = {
    "origin": _position,
    "soles": _position,
    "heading": _heading,
    "rotation": _heading,
    "cell": _cell,
    "lost": _cell,
    "in_cell": _cell,
    "contact": _footing,
    "on_walkable": _footing,
    "contact_plane": _footing,
    "contact_plane_cell": _footing,
    "in_water": _footing,
    "sliding": _sliding,
    "sliding_normal": _sliding,
    "velocity": _velocity,
    "pk_fight": _running_out,
}
