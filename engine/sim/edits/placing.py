"""Where entities and static things stand, and the edit that puts one there: it restores a place bit by bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.entities.entity import Entity
from engine.entities.footing import let_fall
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.sim.edits.edit import Edit

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation


@dataclass(frozen=True)
class PlaceEntity(Edit):
    """`MoveEntity` with any rotation, and for the player too: for what leans, and to restore a place."""

    entity_id: int
    cell_id: int
    x: float
    y: float
    z: float
    qw: float
    qx: float
    qy: float
    qz: float

    def apply(self, sim: Simulation) -> None:
        sim.bring(self.entity_id)
        frame = Frame((self.x, self.y, self.z), (self.qw, self.qx, self.qy, self.qz))
        if not frame.is_valid():
            raise PhysicsError(f"{frame!r} is not a place with a direction")
        sim.population.move(self.entity_id, self.cell_id, frame.origin, frame)
        here = sim.player.steered.cell
        if self.entity_id == sim.player.id and here is not None:
            sim.enter_cell(here.id, here.seen_outside)
        let_fall(sim.population.bodies)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return place_again(sim, self.entity_id)


def last_place(entity: Entity) -> tuple[int, Frame]:
    """The cell and frame where an entity stands, or where a cell held it last: that is where it can be put again."""
    body = entity.body
    held = None if body is None or not body.is_lost else body.held
    return (entity.place_cell(), entity.place_frame()) if held is None else (held.cell_id, held.frame())


def place_at(entity_id: int, cell_id: int, frame: Frame) -> PlaceEntity:
    """The edit that puts an entity or a static thing into a frame."""
    x, y, z = frame.origin
    qw, qx, qy, qz = frame.rotation
    return PlaceEntity(entity_id, cell_id, x, y, z, qw, qx, qy, qz)


def place_again(sim: Simulation, entity_id: int) -> list[Edit]:
    """The edits that put an entity or a static thing where it stands now."""
    entity = sim.population.find(entity_id)
    if entity is None:
        entry = sim.population.registry.entity(entity_id)
        cell_id, frame = entry.cell_id, entry.frame
    else:
        cell_id, frame = last_place(entity)
    if cell_id == 0:
        return []  # a player who was nowhere stays where he has been put
    return [place_at(entity_id, cell_id, frame)]


def check_finite(v: Vec3, angle: float) -> None:
    for value in (v[0], v[1], v[2], angle):
        if value - value != 0.0:
            raise PhysicsError(f"{value} is not a place with a direction")
