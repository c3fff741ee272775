"""The shadow registry beyond its numeric cases: single shapes, hidden entities, new shapes, and walking along a cell's
list while it changes (physics.md 8.4)."""

from __future__ import annotations

import math

import pytest

from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.quat import IDENTITY, from_heading
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import ZERO, Vec3
from engine.physics.body import Body
from engine.physics.errors import PhysicsError
from engine.physics.flags import ENTITY_HAS_WEENIE, ENTITY_IS_PK, ETHEREAL, HAS_PHYSICS_BSP, REPORT_COLLISIONS
from engine.physics.objects.physics_object import CYLINDER, SPHERE, PhysicsObj, ShadowShape
from engine.physics.objects.shadows import ShadowRegistry
from engine.physics.objects.shapes import shapes_from_setup
from engine.physics.rules import RuleSet
from engine.physics.sweep.trace import SweepObserver
from engine.world.cells.cell import EnvCell
from engine.world.cells.objects import SetupPart
from engine.world.graph.graph import CellGraph
from tests.physics.bodies import GROUND, body_in, graph_of, hall, push
from tests.physics.small_world import CELL_ID, floor
from tests.physics.things import box_model, put, registry_in, setup

ENTITY = 0x70000001
PILLAR = setup(cylinders=[CylSphere(ZERO, 0.5, 3.0)])


class Hall:
    """A hall with a pillar 1.5 m east of the body."""

    def __init__(self) -> None:
        self.cell: EnvCell = hall([floor(0.0)])
        self.graph: CellGraph = graph_of(self.cell)
        self.registry: ShadowRegistry = registry_in(self.graph)
        put(self.registry, PILLAR, CELL_ID, (1.5, 0.0, 0.0))

    def walker(self) -> Body:
        return body_in(self.cell, ZERO, graph=self.graph, ground=GROUND)

    def reached(self) -> float:
        body = self.walker()
        push(body, 0.1, times=30)
        return body.place.origin[0]


def test_a_single_shape_registers_like_any_other() -> None:
    cell = hall([])
    registry = registry_in(graph_of(cell))
    ball = ShadowShape(None, (0.0, 0.0, 1.0), IDENTITY, 1.0, SPHERE, 0.5, 1.0)
    registry.register(ENTITY, CELL_ID, Frame((2.0, 0.0, 0.0)), ball, REPORT_COLLISIONS, ENTITY_HAS_WEENIE)
    (row,) = registry.get_objects_in_cell(CELL_ID)
    assert (row.entity_id, row.frame.origin, row.shape.radius) == (ENTITY, (2.0, 0.0, 1.0), 0.5)
    assert registry.entity(ENTITY).obj.flags == ENTITY_HAS_WEENIE


def test_a_hidden_entity_blocks_nothing_until_it_is_restored() -> None:
    world = Hall()
    assert world.reached() < 0.6
    world.registry.suspend(ENTITY)
    assert world.reached() == pytest.approx(3.0, abs=1e-4)
    assert world.registry.get_objects_in_cell(CELL_ID) == []
    world.registry.update_position(ENTITY, CELL_ID, Frame((1.6, 0.0, 0.0)))
    assert world.reached() == pytest.approx(3.0, abs=1e-4)
    world.registry.restore(ENTITY)
    world.registry.restore(ENTITY)
    assert len(world.registry.get_objects_in_cell(CELL_ID)) == 1
    assert world.reached() < 0.7


def test_new_shapes_replace_the_old_ones() -> None:
    world = Hall()
    thin = [ShadowShape(None, ZERO, IDENTITY, 1.0, CYLINDER, 0.2, 3.0)]
    world.registry.replace_shapes(ENTITY, thin, CELL_ID, Frame((1.5, 0.0, 0.0)))
    assert 0.6 < world.reached() < 0.9


def test_a_player_turns_player_killer_without_leaving_his_cells() -> None:
    world = Hall()
    world.registry.update_pwd_flags(ENTITY, ENTITY_HAS_WEENIE | ENTITY_IS_PK)
    assert world.registry.entity(ENTITY).obj.flags & ENTITY_IS_PK
    assert world.registry.cells_of(ENTITY) == [CELL_ID]


def test_an_unknown_entity_is_named_in_the_error() -> None:
    with pytest.raises(PhysicsError, match="no entity 0x70000001 in the shadow registry"):
        registry_in(CellGraph()).entity(ENTITY)


# --- a list that changes while a sweep walks along it


class Meddler(SweepObserver):
    """Changes the registry once, when the sweep meets the first object."""

    def __init__(self, registry: ShadowRegistry, what: str) -> None:
        self.registry = registry
        self.what = what
        self.met: list[int] = []

    def object_begins(self, tr: object, obj: PhysicsObj) -> None:
        if not self.met and self.what == "remove":
            for number in range(1, 4):
                self.registry.deregister(ENTITY + number)
        if not self.met and self.what == "add":
            put(self.registry, PILLAR, CELL_ID, ZERO, entity=ENTITY + 9, state=ETHEREAL)
        self.met.append(obj.object_id - ENTITY)


@pytest.mark.parametrize("rules", ["retail", "ace"])
@pytest.mark.parametrize("what", ["add", "remove"])
def test_a_walk_over_a_cells_list_visits_those_present_at_its_start(what: str, rules: str) -> None:
    world = Hall()
    for number in range(1, 4):
        put(world.registry, PILLAR, CELL_ID, (20.0, 2.0 * number, 0.0), entity=ENTITY + number, state=ETHEREAL)
    world.registry.update_physics_state(ENTITY, ETHEREAL)
    body = world.walker()
    body.rules = RuleSet(rules == "retail")
    body.observer = meddler = Meddler(world.registry, what)
    push(body, 0.01)
    assert meddler.met[:4] == ([0, 1, 2, 3] if rules == "retail" else [3, 2, 1, 0])


# --- the gate before a part's tree


class Watching(SweepObserver):
    """With an observer, the gate skips nothing."""


def far_box(turned: float, scale: float) -> tuple[EnvCell, CellGraph]:
    """A box whose model is 3 m off its own origin."""
    cell = hall([floor(0.0)])
    graph = graph_of(cell)
    box = setup(models=[box_model((3.0, -0.5, 0.0), (4.0, 0.5, 1.5))])
    frame = Frame((1.0, 1.0, 0.0), from_heading(turned))
    put(registry_in(graph), box, CELL_ID, ZERO, frame=frame, scale=scale)
    return cell, graph


@pytest.mark.parametrize("turned", [0.0, 37.0, 120.0, 215.0, 300.0])
@pytest.mark.parametrize("scale", [0.02, 0.4, 1.0, 1.7])
def test_the_gate_skips_only_shapes_that_could_not_have_been_met(turned: float, scale: float) -> None:
    """All around the box, once with the exact gate and once skipping shapes that are clear of it."""
    for step in range(24):
        angle = math.radians(15.0 * step)
        ends: list[Vec3] = []
        for observer in (None, Watching()):
            cell, graph = far_box(turned, scale)
            body = body_in(cell, ZERO, graph=graph, ground=GROUND)
            body.observer = observer
            push(body, 0.2 * math.sin(angle), 0.2 * math.cos(angle), times=25)
            ends.append(body.place.origin)
        assert ends[0] == ends[1]


# --- invalid shapes


@pytest.mark.parametrize("size", [0.0, math.nan])
def test_a_part_of_no_size_blocks_nothing(size: float) -> None:
    thing = setup(models=[box_model((-0.5, -0.5, 0.0), (0.5, 0.5, 1.0))])
    part = thing.parts[0]
    thing.parts[0] = SetupPart(part.gfxobj_id, part.gfxobj, (1.0, 1.0, size), part.parent)
    assert shapes_from_setup(thing, 1.0) == []


def test_a_thing_that_collides_by_parts_but_has_none_blocks_nothing() -> None:
    world = Hall()
    ball = ShadowShape(None, (0.0, 0.0, 0.5), IDENTITY, 1.0, SPHERE, 0.5, 1.0)
    world.registry.register(ENTITY, CELL_ID, Frame((1.5, 0.0, 0.0)), ball, HAS_PHYSICS_BSP, 0)
    assert world.reached() == pytest.approx(3.0, abs=1e-4)


def test_a_body_above_a_triangle_without_area_ignores_it() -> None:
    flat = Polygon(7, [(1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (3.0, 0.0, 0.0)])
    cell = hall([floor(0.0), flat])
    body = body_in(cell, ZERO, ground=GROUND, body=[Sphere((0.0, 0.0, 0.48), 0.48)])
    push(body, 0.1, times=30)
    assert body.place.origin == pytest.approx((3.0, 0.0, 0.0), abs=1e-4)


@pytest.mark.parametrize("gone", [1, 2, 3, 4, 5, 6])
def test_static_things_keep_their_order_when_one_is_removed(gone: int) -> None:
    """Numbers 1, 3 and 4 are static, the others bodies that come and go (physics.md 8.4.1)."""
    registry = registry_in(graph_of(hall([])))
    for number in range(1, 7):
        static = number in (1, 3, 4)
        put(registry, PILLAR, CELL_ID, (float(number), 0.0, 0.0), entity=number, static=static)
    registry.deregister(gone)
    order = registry.objects_in(CELL_ID)
    assert [number for number in order if number in (1, 3, 4)] == [number for number in (1, 3, 4) if number != gone]
    wanted = {2: [1, 6, 3, 4, 5], 5: [1, 2, 3, 4, 6]}
    assert order == wanted.get(gone, order), "the last thing takes a body's place, as in the client"


def test_a_body_that_leaves_does_not_let_one_static_thing_pass_another() -> None:
    registry = registry_in(graph_of(hall([])))
    for number in range(1, 4):
        put(registry, PILLAR, CELL_ID, (float(number), 0.0, 0.0), entity=number, static=number > 1)
    registry.deregister(1)
    assert registry.objects_in(CELL_ID) == [2, 3]
