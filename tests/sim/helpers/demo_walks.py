"""One simulation of the demo world for many tests, and helpers to place the player in it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.build.demo import SPOTS, VILLAGE, ensure_demo
from engine.entities.door import Door
from engine.geometry.frame import Frame, heading_of
from engine.geometry.vec import Vec3, distance
from engine.physics.flags import ETHEREAL
from engine.sim.edits.doors import CloseDoor
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import Building
from engine.world.landblock import Landblock
from engine.world.loader import open_world
from tests.sim.helpers.small_worlds import FORWARD, feet, open_all

IN_FRONT = 1.1
"""The distance in metres from a door at which a walk begins."""


@dataclass
class Demo:
    """A simulation of the demo world that tests can reset."""

    sim: Simulation
    beginning: bytes

    def begin(self) -> None:
        self.sim.restore(self.beginning)

    def at(self, spot: str, heading: float | None = None) -> Simulation:
        """Puts the player on a spot, facing as the spot states or along `heading`."""
        place = SPOTS[spot]
        self.sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading if heading is None else heading))
        return self.sim

    def cell(self, spot: str) -> int:
        return SPOTS[spot].cell_id

    # --- doors

    def door(self, name: str) -> Door:
        return next(door for door in self.sim.population.doors if door.name == name)

    def before(self, door: Door, side: float, aside: float = 0.0) -> Simulation:
        """Puts the player before a door, in front of it (1) or behind it (−1), `aside` from its centre and facing
        it."""
        place = door.frame.local_to_global((aside, IN_FRONT * side, 0.0))
        self.sim.apply_edit(
            Teleport(door.cell_id, *place, heading_of(door.frame.local_to_global_vec((0.0, -side, 0.0))))
        )
        return self.sim

    def beyond(self, door: Door) -> float:
        """How far the feet are in front of a door; negative behind it."""
        return door.frame.global_to_local(feet(self.sim))[1]

    def shut_all_doors(self) -> None:
        for door in self.sim.population.doors:
            self.sim.apply_edit(CloseDoor(door.id))
        while any(self.sim.population.state_of(door.id) & ETHEREAL for door in self.sim.population.doors):
            self.sim.tick()

    # --- houses

    @property
    def village(self) -> Landblock:
        block = self.sim.world.landblock(VILLAGE << 16 | 0xFFFF)
        assert block is not None
        return block

    def house(self, name: str) -> Building:
        """The building to which a spot just inside its front door belongs."""
        inside = self.cell(f"{name}_inside_front_door")
        return next(
            building
            for building in self.village.buildings
            if any(inside in (portal.other_cell_id, *portal.stab_list) for portal in building.portals)
        )

    def ground(self, x: float, y: float) -> float:
        terrain = self.village.terrain
        assert terrain is not None
        height = terrain.height_at(x, y)
        assert height is not None
        return height


def demo_simulation() -> Demo:
    sim = Simulation(open_world(ensure_demo()))
    open_all(sim)
    place = SPOTS["market"]
    sim.apply_edit(Teleport(place.cell_id, *place.origin, place.heading))
    return Demo(sim, sim.snapshot())


def toward(origin: Vec3, goal: Vec3) -> float:
    """The heading from one point to another."""
    return math.degrees(math.atan2(goal[0] - origin[0], goal[1] - origin[1])) % 360.0


def push_towards(sim: Simulation, goal: Vec3, seconds: float) -> list[TickReport]:
    """Walks straight towards a point for a while, whatever is in between."""
    sim.apply_edit(FacePlayer(toward(feet(sim), goal)))
    return [sim.tick(FORWARD) for _ in range(round(seconds * 30))]


def walk_to(sim: Simulation, goal: Vec3, seconds: float = 6.0) -> list[TickReport]:
    """Walks towards a point, always facing it, until the feet are there or the time is up."""
    reports = []
    for _ in range(round(seconds * 30)):
        sim.apply_edit(FacePlayer(toward(feet(sim), goal)))
        reports.append(sim.tick(FORWARD))
        if distance(feet(sim), goal) < 0.2:
            break
    return reports


def in_space(frame: Frame, x: float, y: float, z: float = 0.0) -> Vec3:
    return frame.local_to_global((x, y, z))
