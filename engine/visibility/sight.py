"""An eye looking at openings: GetClip (rendering.md 6.1, 6.3, 9)."""

from __future__ import annotations

from engine.geometry.plane import BEHIND, CLOSE
from engine.geometry.vec import Vec3
from engine.visibility.camera import Camera
from engine.visibility.clip import RETAIL_DEPTH, ROBUST_DEPTH, poly_clip_finish, robust_piece
from engine.visibility.openings import PortalOpening
from engine.visibility.view import ScreenPoint, ViewPoly


class BlockCamera:
    """A camera in the coordinates of one landblock."""

    camera: Camera
    block_id: int
    eye: Vec3
    robust: bool
    least_depth: float

    def __init__(self, camera: Camera, block_id: int, robust: bool) -> None:
        self.camera = camera
        self.block_id = block_id
        self.eye = camera.eye_in(block_id)
        self.robust = robust
        self.least_depth = ROBUST_DEPTH if robust else RETAIL_DEPTH

    def project(self, opening: PortalOpening) -> list[ScreenPoint]:
        """The corners of an opening on the screen, in their order."""
        ex, ey, ez = self.eye
        camera = self.camera
        return [camera.project_offset(c.x - ex, c.y - ey, c.z - ez) for c in opening.corners]


class Aperture:
    """An opening as one eye sees it: on which side of its plane the eye is, and its outline on the screen."""

    opening: PortalOpening
    sight: BlockCamera
    side: int
    stood_in: bool
    _points: list[ScreenPoint] | None
    _reversed: list[ScreenPoint] | None

    def __init__(self, opening: PortalOpening, sight: BlockCamera) -> None:
        """Prepare to look through a usable opening."""
        self.opening = opening
        self.sight = sight
        self.side = opening.side(sight.eye)
        self.stood_in = self.side == CLOSE and sight.robust and opening.holds(sight.eye)
        self._points = None
        self._reversed = None

    def get_clip(self, side: int, view: ViewPoly) -> list[ScreenPoint]:
        """The part of the opening within a view, for an eye that looks through it from `side`; it may be empty."""
        if self.stood_in:
            opening = self.opening
            return robust_piece(opening.nx, opening.ny, opening.nz, side, view, self.sight.camera)
        return poly_clip_finish(self._outline(side), view, self.sight.least_depth)

    def _outline(self, side: int) -> list[ScreenPoint]:
        """The corners on the screen, counter-clockwise for an eye on that side."""
        points = self._points
        if points is None:
            points = self.sight.project(self.opening)
            self._points = points
        if side != BEHIND:
            return points
        turned = self._reversed
        if turned is None:
            turned = points[::-1]
            self._reversed = turned
        return turned
