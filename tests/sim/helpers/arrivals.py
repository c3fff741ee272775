"""Random arrivals: teleports, spawns and drops all over a world, and the faults of the positions that result."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from editor.authoring.dropping import drop_entity
from engine.entities.specs import CREATURE
from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.geometry.vec import scale as scaled
from engine.physics.body import Body
from engine.physics.errors import PhysicsError
from engine.sim.edits.entities import AddEntity, RemoveEntity, spec_text
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell, LandCell
from engine.world.cells.ids import cell_text, is_env_cell
from engine.world.entity_spec import EntitySpec
from engine.world.faults import PORTAL_LINK
from engine.world.landblock import Landblock
from engine.world.world import World
from tests.sim.helpers.small_worlds import FALLS

WATCHED = 300
"""Ticks for which the test watches a body after its arrival."""

AROUND = 3.0
"""Arrivals also try positions up to this many metres outside a cell's own box."""

TERRAIN = 0.02
"""Metres that a sole may be under the terrain: the single precision of a height."""

DEEPEST = 60.0
"""No body falls further than this many metres in these worlds."""

STILL = Controls()
CREATURE_ID = 0x7F000001


class Arrivals:
    """A world for repeated random arrivals; `counts` holds their outcomes."""

    def __init__(self, world: World, seed: int, blocks: list[int] | None = None) -> None:
        self.rng = random.Random(seed)
        self.sim = Simulation(world)
        self.world = world = self.sim.world
        self.start = self.sim.snapshot()
        self.counts: Counter[str] = Counter()
        self.boxes: list[tuple[int, Vec3, Vec3]] = []
        for block_id in blocks or world.landblock_ids():
            block = world.landblock(block_id)
            if block is not None:
                self.boxes += list(_boxes(block))

    def place(self) -> tuple[int, Vec3]:
        """A cell, and a point in or near it."""
        cell_id, low, high = self.rng.choice(self.boxes)
        x, y, z = (self.rng.uniform(low[axis] - AROUND, high[axis] + AROUND) for axis in range(3))
        return cell_id, (x, y, z)

    # --- kinds of arrival

    def teleport(self) -> str:
        """Teleports the player to a random position and returns the fault of the result; empty if sound or refused."""
        cell_id, at = self.place()
        heading = self.rng.uniform(0.0, 360.0)
        try:
            self.sim.apply_edit(Teleport(cell_id, *at, heading))
        except PhysicsError:
            return self._count("teleports refused")
        self._count("teleports")
        return self._watched(f"teleport({cell_text(cell_id)}, {at}, {heading})", self.sim.player.steered)

    def spawn(self) -> str:
        """Spawns a creature at a random position, as a server would; one that gets into no cell must be reported."""
        sim = self.sim
        model = next((entity for entity in self.world.entities if entity.kind == CREATURE), None)
        if model is None:
            return ""
        if CREATURE_ID in sim.population.entities:
            sim.apply_edit(RemoveEntity(CREATURE_ID))
        cell_id, at = self.place()
        spec = EntitySpec(CREATURE_ID, "newcomer", CREATURE, model.setup_id, cell_id, Frame(at), FALLS)
        told = len(sim.population.faults)
        sim.apply_edit(AddEntity(spec_text(spec)))
        body = sim.population.bodies[CREATURE_ID]
        if body.cell is None:
            self._count("spawns in no cell")
            return "" if len(sim.population.faults) > told else f"spawn({cell_text(cell_id)}, {at}): nothing is told"
        self._count("spawns")
        if not body.cell.point_in_cell(body.place.local_to_global(scaled(body.spheres[0].center, body.scale))):
            return f"spawn({cell_text(cell_id)}, {at}): his centre is outside of {cell_text(body.cell.id)}"
        return self._fallen(f"spawn({cell_text(cell_id)}, {at})", body)

    def _fallen(self, what: str, body: Body) -> str:
        """A creature that arrived moves wherever it is pushed and falls, but never through the world."""
        start = body.place.origin[2]
        same = 0
        for tick in range(WATCHED):
            before = body.place.origin
            self.sim.tick(STILL)
            if self._left_by_a_gap(body):
                return self._count("lost where the data end")
            if body.cell is None:
                return f"{what}: in no cell after {tick + 1} ticks, at {body.place}"
            if start - body.place.origin[2] > DEEPEST:
                return f"{what}: after {tick + 1} ticks it has fallen {start - body.place.origin[2]:.1f} m"
            same = same + 1 if body.place.origin == before else 0
            if same > 2:
                break
        return ""

    def drop(self) -> str:
        """Drops the player to the floor from a position in the air to which he teleported."""
        sim = self.sim
        if sim.player.steered.cell is None:
            return ""
        try:
            edit = drop_entity(sim, sim.player.id)
        except PhysicsError:
            return self._count("drops refused")
        before = sim.player.steered.place.copy()
        sim.apply_edit(edit)
        self._count("drops")
        return self._watched(f"drop from {before}", sim.player.steered)

    # --- faults

    def _count(self, what: str) -> str:
        self.counts[what] += 1
        return ""

    def _watched(self, what: str, body: Body) -> str:
        wrong = self.wrong(body)
        if wrong:
            return f"{what}: at once, {wrong}"
        start = body.place.origin[2]
        same = 0
        for tick in range(WATCHED):
            before = body.place.origin
            self.sim.tick(STILL)
            if self._left_by_a_gap(body):
                return self._count("lost where the data end")
            wrong = self.wrong(body)
            if wrong:
                return f"{what}: after {tick + 1} ticks, {wrong}"
            if start - body.place.origin[2] > DEEPEST:
                return f"{what}: after {tick + 1} ticks he has fallen {start - body.place.origin[2]:.1f} m"
            same = same + 1 if body.place.origin == before else 0
            if same > 2:
                break  # nothing moves him any more
        else:
            self._count("still moving at the end")
        return ""

    def _left_by_a_gap(self, body: Body) -> bool:
        """Out of a room with a portal to one that the data lack, which the loader reports, or over the last landblock's
        edge."""
        if body.cell is not None:
            return False
        if self.world.landblock(body.place.cell_id) is None:
            return True
        left = self.world.graph.peek(body.place.cell_id)
        return left is not None and any(fault.what == PORTAL_LINK for fault in left.faults)

    def wrong(self, body: Body) -> str:
        """The fault of a body's position."""
        cell = body.cell
        if cell is None:
            return f"he is in no cell, at {body.place}"
        x, y, z = body.place.local_to_global(body.spheres[0].center)
        if not cell.point_in_cell((x, y, z)):
            return f"his centre is outside of {cell_text(cell.id)}, at {body.place}"
        if is_env_cell(cell.id):
            return ""
        block = self.world.landblock(cell.id)
        terrain = None if block is None else block.terrain
        ground = None if terrain is None else terrain.height_at(x, y)
        sole = z - body.spheres[0].radius
        if isinstance(cell, LandCell):
            sole += cell.water_depth((x, y, z))
        if ground is not None and sole < ground - TERRAIN:
            return f"he is {ground - sole:.3f} m under the ground, at {body.place}"
        return ""


def _boxes(block: Landblock) -> Iterator[tuple[int, Vec3, Vec3]]:
    """The boxes around the rooms of a landblock, and around its land cells up to the tops of houses."""
    for cell in block.env_cells:
        corners = [
            cell.frame.local_to_global(corner)
            for polygon in cell.structure.polygons.values()
            for corner in polygon.vertices
        ]
        if corners and isinstance(cell, EnvCell):
            low = min(c[0] for c in corners), min(c[1] for c in corners), min(c[2] for c in corners)
            high = max(c[0] for c in corners), max(c[1] for c in corners), max(c[2] for c in corners)
            yield cell.id, low, high
    for land in block.land_cells:
        if isinstance(land, LandCell) and block.terrain is not None:
            low_id = (land.id & 0xFFFF) - 1
            x, y = (low_id // 8) * 24.0, (low_id % 8) * 24.0
            z = block.terrain.height_at(x + 12.0, y + 12.0)
            if z is not None:
                yield land.id, (x, y, z - 3.0), (x + 24.0, y + 24.0, z + 12.0)
