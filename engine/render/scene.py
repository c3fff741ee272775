"""The scene: the drawable content of a world, kept in step with it (rendering.md 13, 16 - 20).

    scene = Scene(sim.world, sim)
    scene.update(ahead=0.01)                   # once a frame, before it is drawn
    for part in scene.parts_in(cell_id): ...   # in the turn that visibility gives each cell

A scene only reads: it loads nothing and changes neither world nor simulation. A draw object stays the same object until
something changes it, and an edit replaces only what it touched. Landblocks are visited when one of their cells is first
requested.
"""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from engine.dat.records import DayGroup, Region
from engine.geometry.vec import Vec3
from engine.render.draws import (
    Daylight,
    DetailTexture,
    LightSource,
    PartDraw,
    ParticleDraw,
    ShellDraw,
    SkyDraw,
    TerrainDraw,
)
from engine.render.lamp_choice import LampChoice
from engine.render.light import MOST_LIGHTS, interior_ambient, lights_near, nearest, viewer_light
from engine.render.live_things import LivingThings
from engine.render.particles import Air, EmitterHost, Emitters
from engine.render.parts import Shapes
from engine.render.plain_day import plain_daylight
from engine.render.shells import building_shell, lights_on, lit, room_shell
from engine.render.sky import NOON, day_group, daylight, sky_draw
from engine.render.static_things import PartIndex, StandingThings, Versions
from engine.render.terrain import REGION_ID, TerrainLook, detail_texture, terrain_draw
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import Building, CellStruct, EnvCell
from engine.world.cells.ids import is_interior, is_land_cell, land_cell_column, land_cell_row, landblock_id
from engine.world.cells.terrain import SQUARES, Terrain
from engine.world.faults import Fault
from engine.world.graph.graph import CURRENT, GraphChange
from engine.world.landblock import Landblock, neighbour_ids
from engine.world.world import World


class Scene:
    """The drawable content. `time_of_day` in [0, 1), `day` and `seconds` (of drifting clouds and smoke) may be set at
    any time, and the time of day follows the simulation's whenever that is changed; `viewer_lit` gives the player
    the light that the client's viewer carries, `player_alpha` is the player's opacity, which falls as an eye comes
    too near (21.2)."""

    def __init__(self, world: World, sim: Simulation | None = None) -> None:
        """With a simulation the scene shows the simulation's own cells, even if `world` is the one it was made with."""
        if sim is not None:
            world = sim.world
        self.world = world
        self.sim = sim
        self.time_of_day = NOON if sim is None else sim.time_of_day
        self._told_time = self.time_of_day
        self.day = 0
        self.seconds = 0.0
        self.viewer_lit = True
        self.player_alpha = 1.0
        self.shapes = Shapes(world)
        self._faults: list[Fault] = []
        self._versions = Versions()
        self._index = PartIndex()
        self._standing = StandingThings(world, sim, self.shapes, self._index, self._versions)
        self._living = LivingThings(world, sim, self.shapes, self._index, self._versions)
        self._choice = LampChoice(world.graph, self._standing)
        self._shells: dict[int, ShellDraw] = {}
        self._baked_lamps: dict[int, int] = {}
        """The number of lamps when a room's walls were baked."""
        self._structures: dict[int, CellStruct] = {}
        self._building_shells: dict[int, tuple[Building, ShellDraw | None]] = {}
        self._terrain: dict[int, tuple[Terrain, TerrainDraw]] = {}
        self._wide_terrain: dict[int, dict[int, tuple[Terrain, TerrainDraw]]] = {}
        """The same of wider squares, by how many land cells they are wide."""
        self._region = _region_of(world)
        self._look: TerrainLook | None = None
        self._look_made = False
        self._detail: DetailTexture | None = None
        self._detail_made = False
        self._dirty: dict[int, None] = {}
        self._complete: set[int] = set()
        self._daylight: tuple[float, int, Daylight] | None = None
        self._landscape_light: Daylight | None = None
        self._air = Air(Emitters(world, self.shapes))
        world.graph.observe(self._graph_changed)
        self.update()

    def close(self) -> None:
        """Stop following the world."""
        self.world.graph.unobserve(self._graph_changed)

    @property
    def version(self) -> int:
        """Grows with every change to the drawn content."""
        return self._versions.last

    def faults(self) -> list[Fault]:
        """Faults of content that could not be drawn as recorded."""
        return [*self.shapes.materials.faults, *self.shapes.faults, *self._faults]

    # --- keeping up

    def update(self, ahead: float = 0.0) -> None:
        """Follow the simulation to `ahead` seconds after its last tick."""
        self._settle()
        if self._standing.is_behind():
            before = {block_id: self._standing.lamps(block_id) for block_id in self._standing.blocks()}
            self._standing.follow()
            self._versions.next_of_things()
            for block_id, lamps in before.items():
                self._relight(block_id, lamps)
        self._living.player_alpha = self.player_alpha
        self._living.follow(ahead)
        if self.sim is not None:
            self.seconds = self.sim.seconds + ahead
            if self.sim.time_of_day != self._told_time:
                self.time_of_day = self._told_time = self.sim.time_of_day

    def _graph_changed(self, change: GraphChange) -> None:
        if change.kind != CURRENT:
            self._dirty.update(dict.fromkeys(change.cell_ids))

    def _settle(self) -> None:
        """Make room for what the graph has changed since the last look."""
        if not self._dirty:
            return
        changed, self._dirty = sorted(self._dirty), {}
        self._complete.clear()
        self._living.look_again()
        for block_id in sorted({landblock_id(cell_id) for cell_id in changed}):
            cells = [cell_id for cell_id in changed if landblock_id(cell_id) == block_id]
            if not self._standing.has_block(block_id):
                self._standing.look_again(block_id)
            elif self._loaded(block_id) is self._standing.block(block_id):
                self._renew_cells(block_id, cells)
            else:
                self._forget_block(block_id)
        self._versions.next_of_things()

    def _forget_block(self, block_id: int) -> None:
        self._standing.drop_block(block_id)
        self._living.drop_block(block_id)
        self._terrain.pop(block_id, None)
        self._wide_terrain.pop(block_id, None)
        for key in [key for key, shell in self._shells.items() if shell.block_id == block_id]:
            self._forget_shell(key)
        for key in [key for key, (made, _) in self._building_shells.items() if landblock_id(made.cell_id) == block_id]:
            del self._building_shells[key]

    def _forget_shell(self, cell_id: int, after: CellStruct | None = None) -> None:
        """And its mesh, unless the structure stays, or is that of another room: edits make their own."""
        self._shells.pop(cell_id, None)
        self._baked_lamps.pop(cell_id, None)
        structure = self._structures.pop(cell_id, None)
        if structure is not None and all(other is not structure for other in (after, *self._structures.values())):
            self.shapes.meshes.forget(structure)

    def _renew_cells(self, block_id: int, cell_ids: list[int]) -> None:
        """Rooms that were edited: their shells, what stands in them, and the rooms that their lamps shine into."""
        before = self._standing.lamps(block_id)
        for cell_id in cell_ids:
            if is_interior(cell_id):
                cell = self.world.graph.peek(cell_id)
                room = cell if isinstance(cell, EnvCell) else None
                self._forget_shell(cell_id, None if room is None else room.structure)
                self._standing.replace_room(block_id, cell_id, room)
        self._relight(block_id, before)

    def _relight(self, block_id: int, before: tuple[LightSource, ...]) -> None:
        after = self._standing.lamps(block_id)
        changed = [lamp for lamp in (*before, *after) if (lamp in before) != (lamp in after)]
        for key, shell in self._shells.items():
            if changed and lights_on(shell, changed):
                self._bake(key, shell)

    def _loaded(self, block_id: int) -> Landblock | None:
        return self.world.landblock(block_id) if self.world.graph.is_loaded(block_id) else None

    def _ensure(self, block_id: int) -> bool:
        """Have what stands in a landblock; False while it is not loaded."""
        self._settle()
        if self._standing.has_block(block_id):
            return True
        block = self._loaded(block_id)
        if block is None:
            return False
        self._standing.add_block(block)
        self._versions.next_of_things()
        self._living.show_block(block_id)
        return True

    # --- rooms, buildings, ground

    def shell(self, cell_id: int) -> ShellDraw | None:
        """The walls of a loaded room; None for an id that is no room, and for a room without walls."""
        if not self._ensure(landblock_id(cell_id)):
            return None
        known = self._shells.get(cell_id)
        if known is not None:
            if self._baked_lamps[cell_id] == len(self._choice.lamps_for(known.block_id)):
                return known
            return self._bake(cell_id, known)
        cell = self.world.graph.peek(cell_id)
        if not isinstance(cell, EnvCell) or self.shapes.meshes.of(cell.structure).is_empty:
            return None
        lamps = self._choice.lamps_for(cell_id)
        made = room_shell(cell, self.shapes, lamps, self._versions.next())
        self._shells[cell_id], self._baked_lamps[cell_id] = made, len(lamps)
        self._structures[cell_id] = cell.structure
        return made

    def _bake(self, cell_id: int, shell: ShellDraw) -> ShellDraw:
        """Walls under other lamps. The client does it again only when there are more or fewer of them
        (rendering.md C5), and none of its lamps is ever edited."""
        lamps = self._choice.lamps_for(cell_id)
        self._baked_lamps[cell_id] = len(lamps)
        made = lit(shell, lamps, self._versions.last + 1)
        if made.light is not None and shell.light is not None and np.array_equal(made.light, shell.light):
            return shell
        self._versions.next()
        self._shells[cell_id] = made
        return made

    def rooms_beyond(self, cell_id: int) -> list[int]:
        """The rooms that the portals of a loaded room lead to."""
        cell = self.world.graph.peek(cell_id)
        portals = cell.portals if isinstance(cell, EnvCell) else []
        return [portal.other_cell_id for portal in portals if not portal.leads_outside]

    def building_shell(self, building: Building, block_id: int) -> ShellDraw | None:
        """A building's outside."""
        known = self._building_shells.get(building.id)
        if known is None or known[0] is not building:
            known = (building, building_shell(building, block_id, self.shapes, self._versions.next()))
            self._building_shells[building.id] = known
        return known[1]

    def terrain(self, block_id: int, across: int = 1) -> TerrainDraw | None:
        """The ground of a loaded landblock; None where it has none. Its squares are `across` land cells wide."""
        block_id = landblock_id(block_id)
        block = self._loaded(block_id)
        if block is None or block.terrain is None:
            return None
        if across > 1:
            return self._wide(block_id, block.terrain, across)
        known = self._terrain.get(block_id)
        if known is None or known[0] is not block.terrain:
            known = (block.terrain, terrain_draw(block.terrain, self.terrain_look, self._versions.next()))
            self._terrain[block_id] = known
        return known[1]

    def _wide(self, block_id: int, terrain: Terrain, across: int) -> TerrainDraw:
        own = self._wide_terrain.setdefault(block_id, {})
        known = own.get(across)
        if known is None or known[0] is not terrain:
            known = (terrain, terrain_draw(terrain, self.terrain_look, self._versions.next(), across))
            own[across] = known
        return known[1]

    @property
    def terrain_look(self) -> TerrainLook | None:
        """The textures and masks that ground is drawn with; None where it is drawn in plain colours."""
        if not self._look_made:
            self._look_made = True
            self._look = None if self._region is None else TerrainLook(self.world, self._region, self._faults)
        return self._look

    @property
    def detail_texture(self) -> DetailTexture | None:
        """The detail texture that a preset of the client draws over the walls of rooms; None where the region has
        none."""
        if not self._detail_made:
            self._detail_made = True
            self._detail = None if self._region is None else detail_texture(self.world, self._region)
        return self._detail

    # --- objects

    def parts_in(self, cell_id: int) -> list[PartDraw]:
        """The parts that a loaded cell lists, hidden ones too, in the order of their objects. The list is the scene's
        own."""
        if self._dirty or cell_id not in self._complete:
            self._settle()
            self._complete_cell(cell_id)
        return self._index.in_cell(cell_id)

    def parts_on_land(self, block_id: int) -> dict[int, list[PartDraw]]:
        """The lists of `parts_in` for those land cells of a landblock that list anything, by id. The dictionary stays
        the same object for as long as all of these lists do."""
        if self._dirty or block_id not in self._complete:
            self._settle()
            for near_id in (block_id, *neighbour_ids(block_id)):
                self._ensure(near_id)
            self._complete.add(block_id)
        return self._index.on_land(block_id)

    def _complete_cell(self, cell_id: int) -> None:
        """Prepare everything that may reach into a cell; at a border that includes things beyond it."""
        block_id = landblock_id(cell_id)
        self._ensure(block_id)
        if is_land_cell(cell_id) and _on_border(cell_id):
            for neighbour_id in neighbour_ids(block_id):
                self._ensure(neighbour_id)
        self._complete.add(cell_id)

    def parts_of(self, object_id: int) -> list[PartDraw]:
        """The parts of one object, if its landblock has been gone through."""
        return self._index.of_object(object_id)

    def particles_in(self, cell_id: int) -> list[ParticleDraw]:
        """The live particles of the emitters in a cell at `seconds`; drawn in the turn of the cell."""
        self._ensure(landblock_id(cell_id))
        return self._air.in_cell(cell_id, self.seconds, self._versions.of_things, self._places)

    def particle_cells(self) -> Container[int]:
        """The cells of emitters in the landblocks that have been gone through: no others have particles."""
        return self._air.cells(self.seconds, self._versions.of_things, self._places)

    def particles(self) -> list[ParticleDraw]:
        """The same of all landblocks that have been gone through."""
        return self._air.everywhere(self.seconds, self._versions.of_things, self._places)

    def _places(self) -> list[EmitterHost]:
        return [*self._standing.places(), *self._living.places()]

    # --- light and sky

    def daylight(self) -> Daylight:
        """Sun, ambient light and fog at the time of day."""
        known = self._daylight
        if known is None or known[:2] != (self.time_of_day, self.day):
            time = self.time_of_day
            light = plain_daylight(time) if self._region is None else daylight(self._day_group(), time)
            known = (time, self.day, light)
            self._daylight = known
        return known[2]

    def sky(self) -> SkyDraw:
        """The objects in the sky at the time of day."""
        return sky_draw(self.world, self.shapes, self._day_group(), self.daylight(), self.seconds)

    def ambient_inside(self, sees_outside: bool | None = None) -> Vec3:
        """The ambient light of all rooms in a frame. By default as the player's cell has it; without a player as if
        there were a view to the outdoors."""
        if sees_outside is None:
            current = self.world.graph.current
            sees_outside = current is None or current.seen_outside
        return interior_ambient(self.daylight(), sees_outside)

    def light_of_landscape(self, seen: bool) -> Daylight:
        """Sun, ambient light and fog as the landscape had them last: its clock stands while it is not `seen`, be it in
        a view, and before it was, there is that of a world without keyframes (rendering.md C2)."""
        if seen:
            self._landscape_light = self.daylight()
        return self._landscape_light or daylight(None, NOON)

    def forget_light(self) -> None:
        """Forget the light of the landscape and of walls, which otherwise keep their baked light for as long as the
        number of lamps stays the same."""
        self._landscape_light = None
        self._baked_lamps = dict.fromkeys(self._baked_lamps, -1)

    def static_lights(self, block_id: int) -> tuple[LightSource, ...]:
        """The lamps that light what stands in the rooms of a landblock, and that their walls have baked in."""
        return self._choice.lamps_for(block_id) if self._ensure(landblock_id(block_id)) else ()

    def dynamic_lights(self) -> list[LightSource]:
        """The lamps of entities, and the viewer's own while he has one; the nearest to the player come first."""
        carried = self._living.lamps()
        sim = self.sim
        if self.viewer_lit and sim is not None and sim.population.player.place_cell() != 0:
            player = sim.population.player
            carried.append(viewer_light(player.place_cell(), player.origin()))
        if sim is not None and len(carried) > 1 and sim.population.player.place_cell() != 0:
            player = sim.population.player
            carried = nearest(carried, player.place_cell(), player.origin())
        return carried

    def lights_near(self, block_id: int, center: Vec3, radius: float, most: int = MOST_LIGHTS) -> list[LightSource]:
        """The lights of an object in a room: dynamic lamps first (20.4)."""
        return lights_near([*self.dynamic_lights(), *self.static_lights(block_id)], block_id, center, radius, most)

    def _day_group(self) -> DayGroup | None:
        return day_group(self._region, self.day)


def _on_border(cell_id: int) -> bool:
    """Whether a land cell touches another landblock."""
    last = SQUARES - 1
    return land_cell_column(cell_id) in (0, last) or land_cell_row(cell_id) in (0, last)


def _region_of(world: World) -> Region | None:
    region = world.record(REGION_ID)
    return region if isinstance(region, Region) else None
