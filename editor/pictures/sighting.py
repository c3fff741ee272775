"""The view of one eye: what it sees of which cells, and what became of every portal."""

from __future__ import annotations

from collections.abc import Iterator

from editor.pictures.optics import names_of
from editor.reports.visible_cells import NOTHING_SEEN, Data, aperture_name, flood_data, look_in_data, name_of
from editor.reports.visible_cells_text import camera_lines, flood_lines, look_in_lines
from engine.visibility.camera import Camera
from engine.visibility.flood import Visibility
from engine.visibility.frame import frame_events
from engine.visibility.options import FloodOptions
from engine.visibility.point_location import PointLocator
from engine.visibility.records import FloodResult
from engine.visibility.root import VIEWER, RootSources, choose_root
from engine.visibility.store import CellManager
from engine.visibility.world_view import WorldView
from engine.world.faults import WorldError
from engine.world.graph.graph import NO_CELL
from engine.world.world import World


class Sighting:
    """The view of one eye: the flood from its room, and every look through a building's portal."""

    def __init__(self, world: World, root_id: int, root_mode: str, camera: Camera, options: FloodOptions) -> None:
        self.world = world
        self.camera = camera
        self.names = names_of(world)
        self.note = ""
        world_view = WorldView(world)
        manager = CellManager(world.graph)
        manager.change_position(root_id, camera.eye)
        if root_mode == VIEWER:
            root_id = _cell_of_eye(world_view, camera)
            manager.change_position(root_id, camera.eye)
        else:
            root = world.graph.peek(root_id)
            if root is not None and not root.point_in_cell(camera.eye):
                self.note = f"the eye is outside of {name_of(root_id, self.names)}"
        self.root_id = root_id
        self.frame = frame_events(world_view, Visibility(world.graph, options), camera, root_id)
        if self.frame.message:
            raise WorldError(self.frame.message, world.name)
        self.looks = [*self.frame.look_ins, *self.frame.rejected]
        self.beyond = beyond_stab_list(self.frame.flood)

    def data(self, heading: float, pitch: float) -> Data:
        flood = self.frame.flood
        return {
            "source": self.world.name,
            "root": name_of(self.root_id, self.names),
            "eye": list(self.camera.eye),
            "heading": heading,
            "pitch": pitch,
            "viewport": [self.camera.width, self.camera.height],
            "focal": self.camera.focal,
            "note": self.note,
            "beyond_stab_list": [name_of(cell_id, self.names) for cell_id in self.beyond],
            **(NOTHING_SEEN if flood is None else flood_data(flood, self.names)),
            "apertures": [look_in_data(look, aperture_name(look), self.names) for look in self.looks],
        }

    def lines(self, heading: float, pitch: float) -> Iterator[str]:
        yield f"root    {name_of(self.root_id, self.names)} in {self.world.name}"
        if self.note:
            yield f"note    {self.note}"
        if self.beyond:
            yield f"note    not in the stab list: {', '.join(name_of(cell_id, self.names) for cell_id in self.beyond)}"
        yield from camera_lines(self.camera, heading, pitch)
        flood = self.frame.flood
        if flood is not None:
            yield from flood_lines(flood, self.camera, self.names)
        elif not self.looks:
            yield "no building with openings is in view"
        for look in self.looks:
            view = f" in view {look.view_index}" if len(self.frame.landscape_views) > 1 else ""
            yield from look_in_lines(look, f"building portal {aperture_name(look)}{view}", self.camera, self.names)


def beyond_stab_list(flood: FloodResult | None) -> list[int]:
    """The cells that are seen only because the root's stab list is ignored: those are missing in it (4.3)."""
    if flood is None or not flood.cells:
        return []
    root = flood.by_id[flood.root_id].cell
    return [v.cell_id for v in flood.cells if v.cell_id != root.id and v.cell_id not in root.stab_set]


def _cell_of_eye(world_view: WorldView, camera: Camera) -> int:
    """The room that contains the eye, else the land under it."""
    locator = PointLocator(world_view)
    choice = choose_root(world_view.graph, VIEWER, RootSources(), locator, camera.block_id, camera.eye)
    if choice.root_id == NO_CELL:
        raise WorldError("no loaded cell contains the eye", world_view.world.name)
    return choice.root_id
