"""The checks of the picture of a landblock's rooms, without drawing one (rendering.md 7, 11, 16).

What is drawn of a room is known without OpenGL: the flood says which rooms, their meshes say which sides of which
polygons. Each finding has the eye that proves it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records import EnvCellPortal, Surface, SurfaceTexture
from engine.findings.finding import Check, Family, FixForm, Found
from engine.findings.registry import register
from engine.geometry.drawing_bsp import DrawingInner, DrawingPort, drawing_nodes
from engine.geometry.vec import Vec3, add, length, scale, sub
from engine.render.mesh import Mesh, MeshCache
from engine.sim.data_files.cell_edits import changed
from engine.sim.tick.simulation import Simulation
from engine.survey.stabs.eyes import Eyes, Sight, eyes_in, opening_of, openings_of
from engine.survey.stabs.walls import Lines, Walls, distances, drawn_of, escaping, meets, placed, walls_of
from engine.survey.stabs.wording import eye_text, fix_of, place_of
from engine.visibility.flood import Visibility
from engine.visibility.records import WRONG_SIDE, FloodResult
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.portals import SIDE
from engine.world.faults import Severity
from engine.world.source import WorldSource
from engine.world.world import World

LEAK: Final = register(
    Check(
        "render.background-in-sight",
        "The background shows inside of a room",
        Family.RENDER,
        Severity.WARNING,
        "From a place in the room a line of sight meets neither a drawn side of a wall nor an opening, and nothing "
        "else of what is drawn for that eye: neither a wall of another room in sight, nor a static thing, nor the "
        "landscape. The client clears a picture to black and draws nothing there. A wall is missing, faces the "
        "wrong way or ends too early. Lines are cast in 128 directions and past every edge of a wall that no other "
        "continues.",
    )
)
BEHIND: Final = register(
    Check(
        "render.portal-from-behind",
        "A portal is open on the wrong side",
        Family.RENDER,
        Severity.ERROR,
        "The flag 0x2 of a portal says on which side of its polygon the room is, and the room is on the other one. "
        "An eye in the room, 10 cm before the middle of the opening, is taken for one behind it, so the flood does "
        "not go through, and the room beyond is not drawn. The fix turns the flag.",
    )
)
SURFACE: Final = register(
    Check(
        "render.surface-missing",
        "A drawn wall has no surface",
        Family.RENDER,
        Severity.WARNING,
        "A polygon that is drawn names a place beyond the end of the room's list of surfaces, or a surface, a "
        "texture or an image that the data files lack. The client draws it without a picture, or not at all.",
    )
)
TREE: Final = register(
    Check(
        "render.tree-misses-a-wall",
        "A drawing tree leaves out a drawn wall",
        Family.RENDER,
        Severity.WARNING,
        "The client draws the polygons that the nodes of a shape's drawing tree name. A polygon with a surface that "
        "no node names is not drawn, though it is in the list. Told once for all rooms of a landblock that have the "
        "shape.",
    )
)
NEVER: Final = register(
    Check(
        "render.room-never-drawn",
        "A room is never drawn",
        Family.RENDER,
        Severity.WARNING,
        "Nobody sees the room: it has no drawing tree, where the other rooms of its landblock have one, so its "
        "walls are skipped; or nobody can be in it, because it has no portal or no cell tree, and no portal of "
        "another room or of a building leads into it.",
    )
)
CHECKS: Final = (LEAK, BEHIND, SURFACE, TREE, NEVER)

STEP: Final = 0.1
"""Metres from a portal to the eyes on both of its sides."""
MOST_LEAKS: Final = 12
"""Lines that are tried before a shape's hole counts as covered by something else."""

_THERE: WeakKeyDictionary[WorldSource, dict[int, bool]] = WeakKeyDictionary()
"""By source, which surfaces are whole: the next landblock has the same."""


def check_pictures(sim: Simulation, block_id: int, enabled: Container[str]) -> Iterator[Found]:
    """What the picture of a landblock's rooms gets wrong."""
    if not any(check.id in enabled for check in CHECKS):
        return
    block = sim.world.landblock(block_id)
    if block is None or not block.env_cells:
        return
    pictures = _Pictures(sim, block_id, block.env_cells)
    try:
        for room in block.env_cells:
            for found in pictures.findings(room, enabled):
                if found.check in enabled:
                    yield found
    finally:
        pictures.close()


class _Pictures:
    """The rooms of one landblock with their meshes."""

    def __init__(self, sim: Simulation, block_id: int, rooms: list[EnvCell]) -> None:
        self.sim, self.world, self.block_id = sim, sim.world, block_id
        self.rooms = rooms
        self.meshes = MeshCache()
        self.eyes = Eyes(sim.graph)
        self.visibility = Visibility(sim.graph)
        self.have_trees = any(room.structure.has_drawing_tree for room in rooms)
        self.walls: dict[tuple[int, ...], Walls] = {}
        self.told: set[int] = set()
        """Structures whose drawing tree was told about."""
        self.standing = {room.id: eyes_in(room, list(openings_of(room))) for room in rooms}

    def close(self) -> None:
        self.eyes.close()
        self.visibility.close()

    def findings(self, room: EnvCell, enabled: Container[str]) -> Iterator[Found]:
        mesh = self.meshes.of(room.structure)
        if BEHIND.id in enabled:
            yield from self._behind(room)
        if NEVER.id in enabled:
            yield from self._never(room, mesh)
        if mesh.is_empty:
            return
        if TREE.id in enabled:
            yield from self._tree(room, mesh)
        if SURFACE.id in enabled:
            yield from self._surfaces(room, mesh)
        if LEAK.id in enabled:
            yield from self._leaks(room, mesh)

    # --- openings

    def _behind(self, room: EnvCell) -> Iterator[Found]:
        wrong = [(index, *seen) for index in range(len(room.portals)) if (seen := self._eye_behind(room, index))]
        for index, sight, middle in wrong:
            name = f"portal {index} of {cell_text(room.id)}"
            sentence = f"{name} is open on the side where the room is not: for {eye_text(sight)} it is closed"
            fix = self._turned(room, [each for each, _, _ in wrong])
            yield self._found(BEHIND, room, sentence, sight, middle, portal=index, fix=fix)

    def _eye_behind(self, room: EnvCell, index: int) -> tuple[Sight, Vec3] | None:
        """An eye in the room for which the flood takes itself to be behind this portal, and the portal's middle."""
        portal = room.portals[index]
        opening = None if portal.polygon is None else opening_of(room, portal, portal.polygon)
        if opening is None:
            return None
        middle, inwards = opening
        here, there = add(middle, scale(inwards, STEP)), add(middle, scale(inwards, -STEP))
        if room.point_in_cell(here) or not room.point_in_cell(there):
            return None
        sight, flood = self.eyes.look(room, there, middle)
        closed = (each.index for each in flood.portals if each.cell_id == room.id and each.status == WRONG_SIDE)
        return (sight, middle) if index in closed else None

    def _turned(self, room: EnvCell, indices: Sequence[int]) -> FixForm | None:
        """One fix for all of the room's: each replaces its whole record."""

        def turn(record: EnvCellRecord) -> None:
            for index in indices:
                old = record.portals[index]
                flags = old.flags ^ SIDE
                record.portals[index] = EnvCellPortal(flags, old.polygon_id, old.other_cell_id, old.other_portal_id)

        portals = f"Portal {indices[0]}" if len(indices) == 1 else f"{len(indices)} Portals"
        return fix_of(f"Turn Side of {portals} of {cell_text(room.id)}", lambda: changed(self.sim, room.id, turn))

    # --- rooms that are not drawn

    def _never(self, room: EnvCell, mesh: Mesh) -> Iterator[Found]:
        eyes, name = self.standing[room.id], cell_text(room.id)
        if self.have_trees and not room.structure.has_drawing_tree:
            if not mesh.is_empty and eyes:
                sight, _ = self.eyes.look(room, eyes[0], _beside(eyes[0]))
                blind = f"{eye_text(sight)} sees none of its walls"
                sentence = f"{name} has no drawing tree, and other rooms here have one: {blind}"
                yield self._found(NEVER, room, sentence, sight, eyes[0])
            return
        if mesh.is_empty or (room.cell_tree is not None and (room.portals or room.portals_left_out)):
            return
        if not self._led_into(room):
            why = "no cell tree" if room.cell_tree is None else "no portal"
            sentence = f"{name} has {why}, so that no eye is in it, and nothing leads into it: nobody sees its walls"
            place = (room.id, place_of(room))
            yield Found(NEVER.id, self.block_id, room.id, place=place, sentence=sentence)

    def _led_into(self, room: EnvCell) -> bool:
        """Whether a portal of another room, or of a building, leads here at all: somebody may see it then."""
        if any(
            portal.other_cell_id == room.id for other in self.rooms for portal in other.portals if other is not room
        ):
            return True
        block = self.world.landblock(self.block_id)
        return block is not None and any(
            portal.other_cell_id == room.id for building in block.buildings for portal in building.portals
        )

    # --- polygons that are not drawn, or without a picture

    def _tree(self, room: EnvCell, mesh: Mesh) -> Iterator[Found]:
        structure = room.structure
        if structure.drawing_tree is None or id(structure) in self.told:
            return
        self.told.add(id(structure))
        held: set[int] = set(structure.portal_ids)
        for node in drawing_nodes(structure.drawing_tree):
            if isinstance(node, DrawingInner):
                held.update(node.polygon_ids)
                if isinstance(node, DrawingPort):
                    held.update(key for key, _ in node.portals)
        same = sum(other.structure is structure for other in self.rooms) - 1
        more = f", nor in {same} more room{'s' if same > 1 else ''} of this shape" if same else ""
        for key in sorted(set(mesh.triangle_polygon.tolist()) - held):
            seen = self._eye_on(room, mesh, [key])
            if seen is not None:
                where = f"{eye_text(seen[0])} looks at it, and it is not drawn"
                sentence = f"the drawing tree of {cell_text(room.id)} leaves out polygon {key}: {where}{more}"
                yield self._found(TREE, room, sentence, *seen, polygon=key)

    def _surfaces(self, room: EnvCell, mesh: Mesh) -> Iterator[Found]:
        for subset in mesh.subsets:
            if subset.slot < 0 or subset.bare:
                continue
            if subset.slot >= len(room.surfaces):
                what = f"surface {subset.slot} of a list of {len(room.surfaces)}"
            elif not surface_is_there(self.world, room.surfaces[subset.slot]):
                what = f"surface {cell_text(room.surfaces[subset.slot])}, which the data files do not have whole"
            else:
                continue
            first = subset.first_index // 3
            keys = mesh.triangle_polygon[first : first + subset.index_count // 3].tolist()
            keys = sorted(set(keys) - set(room.structure.portal_ids))
            seen = self._eye_on(room, mesh, keys)
            if seen is not None:
                more = f" and {len(keys) - 1} more" if len(keys) > 1 else ""
                sentence = (
                    f"polygon {keys[0]}{more} of {cell_text(room.id)} has {what}: {eye_text(seen[0])} looks at it"
                )
                yield self._found(SURFACE, room, sentence, *seen, polygon=keys[0])

    def _eye_on(self, room: EnvCell, mesh: Mesh, keys: list[int]) -> tuple[Sight, Vec3] | None:
        """An eye that has one of these polygons before it, with nothing of the room between."""
        triangles = placed(drawn_of(mesh), room.frame)
        wanted = np.flatnonzero(np.isin(mesh.triangle_polygon, keys))
        for eye in self.standing[room.id]:
            middles = triangles[wanted].mean(axis=1)
            lines = middles - np.asarray(eye)
            far = distances(triangles, eye, lines, both=False)
            for line, number in enumerate(wanted.tolist()):
                if np.isfinite(far[line, number]) and far[line, number] <= far[line].min() + 1e-6:
                    x, y, z = middles[line].tolist()
                    sight, _ = self.eyes.look(room, eye, (x, y, z))
                    return sight, (x, y, z)
        return None

    # --- holes

    def _leaks(self, room: EnvCell, mesh: Mesh) -> Iterator[Found]:
        openings = [portal.polygon for portal in room.portals if portal.polygon is not None]
        key = (id(mesh), *(portal.polygon_id for portal in room.portals))
        walls = self.walls.get(key)
        if walls is None:
            walls = self.walls[key] = walls_of(mesh, openings)
        for eye in self.standing[room.id]:
            local = room.frame.global_to_local(eye)
            proof = self._open_line(room, eye, escaping(walls, local))
            if proof is not None:
                sight, at = proof
                sentence = (
                    f"{eye_text(sight)} in {cell_text(room.id)} sees the background: no wall and no opening is there"
                )
                yield self._found(LEAK, room, sentence, sight, at)
                return

    def _open_line(self, room: EnvCell, eye: Vec3, lines: Lines) -> tuple[Sight, Vec3] | None:
        """One of the lines on which nothing is drawn at all, by the flood of the eye that looks along it."""
        for line in lines[:MOST_LEAKS].tolist():
            x, y, z = room.frame.local_to_global_vec((line[0], line[1], line[2]))
            at = add(eye, (x, y, z))
            sight, _ = self.eyes.look(room, eye, at)
            flood = self.visibility.flood_interior(room.id, sight.camera())
            if not self._is_covered(sight, flood):
                return sight, at
        return None

    def _is_covered(self, sight: Sight, flood: FloodResult) -> bool:
        """Whether something is drawn in the middle of an eye's screen: the landscape, a wall, or a static thing."""
        width, height = sight.screen
        if any(view.contains(width / 2.0, height / 2.0) for view in flood.outside):
            return True
        camera = sight.camera()
        line = np.array([camera.forward])
        for visible in flood.cells:
            room = visible.cell
            triangles = placed(drawn_of(self.meshes.of(room.structure)), room.frame)
            if len(triangles) and meets(triangles, sight.eye, line, both=False)[0]:
                return True
            if any(
                _passes(sight.eye, camera.forward, *self._reach(thing.model_id, thing.scale, thing.frame.origin))
                for thing in room.static_objects
            ):
                return True
        return False

    def _reach(self, model_id: int, size: float, origin: Vec3) -> tuple[Vec3, float]:
        """A sphere around everything that a static thing may show."""
        setup = self.world.setup(model_id)
        radius = 0.0
        for number, part in enumerate([] if setup is None else setup.parts):
            sphere = None if part.gfxobj is None else part.gfxobj.drawing_sphere
            if setup is None or sphere is None:
                continue
            away = max(
                (length(frames[number].origin) for frames in setup.placements.values() if number < len(frames)),
                default=0.0,
            )
            radius = max(radius, away + max(map(abs, part.scale)) * (length(sphere.center) + sphere.radius))
        return origin, radius * abs(size)

    def _found(
        self,
        check: Check,
        room: EnvCell,
        sentence: str,
        sight: Sight,
        at: Vec3,
        *,
        portal: int = -1,
        polygon: int = -1,
        fix: FixForm | None = None,
    ) -> Found:
        eye = (room.id, sight.eye)
        figures = (("heading, degrees", sight.heading), ("pitch, degrees", sight.pitch))
        return Found(
            check.id,
            self.block_id,
            room.id,
            portal=portal,
            polygon=polygon,
            place=(room.id, sight.eye),
            sentence=sentence,
            figures=figures,
            eye=eye,
            path=(eye, (room.id, at)),
            fix=fix,
        )


def _beside(eye: Vec3) -> Vec3:
    return add(eye, (0.0, 1.0, 0.0))


def _passes(eye: Vec3, along: Vec3, center: Vec3, radius: float) -> bool:
    """Whether a line from the eye comes through a sphere."""
    x, y, z = sub(center, eye)
    ahead = x * along[0] + y * along[1] + z * along[2]
    apart = x * x + y * y + z * z
    if apart <= radius * radius:
        return True
    return ahead > 0.0 and apart - ahead * ahead <= radius * radius


def surface_is_there(world: World, surface_id: int) -> bool:
    """Whether a surface, and the texture and an image that it names, are in the data."""
    known = _THERE.setdefault(world.source, {})
    if surface_id not in known:
        known[surface_id] = _is_whole(world, surface_id)
    return known[surface_id]


def _is_whole(world: World, surface_id: int) -> bool:
    surface = world.record(surface_id)
    if not isinstance(surface, Surface):
        return False
    if surface.texture_id is None:
        return True
    texture = world.record(surface.texture_id)
    return isinstance(texture, SurfaceTexture) and any(world.record(image) is not None for image in texture.images)
