"""Random edits, undos, redos and ticks: document, simulation, registry and picture stay in step.

`Sequences` holds the document and its simulation to what they promise. Here the shadow entries are held against those
of another world that is brought to the same state, and against rooms and entities as they stand; the scene that has
followed everything against one that is made now; and what is left when all is undone against how it began.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from editor.document.world_diff import editable_state
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.physics.flags import ETHEREAL
from engine.physics.objects.physics_object import ShadowEntry, ShadowShape
from engine.physics.objects.shadows import Registration, ShadowRegistry
from engine.physics.rules import RETAIL, RULE_NAMES
from engine.render.draws import PartDraw, ShellDraw
from engine.render.scene import Scene
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from tests.editor.document.small_document import document_of
from tests.editor.document.test_document_sequences import Sequences
from tests.sim.helpers.small_worlds import built, two_rooms


class Mirrored(Sequences):
    """With a scene that follows, and another world to compare with."""

    def __init__(self) -> None:
        super().__init__()
        self.other: Simulation = document_of(built(two_rooms)).sim
        sim = self.document.sim
        self.scene = Scene(sim.world, sim)
        drawn(self.scene, sim)
        self.began = lasting(sim)

    @invariant()
    def the_registry_is_that_of_another_world_in_this_state(self) -> None:
        sim = self.document.sim
        self.other.restore(sim.snapshot())
        assert self.other.state_hash() == sim.state_hash()
        assert entries(self.other) == entries(sim)

    @invariant()
    def everything_is_registered_as_it_stands_now(self) -> None:
        sim = self.document.sim
        registry = sim.population.registry
        for entity_id, entry in registry.entities.items():
            entity = sim.population.find(entity_id)
            if entity is not None:
                if entity.body is not None and entity.body.is_lost:  # the registration stays where it was left
                    assert entry.cell_ids == []
                else:
                    assert (entry.cell_id, entry.frame.origin) == (entity.place_cell(), entity.origin())
                assert [_shape(shape) for shape in entry.shapes] == [_shape(s) for s in entity.shapes()]
            if entity is None or entity.body is None:  # who moves is where his last sweep was
                assert cells_found_now(sim, entity_id, entry) in (entry.cell_ids, None)
        for room in rooms_of(sim):
            for thing in room.static_objects:
                assert _frame(registry.entity(thing.id).frame) == _frame(thing.frame)

    @invariant()
    def the_picture_is_that_of_a_scene_that_is_made_now(self) -> None:
        sim = self.document.sim
        self.scene.update()
        now = Scene(sim.world, sim)
        assert drawn(self.scene, sim) == drawn(now, sim)
        now.close()

    def teardown(self) -> None:
        self.scene.close()
        sim, stack = self.document.sim, self.document.stack
        while stack.can_undo():
            count = stack.count()
            self.document.undo()
            self.forgotten = self.forgotten or stack.count() < count
        assert self.forgotten or lasting(sim) == self.began
        untouched = document_of(built(two_rooms)).sim
        untouched.restore(sim.snapshot())
        assert entries(untouched) == entries(sim)
        super().teardown()


def rooms_of(sim: Simulation) -> list[EnvCell]:
    return [cell for cell in sim.graph.all_cells() if isinstance(cell, EnvCell)]


def cells_found_now(sim: Simulation, entity_id: int, entry: Registration) -> list[int] | None:
    """Where it would be registered if it came now; None under rules that take effect when something moves."""
    if any(sim.rules.form(rule) != RETAIL for rule in RULE_NAMES):
        return None
    registry = ShadowRegistry(sim.graph, sim.rules)
    obj = entry.obj
    registry.register_multi_part(
        entity_id, entry.cell_id, entry.frame, entry.shapes, obj.state, obj.flags, entry.sorting_sphere, entry.is_static
    )
    found = registry.entity(entity_id).cell_ids.copy()
    registry.deregister(entity_id)
    return found


def lasting(sim: Simulation) -> tuple[Any, ...]:
    """What edits change and time does not."""
    standing, population = editable_state(sim), sim.population
    beings = {entity.id: (entity.spec, population.state_of(entity.id) & ~ETHEREAL) for entity in population.ordered}
    places = {entity.id: _frame(entity.frame) for entity in population.ordered if entity.body is None}
    doors = {door.id: (door.locked, door.reset_interval) for door in population.doors}
    rooms = {room.id: _room(room) for room in rooms_of(sim)}
    return (standing.numbers, standing.rules, standing.time_of_day, beings, places, doors, rooms, standing.statics)


def _room(room: EnvCell) -> tuple[Any, ...]:
    portals = [(portal.flags, portal.other_cell_id, portal.other_portal_id) for portal in room.portals]
    things = [(thing.id, thing.model_id, _frame(thing.frame)) for thing in room.static_objects]
    return (room.flags, room.stab_list, _frame(room.frame), portals, things)


def entries(sim: Simulation) -> dict[int, list[tuple[Any, ...]]]:
    """Of every cell the shadow entries in it, in their order."""
    registry = sim.population.registry
    return {
        cell.id: [_entry(entry) for entry in registry.get_objects_in_cell(cell.id)] for cell in sim.graph.all_cells()
    }


def _entry(entry: ShadowEntry) -> tuple[Any, ...]:
    return (entry.entity_id, entry.cell_id, _frame(entry.frame), *_shape(entry.shape), _sphere(entry.bound))


def _shape(shape: ShadowShape) -> tuple[Any, ...]:
    model = None if shape.gfxobj is None else shape.gfxobj.id
    return (model, shape.collision_type, shape.scale, shape.radius, shape.cyl_height)


def drawn(scene: Scene, sim: Simulation) -> dict[int, tuple[Any, ...]]:
    """Of every cell what is drawn in it: its walls, and the parts of what stands there."""
    found = {}
    for cell in sim.graph.all_cells():
        shell = scene.shell(cell.id)
        parts = sorted((_part(part) for part in scene.parts_in(cell.id)), key=repr)
        found[cell.id] = (None if shell is None else _shell(shell), parts)
    return found


def _shell(shell: ShellDraw) -> tuple[Any, ...]:
    light = b"" if shell.light is None else np.round(shell.light, 5).tobytes()
    return (shell.key, shell.mesh.positions.tobytes(), _frame(shell.frame), _sphere(shell.sphere), light)


def _part(part: PartDraw) -> tuple[Any, ...]:
    what = (part.key, part.object_id, part.part, part.gfxobj_id, part.owner.name, part.home, sorted(part.cells))
    return (*what, _frame(part.frame), part.scale, _sphere(part.sphere), part.billboard, part.alpha, part.hidden)


def _frame(frame: Frame) -> tuple[Any, ...]:

    return (frame.origin, frame.rotation)


def _sphere(sphere: Sphere | None) -> tuple[Any, ...]:
    return () if sphere is None else (sphere.center, sphere.radius)


def test_random_sequences_keep_registry_and_picture_in_step() -> None:
    run_state_machine_as_test(Mirrored, settings=settings(max_examples=60, stateful_step_count=20, deadline=None))


@pytest.mark.slow
def test_a_thousand_random_sequences_keep_registry_and_picture_in_step() -> None:
    run_state_machine_as_test(Mirrored, settings=settings(max_examples=1000, stateful_step_count=12, deadline=None))


def test_who_was_moved_under_other_rules_is_found_by_those_that_are_chosen() -> None:
    """`ace` keeps the cells of the search before; back in `retail` nobody is in them any more."""
    state = Mirrored()
    state.listen()
    state.rule_set(form="ace")
    state.scale(drag="", index=2, scale=2.0)
    state.move(drag="", index=2, place=((0x00070101, 12.0), 2.0, 200.0))
    state.rule_set(form="retail")
    state.everything_is_registered_as_it_stands_now()
    state.teardown()
