"""Inspector overlays: what the flood, the physics and the selection look like over the picture (rendering.md 23).

Pure data: `geometry` says what there is to draw, `engine.render.gl` and the viewport draw it.
"""

from engine.render.overlays.geometry import Colour, Label, Lines, OverlayGeometry, ScreenPolygon, Triangles

__all__ = ["Colour", "Label", "Lines", "OverlayGeometry", "ScreenPolygon", "Triangles"]
