"""The distances and planes of an explained search against planes worked out by hand, for any room and any body."""

from __future__ import annotations

import math
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.build import WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.geometry.constants import EPSILON
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.membership import find_cell_list
from engine.physics.rules import RuleSet
from engine.physics.sweep.cell_array import CellArray
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.cell_search import INSIDE, OUTSIDE, PARTLY, Candidate, CellSearch, TreeAnswer
from engine.sim.trace.search_replay import SearchReplay
from tests.sim.helpers.small_worlds import standing

HEIGHT = 2.5
RECTS = {"hall": (0.0, 0.0, 6.0, 4.0), "study": (6.2, 0.0, 4.0, 4.0), "cellar": (0.0, 0.0, 6.0, 4.0)}
FLOORS = {"hall": 0.0, "study": 0.0, "cellar": -3.0}
MARGIN = 0.01
TINY = 1e-5
"""Metres: data files keep planes in single precision."""

Plane = tuple[Vec3, float]


@cache
def world() -> BuiltWorld:
    made = WorldBuilder()
    rooms = {
        name: made.room(name, rect(*box), floor=FLOORS[name], height=HEIGHT if FLOORS[name] == 0.0 else 2.8)
        for name, box in RECTS.items()
    }
    made.doorway(rooms["hall"], rooms["study"], width=1.3)
    made.hatch(rooms["hall"], rooms["cellar"], rect(1, 1, 1.5, 2))
    return made.build()


@cache
def simulation() -> Simulation:
    return standing(world(), "hall", (3.0, 2.0))


def planes_of(name: str) -> list[Plane]:
    """The six sides of a room, in its builder's coordinates, which are the landblock's."""
    x, y, width, depth = RECTS[name]
    low = FLOORS[name]
    high = low + (HEIGHT if low == 0.0 else 2.8)
    return [
        ((1.0, 0.0, 0.0), -x),
        ((-1.0, 0.0, 0.0), x + width),
        ((0.0, 1.0, 0.0), -y),
        ((0.0, -1.0, 0.0), y + depth),
        ((0.0, 0.0, 1.0), -low),
        ((0.0, 0.0, -1.0), high),
    ]


def distances(planes: list[Plane], p: Vec3) -> list[float]:
    return [sum(a * b for a, b in zip(normal, p, strict=True)) + d for normal, d in planes]


def check_answer(answer: TreeAnswer, p: Vec3, limit: float, planes: list[Plane], *, is_sphere: bool) -> None:
    """`limit`: how far behind a plane still counts; inside the nearest plane decided, outside one it is behind."""
    every = distances(planes, p)
    if min(abs(min(every) + limit), abs(min(every) - limit)) < TINY:
        return  # on the edge rounding decides
    assert answer.distance is not None
    assert answer.normal is not None
    assert any(math.isclose(answer.distance, each, abs_tol=TINY) for each in every)
    (own,) = distances([(answer.normal, answer.d)], p)
    assert math.isclose(own, answer.distance, abs_tol=TINY), "the plane is where the picture draws it"
    assert (answer.answer == OUTSIDE) == (min(every) < -limit)
    if answer.answer == OUTSIDE:
        assert answer.distance < -limit
        return
    assert math.isclose(answer.distance, min(every), abs_tol=TINY)
    if is_sphere:
        assert answer.answer == (INSIDE if min(every) >= limit else PARTLY)


coordinates = st.tuples(
    st.floats(-1.5, 11.5, allow_nan=False), st.floats(-1.5, 5.5, allow_nan=False), st.floats(-4.0, 3.5, allow_nan=False)
)


@settings(max_examples=300, deadline=None)
@given(start=st.sampled_from(sorted(RECTS)), at=coordinates, radius=st.floats(0.05, 1.5), retail=st.booleans())
def test_every_distance_is_that_of_the_room_itself(start: str, at: Vec3, radius: float, retail: bool) -> None:
    built = world()
    sim = simulation()
    rules = RuleSet(retail)
    head = (at[0], at[1], at[2] + 0.875)
    spheres = [Sphere(at, radius), Sphere(head, radius)]
    start_id = built.cell_id(start)
    search = SearchReplay(sim.graph, rules, start_id, spheres, CellArray()).run(True)
    array = CellArray()
    picked = find_cell_list(sim.graph, rules, start_id, spheres, array, True, None)
    assert search.picked == (0 if picked is None else picked.id)
    assert search.ids == tuple(array.ids)
    for each in every_candidate(search):
        name = next((name for name in RECTS if built.cell_id(name) == each.cell_id), None)
        if name is None:
            continue  # the thickness of the wall between two rooms is a cell of its own
        planes = planes_of(name)
        assert each.centre is not None
        assert each.sphere is not None
        check_answer(each.centre, at, EPSILON, planes, is_sphere=False)
        check_answer(each.sphere, (at, head)[each.sphere.sphere], radius + MARGIN, planes, is_sphere=True)


def every_candidate(search: CellSearch) -> tuple[Candidate, ...]:
    return (*search.candidates, *search.left_out)
