"""Things that the user can move (an entity, the player, a static object), and the edits that place them."""

from __future__ import annotations

from dataclasses import dataclass

from editor.authoring.cell_lookup import foot_of
from editor.authoring.dropping import drop_entity, drop_static
from editor.authoring.static_edits import (
    find_static,
    move_thing,
    name_of_static,
    rehome_static,
    remove_thing,
)
from editor.session.session import Kind, Selection
from editor.view3d.gizmo import ARROWS, PLANES, RINGS, Handle, Mode
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import RemoveEntity
from engine.sim.edits.placing import PlaceEntity
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import block_of, is_env_cell
from engine.world.cells.position import into_block


@dataclass(frozen=True)
class Movable:
    """Something that stands in a cell: `frame` is in the landblock of `cell_id`; the cell that contains `foot` becomes
    the thing's cell."""

    id: int
    name: str
    kind: Kind
    cell_id: int
    frame: Frame
    foot: Sphere
    is_player: bool = False

    def handles(self, mode: Mode) -> tuple[Handle, ...]:
        """The gizmo's handles for it. Creatures, doors and the player stand upright; static objects may lean."""
        if mode is Mode.MOVE:
            return (*ARROWS, *PLANES)
        return RINGS if self.kind is Kind.STATIC else (Handle.TURN_Z,)

    def place(self, sim: Simulation, cell_id: int, frame: Frame) -> list[Edit]:
        """The edits that place it elsewhere. A static object still belongs to its room, wherever it is."""
        if self.kind is Kind.STATIC:
            return move_thing(sim, self.id, Frame(into_block(self.cell_id, cell_id, frame.origin), frame.rotation))
        return [PlaceEntity(self.id, cell_id, *frame.origin, *frame.rotation)]

    def can_be_of(self, home: int) -> bool:
        """Whether it belongs to a room, and `home` is another room in the same landblock."""
        same_block = block_of(home) == block_of(self.cell_id)
        return home != self.cell_id and same_block and is_env_cell(home) and is_env_cell(self.id >> 16 & 0xFFFFFFFF)

    def give_to(self, sim: Simulation, home: int, frame: Frame) -> list[Edit]:
        """The edits that give a room's static object to another room, where it gets the id `new_static_id`."""
        return rehome_static(sim, self.cell_id, self.id & 0xFFFF, home, frame)

    def remove(self, sim: Simulation) -> list[Edit]:
        """The edits that remove it."""
        return remove_thing(sim, self.id) if self.kind is Kind.STATIC else [RemoveEntity(self.id)]

    def drop(self, sim: Simulation) -> list[Edit]:
        """The edits that drop it onto the floor."""
        return drop_static(sim, self.id) if self.kind is Kind.STATIC else [drop_entity(sim, self.id)]


def movable_of(sim: Simulation, selection: Selection | None) -> Movable | None:
    """The selected thing in its present state; None when it cannot be moved."""
    if selection is None:
        return None
    if selection.kind is Kind.ENTITY:
        return _entity(sim, selection.key)
    return _static(sim, selection.key) if selection.kind is Kind.STATIC else None


def _entity(sim: Simulation, entity_id: int) -> Movable | None:
    entity = sim.population.find(entity_id)
    if entity is None or not entity.place_cell():
        return None
    is_player = entity is sim.player
    foot = sim.player.steered.spheres[0] if is_player else foot_of(entity.setup, entity.scale)
    name = "Player" if is_player else entity.name
    return Movable(entity.id, name, Kind.ENTITY, entity.place_cell(), entity.place_frame(), foot, is_player)


def _static(sim: Simulation, static_id: int) -> Movable | None:
    place = find_static(sim, static_id)
    setup = None if place is None else sim.world.setup(place.model_id)
    if place is None or setup is None:
        return None
    return Movable(static_id, name_of_static(place), Kind.STATIC, place.cell_id, place.frame, foot_of(setup, 1.0))
