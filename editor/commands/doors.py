"""`doors SOURCE [ID]`: lists the doors of a world; with an id, says who may pass that door, and why."""

from __future__ import annotations

import argparse
from itertools import islice

from editor.process.plain_text import print_lines
from editor.process.server_arguments import add_server_arguments
from editor.reports.door_passage import passage_lines
from editor.reports.inspection_text import table
from editor.session.server_choice import server_choice
from editor.session.sources import open_source
from engine.entities.specs import DOOR
from engine.physics.rules import ACE, RETAIL, RuleSet, rule_set
from engine.sim.edits.world import OpenLandblock
from engine.sim.passage.gaps import Way, gap_steps
from engine.sim.passage.trial import Trials, all_questions, run_through
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text, parse_id
from engine.world.entity_spec import EntitySpec
from engine.world.faults import WorldError
from engine.world.world import World


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", help="demo, a folder with the client's .dat files, a scene .json or a dump folder")
    add_server_arguments(parser)
    parser.add_argument("id", nargs="?", help="a door (0x7C95B001); without one all doors are listed")
    parser.add_argument("--ace", action="store_true", help="use the rules of ACE's server instead of the client's")


def run(arguments: argparse.Namespace) -> int:
    with open_source(arguments.source, None, server_choice(arguments)) as world:
        if arguments.id is None:
            print_lines(_list(world))
        else:
            print_lines(_explain(world, parse_id(arguments.id), rule_set(ACE if arguments.ace else RETAIL)))
    return 0


def _doors(world: World) -> list[EntitySpec]:
    return [spec for spec in world.entity_index.everywhere() if spec.kind == DOOR]


def _list(world: World) -> list[str]:
    found = [{"id": cell_text(spec.guid), "door": spec.name, "cell": cell_text(spec.cell_id)} for spec in _doors(world)]
    return list(table(found)) if found else ["the world's list of entities has no door"]


def _explain(world: World, door_id: int, rules: RuleSet) -> list[str]:
    spec = world.entity_spec(door_id)
    if spec is None or spec.kind != DOOR:
        doors = (other for other in world.entity_index.everywhere() if other.kind == DOOR)
        known = ", ".join(cell_text(other.guid) for other in islice(doors, 4))
        raise WorldError(f"has no door {cell_text(door_id)}{f'; it has {known}' if known else ''}", world.name)
    sim = Simulation(world, rules)
    try:
        sim.apply_edit(OpenLandblock(spec.cell_id))
        trials = Trials(sim, door_id)
        try:
            answers = {question: run_through(trials.steps(question)) for question in all_questions()}
            gaps = [run_through(gap_steps(trials, way)) for way in Way]
        finally:
            trials.close()
        lines = passage_lines(answers, gaps, sim.player.radius)
        return [f"{spec.name} {cell_text(door_id)} in {cell_text(spec.cell_id)}", *lines]
    finally:
        sim.close()
