"""Cell lists and occupancy in random worlds against a second implementation of the reference's text (physics.md
6.4-6.8, 8.5, #12, #19, #20, #33, #40, #44)."""

from __future__ import annotations

import math
import random

import pytest

from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.polygon import Polygon
from engine.geometry.quat import from_axis_angle
from engine.geometry.sphere import CylSphere, Sphere
from engine.geometry.vec import UP, Vec3, r24v
from engine.physics.flags import HAS_PHYSICS_BSP
from engine.physics.membership import find_cell_list
from engine.physics.objects.shapes import shapes_from_setup
from engine.physics.rules import rule_set
from engine.physics.sweep.cell_array import CellArray
from engine.world.cells.cell import Building, LandCell
from engine.world.cells.objects import GfxObj
from engine.world.cells.portals import NO_PORTAL, OUTSIDE, BldPortal, CellPortal
from tests.physics.bodies import hall, inside_of
from tests.physics.membership_oracle import OArray, OPart, OPortal, Oracle, ORoom, OWay, Spot
from tests.physics.things import box_model, flat_land, registry_in, setup

HERE = 0xA9B4
BLOCKS = (HERE, 0xAAB4, 0xA9B5, 0xAAB5)
"""The landblocks around the corner near which everything is; the first is always loaded, the others usually."""

MISSING = 0x1FF


def to_frame(spot: Spot) -> Frame:
    return Frame(spot.origin, from_axis_angle(UP, spot.angle))


class RandomWorld:
    """Some rooms that overlap or nearly touch, joined at random, and land with buildings; in both forms."""

    def __init__(self, seed: int, retail: bool) -> None:
        self.rng = rng = random.Random(seed)
        self.rules = rule_set("retail" if retail else "ace")
        blocks = [HERE, *(block for block in BLOCKS[1:] if rng.random() < 0.7)]
        self.graph = flat_land(*blocks)
        count = rng.randint(2, 7)
        self.homes = [(rng.choice(blocks) << 16) | (0x100 + number) for number in range(count)]
        rooms = [self.room(cell_id) for cell_id in self.homes]
        ways: dict[int, list[OWay]] = {}
        for cell in self.graph.all_cells():
            near = [room for room in rooms if room.id >> 16 == cell.id >> 16]
            if isinstance(cell, LandCell) and near and rng.random() < 0.3:
                ways[cell.id] = [
                    OWay(rng.choice(near).id, rng.choice([0, 0, 0, 1, 0xFFFF])) for _ in range(rng.randint(1, 3))
                ]
                portals = [
                    BldPortal(0, way.other, NO_PORTAL if way.other_portal == 0xFFFF else way.other_portal, [])
                    for way in ways[cell.id]
                ]
                cell.building = Building(1, cell.id, 0, Frame(), None, portals, 0)
        self.oracle = Oracle(rooms, blocks, ways, retail)

    def near_corner(self, block: int, spread: float) -> Vec3:
        """A position near the corner of the four landblocks, in the coordinates of one of them."""
        rng = self.rng
        x, y = (192.0 + rng.uniform(-spread, spread) for _ in range(2))
        east, north = (block >> 8) - (HERE >> 8), (block & 0xFF) - (HERE & 0xFF)
        return r24v((x - 192.0 * east, y - 192.0 * north, rng.uniform(-1.0, 1.0)))

    def room(self, cell_id: int) -> ORoom:
        rng = self.rng
        spot = Spot(self.near_corner(cell_id >> 16, 8.0), rng.uniform(-3.0, 3.0) if rng.random() < 0.5 else 0.0)
        half = [rng.uniform(0.5, 6.0), rng.uniform(0.5, 6.0), rng.uniform(0.2, 3.0)]
        sides: list[tuple[Vec3, float]] = []
        for axis in range(3):
            for sign in (1.0, -1.0):
                normal = [0.0, 0.0, 0.0]
                normal[axis] = sign
                sides.append(((normal[0], normal[1], normal[2]), half[axis]))
        portals: list[OPortal] = []
        made: list[CellPortal] = []
        others = [other for other in self.homes if other >> 16 == cell_id >> 16 and other != cell_id]
        for number in range(rng.choice([0, 1, 2, 2, 3])):
            opening = self.opening(number, half)
            plane = (opening.plane.normal, opening.plane.d)
            other = rng.choice([*others, *others, 0xFFFF, (cell_id & 0xFFFF0000) | MISSING])
            flags = rng.choice([0, 2]) | (4 if other == 0xFFFF else 0)
            portals.append(OPortal(flags, plane, other, 0))
            made.append(CellPortal(flags, number, opening, OUTSIDE if other == 0xFFFF else other, 0))
        stab = [other for other in others if rng.random() < 0.6]
        treeless = rng.random() < 0.1
        tree = inside_of(*(Plane(normal, d) for normal, d in sides))
        cell = hall([], to_frame(spot), cell_id, tree, made, stab)
        cell.portals_left_out = False
        if treeless:
            cell.cell_tree = None
        self.graph.add_cell(cell)
        return ORoom(cell_id, spot, None if treeless else sides, portals, stab)

    def opening(self, number: int, half: list[float]) -> Polygon:
        """In one of the four walls, seen from inside or from outside."""
        rng = self.rng
        x, y, z = half
        corners: list[Vec3] = rng.choice(
            [
                [(x, -y, -z), (x, y, -z), (x, y, z), (x, -y, z)],
                [(-x, -y, -z), (-x, y, -z), (-x, y, z), (-x, -y, z)],
                [(x, y, -z), (-x, y, -z), (-x, y, z), (x, y, z)],
                [(x, -y, -z), (-x, -y, -z), (-x, -y, z), (x, -y, z)],
            ]
        )
        return Polygon(number, corners if rng.random() < 0.5 else corners[::-1])

    def seed(self) -> int:
        """A room or a land cell at the corner, rarely one that is not loaded."""
        rng = self.rng
        corners = [(HERE << 16) | 64, (0xAAB4 << 16) | 8, (0xA9B5 << 16) | 57, (0xAAB5 << 16) | 1]
        return rng.choice([*self.homes, *self.homes, rng.choice(corners), (HERE << 16) | MISSING])

    def balls(self, seed: int) -> list[tuple[Vec3, float]]:
        """Near the corner, or in and around the room where the search starts."""
        rng = self.rng
        x, y, z = self.near_corner(seed >> 16, 9.0)
        room = self.oracle.rooms.get(seed)
        if room is not None and rng.random() < 0.6:
            x, y, z = r24v(
                room.spot.to_global((rng.uniform(-6.0, 6.0), rng.uniform(-6.0, 6.0), rng.uniform(-2.0, 2.0)))
            )
        radius = rng.uniform(0.1, 1.5)
        return [((x, y, z), radius), ((x, y, z + rng.uniform(0.2, 1.5)), radius)][: rng.choice([1, 2, 2])]


@pytest.mark.parametrize("retail", [True, False], ids=["retail", "ace"])
@pytest.mark.parametrize("seed", range(25))
def test_cell_lists_of_random_spheres_match_the_oracle(seed: int, retail: bool) -> None:
    """Several searches fill one array, as in a sweep: `ace` keeps earlier finds."""
    world = RandomWorld(seed, retail)
    for _ in range(40):
        ca, theirs = CellArray(), OArray()
        ca.do_not_load_cells = theirs.do_not_load = world.rng.random() < 0.4
        for _ in range(3):
            start = world.seed()
            balls = world.balls(start)
            want = world.rng.random() < 0.7
            spheres = [Sphere(center, radius) for center, radius in balls]
            found = find_cell_list(world.graph, world.rules, start, spheres, ca, want, None)
            picked = world.oracle.find_cell_list(start, balls, theirs, want)
            assert (0 if found is None else found.id) == picked
            assert ca.ids == theirs.ids
            assert [cell is not None for cell in ca.cells] == theirs.loaded


# --- things


class RandomThing:
    """A random setup of cylinders, spheres and parts, in both forms."""

    def __init__(self, rng: random.Random) -> None:
        self.scale = rng.choice([0.5, 1.0, 1.0, 2.0, 6.0])
        cylinders = [self.ball(rng) for _ in range(rng.choice([0, 0, 1, 3, 12]))]
        self.cylinders = cylinders
        self.sorting = self.ball(rng)
        self.models: list[GfxObj] = []
        self.places: list[Spot] = []
        for number in range(rng.choice([0, 1, 1, 2, 3])):
            low = (rng.uniform(-3.0, 0.0), rng.uniform(-3.0, 0.0), rng.uniform(-1.0, 0.0))
            high = (low[0] + rng.uniform(0.1, 5.0), low[1] + rng.uniform(0.1, 5.0), low[2] + rng.uniform(0.1, 3.0))
            made = box_model(low, high, 0x01000001 + number, tree=rng.random() < 0.6)
            if made.bounding_sphere is None and rng.random() < 0.8:
                made.bounding_sphere = Sphere(r24v(low), rng.uniform(0.5, 5.0))
            made.drawn_flat = rng.random() < 0.25
            self.models.append(made)
            place = (rng.uniform(-4.0, 4.0), rng.uniform(-4.0, 4.0), rng.uniform(-1.0, 1.0))
            self.places.append(Spot(place, rng.uniform(-3.0, 3.0)))
        self.setup = setup(
            cylinders=[CylSphere(low, radius, 1.0) for low, radius in cylinders],
            spheres=[Sphere(center, radius) for center, radius in [self.sorting]],
            models=self.models,
            placements={0x65: [to_frame(place) for place in self.places]},
        )

    @staticmethod
    def ball(rng: random.Random) -> tuple[Vec3, float]:
        return (rng.uniform(-3.0, 3.0), rng.uniform(-3.0, 3.0), rng.uniform(-0.5, 1.0)), rng.uniform(0.1, 1.5)

    def parts(self, cell_id: int, spot: Spot) -> list[OPart]:
        """Places every part: its position scales with the thing, its size does not."""
        made = []
        for model, place in zip(self.models, self.places, strict=True):
            x, y, z = (self.scale * c for c in place.origin)
            there = Spot(spot.to_global((x, y, z)), spot.angle + place.angle)
            bound = model.bounding_sphere
            sphere = None if bound is None else (bound.center, bound.radius)
            made.append(OPart(cell_id, there, sphere, model.box.minimum, model.box.maximum, model.drawn_flat))
        return made


@pytest.mark.parametrize("retail", [True, False], ids=["retail", "ace"])
@pytest.mark.parametrize("seed", range(25))
def test_the_cells_of_random_things_match_the_oracle(seed: int, retail: bool) -> None:
    world = RandomWorld(1000 + seed, retail)
    registry = registry_in(world.graph, world.rules)
    rng = world.rng
    for number in range(40):
        thing = RandomThing(rng)
        shapes = shapes_from_setup(thing.setup, thing.scale)
        if not shapes:
            continue
        seed_id = world.seed()
        spot = Spot(world.near_corner(seed_id >> 16, 9.0), rng.uniform(-math.pi, math.pi))
        static = rng.random() < 0.5
        by_parts = thing.setup.has_physics_bsp() and rng.random() < 0.9
        state = HAS_PHYSICS_BSP if by_parts else 0
        sorting = Sphere(*thing.sorting)
        registry.register_multi_part(1, seed_id, to_frame(spot), shapes, state, 0, sorting, is_static=static)
        parts = thing.parts(seed_id, spot)
        theirs = world.oracle.occupancy(seed_id, spot, static, by_parts, thing.cylinders, thing.sorting, parts)
        assert registry.cells_of(1) == theirs, number
