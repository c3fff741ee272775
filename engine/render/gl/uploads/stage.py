"""Keeps the uploads in step with the draw objects of a scene (`engine.render.draws`).

Things are uploaded when they are first drawn. A draw object is never changed but replaced, so an identity check is
enough to know that nothing has to be sent.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.render.draws import (
    AS_AUTHORED,
    Daylight,
    DetailTexture,
    LightSource,
    Owner,
    PartDraw,
    ParticleDraw,
    ShellDraw,
    SkyDraw,
    SkyObjectDraw,
    TerrainDraw,
)
from engine.render.gl.lamps import lamp_light
from engine.render.gl.uploads.particles import Swarms
from engine.render.gl.uploads.placed import NO_LAMPS, Contents, Lot, Placed
from engine.render.gl.uploads.tables import WORLD, place_row
from engine.render.gl.uploads.textures import Detail
from engine.render.gl.uploads.things import Thing, Things
from engine.render.levels import level_at
from engine.render.light import MOST_LIGHTS, counts_on, lights_near
from engine.render.parts import facing_frame
from engine.visibility.camera import Camera
from engine.world.cells.cell import Building

KEPT: Final = 600
"""Frames after which a thing that is no longer drawn is released."""
SWEEP: Final = 128
"""Frames between two looks for such things."""


class DrawableScene(Protocol):
    """The part of `engine.render.scene.Scene` that uploads need."""

    def shell(self, cell_id: int) -> ShellDraw | None: ...
    def building_shell(self, building: Building, block_id: int) -> ShellDraw | None: ...
    @property
    def detail_texture(self) -> DetailTexture | None: ...
    def rooms_beyond(self, cell_id: int) -> list[int]: ...
    def terrain(self, block_id: int, across: int = 1) -> TerrainDraw | None: ...
    def parts_in(self, cell_id: int) -> list[PartDraw]: ...
    def parts_on_land(self, block_id: int) -> dict[int, list[PartDraw]]: ...
    def particles_in(self, cell_id: int) -> list[ParticleDraw]: ...
    def particle_cells(self) -> Container[int]: ...
    def daylight(self) -> Daylight: ...
    def sky(self) -> SkyDraw: ...
    def static_lights(self, block_id: int) -> tuple[LightSource, ...]: ...
    def dynamic_lights(self) -> list[LightSource]: ...


Key = tuple[str, int, int]


class Stage:
    """Everything of a scene that was uploaded."""

    def __init__(self, scene: DrawableScene, things: Things) -> None:
        self.scene = scene
        self.things = things
        self.solid_colours = False
        """Draw plain colours in rooms and buildings too, which the client leaves out (16.3)."""
        self.levels_of_detail = False
        """Parts are drawn in the level for their distance, as the client may; otherwise in the first one (M4)."""
        self._placed: dict[Key, Placed] = {}
        self._contents: dict[int, Contents] = {}
        self._lots: dict[int, Lot] = {}
        self._swarms = Swarms(things)
        self._sky: dict[int, tuple[SkyObjectDraw, Thing]] = {}
        self._lamps: dict[int, tuple[LightSource, ...]] = {}
        self._last_lamps: dict[int, tuple[LightSource, ...]] = {}
        self._moving: list[LightSource] = []
        self._lamp_turn = 0
        """Grows with every change to the lamps that move."""
        self._detail: Detail | None = None
        self._frame = 0

    def begin(self) -> None:
        """A new frame."""
        self._frame += 1
        self._lamps.clear()
        moving = self.scene.dynamic_lights()[:MOST_LIGHTS]
        if moving != self._moving:
            self._moving = moving
            self._lamp_turn += 1
        if self._frame % SWEEP == 0:
            self._sweep()

    def count(self) -> int:
        """The number of things of rooms and cells in the buffers."""
        return len(self._placed)

    def _sweep(self) -> None:
        self._contents.clear()
        self._lots.clear()
        self._swarms.sweep(self._frame - KEPT)
        old = [key for key, placed in self._placed.items() if placed.frame < self._frame - KEPT]
        for key in old:
            self.things.remove(self._placed.pop(key).thing)

    def show_solid_colours(self, shown: bool) -> None:
        """Rooms and buildings are made afresh when this changes."""
        if shown != self.solid_colours:
            self.solid_colours = shown
            for key in [key for key in self._placed if key[0] != "part"]:
                self.things.remove(self._placed.pop(key).thing)

    def show_levels(self, shown: bool) -> None:
        """Parts are made afresh when this changes."""
        if shown != self.levels_of_detail:
            self.levels_of_detail = shown
            self._contents.clear()
            self._lots.clear()
            for key in [key for key in self._placed if key[0] == "part"]:
                self.things.remove(self._placed.pop(key).thing)

    # --- rooms and buildings

    def room(self, cell_id: int) -> Placed | None:
        draw = self.scene.shell(cell_id)
        return None if draw is None else self._shell(("room", cell_id, 0), draw)

    def building(self, building: Building, block_id: int) -> Placed | None:
        draw = self.scene.building_shell(building, block_id)
        return None if draw is None else self._shell(("building", draw.key, 0), draw)

    def _shell(self, key: Key, draw: ShellDraw) -> Placed:
        placed = self._placed.get(key)
        if placed is None or placed.draw is not draw:
            placed = self._renew_shell(key, draw, placed)
        placed.frame = self._frame
        return placed

    def _renew_shell(self, key: Key, draw: ShellDraw, placed: Placed | None) -> Placed:
        row = place_row(draw.block_id, draw.frame)
        if placed is not None and placed.draw.mesh is draw.mesh and placed.draw.materials == draw.materials:
            self.things.move(placed.thing, row)
            self.things.set_light(placed.thing, draw.light)
            placed.stand(draw)
            return placed
        if placed is not None:
            self.things.remove(placed.thing)
        drawn = [
            material.drawn_in_cells or (self.solid_colours and not subset.bare)
            for subset, material in zip(draw.mesh.subsets, draw.materials, strict=True)
        ]
        thing = self.things.add(draw.mesh, draw.materials, row, light=draw.light, drawn=drawn, tight=True)
        placed = self._placed[key] = Placed(draw, thing)
        return placed

    # --- parts

    def contents(self, cell_id: int) -> Contents:
        """The draws of the things in a cell."""
        return self._contents_of(cell_id, self.scene.parts_in(cell_id))

    def _contents_of(self, cell_id: int, listed: list[PartDraw]) -> Contents:
        known = self._contents.get(cell_id)
        if known is None or known.listed is not listed:
            parts = [self.part(draw) for draw in listed if not draw.hidden and draw.alpha > 0.0]
            known = self._contents[cell_id] = Contents(listed, parts)
        return known

    def lot(self, block_id: int) -> Lot:
        """The same of all land cells of a landblock."""
        listed = self.scene.parts_on_land(block_id)
        known = self._lots.get(block_id)
        if known is None or known.listed is not listed:
            contents = {cell_id: self._contents_of(cell_id, own) for cell_id, own in listed.items()}
            known = self._lots[block_id] = Lot(listed, contents)
        return known

    def keep(self, placed: Placed) -> None:
        """Mark it as drawn in this frame."""
        if placed.frame != self._frame:
            placed.frame = self._frame
            draw = placed.draw
            if placed.is_inside and isinstance(draw, PartDraw):
                if self._is_lit_otherwise(placed, draw):
                    self._light(placed, draw)
                elif placed.lamp_turn != self._lamp_turn:
                    self._light_by_moving(placed, draw)

    def part(self, draw: PartDraw) -> Placed:
        key: Key = ("part", *draw.key)
        placed = self._placed.get(key)
        if placed is None or placed.draw is not draw:
            placed = self._renew_part(key, draw, placed)
        else:
            placed.stand(draw)  # the cells that it is in may be others
            self.keep(placed)  # and the lamps
        placed.frame = self._frame
        return placed

    def _renew_part(self, key: Key, draw: PartDraw, placed: Placed | None) -> Placed:
        row = place_row(draw.block_id, draw.frame, draw.alpha)
        old = None if placed is None else placed.draw
        if (
            placed is not None
            and isinstance(old, PartDraw)
            and old.mesh is draw.mesh
            and old.materials == draw.materials
            and old.scale == draw.scale
        ):
            self.things.move(placed.thing, row)
            placed.stand(draw)
        else:
            if placed is not None:
                self.things.remove(placed.thing)
            placed = self._placed[key] = Placed(draw, self.things.add(draw.mesh, draw.materials, row, draw.scale))
        self._light(placed, draw)
        return placed

    def _lamps_of(self, block_id: int) -> tuple[LightSource, ...]:
        """The lamps of a landblock's rooms; the same object as long as they are the same."""
        lamps = self._lamps.get(block_id)
        if lamps is None:
            found = self.scene.static_lights(block_id)
            lamps = self._last_lamps.get(block_id, NO_LAMPS)
            if found != lamps:
                lamps = self._last_lamps[block_id] = found
            self._lamps[block_id] = lamps
        return lamps

    def _is_lit_otherwise(self, placed: Placed, draw: PartDraw) -> bool:
        """Other static lamps count, or moving ones have come or gone that take the place of some."""
        if placed.lamps is not self._lamps_of(draw.block_id):
            return True
        return placed.static_lamps + len(self._moving) > MOST_LIGHTS and placed.moving_lamps != self._reaching(draw)

    def _reaching(self, draw: PartDraw) -> int:
        """The number of moving lamps that light a part."""
        return len(lights_near(self._moving, draw.block_id, draw.sphere.center, draw.sphere.radius))

    def _light(self, placed: Placed, draw: PartDraw) -> None:
        """Light a part in a room by static lamps (20.5), after the moving ones."""
        placed.lamps = self._lamps_of(draw.block_id) if placed.is_inside else NO_LAMPS
        reached = lights_near(placed.lamps, draw.block_id, draw.sphere.center, draw.sphere.radius)
        placed.static_lamps = len(reached)
        placed.moving_lamps = self._reaching(draw) if reached else 0
        lights = reached[: MOST_LIGHTS - placed.moving_lamps]
        mesh = placed.thing.mesh
        self.things.set_light(placed.thing, lamp_light(mesh, draw.frame, draw.scale, draw.block_id, lights))
        self._light_by_moving(placed, draw)

    def _light_by_moving(self, placed: Placed, draw: PartDraw) -> None:
        """Light a part by the moving lamps that are nearer than falloff and radius (rendering.md C5)."""
        placed.lamp_turn = self._lamp_turn
        center, radius = draw.sphere.center, draw.sphere.radius
        counting = [counts_on(lamp, draw.block_id, center, radius) for lamp in self._moving]
        self.things.light_by(placed.thing, sum(1 << number for number, counts in enumerate(counting) if counts))

    def choose_level(self, placed: Placed, distance: float) -> bool:
        """Have it in the level of detail for a distance, once in a frame; False: nothing is drawn of it there."""
        draw = placed.draw
        if not isinstance(draw, PartDraw) or draw.levels is None or draw.owner is Owner.PLAYER:
            return True
        if placed.levelled != self._frame:
            placed.levelled = self._frame
            self._change_level(placed, draw, level_at(draw.levels.table, distance, draw.scale[2]))
        shown = draw.levels.shown(placed.level)
        placed.turns = shown is not None and shown.billboard != AS_AUTHORED
        return shown is not None

    def _change_level(self, placed: Placed, draw: PartDraw, level: int) -> None:
        shown = None if draw.levels is None else draw.levels.shown(level)
        placed.level = level
        if shown is None or (placed.thing.mesh is shown.mesh and placed.thing.materials == list(shown.materials)):
            return
        self.things.remove(placed.thing)
        row = place_row(draw.block_id, draw.frame, draw.alpha)
        placed.thing = self.things.add(shown.mesh, shown.materials, row, draw.scale)
        self._light(placed, draw)

    def face(self, placed: Placed, camera: Camera) -> None:
        """Turn a billboard to the eye (18.5)."""
        draw = placed.draw
        if isinstance(draw, PartDraw):
            shown = draw.levels.shown(placed.level) if placed.level and draw.levels is not None else None
            billboard = draw.billboard if shown is None else shown.billboard
            turned = facing_frame(draw.frame, billboard, camera.eye_in(draw.block_id))
            self.things.move(placed.thing, place_row(draw.block_id, turned, draw.alpha))

    # --- detail

    def detail(self) -> Detail | None:
        """The detail texture of walls, where it was uploaded; None without one."""
        if self._detail is None:
            found = self.scene.detail_texture
            if found is not None:
                self._detail = Detail(*self.things.pictures.acquire(found.pixels), found.tiling)
        return self._detail

    # --- particles

    def emitting_cells(self) -> Container[int]:
        """The cells with emitters; call it after `contents` of a cell, which creates them."""
        return self.scene.particle_cells()

    def particles(self, draw: ParticleDraw, camera: Camera) -> Placed:
        return Placed(draw, self._swarms.thing(draw, camera.eye_in(draw.block_id), self._frame))

    # --- the sky

    def sky_object(self, draw: SkyObjectDraw) -> Thing:
        """Something in the sky; its place is a turn alone."""
        known = self._sky.get(draw.index)
        row = sky_row(draw)
        if known is not None and known[0].mesh is draw.mesh and known[0].materials == draw.materials:
            self.things.move(known[1], row)
            self._sky[draw.index] = (draw, known[1])
            return known[1]
        if known is not None:
            self.things.remove(known[1])
        thing = self.things.add(draw.mesh, draw.materials, row)
        self._sky[draw.index] = (draw, thing)
        return thing


def sky_row(draw: SkyObjectDraw) -> NDArray[np.float32]:
    return place_row(WORLD, Frame((0.0, 0.0, 0.0), draw.rotation))
