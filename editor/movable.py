"""What can be moved by hand: an entity, the player, a static thing, and the edits that put it somewhere."""

from __future__ import annotations

from dataclasses import dataclass

from editor.gizmo import ARROWS, PLANES, RINGS, Handle, Mode
from editor.session import Kind, Selection
from editor.whereabouts import foot_of
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.sim.tick.edit import Edit
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text


@dataclass(frozen=True)
class Movable:
    """Something that stands in a cell: `frame` is in the landblock of `cell_id`, `foot` says in which cell it is."""

    id: int
    name: str
    kind: Kind
    cell_id: int
    frame: Frame
    foot: Sphere
    is_player: bool = False

    def handles(self, mode: Mode) -> tuple[Handle, ...]:
        """What it can be taken by. Creatures, doors and the player stand upright; static things may lean."""
        if mode is Mode.MOVE:
            return (*ARROWS, *PLANES)
        return RINGS if self.kind is Kind.STATIC else (Handle.TURN_Z,)

    def place(self, cell_id: int, frame: Frame) -> Edit:
        """The edit that puts it somewhere else."""
        return Edit("place_entity", (self.id, cell_id, *frame.origin, *frame.rotation))


def movable_of(sim: Simulation, selection: Selection | None) -> Movable | None:
    """The selected thing as it stands now; None when it can not be moved."""
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


def _static(sim: Simulation, thing_id: int) -> Movable | None:
    """A static thing that physics knows."""
    thing = sim.population.statics.things.get(thing_id)
    setup = None if thing is None else sim.world.setup(thing.model_id)
    entry = sim.population.registry.entities.get(thing_id)
    if thing is None or setup is None or entry is None:
        return None
    name = f"Object {cell_text(thing.model_id)}"
    return Movable(thing.id, name, Kind.STATIC, entry.cell_id, entry.frame, foot_of(setup, thing.scale))
