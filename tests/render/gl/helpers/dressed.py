"""A hall that an eye looks along to the north, with a given shell and a square pane in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.build import Material as Paint
from engine.build import Mesh as Built
from engine.build import WorldBuilder, rect
from engine.build.materials import TextureImage
from engine.build.shapes.faces import Face
from engine.build.shapes.solids import passable
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.render.draws import Daylight, LightSource, PartDraw, ShellDraw
from engine.render.gl.renderer import STANDARD, DrawOptions, GlRenderer
from engine.render.materials import Material
from engine.render.scene import Scene
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions
from engine.visibility.world_view import WorldView
from engine.world.loader import open_world
from engine.world.world import World
from tests.render.gl.conftest import Targets
from tests.render.gl.helpers.demo_pictures import camera_at
from tests.render.gl.helpers.meshes import mesh_of, square

SIZE = 64
DETAIL = "detail"
EYE: Vec3 = (3.0, 1.0, 1.5)

SOUTHERN = Daylight(0.5, (0.0, -0.5, 0.0), (1.0, 1.0, 1.0), 0.2, (1.0, 1.0, 1.0), None, (0.0, 0.0, 0.0))
"""The sun that the landscape had last: it lights deferred surfaces in the hall."""

Pixels = NDArray[np.int32]

Panes = Sequence[tuple[float, Material]]
"""Metres north of the world's corner, and how the panes are drawn."""


class DressedScene(Scene):
    """`shell` holds the panes of the hall's walls, `stands` the material of the thing in it."""

    def __init__(self, world: World, shell: Panes, stands: Material | None) -> None:
        self.hall_id = 0
        self._panes, self._stands = shell, stands
        self.lamps_that_move: Sequence[LightSource] = ()
        self._own_shell: ShellDraw | None = None
        self._own_parts: dict[int, list[PartDraw]] = {}
        super().__init__(world)

    def shell(self, cell_id: int) -> ShellDraw | None:
        if cell_id != self.hall_id:
            return None
        if self._own_shell is None:
            squares = [[square((3.0, y, 1.5), (2.0, 0.0, 0.0), (0.0, 0.0, 2.0))] for y, _ in self._panes]
            materials = tuple(material for _, material in self._panes)
            ball = Sphere((3.0, 5.0, 1.5), 10.0)
            self._own_shell = ShellDraw(cell_id, cell_id, mesh_of(*squares), materials, Frame(), ball, None, 1)
        return self._own_shell

    def parts_in(self, cell_id: int) -> list[PartDraw]:
        if cell_id not in self._own_parts:
            parts, dress = super().parts_in(cell_id), self._stands
            self._own_parts[cell_id] = (
                parts if dress is None else [replace(part, materials=(dress,) * len(part.materials)) for part in parts]
            )
        return self._own_parts[cell_id]

    def light_of_landscape(self, seen: bool) -> Daylight:
        return SOUTHERN

    def dynamic_lights(self) -> list[LightSource]:
        return list(self.lamps_that_move)


class Hall:
    """Its world, with a square of side `size` at `stands_at` metres to the north, if there is one."""

    def __init__(
        self,
        folder: Path,
        targets: Targets,
        stands_at: float | None = None,
        size: float = 3.0,
        detail: tuple[TextureImage, int] | None = None,
    ) -> None:
        image, tiling = detail or (None, 1)
        builder = WorldBuilder(textures=lambda name: image if name == DETAIL else None)
        ground = builder.region.ground
        for kind, look in list(ground.items()):
            ground[kind] = replace(look, detail=None if detail is None else DETAIL, detail_tiling=tiling)
        builder.define(Paint("paint", (0, 255, 0)))
        hall = builder.room("hall", rect(0.0, 0.0, 6.0, 20.0))
        builder.doorway(hall, builder.room("study", rect(6.2, 0.0, 6.0, 6.0)))
        if stands_at is not None:
            half = size / 2.0
            low, high = EYE[2] - half, EYE[2] + half
            corners = ((-half, 0.0, low), (half, 0.0, low), (half, 0.0, high), (-half, 0.0, high))
            hall.put(Built.of("pane", passable([Face(corners, "paint", fit=True)])), (EYE[0], stands_at))
        built = builder.build()
        self.hall_id = built.cell_id("hall")
        built.write(folder)
        self._folder = folder
        self._targets = targets

    def middle(
        self,
        shell: Panes,
        stands: Material | None = None,
        options: DrawOptions = STANDARD,
        exact: bool = False,
        lamps: Sequence[LightSource] = (),
    ) -> tuple[int, int, int]:
        """The colour at the centre of the picture."""
        red, green, blue = self.picture(shell, stands, options, exact, lamps)[SIZE // 2, SIZE // 2].tolist()
        return red, green, blue

    def picture(
        self,
        shell: Panes,
        stands: Material | None = None,
        options: DrawOptions = STANDARD,
        exact: bool = False,
        lamps: Sequence[LightSource] = (),
    ) -> Pixels:
        """The whole picture."""
        return self.pictures(shell, stands, options, exact, [lamps])[0]

    def pictures(
        self,
        shell: Panes,
        stands: Material | None,
        options: DrawOptions,
        exact: bool,
        lamps: Sequence[Sequence[LightSource]],
    ) -> list[Pixels]:
        """The pictures of several frames in a row, each with its own lamps."""
        found: list[Pixels] = []
        with open_world(self._folder) as opened:
            opened.graph.load_landblock(self.hall_id)
            frames = FrameDriver(WorldView(opened), Visibility(opened.graph))
            camera = camera_at(self.hall_id, EYE, 0.0, 0.0, SIZE, SIZE)
            target, scene = self._targets(SIZE, SIZE), DressedScene(opened, shell, stands)
            scene.hall_id = self.hall_id
            renderer = GlRenderer(scene)
            for those in lamps:
                scene.lamps_that_move = those
                frame = frames.frame_events(camera, self.hall_id, FrameOptions(exact))
                renderer.draw(frame, target.framebuffer, options)
                found.append(target.pixels()[:, :, :3].astype(np.int32))
            renderer.close()
            scene.close()
        return found
