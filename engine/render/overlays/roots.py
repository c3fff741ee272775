"""The overlay of a frame's two roots: the rooms that only one of them sees (rendering.md 21.3)."""

from __future__ import annotations

from typing import Final

from engine.render.overlays.geometry import Colour, Label, OverlayGeometry
from engine.render.overlays.hulls import cell_center, in_block, struct_triangles
from engine.render.overlays.palette import ACCENT, CURRENT, VISIBLE, faint
from engine.render.overlays.rooms import cell_outline
from engine.render.overlays.sketch import Sketch
from engine.render.viewer.comparison import RootComparison
from engine.visibility.camera import Camera
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.graph.graph import NO_CELL, CellGraph

FILL: Final = 0.25
FROM_TOP: Final = 0.06
"""In picture heights: the place of the total."""


def compared_roots(graph: CellGraph, camera: Camera, found: RootComparison) -> OverlayGeometry:
    """Filled the rooms that one root sees and the other does not, amber the player's and blue the eye's; outlined those
    that both see."""
    geometry = OverlayGeometry()
    for cell_ids, colour, words in (
        (found.both, VISIBLE, ""),
        (found.only_player, CURRENT, "player's root only"),
        (found.only_viewer, ACCENT, "viewer's root only"),
    ):
        for cell_id in cell_ids:
            cell = graph.peek(cell_id)
            if isinstance(cell, EnvCell):
                geometry.add(_room(cell, colour, words))
    geometry.labels.append(Label(_sum(found), VISIBLE, pixel=(camera.width / 2.0, camera.height * FROM_TOP)))
    return geometry


def _room(cell: EnvCell, colour: Colour, words: str) -> OverlayGeometry:
    sketch = Sketch(cell.id | 0xFFFF)
    cell_outline(sketch, cell, colour, 2.0 if words else 1.0, 0.5)
    if words:
        sketch.triangles(in_block(cell.frame, struct_triangles(cell.structure)), faint(colour, FILL), 0.7)
        sketch.label(f"{cell.id & 0xFFFF:04X} {words}", cell_center(cell), colour)
    return sketch.geometry()


def _sum(found: RootComparison) -> str:
    if found.player_id == NO_CELL or found.viewer_id == NO_CELL:
        return f"the {'player' if found.player_id == NO_CELL else 'viewer'} is in no cell: nothing to compare"
    if found.player_id == found.viewer_id:
        return f"player and viewer have the same root {cell_text(found.player_id)}"
    return (
        f"both see {len(found.both)}, only the player's root {cell_text(found.player_id)} {len(found.only_player)}, "
        f"only the viewer's {cell_text(found.viewer_id)} {len(found.only_viewer)}"
    )
