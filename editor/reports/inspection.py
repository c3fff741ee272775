"""What `inspect` says about a thing, as plain values: dicts, lists, numbers, texts. `inspect_text` lays them out for
people, --json gives them to machines. Ids are texts like 0xA9B40143 throughout; a list of dicts is a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from editor.reports.inspection_text import value_text
from editor.reports.paging import Listing, Page
from engine.dat.images import jpeg_size
from engine.dat.records import PixelFormat, RenderSurface
from engine.geometry.box import Box
from engine.geometry.bsp import PhysicsLeaf, PhysicsTree
from engine.geometry.cell_bsp import CellInner, CellNode
from engine.geometry.drawing_bsp import DrawingInner, DrawingNode, DrawingPort, drawing_nodes
from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.world.cells.cell import Building, EnvCell, LandCell, ObjCell
from engine.world.cells.ids import cell_text, low_of
from engine.world.cells.objects import GfxObj, Setup
from engine.world.cells.portals import CellPortal
from engine.world.cells.terrain import ENTIRELY_WATER, PARTIALLY_WATER, road_code, terrain_type
from engine.world.entity_spec import EntitySpec
from engine.world.faults import Fault
from engine.world.landblock import Landblock
from engine.world.loader.textures import format_name
from engine.world.source import SurfaceImage
from engine.world.world import World

Data = dict[str, Any]

WATER: Final = {PARTIALLY_WATER: "partially", ENTIRELY_WATER: "entirely"}
SAME_CORNER: Final = 0.002
"""Metres between corners that count as one, for telling an opening that a collision polygon closes."""

LISTED_BLOCKS: Final = 60
"""An overview tells of each landblock that it lists up to this many; beyond, it would load half a client file."""


# --- small things


def frame_data(frame: Frame) -> Data:
    return {"origin": list(frame.origin), "rotation": list(frame.rotation), "heading": frame.heading()}


def box_data(box: Box) -> Data:
    return {"minimum": list(box.minimum), "maximum": list(box.maximum)}


def sphere_data(sphere: Sphere | None) -> Data | None:
    return None if sphere is None else {"center": list(sphere.center), "radius": sphere.radius}


def fault_data(fault: Fault) -> Data:
    return {
        "severity": fault.severity.name.lower(),
        "where": cell_text(fault.where),
        "what": fault.what,
        "index": fault.index if fault.index >= 0 else None,
        "reason": fault.reason,
    }


def faults_data(faults: Iterable[Fault]) -> list[Data]:
    return [fault_data(fault) for fault in faults]


def physics_tree_data(tree: PhysicsTree | None) -> Data | None:
    if tree is None:
        return None
    leaves = [node for node in tree.nodes() if isinstance(node, PhysicsLeaf)]
    return {
        "polygons": len(tree.polygons),
        "nodes": len(tree.nodes()),
        "leaves": len(leaves),
        "solid": sum(leaf.solid for leaf in leaves),
        "depth": tree.root.depth,
        "sphere": sphere_data(tree.root.sphere),
    }


def cell_tree_data(tree: CellNode | None) -> Data | None:
    if tree is None:
        return None
    planes = []
    node: CellNode | None = tree
    while isinstance(node, CellInner):
        planes.append([*node.plane.normal, node.plane.d])
        node = node.pos
    return {"planes": planes}


def drawing_tree_data(tree: DrawingNode | None) -> Data | None:
    if tree is None:
        return None
    nodes = drawing_nodes(tree)
    ports = [record for node in nodes if isinstance(node, DrawingPort) for record in node.portals]
    return {
        "nodes": len(nodes),
        "depth": tree.depth,
        "portals": [{"polygon": polygon, "portal": portal} for polygon, portal in ports],
        "sphere": sphere_data(tree.sphere) if isinstance(tree, DrawingInner) else None,
    }


def water_text(water_type: int) -> str:
    return WATER.get(water_type, "no")


def entities_data(entities: Iterable[EntitySpec]) -> list[Data]:
    return [
        {
            "guid": cell_text(entity.guid),
            "kind": entity.kind,
            "name": entity.name,
            "setup": cell_text(entity.setup_id),
            "cell": cell_text(entity.cell_id),
            "origin": list(entity.frame.origin),
            "heading": entity.frame.heading(),
            "state": cell_text(entity.state),
        }
        for entity in entities
    ]


# --- the world


def overview_data(world: World, listing: Listing) -> Data:
    """What the source holds: landblocks, how many records of each type, entities; of lists the page asked for."""
    block_ids = world.landblock_ids()
    shown, total = listing.of(block_ids, cell_text)
    entities, of_all = listing.of(world.entities, lambda entity: value_text(entities_data([entity])[0]))
    return {
        "name": world.name,
        "kind": world.source.kind,
        "path": None if world.path is None else str(world.path),
        "landblocks": len(block_ids),
        "records": world.source.record_counts(),
        "landblock list": Page(_block_lines(shown, world), listing.first, total),
        "entities": Page(entities_data(entities), listing.first, of_all),
        **({} if world.source.by_block is None else {"server data": world.source.by_block.overview()}),
        "faults": listing.page(faults_data(world.faults()), value_text),
    }


def _block_lines(block_ids: Sequence[int], world: World) -> list[Data] | list[str]:
    if len(block_ids) > LISTED_BLOCKS:
        return [cell_text(block_id) for block_id in block_ids]
    return [_block_line(block, world) for block_id in block_ids if (block := world.landblock(block_id)) is not None]


def _block_line(block: Landblock, world: World) -> Data:
    return {
        "id": cell_text(block.id),
        "cells": len(block.env_cells),
        "buildings": len(block.buildings),
        "statics": len(block.statics) + sum(len(cell.static_objects) for cell in block.env_cells),
        "scenery": len(block.scenery),
        "entities": len(world.entities_of(block.id)),
        "what": _block_kind(block),
    }


def _block_kind(block: Landblock) -> str:
    if block.is_dungeon:
        return "dungeon"
    if block.terrain is None:
        return "rooms without land"
    return "land" if not block.env_cells else "land and rooms"


# --- landblocks


def landblock_data(block: Landblock, world: World) -> Data:
    return {
        "id": cell_text(block.id),
        "what": _block_kind(block),
        "terrain": _terrain_data(block),
        "cells counted": block.num_cells,
        "buildings": [building_data(building) for building in block.buildings],
        "cells": [_cell_line(cell) for cell in block.env_cells],
        "portals": graph_lines(block, world),
        "statics": [{"model": cell_text(static.model_id), **frame_data(static.frame)} for static in block.statics],
        "scenery": [
            {"model": cell_text(thing.model_id), **frame_data(thing.frame), "scale": thing.scale}
            for thing in block.scenery
        ],
        "entities": entities_data(world.entities_of(block.id)),
        "faults": faults_data(world.landblock_faults(block.id)),
    }


def _terrain_data(block: Landblock) -> Data | None:
    terrain = block.terrain
    if terrain is None:
        return None
    return {
        "lowest": min(terrain.z),
        "highest": max(terrain.z),
        "water": water_text(terrain.water_type),
        "road vertices": sum(road_code(word) != 0 for word in terrain.words),
        "terrain types": sorted({terrain_type(word) for word in terrain.words}),
    }


def _cell_line(cell: EnvCell) -> Data:
    box = cell_box(cell)
    return {
        "id": cell_text(cell.id),
        "structure": f"{cell_text(cell.structure.environment_id)}/{cell.structure.index}",
        "polygons": len(cell.structure.polygons),
        "physics": len(cell.structure.physics_polygons),
        "portals": len(cell.portals),
        "stab": len(cell.stab_list),
        "statics": len(cell.static_objects),
        "seen outside": cell.seen_outside,
        "minimum": None if box is None else list(box.minimum),
        "maximum": None if box is None else list(box.maximum),
        "faults": len(cell.faults),
    }


def cell_box(cell: EnvCell) -> Box | None:
    """The room's bounds in its landblock."""
    corners = [corner for polygon in cell.structure.polygons.values() for corner in polygon.vertices]
    return Box.of_points([cell.frame.local_to_global(corner) for corner in corners]) if corners else None


def graph_lines(block: Landblock, world: World) -> list[str]:
    """One line a cell, like `140 -> 141, 13F*`: * for a cell that is not there, (solid) for an opening that a collision
    polygon closes."""
    lines = []
    for cell in block.env_cells:
        targets = ", ".join(_target(cell, portal, world) for portal in cell.portals) or "nothing"
        lines.append(f"{low_of(cell.id):X} -> {targets}")
    return lines


def _target(cell: EnvCell, portal: CellPortal, world: World) -> str:
    if portal.leads_outside:
        return "exit"
    missing = "" if world.graph.get_visible(portal.other_cell_id) is not None else "*"
    solid = " (solid)" if closing_polygon(cell, portal) is not None else ""
    return f"{low_of(portal.other_cell_id):X}{missing}{solid}"


def closing_polygon(cell: EnvCell, portal: CellPortal) -> Polygon | None:
    """The collision polygon that has the corners of the portal's opening, if there is one."""
    opening = portal.polygon
    if opening is None:
        return None
    for polygon in cell.structure.physics_polygons.values():
        if len(polygon.vertices) == len(opening.vertices) and all(
            any(_same(corner, other) for other in opening.vertices) for corner in polygon.vertices
        ):
            return polygon
    return None


def _same(a: Vec3, b: Vec3) -> bool:
    return all(abs(p - q) <= SAME_CORNER for p, q in zip(a, b, strict=True))


def building_data(building: Building) -> Data:
    return {
        "model": cell_text(building.model_id),
        "cell": cell_text(building.cell_id) if building.cell_id else None,
        **frame_data(building.frame),
        "leaves": building.leaf_count,
        "portals": [
            {
                "portal": index,
                "leads to": f"{cell_text(portal.other_cell_id)}/{portal.other_portal_id}",
                "flags": portal.flags,
                "exact": portal.exact_match,
                "side": portal.portal_side,
                "polygon": portal.polygon_id if portal.polygon_id >= 0 else None,
                "stab": [cell_text(cell_id) for cell_id in portal.stab_list],
            }
            for index, portal in enumerate(building.portals)
        ],
    }


# --- cells


def cell_data(cell: ObjCell, world: World) -> Data:
    if isinstance(cell, EnvCell):
        return _room_data(cell, world)
    if isinstance(cell, LandCell):
        return _land_data(cell, world)
    return {"id": cell_text(cell.id), **frame_data(cell.frame)}


def _room_data(cell: EnvCell, world: World) -> Data:
    box = cell_box(cell)
    return {
        "id": cell_text(cell.id),
        **frame_data(cell.frame),
        "flags": cell.flags,
        "seen outside": cell.seen_outside,
        "restriction": cell_text(cell.restriction_object) if cell.restriction_object else None,
        "environment": cell_text(cell.structure.environment_id),
        "structure": cell.structure.index,
        "bounds": None if box is None else box_data(box),
        "visible polygons": len(cell.structure.polygons),
        "physics polygons": len(cell.structure.physics_polygons),
        "physics tree": physics_tree_data(cell.physics_tree),
        "cell tree": cell_tree_data(cell.cell_tree),
        "drawing tree": drawing_tree_data(cell.structure.drawing_tree),
        "surfaces": [cell_text(surface_id) for surface_id in cell.surfaces],
        "portals": [_portal_data(cell, portal, index, world) for index, portal in enumerate(cell.portals)],
        "stab": [cell_text(cell_id) for cell_id in cell.stab_list],
        "statics": [
            {"model": cell_text(static.model_id), **frame_data(static.frame)} for static in cell.static_objects
        ],
        "entities": entities_data(entity for entity in world.entities_of(cell.id) if entity.cell_id == cell.id),
        "faults": faults_data([*cell.faults, *cell.structure.faults]),
    }


def _portal_data(cell: EnvCell, portal: CellPortal, index: int, world: World) -> Data:
    box = None
    if portal.polygon is not None:
        box = Box.of_points([cell.frame.local_to_global(corner) for corner in portal.polygon.vertices])
    there = portal.leads_outside or world.graph.get_visible(portal.other_cell_id) is not None
    return {
        "portal": index,
        "leads to": "outdoors" if portal.leads_outside else cell_text(portal.other_cell_id),
        "other portal": None if portal.leads_outside else portal.other_portal_id,
        "there": there,
        "flags": portal.flags,
        "exact": portal.exact_match,
        "side": portal.portal_side,
        "polygon": portal.polygon_id,
        "minimum": None if box is None else list(box.minimum),
        "maximum": None if box is None else list(box.maximum),
        "solid": closing_polygon(cell, portal) is not None,
    }


def _land_data(cell: LandCell, world: World) -> Data:
    return {
        "id": cell_text(cell.id),
        "water": water_text(cell.water_type),
        "restriction": cell_text(cell.restriction_object) if cell.restriction_object else None,
        "triangles": [
            {
                "polygon": polygon.id,
                "normal": list(polygon.normal),
                "d": polygon.d,
                "corners": [list(corner) for corner in polygon.vertices],
            }
            for polygon in cell.polygons
        ],
        "building": None if cell.building is None else building_data(cell.building),
        "entities": entities_data(entity for entity in world.entities_of(cell.id) if entity.cell_id == cell.id),
        "faults": faults_data(cell.faults),
    }


# --- models and materials


def gfxobj_data(model: GfxObj) -> Data:
    return {
        "id": cell_text(model.id),
        "box": box_data(model.box),
        "bounding sphere": sphere_data(model.bounding_sphere),
        "drawing sphere": sphere_data(model.drawing_sphere),
        "sort center": list(model.sort_center),
        "visible polygons": len(model.polygons),
        "physics polygons": len(model.physics_polygons),
        "physics tree": physics_tree_data(model.physics_tree),
        "drawing tree": drawing_tree_data(model.drawing_tree),
        "surfaces": [cell_text(surface_id) for surface_id in model.surfaces],
        "degrades": cell_text(model.degrade_id) if model.degrade_id else None,
        "faults": faults_data(model.faults),
    }


def setup_data(setup: Setup) -> Data:
    defaults = {
        "animation": setup.default_animation,
        "script": setup.default_script,
        "motion table": setup.default_motion_table,
        "sound table": setup.default_sound_table,
        "script table": setup.default_script_table,
    }
    return {
        "id": cell_text(setup.id),
        "height": setup.height,
        "radius": setup.radius,
        "step up": setup.step_up_height,
        "step down": setup.step_down_height,
        "has physics": setup.has_physics_bsp(),
        "parts": [
            {
                "part": index,
                "model": cell_text(part.gfxobj_id),
                "there": part.gfxobj is not None,
                "physics": part.gfxobj is not None and part.gfxobj.physics_tree is not None,
                "scale": list(part.scale),
                **frame_data(setup.part_frame(index)),
            }
            for index, part in enumerate(setup.parts)
        ],
        "placements": [f"0x{key:X}" for key in setup.placements],
        "cylinders": [
            {"low point": list(shape.low_point), "radius": shape.radius, "height": shape.height}
            for shape in setup.cyl_spheres
        ],
        "spheres": [sphere_data(sphere) for sphere in setup.spheres],
        "sorting sphere": sphere_data(setup.sorting_sphere),
        "selection sphere": sphere_data(setup.selection_sphere),
        "defaults": {name: cell_text(record_id) for name, record_id in defaults.items() if record_id},
        "faults": faults_data(setup.faults),
    }


def environment_data(environment_id: int, keys: Iterable[int], world: World) -> Data:
    """The structures of an environment, by their keys."""
    found = [struct for key in keys if (struct := world.source.cell_struct(environment_id, key)) is not None]
    return {
        "id": cell_text(environment_id),
        "structures": [
            {
                "key": struct.index,
                "vertices": len(struct.vertices),
                "visible polygons": len(struct.polygons),
                "portals": struct.portal_ids,
                "physics polygons": len(struct.physics_polygons),
                "physics nodes": None if struct.physics_tree is None else len(struct.physics_tree.nodes()),
                "cell planes": None if struct.cell_tree is None else struct.cell_tree.depth - 1,
                "drawing nodes": None if struct.drawing_tree is None else len(drawing_nodes(struct.drawing_tree)),
            }
            for struct in found
        ],
        "faults": faults_data(fault for struct in found for fault in struct.faults),
    }


def surface_data(image: SurfaceImage) -> Data:
    return {
        "type flags": f"0x{image.type_flags:08X}",
        "color": None if image.color is None else f"0x{image.color:08X}",
        "translucency": image.translucency,
        "luminosity": image.luminosity,
        "diffuse": image.diffuse,
        "texture": cell_text(image.texture_id) if image.texture_id else None,
        **picture_data(image),
    }


def picture_data(image: SurfaceImage) -> Data:
    """The picture of a surface or texture: which image it is, and whether it could be decoded."""
    return {
        "image": cell_text(image.image_id) if image.image_id else None,
        "format": image.format_name or None,
        "size": f"{image.width} x {image.height}" if image.image_id else None,
        "palette": cell_text(image.palette_id) if image.palette_id else None,
        "decodes": image.pixels is not None if image.texture_id else None,
    }


def image_data(record: RenderSurface) -> Data:
    return {
        "id": cell_text(record.id),
        "format": format_name(record.pixel_format),
        "size": "{} x {}".format(*_size_of(record)),
        "bytes": len(record.data),
        "palette": None if record.palette_id is None else cell_text(record.palette_id),
    }


def _size_of(record: RenderSurface) -> tuple[int, int]:
    """Width and height; a JPEG has its own."""
    size = jpeg_size(record.data) if record.pixel_format == PixelFormat.RAW_JPEG else None
    return size or (record.width, record.height)
