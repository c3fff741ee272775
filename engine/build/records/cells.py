"""Cells as records: structures shared by equal shapes, portals with flags and partners, stab lists.

Spec: dat-format.md 2.4, 2.5, 3.4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.build.cells import CellShape, Gap
from engine.build.errors import BuildError
from engine.build.interiors import Interior
from engine.build.records.bsp import cell_record, drawing_record, physics_record
from engine.build.records.materials import PORTAL_SURFACE, MaterialRecords
from engine.build.records.meshes import MeshAssembler
from engine.build.records.models import ModelRecords, placed
from engine.build.records.numbering import PortalRecords
from engine.build.shapes.faces import Face
from engine.build.stab import OUTSIDE, Seen, StabCell, StabPortal, stab_lists
from engine.dat.records import CellStruct, EnvCell, EnvCellPortal, Environment, KeyedStruct
from engine.dat.records.cells import HAS_STATIC_OBJECTS, SEEN_OUTSIDE
from engine.geometry.compile.cell import compile_cell
from engine.geometry.compile.drawing import compile_drawing
from engine.geometry.compile.physics import compile_physics
from engine.geometry.polygon import Polygon

EXACT_MATCH: Final = 0x1
INSIDE_IN_FRONT: Final = 0x2
LEADS_OUTDOORS: Final = 0x4
"""Portal flags (dat-format.md 2.5). Our portals look into their cell, so INSIDE_IN_FRONT is always set."""

NO_CELL: Final = 0xFFFF
FIRST_CELL: Final = 0x100
LAST_CELL: Final = 0xFFFD
"""Low halves of cell ids."""

ShapeKey = tuple[object, ...]


@dataclass
class NumberedCell:
    """A cell with the low half of its id, in the interior it belongs to."""

    low: int
    shape: CellShape
    interior: Interior
    seen: Seen


def number_cells(interiors: Sequence[Interior], where: str) -> list[NumberedCell]:
    """Give the cells of a landblock consecutive ids in the order of their description, and say what each one sees."""
    count = sum(len(interior.cells) for interior in interiors)
    if count > LAST_CELL - FIRST_CELL + 1:
        raise BuildError(where, f"{count} cells; a landblock can have {LAST_CELL - FIRST_CELL + 1}")
    numbered: list[NumberedCell] = []
    for interior in interiors:
        interior.check_closed()
        seen = stab_lists(_stab_cells(interior))
        numbered += [
            NumberedCell(FIRST_CELL + len(numbered) + i, shape, interior, seen[i])
            for i, shape in enumerate(interior.cells)
        ]
    return numbered


def _stab_cells(interior: Interior) -> list[StabCell]:
    index = {id(cell): i for i, cell in enumerate(interior.cells)}
    cells = []
    for cell in interior.cells:
        portals = []
        for gap in cell.gaps:
            points = [cell.frame.local_to_global(p) for p in gap.points]
            portals.append(StabPortal(points, OUTSIDE if gap.mate is None else index[id(gap.mate.cell)]))
        cells.append(StabCell(portals))
    return cells


class CellRecords:
    """Makes Environment and EnvCell records."""

    def __init__(self, records: PortalRecords, materials: MaterialRecords, models: ModelRecords) -> None:
        self._records = records
        self._materials = materials
        self._models = models

    def interior(self, block: int, interior: Interior, cells: Sequence[NumberedCell]) -> list[EnvCell]:
        """The EnvCells of an interior; their structures go into one Environment."""
        if not cells:
            return []
        environment = Environment(self._records.next_id(0x0D000000), [])
        self._records.put(environment.id, environment)
        low_of = {id(cell.shape): cell.low for cell in cells}
        keys: dict[ShapeKey, int] = {}
        made = []
        for cell in cells:
            surfaces: list[int] = []
            structure = self._structure(environment, keys, cell.shape, surfaces)
            portals = environment.structures[structure].structure.portal_polygons
            made.append(
                EnvCell(
                    id=block << 16 | cell.low,
                    flags=(SEEN_OUTSIDE if cell.seen.outside else 0) | (HAS_STATIC_OBJECTS if cell.shape.things else 0),
                    surfaces=[surface & 0xFFFF for surface in surfaces],
                    environment=environment.id & 0xFFFF,
                    structure=structure,
                    frame=placed(interior.frame, cell.shape.frame),
                    portals=[
                        _portal(gap, polygon, low_of) for gap, polygon in zip(cell.shape.gaps, portals, strict=True)
                    ],
                    visible_cells=[cells[0].low + other for other in cell.seen.cells],
                    objects=[self._models.stab(thing, interior.frame) for thing in cell.shape.things],
                )
            )
        return made

    def _structure(
        self, environment: Environment, keys: dict[ShapeKey, int], shape: CellShape, surfaces: list[int]
    ) -> int:
        """The key of the cell's CellStruct, which is made unless an equal one is there; fills the list of surfaces."""
        faces = shape.wall_fragments() + shape.inner

        def number(material: str) -> int:
            surface = self._materials.surface(material)
            if surface not in surfaces:
                surfaces.append(surface)
            return surfaces.index(surface)

        described: list[object] = []
        for face in faces:
            material = self._materials.material(face.material) if face.drawn else None
            look = None if material is None else (number(material.name), material.metres, material.two_sided)
            described.append((face.points, face.normals, look, face.solid, face.fit))
        if shape.gaps:
            if PORTAL_SURFACE not in surfaces:
                surfaces.append(PORTAL_SURFACE)
            described += [(gap.points, gap.solid) for gap in shape.gaps]
        described += [wall.points for wall in shape.walls]
        key = tuple(described)
        if key not in keys:
            keys[key] = len(environment.structures)
            made = self._cell_struct(shape, faces, number, surfaces)
            environment.structures.append(KeyedStruct(keys[key], made))
        return keys[key]

    def _cell_struct(
        self, shape: CellShape, faces: Sequence[Face], number: Callable[[str], int], surfaces: list[int]
    ) -> CellStruct:
        assembler = MeshAssembler(f"cell {shape.name!r}", self._materials.material, number)
        for face in faces:
            assembler.add(face)
        portals = [assembler.portal(gap.points, surfaces.index(PORTAL_SURFACE)).id for gap in shape.gaps]
        for gap in shape.gaps:
            if gap.solid:
                assembler.block(gap.points)
        assembler.check()
        ways = [Polygon(i, list(gap.points)) for i, gap in enumerate(shape.gaps) if not gap.solid]
        hull = [Polygon(i, list(wall.points)) for i, wall in enumerate(shape.walls)]
        inside = compile_cell(hull, [])
        assert inside is not None
        return CellStruct(
            vertices=assembler.vertices,
            polygons=assembler.polygons,
            portal_polygons=portals,
            cell_bsp=cell_record(inside),
            physics_polygons=assembler.physics,
            physics_bsp=physics_record(compile_physics(assembler.solid, openings=ways, room=True).root),
            drawing_bsp=drawing_record(compile_drawing(assembler.drawn, [])),
        )


def _portal(gap: Gap, polygon: int, low_of: dict[int, int]) -> EnvCellPortal:
    flags = EXACT_MATCH | INSIDE_IN_FRONT
    if gap.mate is None:
        return EnvCellPortal(flags | LEADS_OUTDOORS, polygon, NO_CELL, 0)
    return EnvCellPortal(flags, polygon, low_of[id(gap.mate.cell)], portal_index(gap.mate))


def portal_index(gap: Gap) -> int:
    """The place of a gap in its cell's portal list."""
    return next(i for i, other in enumerate(gap.cell.gaps) if other is gap)
