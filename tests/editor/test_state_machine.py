"""Random edits, undos, redos and ticks: document, simulation, registry and picture stay in step.

`Sequences` holds the document and its simulation to what they promise; here the shadow entries are held against those
of another world that is brought to the same state, and the scene that has followed everything against one that is made
now.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.physics.objects import ShadowEntry
from engine.render.draws import PartDraw, ShellDraw
from engine.render.scene import Scene
from engine.sim.tick.simulation import Simulation
from tests.editor.small_document import document_of
from tests.editor.test_document_sequences import Sequences
from tests.sim.small_worlds import built, two_rooms


class Mirrored(Sequences):
    """With a scene that follows, and another world to compare with."""

    def __init__(self) -> None:
        super().__init__()
        self.other: Simulation = document_of(built(two_rooms)).sim
        sim = self.document.sim
        self.scene = Scene(sim.world, sim)
        drawn(self.scene, sim)

    @invariant()
    def the_registry_is_that_of_another_world_in_this_state(self) -> None:
        sim = self.document.sim
        self.other.restore(sim.snapshot())
        assert self.other.state_hash() == sim.state_hash()
        assert entries(self.other) == entries(sim)

    @invariant()
    def the_picture_is_that_of_a_scene_that_is_made_now(self) -> None:
        sim = self.document.sim
        self.scene.update()
        now = Scene(sim.world, sim)
        assert drawn(self.scene, sim) == drawn(now, sim)
        now.close()

    def teardown(self) -> None:
        self.scene.close()
        sim = self.document.sim
        untouched = document_of(built(two_rooms)).sim
        untouched.restore(sim.snapshot())
        assert entries(untouched) == entries(sim)
        super().teardown()


def entries(sim: Simulation) -> dict[int, list[tuple[Any, ...]]]:
    """Of every cell the shadow entries in it, in their order."""
    registry = sim.population.registry
    return {
        cell.id: [_entry(entry) for entry in registry.get_objects_in_cell(cell.id)] for cell in sim.graph.all_cells()
    }


def _entry(entry: ShadowEntry) -> tuple[Any, ...]:
    shape = entry.shape
    model = None if shape.gfxobj is None else shape.gfxobj.id
    kind = (model, shape.collision_type, shape.scale, shape.radius, shape.cyl_height)
    return (entry.entity_id, entry.cell_id, _frame(entry.frame), *kind, _sphere(entry.bound))


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
    run_state_machine_as_test(Mirrored, settings=settings(max_examples=30, stateful_step_count=10, deadline=None))


@pytest.mark.slow
def test_a_thousand_random_sequences_keep_registry_and_picture_in_step() -> None:
    run_state_machine_as_test(Mirrored, settings=settings(max_examples=1000, stateful_step_count=12, deadline=None))
