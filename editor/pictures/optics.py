"""The position and the optics of an eye, as people write them."""

from __future__ import annotations

from math import isfinite
from typing import Final

from editor.reports.visible_cells import Names
from engine.geometry.vec import Vec3
from engine.visibility.camera import Camera, focal_of_screen, looking
from engine.world.cells.ids import WHOLE_BLOCK, cell_text, low_of, parse_cell_id
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.faults import WorldError
from engine.world.loader.portal_scene import MAX_PIXELS, PortalSceneSource
from engine.world.world import World

SIZE: Final = (1280.0, 800.0)
STRAIGHT_UP: Final = 90.0
FARTHEST: Final = 1e6
"""Metres; no eye is farther from its landblock."""


class PictureSize:
    """The size of the picture and its focal length in pixels; None where not given."""

    def __init__(self, size: tuple[float, float] | None = None, focal: float | None = None) -> None:
        self.size = size
        self.focal = focal

    def or_else(self, other: PictureSize) -> PictureSize:
        size = other.size if self.size is None else self.size
        return PictureSize(size, other.focal if self.focal is None else self.focal)

    def camera(self, block_id: int, eye: Vec3, heading: float, pitch: float) -> Camera:
        width, height = SIZE if self.size is None else self.size
        focal = focal_of_screen(width, height) if self.focal is None else self.focal
        return looking(block_id, eye, heading, pitch, width, height, focal)


def screen_of(world: World) -> PictureSize:
    """The picture size that a file of scenes was made for."""
    source = world.source
    return PictureSize(source.viewport, source.focal) if isinstance(source, PortalSceneSource) else PictureSize()


def parse_size(text: str) -> tuple[float, float]:
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal()):
        raise WorldError(f"{text!r} is not a size: write 1280x800")
    return (checked_pixels(float(width)), checked_pixels(float(height)))


def checked_pixels(value: float) -> float:
    if not 0.0 < value <= MAX_PIXELS:
        raise WorldError(f"{value:g} is not a number of pixels: it goes up to {MAX_PIXELS:g}")
    return value


def checked_degrees(value: float) -> float:
    if not isfinite(value):
        raise WorldError(f"{value:g} is not an angle")
    return value


def checked_pitch(value: float) -> float:
    if not -STRAIGHT_UP <= checked_degrees(value) <= STRAIGHT_UP:
        raise WorldError(f"a pitch of {value:g} is beyond straight up or down: it goes from -90 to 90")
    return value


def parse_eye(text: str) -> Vec3:
    try:
        x, y, z = (float(part) for part in text.split(","))
    except ValueError as error:
        raise WorldError(f"{text!r} is not a point: write X,Y,Z in metres") from error
    return checked_eye((x, y, z))


def checked_eye(eye: Vec3) -> Vec3:
    if not all(abs(value) <= FARTHEST for value in eye):
        raise WorldError(f"{eye[0]:g},{eye[1]:g},{eye[2]:g} is nowhere")
    return eye


def names_of(world: World) -> Names:
    """The names of a scene's rooms; other worlds' cells are known by their ids."""
    return world.source.names if isinstance(world.source, PortalSceneSource) else {}


def named_cell(world: World, text: str) -> int:
    """The id of a cell that is named by its id, or by its name in a scene; it need not be loaded."""
    source = world.source
    if isinstance(source, PortalSceneSource):
        named = source.ids.get(text)
        if named is not None and world.graph.get_visible(named) is not None:
            return named
        if not text.lower().startswith("0x"):
            rooms = ", ".join(source.names[cell.id] for cell in source.cells)
            raise WorldError(f"has no room {text!r}: {rooms}", world.name)
    return parse_cell_id(text)


def root_of(world: World, text: str, eye: Vec3) -> int:
    """Load the named cell. A landblock stands for the land cell below the eye."""
    cell_id = named_cell(world, text)
    if low_of(cell_id) == WHOLE_BLOCK:
        cell_id = get_outside_cell_id(cell_id, eye)
    if world.graph.get_visible(cell_id) is None:
        raise WorldError(f"has no cell {cell_text(cell_id) if cell_id else text}", world.name)
    return cell_id
