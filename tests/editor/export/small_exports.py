"""Small worlds in data folders, edited, exported and opened again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from editor.document.step_application import ids_of
from editor.document.world_diff import editable_state
from editor.export.data_files import DataFilesPlan, plan_export
from editor.export.write_data_files import Written, write_data_files
from engine.build import OUTDOORS, Mesh, WorldBuilder, rect, walls
from engine.build.shapes.furniture import crate
from engine.build.shapes.solids import box
from engine.sim.edits.edit import Edit
from engine.sim.edits.world import OpenLandblock
from engine.sim.tick.simulation import Simulation
from engine.world.loader import open_world

BLOCK = 0xC95BFFFF


def cottage() -> WorldBuilder:
    """A house of two rooms with furniture and a door, two crates before it, and a second landblock with one."""
    world = WorldBuilder()
    land = world.landblock(0xC95B)
    inside = land.building("house", (108, 108), shell=walls(rect(-5, -4, 12, 8), 0, 3.2, "brick"))
    hall = inside.room("hall", rect(-4.7, -3.7, 5.5, 7.4), height=2.8)
    study = inside.room("study", rect(1.0, -3.7, 5.7, 7.4), height=2.8)
    inside.doorway(hall, OUTDOORS, (-2, -4), width=1.4, height=2.2, name="entrance")
    inside.door(hall, study, width=1.3, name="door")
    hall.put(crate(), (-3, 2))
    hall.put(Mesh.of("block", box(-0.5, -0.5, 0.0, 1.0, 1.0, 0.5, "stone")), (-1, 2))
    study.put(crate(), (4, 2))
    land.put(crate(), (90, 90))
    land.put(crate(), (95, 90))
    beyond = world.landblock(0xCA5B)
    beyond.put(crate(), (20, 90))
    return world


def opened(folder: Path, blocks: Iterable[int] = (BLOCK,)) -> Simulation:
    """A simulation of a data folder with these landblocks in it."""
    sim = Simulation(open_world(folder))
    for block_id in blocks:
        sim.apply_edit(OpenLandblock(block_id))
    return sim


def close(sim: Simulation) -> None:
    sim.close()
    sim.world.loaded.close()


def plan_of(sim: Simulation, edits: Iterable[Edit] = ()) -> DataFilesPlan:
    """Apply edits and plan the export of the result."""
    start, made = editable_state(sim), list(edits)
    for edit in made:
        sim.apply_edit(edit)
    return plan_export(sim, start, frozenset(ids_of(made)))


def written(plan: DataFilesPlan, folder: Path, *, loose: bool = False) -> Written:
    return write_data_files(plan, folder, [], lambda fraction, sentence: None, loose=loose)
