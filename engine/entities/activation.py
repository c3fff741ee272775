"""Things that use doors: switches, pressure plates, and doors that are linked to others (physics.md 9.2)."""

from __future__ import annotations

from engine.entities.door import Door
from engine.entities.entity import Entity
from engine.entities.events import EntityEvent
from engine.entities.population import Population
from engine.entities.specs import PRESSURE_PLATE
from engine.physics.errors import PhysicsError
from engine.world.cells.ids import cell_text


def usable(population: Population, entity_id: int) -> Entity:
    """A door, or something that uses one: a switch. A PhysicsError for anything else."""
    entity = population.entity(entity_id)
    if not isinstance(entity, Door) and not entity.activates:
        raise PhysicsError(f"{cell_text(entity_id)} is a {entity.kind} and no door")
    return entity


def used_with(population: Population, entity: Entity) -> list[Door]:
    """The doors that the use of an entity may open or close: itself, what it is linked to, and so on."""
    found: list[Door] = [entity] if isinstance(entity, Door) else []
    waiting = [entity]
    seen = {entity.id}
    while waiting:
        for target_id in waiting.pop(0).activates:
            target = population.find(target_id)
            if target_id not in seen and isinstance(target, Door):
                seen.add(target_id)
                found.append(target)
                waiting.append(target)
    return found


def use(population: Population, used_id: int, user_id: int, now: int, events: list[EntityEvent]) -> None:
    """Use a door, or a switch, as an entity does; nothing happens when there is no such thing."""
    used = population.find(used_id)
    if isinstance(used, Door):
        user = population.find(user_id)
        behind = user is not None and used.is_behind(user.place_cell(), user.origin())
        was_open = used.is_open
        used.use(now, user_id, behind, events)
        if used.is_open != was_open:
            activate(population, used, now, events)
    elif used is not None:
        activate(population, used, now, events)


def activate(population: Population, entity: Entity, now: int, events: list[EntityEvent]) -> None:
    """Use what an entity is linked to, and what that is linked to: each door once, as somebody in front of it does. A
    door also closes others; everything else only opens them."""
    waiting = [entity]
    seen = {entity.id}
    while waiting:
        source = waiting.pop(0)
        for target_id in source.activates:
            target = population.find(target_id)
            if target_id in seen or not isinstance(target, Door):
                continue
            seen.add(target_id)
            was_open = target.is_open
            target.use(now, source.id, False, events, not isinstance(source, Door))
            if target.is_open != was_open:
                waiting.append(target)


def step_on_plates(population: Population, touched: list[int], now: int, events: list[EntityEvent]) -> None:
    """Open what the plates are linked to that a body has touched in this tick, unless that moves or is locked."""
    for object_id in touched:
        plate = population.find(object_id)
        if plate is None or plate.kind != PRESSURE_PLATE:
            continue
        for door in used_with(population, plate)[:1]:
            if not door.locked and not door.is_busy(now):
                activate(population, plate, now, events)
