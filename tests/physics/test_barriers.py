"""House barriers: who may enter a guarded cell, and in which direction it turns others back (physics.md 6.5)."""

from __future__ import annotations

import pytest

from engine.geometry.vec import ZERO, Vec3
from engine.physics.collision.cell import cell_find_collisions
from engine.physics.flags import COLLIDED, OI_BYPASS_RESTRICTIONS, OI_IS_PLAYER, OK
from engine.physics.objects.restrictions import NOBODY_IS_KNOWN, Restrictions
from engine.physics.place import Place
from engine.physics.sweep.transition import Transition
from engine.world.cells.cell import EnvCell, LandCell
from tests.physics.bodies import GROUND, body_in, hall, push
from tests.physics.small_world import floor, spheres, sweep
from tests.physics.things import flat_land

BARRIER = 0x7C000009
OWNER, STRANGER = 0x50000001, 0x50000002
BLOCK = 0xC95B


class OwnersHouse(Restrictions):
    def is_known(self, restriction_object: int) -> bool:
        return restriction_object == BARRIER

    def lets_in(self, restriction_object: int, mover_id: int) -> bool:
        return mover_id == OWNER


def visitor(restrictions: Restrictions, mover: int, bits: int) -> Transition:
    """A body whose candidate is in a guarded room."""
    cell = hall([])
    cell.restriction_object = BARRIER
    tr = sweep(cell, ZERO, ZERO)
    tr.restrictions = restrictions
    tr.oi.mover_id = mover
    tr.oi.state |= bits
    return tr


def enters(tr: Transition) -> int:
    cell = tr.sp.check_cell
    assert isinstance(cell, EnvCell)
    return cell_find_collisions(tr, cell)


@pytest.mark.parametrize(
    ("restrictions", "mover", "bits", "answer"),
    [
        pytest.param(OwnersHouse(), OWNER, OI_IS_PLAYER, OK, id="a guest"),
        pytest.param(OwnersHouse(), STRANGER, OI_IS_PLAYER, COLLIDED, id="a stranger"),
        pytest.param(OwnersHouse(), STRANGER, OI_IS_PLAYER | OI_BYPASS_RESTRICTIONS, OK, id="an administrator"),
        pytest.param(OwnersHouse(), STRANGER, 0, OK, id="a creature"),
        pytest.param(NOBODY_IS_KNOWN, OWNER, OI_IS_PLAYER, COLLIDED, id="the barrier is not there"),
    ],
)
def test_a_guarded_room_admits_only_its_guests(restrictions: Restrictions, mover: int, bits: int, answer: int) -> None:
    tr = visitor(restrictions, mover, bits)
    assert enters(tr) == answer
    assert not tr.ci.collision_normal_valid  # a room turns nobody in a direction


def test_under_ace_a_guest_once_admitted_is_not_checked_again() -> None:
    tr = visitor(OwnersHouse(), OWNER, OI_IS_PLAYER)
    tr.rules.set_form("entry_restriction_once", "ace")
    tr.sp.begin_cell = None
    assert enters(tr) == OK
    tr.oi.mover_id = STRANGER
    assert enters(tr) == OK


@pytest.mark.parametrize(
    ("x", "y", "normal"),
    [
        pytest.param(25.0, 12.0, (1.0, 0.0, 0.0), id="from the east"),
        pytest.param(-1.0, 20.0, (-1.0, 0.0, 0.0), id="from the west"),
        pytest.param(10.0, 25.0, (0.0, 1.0, 0.0), id="from the north"),
        pytest.param(14.0, -1.0, (0.0, -1.0, 0.0), id="from the south"),
    ],
)
def test_guarded_land_turns_players_back_the_way_they_came(x: float, y: float, normal: Vec3) -> None:
    graph = flat_land(BLOCK)
    cell = graph.get_visible((BLOCK << 16) | 1)
    assert isinstance(cell, LandCell)
    cell.restriction_object = BARRIER
    tr = Transition(graph, body_in(hall([]), ZERO).rules)
    tr.init_spheres(spheres(), 1.0)
    tr.oi.state |= OI_IS_PLAYER
    tr.oi.mover_id = STRANGER
    tr.restrictions = OwnersHouse()
    here = Place(cell.id, (x, y, 0.0), body_in(hall([]), ZERO).place.turn)
    tr.init_path(cell, here, here)
    tr.sp.set_check_pos(here, cell)
    assert cell_find_collisions(tr, cell) == COLLIDED
    assert tr.ci.collision_normal == normal


@pytest.mark.parametrize(("restrictions", "reached"), [(OwnersHouse(), 0.5), (NOBODY_IS_KNOWN, 0.0)])
def test_a_bodys_sweeps_know_whom_its_world_admits(restrictions: Restrictions, reached: float) -> None:
    cell = hall([floor(0.0)])
    cell.restriction_object = BARRIER
    body = body_in(cell, ZERO, ground=GROUND)
    body.id = OWNER
    body.info_flags = OI_IS_PLAYER
    body.restrictions = restrictions
    push(body, 0.1, times=5)
    assert body.place.origin[0] == pytest.approx(reached, abs=1e-5)
