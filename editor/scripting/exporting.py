"""What becomes of edits: data files, a project, and the differences from another world."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from editor.document.step_application import ids_of
from editor.document.world_diff import EditableState, editable_state, edits_between
from editor.export.data_files import entities_left_out, plan_export
from editor.export.record_listing import left_out_line
from editor.export.world_differences import ComparedWorld, MissingFile, entity_differences, world_differences
from editor.export.write_data_files import write_data_files
from editor.process.output_files import output_file
from editor.project.project import Project, edits_to_now, saved_steps
from editor.project.project_file import save_project
from editor.scripting.errors import reported
from editor.scripting.values import Difference, Exported, Id
from editor.session.server_choice import place_of
from engine.dat.field_changes import value_text
from engine.dat.ids import did_text
from engine.sim.data_files.changes import data_folder_of, record_changes
from engine.sim.tick.simulation import Simulation
from engine.sim.world_identity import ENTITIES, PLAYER, world_identity
from engine.world.cells.ids import cell_text

if TYPE_CHECKING:
    from editor.scripting.edited import EditedStage


def start_of(stage: EditedStage) -> EditableState:
    """The world before its edits, with the landblocks that have come in meanwhile."""
    sim = stage.engine
    untouched = Simulation(sim.world.loaded, player_id=sim.player.id)
    try:
        for block_id in sim.surroundings.joined:
            untouched.surroundings.join(block_id)
        return editable_state(untouched)
    finally:
        untouched.close()


def _touched(stage: EditedStage) -> frozenset[int]:
    edits = [edit for step in stage.made for edit in step.edits]
    return frozenset(ids_of([*edits, *edits_between(start_of(stage), editable_state(stage.engine))]))


def export_files(stage: EditedStage, folder: str | os.PathLike[str], *, loose: bool) -> Exported:
    with reported():
        plan = plan_export(stage.engine, start_of(stage), _touched(stage))
        read = [stage.source, *stage.world.server_paths]
        written = write_data_files(plan, Path(folder), read, lambda fraction, sentence: None, loose=loose)
    return Exported(
        str(written.folder),
        tuple(map(str, written.files)),
        tuple(Id(record.record_id) for record in plan.records),
        tuple(map(left_out_line, plan.left_out)),
    )


def differences_of(before: EditedStage, after: EditedStage) -> list[Difference]:
    with reported():
        one, two = _compared(before), _compared(after)
        found: list[Difference] = []
        for each in world_differences(one, two):
            if isinstance(each, MissingFile):
                change = "removed" if each.only_in == one.name else "added"
                found.append(Difference(each.kind.file_name, change, ()))
                continue
            fields = tuple((field.field, value_text(field.before), value_text(field.after)) for field in each.fields)
            found.append(Difference(f"{each.type_name} {did_text(each.record_id)}", each.change, fields))
        for name, changes in entity_differences(one, two):
            told = tuple((each.field, str(each.before), str(each.after)) for each in changes)
            found.append(Difference(name, "changed", told))
        kept = [{(left.what, left.reason): None for left in side.left_out} for side in (one, two)]
        only_one_has = [key for key in (*kept[0], *kept[1]) if (key in kept[0]) != (key in kept[1])]
        found += [Difference(what, "changed", ()) for what, _ in dict.fromkeys(only_one_has)]
        return found


def _compared(stage: EditedStage) -> ComparedWorld:
    sim = stage.engine
    folder, changes = data_folder_of(sim), record_changes(sim)
    left_out = (*changes.left_out, *entities_left_out(sim, start_of(stage), _touched(stage)))
    entities = {spec.guid: spec for spec in sim.world.entities}
    return ComparedWorld(stage.source, folder, changes, left_out, entities, sim)


def save_as_project(stage: EditedStage, path: str | os.PathLike[str]) -> None:
    with reported():
        sim, world = stage.engine, stage.world
        now = editable_state(sim)
        steps = saved_steps(stage.made, now)
        project = Project(
            world.absolute_source,
            sim.world.name,
            world.scene,
            0,
            None,
            now.tick,
            {},
            tuple(now.joined),
            steps,
            edits_to_now(start_of(stage), now, steps),
            saved=datetime.now().astimezone().isoformat(timespec="seconds"),
            names=sim.world.names.departures(),
            server=place_of(world.server),
        )
        there = set(sim.world.landblock_ids())
        known = world_identity(sim.world, [block_id for block_id in project.landblocks() if block_id in there])
        wanted = {ENTITIES, PLAYER, *map(cell_text, project.landblocks())}
        project.identity.update({name: text for name, text in known.items() if name in wanted})
        save_project(project, output_file(os.fspath(path), [world.source, *world.server_paths]))
