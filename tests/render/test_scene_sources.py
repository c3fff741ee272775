"""Sources without drawing records, golden scenes and dumps, are drawn too: flat colours, the planes' normals
(rendering.md 16)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.render.figure import ARROW_GAP, ARROW_THICKNESS, NOSE, body_bottom, body_size, has_no_mesh
from engine.render.materials import NO_SURFACE_ID
from engine.render.scene import Scene
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world
from tests.shared import SHARED, needs_shared
from tests.sim.helpers.small_worlds import open_all

pytestmark = [needs_shared, pytest.mark.conformance]

SCENES = sorted((SHARED / "goldens" / "scenes").glob("*.json"))
DUMPS = [SHARED / "fixtures" / name for name in ("cellar-ascent", "cellar-lip", "flap-doorway", "issue98")]


@pytest.mark.parametrize("path", [*SCENES, *DUMPS], ids=lambda path: path.stem)
def test_every_room_has_walls_of_one_colour_with_their_planes_normals(path: Path) -> None:
    world = open_world(path)
    scene = Scene(world)
    for block_id in world.landblock_ids():
        block = world.landblock(block_id)
        assert block is not None
        for cell in block.env_cells:
            shell = scene.shell(cell.id)
            assert shell is not None
            assert [material.surface_id for material in shell.materials] == [NO_SURFACE_ID]
            assert np.linalg.norm(shell.mesh.normals, axis=1) == pytest.approx(np.ones(len(shell.mesh.normals)))
            a, b, c = (shell.mesh.triangles()[:, i] for i in range(3))
            facing = np.einsum("ij,ij->i", np.cross(b - a, c - a), shell.mesh.normals[shell.mesh.indices[::3]])
            assert (facing > 0.0).all()
            table = cell.structure.physics_polygons if shell.mesh.from_physics else cell.structure.polygons
            assert set(shell.mesh.triangle_polygon.tolist()) <= set(table)
            openings = {portal.polygon_id for portal in cell.portals}
            assert shell.mesh.from_physics or not openings & set(shell.mesh.triangle_polygon.tolist())
    assert scene.faults() == []


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_ground_of_scenes_is_drawn_in_plain_colours(path: Path) -> None:
    world = open_world(path)
    scene = Scene(world)
    for block_id in world.landblock_ids():
        block = world.landblock(block_id)
        assert block is not None
        ground = scene.terrain(block_id)
        assert (ground is None) == (block.terrain is None)
        if ground is not None:
            assert ground.layers is None
            assert (ground.colours > 0.0).all()
    assert scene.sky().objects == ()


@pytest.mark.parametrize("path", SCENES, ids=lambda path: path.stem)
def test_an_entity_with_a_body_but_no_model_is_a_figure_of_that_size(path: Path) -> None:
    world = open_world(path)
    sim = open_all(Simulation(world))
    scene = Scene(world, sim)
    for spec in world.entities:
        setup = world.setup(spec.setup_id)
        assert setup is not None
        parts = scene.parts_of(spec.guid)
        assert parts or not (setup.cyl_spheres or setup.spheres)
        if parts and has_no_mesh(setup):
            radius, height = body_size(setup)
            box, bottom = parts[0].mesh.box, body_bottom(setup)
            assert box.minimum[2] == pytest.approx(bottom)
            top = max(height, bottom + 2.0 * radius)
            assert box.maximum[2] == pytest.approx(top + (ARROW_GAP + ARROW_THICKNESS) * radius)
            assert (box.minimum[1], box.maximum[1]) == pytest.approx((-radius, radius * (1.0 + NOSE)))  # front is +y
            assert parts[0].cells == tuple(sim.population.registry.cells_of(spec.guid))
    sim.close()
