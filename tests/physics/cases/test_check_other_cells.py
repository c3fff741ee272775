"""The answers of the array's other cells: cases C-COC-1 to C-COC-7 of physics.md 13.10, by id.

Rooms in a row that all contain the candidate; each answers by its single polygon.
"""

from __future__ import annotations

import pytest

from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import UP, Vec3
from engine.physics.flags import COLLIDED, OI_CONTACT, OI_ON_WALKABLE, OK, PLACEMENT, SLID
from engine.physics.rules import RuleSet
from engine.physics.sweep.collision_info import CollisionInfo
from engine.physics.sweep.transition import Transition
from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import CellPortal
from tests.physics.bodies import GROUND, body_in, graph_of, hall, one_sphere, push
from tests.physics.small_world import CELL_ID, floor, quad, sweep, wall_facing_west

START: Vec3 = (0.0, 0.0, 1.0)
OPENING = quad(90, (0.0, -9.0, -9.0), (0.0, 9.0, -9.0), (0.0, 9.0, 9.0), (0.0, -9.0, 9.0))
BLOCKING = wall_facing_west(0.3, 1)
"""It overlaps the sphere at the start."""


def rooms(*contents: list[Polygon]) -> list[EnvCell]:
    """A row of rooms, each with a portal to the next; all of them extend everywhere."""
    cells = []
    for number, polygons in enumerate(contents):
        following = CELL_ID + number + 1
        portals = [CellPortal(0, 90, OPENING, following, 0)] if number + 1 < len(contents) else []
        cells.append(hall(polygons, cell_id=CELL_ID + number, portals=portals, stab=[following]))
    return cells


class Asked:
    """`check_other_cells` for a sphere of 0.48 m in the first of several rooms, which has already answered."""

    def __init__(self, *contents: list[Polygon], grounded: bool = False, placement: bool = True) -> None:
        self.cells = rooms(*contents)
        self.tr: Transition = sweep(self.cells[0], START, START, [Sphere((0.0, 0.0, 0.48), 0.48)])
        for cell in self.cells[1:]:
            self.tr.graph.add_cell(cell)
        if placement:
            self.tr.sp.insert_type = PLACEMENT
        if grounded:
            self.tr.oi.state |= OI_CONTACT | OI_ON_WALKABLE
        self.tr.ci.set_contact_plane(GROUND, True, CELL_ID)
        self.state = self.tr.check_other_cells(self.cells[0])


def test_c_coc_1_a_cell_alone_in_the_array_asks_no_other() -> None:
    asked = Asked([])
    assert asked.state == OK
    assert asked.tr.ca.ids == [CELL_ID]


def test_c_coc_2_where_all_cells_agree_nothing_changes() -> None:
    asked = Asked([], [floor(-5.0)], [floor(-6.0)], [floor(-7.0)])
    assert asked.state == OK
    assert len(asked.tr.ca.ids) == 4
    fresh = CollisionInfo(RuleSet())
    fresh.set_contact_plane(GROUND, True, CELL_ID)
    for name in ("contact_plane", "contact_plane_valid", "contact_plane_is_water", "collided_with_environment"):
        assert getattr(asked.tr.ci, name) == getattr(fresh, name)
    assert asked.tr.sp.check.origin == START


@pytest.mark.parametrize(
    ("grounded", "environment"), [pytest.param(False, True, id="C-COC-3"), pytest.param(True, False, id="C-COC-4")]
)
def test_the_first_cell_that_collides_ends_the_round(grounded: bool, environment: bool) -> None:
    asked = Asked([], [BLOCKING], [floor(-6.0)], grounded=grounded)
    assert asked.state == COLLIDED
    assert asked.tr.ci.collided_with_environment == environment
    assert asked.tr.sp.space_cell_id == CELL_ID + 1, "the third cell answered too"
    assert asked.tr.ci.contact_plane_valid


def test_c_coc_5_a_cell_that_slides_the_body_takes_the_contact_plane_away() -> None:
    wall_facing_south = quad(2, (5.0, 0.6, 0.0), (-5.0, 0.6, 0.0), (-5.0, 0.6, 5.0), (5.0, 0.6, 5.0))
    cells = rooms([], [wall_facing_west(0.55, 1)], [wall_facing_south])
    end = (0.15, 0.3, 1.0)
    tr = sweep(cells[0], START, end, one_sphere(0.48))
    for cell in cells[1:]:
        tr.graph.add_cell(cell)
    tr.oi.state |= OI_CONTACT | OI_ON_WALKABLE
    tr.oi.step_up_height = 0.1
    tr.ci.init_contact_plane(CELL_ID, GROUND, True)
    assert tr.check_other_cells(cells[0]) == SLID
    assert not tr.ci.contact_plane_valid
    assert not tr.ci.contact_plane_is_water
    assert tr.sp.check.origin == pytest.approx((0.0, 0.3, 1.0), abs=1e-6), "the third cell answered too"
    assert tr.ci.collision_normal == (-1.0, 0.0, 0.0)


def test_c_coc_6_the_round_skips_a_cell_without_a_physics_tree() -> None:
    asked = Asked([], [], [BLOCKING])
    assert asked.cells[1].physics_tree is None
    assert asked.state == COLLIDED
    assert asked.tr.sp.space_cell_id == CELL_ID + 2


def test_c_coc_7_a_body_in_an_empty_room_stops_at_the_neighbours_wall() -> None:
    cells = rooms([], [floor(0.0), wall_facing_west(1.0, 1)])
    body = body_in(cells[0], (0.0, 0.0, 0.0), graph=graph_of(*cells), ground=GROUND, step_down=0.6)
    normals = []
    for _ in range(8):
        push(body, 0.1)
        assert body.last_transition is not None
        ci = body.last_transition.ci
        normals += [ci.collision_normal] if ci.collision_normal_valid else []
    assert body.place.origin[0] == pytest.approx(0.5, abs=1e-3)
    assert normals == [(-1.0, 0.0, 0.0)]
    assert body.place.cell_id == CELL_ID
    assert body.contact_plane.normal == UP
