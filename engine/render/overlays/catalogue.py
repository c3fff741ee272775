"""The overlays by name, for menus and command lines (rendering.md 23)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.geometry.sphere import Sphere
from engine.render.overlays import bodies, flood, heat, outside, rooms, roots
from engine.render.overlays.geometry import Label, OverlayGeometry
from engine.render.overlays.palette import NEITHER
from engine.render.viewer.comparison import RootComparison
from engine.sim.trace.tree import TraceNode
from engine.visibility.camera import Camera
from engine.visibility.records import FloodResult
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.ids import landblock_id
from engine.world.graph.graph import NO_CELL, CellGraph


class Overlay(Enum):
    """Everything that can be switched on; the values are the names on a command line."""

    PORTALS = "portals"
    VIEWS = "views"
    CELLS = "cells"
    TREES = "trees"
    SOLID = "solid"
    STAB = "stab"
    ORDER = "order"
    DEPTH = "depth"
    COUNTS = "counts"
    OVERDRAW = "overdraw"
    ROOTS = "roots"
    CONTACT = "contact"
    SHADOWS = "shadows"


TITLES: Final[dict[Overlay, tuple[str, str]]] = {
    Overlay.PORTALS: ("Portals by Status", "What became of every portal that the flood met, and why"),
    Overlay.VIEWS: ("View Polygons", "The regions of the screen through which each cell is seen"),
    Overlay.CELLS: ("Cell Outlines", "The body of every cell: visible, in the stab list, or neither"),
    Overlay.TREES: ("Cell Tree Planes", "The planes of the selected cell's tree; red where the eye is behind one"),
    Overlay.SOLID: ("Solid against Drawn", "Walls that stop a body and are not seen, and the other way round"),
    Overlay.STAB: (
        "Stab List Reach",
        "What the stab list of the root, or of openings, lets the flood see, and what it does",
    ),
    Overlay.ORDER: ("Draw Order", "When each cell is drawn, and from which cell the flood came into it"),
    Overlay.DEPTH: ("Depth of Traversal", "How many portals the flood went through to reach each cell"),
    Overlay.COUNTS: ("Views per Cell", "Through how many view polygons each cell is seen"),
    Overlay.OVERDRAW: ("Overdraw", "How many cells are drawn over each other: the more, the brighter"),
    Overlay.ROOTS: ("Viewer against Player", "What only one of the two roots sees: the eye's cell or the player's"),
    Overlay.CONTACT: ("Contact and Sweep", "The last tick's sub-steps, the contact plane and what was run into"),
    Overlay.SHADOWS: ("Shadow Entries", "Spheres, cylinders and boxes of everything registered in the visible cells"),
}
"""The name in a menu, and what it shows."""

FILLED_BY: Final[dict[Overlay, str]] = {
    Overlay.TREES: "select a room: land has no tree",
    Overlay.STAB: "look from a room, or at the openings of a building",
    Overlay.ROOTS: "the frame is frozen: thaw it to compare",
    Overlay.OVERDRAW: "seen from the frozen eye only",
    Overlay.CONTACT: "let the player take a step",
    Overlay.SHADOWS: "nothing is registered in these cells",
}
"""Why an overlay may have nothing to show, and what helps; for all others no room is seen."""

NO_ROOM: Final = "no room is seen"
FIRST_LINE, NEXT_LINE = 0.12, 0.05
"""In picture heights: the place where overlays state that they are empty."""


@dataclass(frozen=True)
class Subject:
    """The subject of the overlays: a frame, the selection, and a traced tick."""

    graph: CellGraph
    camera: Camera
    root_id: int
    floods: Sequence[FloodResult]
    """The indoor one, or those through the buildings' portals."""
    selected_cell: int = 0
    sweeps: Sequence[TraceNode] = ()
    spheres: Sequence[Sphere] = ()
    """The body's whose sweeps these are."""
    from_outside: bool = False
    """Another eye than the frame's own looks at it."""
    eye_name: str = outside.FROZEN_EYE
    """The label of the frame's eye; "": that is not drawn."""
    compared: RootComparison | None = None
    """The same eye with the player's root and with its own."""

    @property
    def visible(self) -> frozenset[int]:
        return frozenset(cell.cell_id for result in self.floods for cell in result.cells)

    @property
    def root(self) -> EnvCell | None:
        cell = self.graph.peek(self.root_id)
        return cell if isinstance(cell, EnvCell) else None

    def rooms(self) -> list[EnvCell]:
        """The rooms of the root's landblock."""
        return [cell for cell in self.graph.cells_of(self.root_id) if isinstance(cell, EnvCell)]

    def seen_rooms(self) -> list[EnvCell]:
        return [cell.cell for result in self.floods for cell in result.cells]

    def selected_room(self) -> EnvCell | None:
        """The selected cell, or the one the eye looks from when none is selected."""
        cell = self.graph.peek(self.selected_cell or self.root_id)
        return cell if isinstance(cell, EnvCell) else None


def draw_overlays(wanted: Iterable[Overlay], subject: Subject) -> OverlayGeometry:
    """All of the overlays together, and the eye of a frame that is viewed from outside."""
    found = OverlayGeometry()
    if subject.from_outside and subject.eye_name:
        found.add(outside.eye_of_frame(subject.camera, subject.eye_name))
    empty: list[Overlay] = []
    for overlay in wanted:
        shown = _DRAWN[overlay](subject)
        found.add(shown)
        if shown.is_empty and subject.root_id != NO_CELL:
            empty.append(overlay)
    for line, overlay in enumerate(empty):
        words = f"{TITLES[overlay][0]}: {FILLED_BY.get(overlay, NO_ROOM)}"
        at = (subject.camera.width / 2.0, subject.camera.height * (FIRST_LINE + NEXT_LINE * line))
        found.labels.append(Label(words, NEITHER, pixel=at))
    return found


def _portals(subject: Subject) -> OverlayGeometry:
    labelled = frozenset({subject.selected_cell} if subject.selected_cell in subject.visible else {subject.root_id})
    return flood.portal_statuses(subject.floods, labelled)


def _views(subject: Subject) -> OverlayGeometry:
    if subject.from_outside:
        return outside.view_pyramids(subject.floods, subject.camera, subject.selected_cell)
    return flood.view_polygons(subject.floods, subject.selected_cell)


def _cells(subject: Subject) -> OverlayGeometry:
    root = subject.root
    stab = frozenset() if root is None else frozenset(root.stab_set)
    return rooms.cell_outlines(subject.root_id | 0xFFFF, subject.rooms(), subject.visible, stab, subject.selected_cell)


def _trees(subject: Subject) -> OverlayGeometry:
    cell = subject.selected_room()
    return OverlayGeometry() if cell is None else rooms.tree_planes(cell, subject.camera.eye_in(cell.id))


def _solid(subject: Subject) -> OverlayGeometry:
    selected = subject.graph.peek(subject.selected_cell)
    cells = [selected] if isinstance(selected, EnvCell) else subject.seen_rooms()
    return rooms.solid_against_drawn(subject.root_id | 0xFFFF, cells)


def _stab(subject: Subject) -> OverlayGeometry:
    root = subject.root
    if root is not None:
        return rooms.stab_reach(root.id | 0xFFFF, root.stab_set, subject.rooms(), subject.visible, root.id)
    listed: set[int] = set()
    for look_in in subject.floods:
        if look_in.building is not None and 0 <= look_in.portal_index < len(look_in.building.portals):
            listed.update(look_in.building.portals[look_in.portal_index].stab_list)
    blocks = dict.fromkeys(landblock_id(cell_id) for cell_id in sorted(listed | subject.visible))
    found = OverlayGeometry()
    for block_id in blocks:
        cells = [cell for cell in subject.graph.cells_of(block_id) if isinstance(cell, EnvCell)]
        found.add(rooms.stab_reach(block_id, listed, cells, subject.visible))
    return found


def _order(subject: Subject) -> OverlayGeometry:
    return flood.draw_order(subject.floods, subject.selected_cell)


def _depth(subject: Subject) -> OverlayGeometry:
    return heat.depth_of_traversal(subject.floods, subject.from_outside)


def _counts(subject: Subject) -> OverlayGeometry:
    return heat.view_counts(subject.floods, subject.from_outside)


def _overdraw(subject: Subject) -> OverlayGeometry:
    return heat.overdraw(subject.floods, subject.from_outside)


def _roots(subject: Subject) -> OverlayGeometry:
    found = subject.compared
    return OverlayGeometry() if found is None else roots.compared_roots(subject.graph, subject.camera, found)


def _contact(subject: Subject) -> OverlayGeometry:
    found = OverlayGeometry()
    for part in bodies.sweep_overlay(subject.sweeps, subject.spheres):
        found.add(part)
    return found


def _shadows(subject: Subject) -> OverlayGeometry:
    cells: list[ObjCell] = list(subject.seen_rooms())
    selected = subject.graph.peek(subject.selected_cell)
    if selected is not None:
        cells = [selected]
    elif subject.root is None:
        here = subject.graph.peek(subject.root_id)
        cells += [] if here is None else [here]
    return bodies.shadow_bounds(subject.root_id | 0xFFFF, cells, subject.selected_cell)


_DRAWN: Final[dict[Overlay, Callable[[Subject], OverlayGeometry]]] = {
    Overlay.PORTALS: _portals,
    Overlay.VIEWS: _views,
    Overlay.CELLS: _cells,
    Overlay.TREES: _trees,
    Overlay.SOLID: _solid,
    Overlay.STAB: _stab,
    Overlay.ORDER: _order,
    Overlay.DEPTH: _depth,
    Overlay.COUNTS: _counts,
    Overlay.OVERDRAW: _overdraw,
    Overlay.ROOTS: _roots,
    Overlay.CONTACT: _contact,
    Overlay.SHADOWS: _shadows,
}
