"""What made a change, before it is put into a link; and how a contact becomes one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.entities.door import Door
from engine.geometry.vec import Vec3
from engine.sim.contact_wording import contact_text
from engine.sim.tick.contacts import BARRIER, NO_POLYGON, TERRAIN, THING, Contact
from engine.sim.why.answer import Asked, CauseKind
from engine.sim.why.moment import Moment
from engine.sim.why.rows import Row, any_row_of_contact, latch_of, row_of_contact


@dataclass(frozen=True, slots=True)
class Cause:
    """The fields are those of `Link`; `is_swept`: a sweep decided, so that rules may have."""

    kind: CauseKind
    sentence: str
    leads_to: tuple[Asked, ...] = ()
    is_swept: bool = False
    sub_step: int | None = None
    trace_path: tuple[int, ...] | None = None
    cell: int = 0
    entity: int = 0
    polygon: int | None = None
    portal: int | None = None
    key: str = ""
    edit: str = ""
    edit_number: int | None = None
    rules: tuple[str, ...] = ()
    point: tuple[int, Vec3] | None = None

    def at_row(self, row: Row | None) -> Cause:
        """With the sub-step and the row in which it was decided."""
        return self if row is None else replace(self, sub_step=row.step, trace_path=row.path)


def by_contact(
    moment: Moment, contact: Contact, did: str, leads: tuple[Asked, ...], step: Row | None, push: bool = False
) -> Cause:
    """A cause that is a contact, such as "the player slid along" and it."""
    row = None if step is None else row_of_contact(step, contact)
    if row is None:
        row = any_row_of_contact(moment.steps, contact)
    if row is None and step is not None:
        row = latch_of(step)
    kind = CauseKind.POLYGON
    if push:
        kind = CauseKind.PUSH
    elif contact.what == THING or contact.how == BARRIER:
        kind = CauseKind.OBJECT
    elif contact.what == TERRAIN:
        kind = CauseKind.TERRAIN
    return Cause(
        kind,
        f"{did} {contact_text(moment.sim, contact)}",
        leads,
        True,
        cell=contact.cell_id,
        entity=contact.object_id,
        polygon=None if contact.polygon_id == NO_POLYGON else contact.polygon_id,
        point=(contact.at_cell, contact.at),
    ).at_row(row)


def of_object(moment: Moment, object_id: int) -> tuple[Asked, ...]:
    """The values of an entity by which it got in the way, or out of it."""
    entity = moment.sim.population.find(object_id)
    if entity is None or entity.id == moment.entity_id:
        return ()
    if isinstance(entity, Door):
        return (Asked(object_id, "passable", moment.tick), Asked(object_id, "origin", moment.tick))
    return (Asked(object_id, "origin", moment.tick),)


def same(moment: Moment, *paths: str) -> tuple[Asked, ...]:
    """Other values of the same entity, as they are after the tick."""
    return tuple(Asked(moment.entity_id, path, moment.tick) for path in paths)


def earlier(moment: Moment, *paths: str) -> tuple[Asked, ...]:
    """Other values of the same entity, as they were before the tick."""
    if moment.tick == moment.history.recording.first_tick:
        return ()
    return tuple(Asked(moment.entity_id, path, moment.tick - 1) for path in paths)


def keys_of(moment: Moment, names: tuple[str, ...]) -> tuple[Asked, ...]:
    """The keys themselves."""
    return tuple(Asked(moment.sim.player.id, f"keys.{name}", moment.tick) for name in names)
