"""No two faces of the demo world that look the same way lie in one plane: they would flicker as one walks by."""

from __future__ import annotations

import pytest

from engine.build.demo import SPOTS, ensure_demo
from engine.build.shapes.solids import box
from engine.geometry.frame import Frame
from engine.render.scene import Scene
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text, is_interior
from engine.world.loader import open_world
from tests.build.coplanar import Faces
from tests.build.demo_folder import DUNGEON, VILLAGE
from tests.render.gl.helpers.meshes import mesh_of

TICKS_TO_OPEN = 60


def faces_of(sim: Simulation, block_id: int) -> Faces:
    """Everything of a landblock that is drawn: rooms with the rooms beyond their portals, buildings, and things."""
    scene, found = Scene(sim.world, sim), Faces()
    block = sim.world.landblock(block_id)
    assert block is not None
    for building in block.buildings:
        shell = scene.building_shell(building, block_id)
        assert shell is not None
        found.add(f"building {building.model_id:08X}", shell.mesh, shell.frame)
    drawn: set[tuple[int, int]] = set()
    for cell in block.cells:
        room = scene.shell(cell.id)
        if room is not None and isinstance(cell, EnvCell):
            with_it = [cell.id, *scene.rooms_beyond(cell.id)]
            found.add(f"room {cell_text(cell.id)}", room.mesh, room.frame, cells=with_it)
        for part in scene.parts_in(cell.id):
            if part.key not in drawn and part.block_id == block_id:
                drawn.add(part.key)
                rooms = part.cells if all(is_interior(listed) for listed in part.cells) else ()
                name = f"{part.model_id:08X} part {part.part} in {cell_text(part.home)}"
                found.add(name, part.mesh, part.frame, part.scale, rooms)
    scene.close()
    return found


@pytest.mark.parametrize("are_open", [False, True], ids=["doors as they are", "doors open"])
@pytest.mark.parametrize(
    ("block_id", "spot", "least"),
    [(VILLAGE, "cottage_parlour", 10_000), (DUNGEON, "great_hall", 3000)],
    ids=["village", "dungeon"],
)
def test_nothing_in_the_demo_flickers(block_id: int, spot: str, least: int, are_open: bool) -> None:
    sim = Simulation(open_world(ensure_demo()))
    there = SPOTS[spot]
    sim.apply_edit(Teleport(there.cell_id, *there.origin, there.heading))
    if are_open:
        for door in sim.population.doors:
            if door.place_cell() >> 16 == block_id >> 16:
                sim.apply_edit(OpenDoor(door.id))
        for _ in range(TICKS_TO_OPEN):
            sim.tick()
    faces = faces_of(sim, block_id)
    assert faces.count > least
    assert faces.flickering() == {}
    sim.close()


def test_a_board_flush_with_a_wall_is_found_and_one_that_stands_out_is_not() -> None:
    wall = mesh_of([face.points for face in box(0.0, 0.0, 0.0, 4.0, 0.3, 3.0, "stone")])
    for out, shared in ((0.0, 1.0), (0.003, 1.0), (0.02, 0.0)):
        board = mesh_of([face.points for face in box(1.0, -out, 1.0, 1.0, 0.2, 1.0, "timber")])
        found = Faces()
        found.add("wall", wall, Frame())
        found.add("board", board, Frame())
        assert sum(found.flickering().values()) == pytest.approx(shared)
