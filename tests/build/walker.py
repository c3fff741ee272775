"""A body that walks through a built world by the engine's own sweeps."""

from __future__ import annotations

import math

from engine.geometry.constants import DEFAULT_STATE
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.physics.body import Body
from engine.physics.flags import HAS_PHYSICS_BSP, OI_IS_PLAYER, REPORT_COLLISIONS, TS_ACTIVE, TS_CONTACT, TS_ON_WALKABLE
from engine.physics.objects.shadows import ShadowRegistry
from engine.physics.objects.shapes import shapes_from_setup
from engine.physics.place import Place
from engine.physics.rules import RETAIL, rule_set
from engine.world.world import World

RADIUS = 0.48
STRIDE = 0.1


class Walker:
    """A player of 1.8 m in a world whose statics and entities are all in place."""

    def __init__(self, world: World, cell_id: int, at: Vec3) -> None:
        self.world = world
        rules = rule_set(RETAIL)
        for block in world.landblock_ids():
            world.landblock(block)
        self.registry = ShadowRegistry(world.graph, rules)
        for entity in world.entities:
            self._register(entity.guid, entity.cell_id, entity.setup_id, entity.frame, entity.state, is_static=False)
        for cell in list(world.graph.all_cells()):
            for thing in cell.static_objects:
                self._register(thing.id, cell.id, thing.model_id, thing.frame, REPORT_COLLISIONS, is_static=True)
        body = Body(0x50000001, world.graph, rules)
        body.spheres = [Sphere((0.0, 0.0, RADIUS), RADIUS), Sphere((0.0, 0.0, 1.8 - RADIUS), RADIUS)]
        body.step_up_height, body.step_down_height = 0.6, 1.5
        body.state, body.info_flags, body.registry = DEFAULT_STATE, OI_IS_PLAYER, self.registry
        body.place, body.cell = Place(cell_id, at, Frame()), world.graph.get_visible(cell_id)
        body.transient = TS_ACTIVE | TS_CONTACT | TS_ON_WALKABLE
        body.contact_plane, body.contact_plane_cell_id = Plane((0.0, 0.0, 1.0), -at[2]), cell_id
        body.calc_acceleration()
        self.body = body

    def _register(self, guid: int, cell_id: int, model_id: int, frame: Frame, state: int, *, is_static: bool) -> None:
        setup = self.world.setup(model_id)
        assert setup is not None
        shapes = shapes_from_setup(setup, 1.0)
        if is_static and any(part.gfxobj is not None and part.gfxobj.physics_tree is not None for part in setup.parts):
            state |= HAS_PHYSICS_BSP
        self.registry.register_multi_part(guid, cell_id, frame, shapes, state, 0, setup.sorting_sphere, is_static)

    @property
    def at(self) -> Vec3:
        return self.body.place.origin

    @property
    def cell_id(self) -> int:
        return self.body.place.cell_id

    def go(self, x: float, y: float) -> list[int]:
        """Walks towards a point until the body reaches it or is blocked; returns the cells on the way in order."""
        cells = [self.cell_id]
        for _ in range(1000):
            ox, oy, oz = self.at
            left = math.hypot(x - ox, y - oy)
            if left < 1e-3:
                break
            part = min(1.0, STRIDE / left)
            target = (ox + (x - ox) * part, oy + (y - oy) * part, oz)
            self.body.move_to(Place(self.cell_id, target, Frame()))
            if self.cell_id != cells[-1]:
                cells.append(self.cell_id)
            if math.dist(self.at, (ox, oy, oz)) < 1e-4:
                break
        return cells
