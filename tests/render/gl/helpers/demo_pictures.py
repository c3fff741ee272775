"""Small test pictures of the demo world from its named spots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.build.demo import SPOTS, ensure_demo
from engine.geometry.vec import Vec3
from engine.render.gl.offscreen import OffscreenTarget
from engine.render.gl.renderer import STANDARD, DrawOptions, GlRenderer
from engine.render.scene import Scene
from engine.sim.edits.player import Teleport
from engine.sim.tick.simulation import Simulation
from engine.visibility.camera import Camera, focal_of_fov, focal_of_screen, looking
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions, FrameResult
from engine.visibility.store import CellManager
from engine.visibility.world_view import WorldView
from engine.world.loader import open_world
from engine.world.world import World

Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]

WIDTH, HEIGHT = 480, 300
EYE_HEIGHT = 1.5
PLAYER_AT = "ledge"
"""For pictures without the player."""
MAGENTA = DrawOptions(clear=(1.0, 0.0, 1.0))


@dataclass(frozen=True)
class Look:
    """An eye above a spot of the demo world, turned from the spot's own heading."""

    place: str
    turn: float = 0.0
    pitch: float = 0.0

    @property
    def root_id(self) -> int:
        return SPOTS[self.place].cell_id

    @property
    def eye(self) -> Vec3:
        x, y, z = SPOTS[self.place].origin
        return (x, y, z + EYE_HEIGHT)

    def camera(self, width: int = WIDTH, height: int = HEIGHT) -> Camera:
        """With the client's field of view."""
        heading = SPOTS[self.place].heading + self.turn
        focal = focal_of_screen(float(width), float(height))
        return looking(self.root_id, self.eye, heading, self.pitch, float(width), float(height), focal)


def camera_at(
    cell_id: int, eye: Vec3, heading: float, pitch: float = 0.0, width: int = WIDTH, height: int = HEIGHT
) -> Camera:
    """For spots where single pixels matter, each found with this focal length."""
    focal = focal_of_fov(float(height), 1.178)
    return looking(cell_id, eye, heading, pitch, float(width), float(height), focal)


class DemoPictures:
    """The demo world with a renderer that keeps its uploads."""

    def __init__(self, kind: Callable[[World, Simulation], Scene] = Scene) -> None:
        self.sim = Simulation(open_world(ensure_demo()))
        self.world = self.sim.world
        self.stand_aside()
        self.scene = kind(self.world, self.sim)
        self.world_view = WorldView(self.world)
        self.driver = FrameDriver(self.world_view, Visibility(self.world.graph))
        self.renderer = GlRenderer(self.scene)
        self._cells = CellManager(self.world.graph)
        self.target = OffscreenTarget(WIDTH, HEIGHT)

    @property
    def player(self) -> frozenset[int]:
        """The player alone, to leave him out of a picture."""
        return frozenset([self.sim.population.player.id])

    def stand_at(self, look: Look) -> None:
        """The player is at the eye: lamps, ambient light and weather follow him."""
        spot = SPOTS[look.place]
        self.sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))

    def stand_aside(self) -> None:
        self.stand_at(Look(PLAYER_AT))

    def close(self) -> None:
        self.renderer.close()
        self.target.close()
        self.scene.close()
        self.sim.close()
        self.world.loaded.close()

    def look(self, look: Look, exact: bool = False, options: DrawOptions = STANDARD) -> Picture:
        return self.picture(self.frame(look.camera(), look.root_id, exact), options)

    def frame(self, camera: Camera, root_id: int, exact: bool = False) -> FrameResult:
        self._cells.change_position(root_id, camera.eye_in(root_id))
        return self.driver.frame_events(camera, root_id, FrameOptions(exact))

    def picture(self, frame: FrameResult, options: DrawOptions = STANDARD) -> Picture:
        """(height, width, 3)."""
        self.scene.update()
        self.renderer.draw(frame, self.target.framebuffer, options)
        picture: Picture = self.target.pixels()[:, :, :3].copy()
        return picture


def magenta(picture: Picture) -> int:
    """How many pixels of a picture cleared to MAGENTA were not drawn."""
    return int((picture == (255, 0, 255)).all(axis=2).sum())


def far_apart(a: Picture, b: Picture, by: int = 24) -> Mask:
    """Pixels whose colours differ by more than this in a channel."""
    apart: Mask = np.abs(a.astype(np.int16) - b.astype(np.int16)).max(axis=2) > by
    return apart
