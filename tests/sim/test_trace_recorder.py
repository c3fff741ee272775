"""A recorded sweep shows the request, the answers, and why the body ended where it did."""

from __future__ import annotations

import inspect
import json

import pytest

from engine.geometry.cell_bsp import CellLeaf
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.quat import IDENTITY
from engine.geometry.vec import Vec3
from engine.physics.body import Body
from engine.physics.errors import PhysicsError
from engine.physics.flags import ETHEREAL, TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.objects.physics_object import CYLINDER, ShadowShape
from engine.physics.objects.shadows import ShadowRegistry
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.set_position import SP_OK, SP_SLIDE, set_position
from engine.physics.sweep.trace import SweepObserver
from engine.sim.trace.cell_search import NOT_ASKED, PICKED
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import (
    CANDIDATE,
    CELL,
    CELLS,
    MEMBERSHIP,
    OBJECT,
    POLYGON,
    PROBE,
    ROW,
    SLIDE,
    STEP,
    TraceNode,
    describe,
)
from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import EXACT_MATCH, CellPortal
from engine.world.graph.graph import CellGraph
from tests.physics.small_world import CELL_ID, floor, graph_of, quad, room, spheres, wall_facing_west

PLAYER = 0x50000001
BARREL = 0x70000001

FLOOR, WALL, RISER, UPPER = 3, 7, 8, 9


def standing(graph: CellGraph, at: Vec3, registry: ShadowRegistry | None = None) -> tuple[Body, TraceRecorder]:
    """A player on the floor, observed."""
    body = Body(PLAYER, graph, RuleSet())
    body.spheres = spheres()
    body.step_up_height, body.step_down_height = 0.6, 0.6
    body.registry = registry
    body.cell, body.place = graph.get_visible(CELL_ID), Place(CELL_ID, at, Frame())
    body.transient = TS_ACTIVE | TS_CONTACT | TS_ON_WALKABLE
    body.contact_plane, body.contact_plane_cell_id = Plane((0.0, 0.0, 1.0), -at[2]), CELL_ID
    recorder = TraceRecorder()
    body.observer = recorder
    return body, recorder


def walk(body: Body, x: float, y: float, z: float = 0.0) -> bool:
    return body.move_to(Place(CELL_ID, (x, y, z), Frame()))


def only(nodes: list[TraceNode]) -> TraceNode:
    (node,) = nodes
    return node


def endless(cell: EnvCell) -> EnvCell:
    """A room that contains every point."""
    cell.cell_tree = CellLeaf(0)
    return cell


def room_with(*polygons: Polygon, size: float = 5.0, frame: Frame | None = None) -> CellGraph:
    return graph_of(endless(room([floor(0.0, FLOOR, size), *polygons], frame)))


def test_a_free_step_is_accepted_at_its_target() -> None:
    body, recorder = standing(room_with(), (0.0, 0.0, 0.0))
    walk(body, 0.1, 0.0)
    sweep = only(recorder.sweeps)
    step = only(sweep.find(STEP))
    assert step.answer == "accepted in 0xC95B0100 (0.1, 0, 0)"
    assert step.before is not None
    assert step.after is not None
    assert step.before.accepted == (0.0, 0.0, 0.0)
    assert step.after.accepted == pytest.approx((0.1, 0.0, 0.0), abs=1e-6)
    assert step.after.contact_plane is not None
    assert step.after.contact_plane.cell_id == CELL_ID
    assert sweep.object_id == PLAYER


def test_a_roll_back_names_the_polygon_and_the_cell_that_caused_it() -> None:
    body, recorder = standing(room_with(wall_facing_west(1.0, WALL)), (0.5, 0.0, 0.0))
    walk(body, 0.7, 0.0)
    step = only(only(recorder.sweeps).find(STEP))
    assert step.answer == "Collided, rolled back to 0xC95B0100 (0.5, 0, 0)"
    assert step.detail == "walls of 0xC95B0100, polygon 7"
    assert step.after is not None
    assert step.after.collision_normal == pytest.approx((-1.0, 0.0, 0.0))
    assert step.after.sliding_normal == pytest.approx((-1.0, 0.0, 0.0))


def test_a_trace_names_the_polygons_met_with_their_world_normals() -> None:
    half_turn = Frame((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    graph = room_with(wall_facing_west(1.0, WALL), frame=half_turn)
    body, recorder = standing(graph, (-0.5, 0.0, 0.0))
    walk(body, -0.7, 0.0)
    hit = [node for node in only(recorder.sweeps).find(POLYGON) if node.answer == "hit by the foot"]
    assert {node.polygon_id for node in hit} == {WALL}
    assert hit[0].normal == pytest.approx((1.0, 0.0, 0.0))


def test_a_slide_records_its_surface_and_distance() -> None:
    body, recorder = standing(room_with(wall_facing_west(1.0, WALL)), (0.5, 0.0, 0.0))
    walk(body, 0.6, 0.1)
    slide = only(recorder.sweeps).find(SLIDE)[0]
    assert slide.answer == "Slid"
    assert slide.normal == pytest.approx((-1.0, 0.0, 0.0))
    assert slide.detail == "the candidate moves by (-0.1, 0, 0)"


def test_a_step_up_holds_the_probe_for_the_floor_and_the_test_for_room() -> None:
    graph = room_with(
        quad(RISER, (1.0, -5.0, 0.0), (1.0, -5.0, 0.3), (1.0, 5.0, 0.3), (1.0, 5.0, 0.0)),
        quad(UPPER, (1.0, -5.0, 0.3), (5.0, -5.0, 0.3), (5.0, 5.0, 0.3), (1.0, 5.0, 0.3)),
    )
    body, recorder = standing(graph, (0.5, 0.0, 0.0))
    walk(body, 0.9, 0.0)
    assert body.place.origin[2] == pytest.approx(0.3)
    step_up = next(n for n in only(recorder.sweeps).find(PROBE) if n.title.startswith("step up 0.6"))
    assert step_up.answer == "OK"
    inside = [node.title for node in step_up.find(PROBE)][1:]
    assert inside[0].startswith("step down 0.6")
    assert "placement check" in inside
    floors = [node for node in step_up.find(POLYGON) if node.answer == "a floor for the foot"]
    assert [node.polygon_id for node in floors] == [UPPER]


def test_an_edge_is_recorded_with_the_slide_along_it() -> None:
    graph = room_with(size=1.0)
    body, recorder = standing(graph, (0.95, 0.0, 0.0))
    for _ in range(6):
        walk(body, body.place.origin[0] + 0.1, 0.0)
    titles = [node.title.split(" onto")[0] for sweep in recorder.sweeps for node in sweep.find(PROBE)]
    edge = titles.index("edge slide 0.6")
    assert "ground probe 0.6" in titles[:edge]
    assert titles[edge + 1] == "precipice slide"


def test_a_landing_has_a_probe_of_its_own() -> None:
    body, recorder = standing(room_with(), (0.0, 0.0, 0.1))
    body.transient = TS_ACTIVE
    walk(body, 0.0, 0.0, -0.1)
    landing = next(node for node in only(recorder.sweeps).find(PROBE) if node.title.startswith("landing"))
    assert landing.answer == "OK"
    assert body.place.origin[2] == pytest.approx(0.0, abs=1e-6)


def put_barrel(graph: CellGraph, state: int) -> ShadowRegistry:
    registry = ShadowRegistry(graph, RuleSet())
    shape = ShadowShape(None, (0.0, 0.0, 0.0), IDENTITY, 1.0, CYLINDER, 0.3, 1.5)
    registry.register_multi_part(BARREL, CELL_ID, Frame((1.0, 0.0, 0.0)), [shape], state, 0)
    graph.cells_of(CELL_ID)[0].shadow_objects = [registry.entity(BARREL).obj]
    return registry


def test_an_object_in_the_way_is_named_with_its_shape() -> None:
    graph = room_with()
    body, recorder = standing(graph, (0.2, 0.0, 0.0), put_barrel(graph, 0))
    walk(body, 0.4, 0.0)
    sweep = only(recorder.sweeps)
    barrel = sweep.find(OBJECT)[0]
    assert barrel.object_id == BARREL
    assert barrel.answer == "Collided"
    assert only(barrel.find(ROW)).title == "cylinder r 0.3 h 1.5 at (1, 0, 0)"
    assert only(sweep.find(STEP)).detail == "object 0x70000001, cylinder r 0.3 h 1.5 at (1, 0, 0)"
    assert sweep.detail.startswith("touched object 0x70000001")


def test_an_ethereal_object_is_touched_but_does_not_block() -> None:
    graph = room_with()
    body, recorder = standing(graph, (0.2, 0.0, 0.0), put_barrel(graph, ETHEREAL))
    walk(body, 0.4, 0.0)
    sweep = only(recorder.sweeps)
    met = [node for node in sweep.find(OBJECT) if node.find(ROW)]
    assert met[0].title == "object 0x70000001, ethereal"
    assert met[0].line.endswith("OK (touched, not blocked)")
    floors = [node for node in sweep.find(OBJECT) if not node.find(ROW)]
    assert {node.detail for node in floors} == {"ethereal things are not floors"}


def test_cells_beyond_the_candidates_own_are_marked_as_others() -> None:
    here = endless(room([floor(0.0, FLOOR)]))
    there = endless(room([wall_facing_west(1.0, WALL)], cell_id=CELL_ID + 1))
    here.portals = [
        CellPortal(EXACT_MATCH, 0, quad(0, (0.9, -5.0, 0.0), (0.9, 5.0, 0.0), (0.9, 5.0, 3.0)), there.id, 0)
    ]
    body, recorder = standing(graph_of(here, there), (0.5, 0.0, 0.0))
    walk(body, 0.7, 0.0)
    sweep = only(recorder.sweeps)
    assert {node.title for node in sweep.find(CELL)} == {"cell 0xC95B0100", "other cell 0xC95B0101"}
    assert only(sweep.find(STEP)).detail == "walls of 0xC95B0101, polygon 7"
    assert "cells 0xC95B0100, 0xC95B0101: the centre is in 0xC95B0100" in {node.line for node in sweep.find(CELLS)}


def test_a_trace_notes_a_cell_kept_for_lack_of_a_tree() -> None:
    body, recorder = standing(graph_of(room([floor(0.0, FLOOR)])), (0.0, 0.0, 3.0))
    body.transient = TS_ACTIVE
    walk(body, 0.1, 0.0, 3.0)
    told = {node.title for node in only(recorder.sweeps).find(MEMBERSHIP)}
    assert told == {"no cell holds the centre: 0xC95B0100 is kept"}


def test_a_refused_push_records_that_nothing_remains_of_it() -> None:
    body, recorder = standing(room_with(wall_facing_west(1.0, WALL)), (0.5, 0.0, 0.0))
    walk(body, 0.7, 0.0)
    recorder.clear()
    assert not walk(body, 0.7, 0.0)
    sweep = only(recorder.sweeps)
    assert sweep.answer == "refused"
    step = only(sweep.find(STEP))
    assert step.answer == "nothing is left of the offset, the sweep stops"
    assert step.title == "sub-step 1, asked (0.2, 0, 0), the planes leave (0, 0, 0)"


def test_a_placement_is_recorded_with_the_spots_tried() -> None:
    body, recorder = standing(room_with(wall_facing_west(1.0, WALL)), (0.0, 0.0, 0.0))
    assert set_position(body, Place(CELL_ID, (0.0, 0.0, 0.05), Frame()), SP_SLIDE) == SP_OK
    sweep = only(recorder.sweeps)
    assert sweep.title.startswith("placement of object 0x50000001 at 0xC95B0100 (0, 0, 0.05)")
    titles = [node.title for node in sweep.find(PROBE)]
    assert titles[:2] == ["initial placement", "placement spot"]


def test_the_tree_prints_one_indented_line_per_node_and_converts_to_json() -> None:
    body, recorder = standing(room_with(wall_facing_west(1.0, WALL)), (0.5, 0.0, 0.0))
    walk(body, 0.7, 0.0)
    sweep = only(recorder.sweeps)
    lines = describe(sweep)
    assert lines[0].startswith("sweep of object 0x50000001 from 0xC95B0100 (0.5, 0, 0) to 0xC95B0100 (0.7, 0, 0)")
    assert lines[1] == "  before: contact N(0, 0, 1) d 0 of 0xC95B0100, on walkable"
    assert [node.line for node in sweep.find(CANDIDATE)] == [
        f"1. 0xC95B0100, start: {fate} (foot inside; centre inside)" for fate in (PICKED, NOT_ASKED)
    ]
    assert "    latch: rolled back (stays in 0xC95B0100)" in lines
    rest = [line for line in lines if "before:" not in line and "after:" not in line]
    assert len(rest) == len(list(sweep.walk()))
    assert json.loads(json.dumps(sweep.as_json()))["children"][0]["line"] == only(sweep.find(STEP)).line


class Clumsy(TraceRecorder):
    """Fails in the middle of a sweep, as a broken world would."""

    broken = True

    def surroundings_ends(self, tr: object, cell: object, what: int, state: int) -> None:
        if self.broken:
            raise PhysicsError("this cell is broken")


def test_a_sweep_after_one_that_raised_starts_a_new_tree() -> None:
    body, _ = standing(room_with(), (0.0, 0.0, 0.0))
    recorder = Clumsy()
    body.observer = recorder
    with pytest.raises(PhysicsError):
        walk(body, 0.1, 0.0)
    recorder.broken = False
    walk(body, 0.1, 0.0)
    assert [len(sweep.find(STEP)) for sweep in recorder.sweeps] == [1, 1]


def test_the_recorder_overrides_only_observer_calls() -> None:
    told = {name for name, _ in inspect.getmembers(SweepObserver, callable) if not name.startswith("_")}
    made = {name for name in vars(TraceRecorder) if not name.startswith("_")}
    assert made - told == {"clear"}


def test_a_change_of_the_bodys_cell_is_reported_once_on_commit() -> None:
    heard: list[tuple[int, int, int]] = []

    class Listener(SweepObserver):
        def cell_changed(self, body_id: int, old_id: int, new_id: int) -> None:
            heard.append((body_id, old_id, new_id))

    graph = graph_of(endless(room([floor(0.0)])), room([floor(0.0)], cell_id=CELL_ID + 1))
    body, _ = standing(graph, (0.0, 0.0, 0.0))
    body.observer = Listener()
    walk(body, 0.1, 0.0)
    assert heard == []
    other = graph.get_visible(CELL_ID + 1)
    assert other is not None
    body.change_cell(other)
    assert heard == [(PLAYER, CELL_ID, CELL_ID + 1)]
