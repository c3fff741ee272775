"""A survey of a landblock: what loading found under ids, checks switched off, baselines, the same every time."""

from __future__ import annotations

from pathlib import Path

from editor.survey.parts import PARTS, ROOT
from engine.build.built import BuiltWorld
from engine.dat.records import CellStruct, EnvCell, EnvCellPortal
from engine.findings.baseline import read_baseline, without_known, write_baseline
from engine.findings.registry import CHECKS, enabled_ids
from engine.sim.data_files.cell_edits import set_portal_back
from engine.sim.tick.simulation import Simulation
from engine.survey.checks.loaded import LOADED
from engine.survey.checks.portals import SIDES
from engine.survey.run import SIM_CHECKS, VIEW_CHECKS, check_landblock
from engine.survey.view import Shapes
from engine.world import faults
from tests.sim.helpers.small_worlds import built, open_rooms
from tests.survey.planting import in_room, in_shape, kinds, nodes, survey
from tests.survey.test_geometry_checks import STUDY, moved

HALL, BLOCK = 0x00070100, 0x0007FFFF


def one_sided() -> BuiltWorld:
    def change(room: EnvCell) -> None:
        old = room.portals[0]
        room.portals[0] = EnvCellPortal(old.flags, old.polygon_id, old.other_cell_id, 0xFFFF)

    return in_room(built(open_rooms), HALL, change)


def parted() -> BuiltWorld:
    return in_room(built(open_rooms), STUDY, moved((0.0, 0.05, 0.0)))


def test_every_fault_of_the_loader_has_an_id() -> None:
    whats = {value for name, value in vars(faults).items() if name.isupper() and isinstance(value, str)}
    assert whats - {faults.TERRAIN_EDGE} == set(LOADED)


def test_what_loading_found_comes_under_its_id_with_its_fix() -> None:
    sim = Simulation(one_sided().load())
    found = list(check_landblock(sim, BLOCK, CHECKS))
    assert kinds(found) == {"loaded.portal-link"}
    first = next(each for each in found if each.cell == HALL)
    assert first.portal == 0
    assert first.fix is not None
    for edit in first.fix.edits():
        sim.apply_edit(edit)


def test_a_tree_that_names_a_polygon_that_is_not_there_is_found() -> None:
    def change(structure: CellStruct) -> None:
        next(node for node in nodes(structure.physics_bsp) if node.polygon_ids).polygon_ids.append(99)

    found = survey(in_shape(built(open_rooms), HALL, change))
    assert kinds(found) == {"loaded.physics-tree"}


def test_edits_of_the_simulation_are_checked() -> None:
    sim = Simulation(built(open_rooms).load())
    assert list(check_landblock(sim, BLOCK, CHECKS)) == []
    for edit in set_portal_back(sim, HALL, 0, -1):
        sim.apply_edit(edit)
    before = list(check_landblock(sim, BLOCK, CHECKS))
    assert kinds(before) <= {"loaded.portal-link"}


def test_checks_are_switched_off_by_id_and_pattern() -> None:
    assert SIDES.id in kinds(survey(parted()))
    assert SIDES.id not in kinds(survey(parted(), enabled_ids(off=[SIDES.id])))
    assert survey(parted(), enabled_ids(off=["geometry"])) == []
    assert kinds(survey(parted(), enabled_ids(["portals.*"]))) == {SIDES.id}


def test_a_baseline_takes_known_findings_away(tmp_path: Path) -> None:
    found = survey(parted())
    write_baseline(tmp_path / "known.txt", found)
    known = read_baseline(tmp_path / "known.txt")
    assert without_known(survey(parted()), known) == []
    more = in_room(parted(), STUDY, moved((0.0, 0.05, 0.0)))
    assert without_known(survey(in_room(more, HALL, moved((0.0, 0.0, 1.0)))), known)


def test_the_same_is_found_every_time_with_shapes_kept_or_not() -> None:
    world = parted().load()
    shapes = Shapes()
    runs = [list(check_landblock(Simulation(world.fork()), BLOCK, CHECKS, kept)) for kept in (None, shapes, shapes)]
    assert runs[0] == runs[1] == runs[2]
    assert runs[0]


def test_a_landblock_that_is_not_there_has_no_findings() -> None:
    assert list(check_landblock(Simulation(built(open_rooms).load()), 0x1234FFFF, CHECKS)) == []


def test_a_survey_switches_on_every_check_of_a_landblock_and_no_other() -> None:
    found_by = {each for _, ids in (*VIEW_CHECKS, *SIM_CHECKS) for each in ids}
    assert PARTS["check"].ids() == found_by
    assert found_by <= set(CHECKS)


def test_a_survey_knows_every_source_of_the_checks() -> None:
    """Else a changed check would not be run again over what the journal knows."""
    modules = {path.stem for path in (ROOT / "survey").glob("*.py")} - {"__init__", "pages"}
    assert {f"survey/{name}" for name in modules} <= set(PARTS["check"].sources)
