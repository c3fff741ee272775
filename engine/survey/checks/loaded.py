"""The faults that loading found, under ids of their own, with the fixes of those that leave one answer only; and rooms
that no chain of portals leads to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.findings.finding import Check, Family, FixForm, Found, Place
from engine.findings.registry import register
from engine.geometry.vec import Vec3
from engine.sim.tick.simulation import Simulation
from engine.survey.fixes import Fix, fixes_of
from engine.survey.shapes.convex import mean
from engine.survey.view import View
from engine.world import faults
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import cell_text
from engine.world.faults import Fault, Severity
from engine.world.landblock import Landblock


def _loaded(what: str, title: str, family: Family, severity: Severity, about: str) -> Check:
    return register(Check(f"loaded.{what.replace(' ', '-')}", title, family, severity, about))


_G, _P, _V, _E = Family.GEOMETRY, Family.PHYSICS, Family.VISIBILITY, Family.ENTITIES
_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

LOADED: Final[Mapping[str, Check]] = {
    faults.CELL: _loaded(
        faults.CELL,
        "A room's record is missing or unreadable",
        _G,
        _ERROR,
        "The landblock counts this room, and its record is not there or cannot be read. Openings that lead to it lead "
        "into nothing.",
    ),
    faults.CELL_TREE: _loaded(
        faults.CELL_TREE,
        "A cell tree is missing or damaged",
        _P,
        _ERROR,
        "Without its cell tree a room contains no point: nobody can be placed in it or found in it, and bodies do not "
        "enter it.",
    ),
    faults.PHYSICS_TREE: _loaded(
        faults.PHYSICS_TREE,
        "A physics tree is missing or damaged",
        _P,
        _ERROR,
        "Nothing in the room or model collides, or only a part: the tree is not there, cannot be read, or names "
        "polygons that are not in the list.",
    ),
    faults.DRAWING_TREE: _loaded(
        faults.DRAWING_TREE,
        "A drawing tree is damaged",
        _V,
        _WARNING,
        "The drawing tree cannot be read. Rooms are drawn from their lists all the same; the openings of a building's "
        "shell are known from its drawing tree alone, so nobody sees in.",
    ),
    faults.ENVIRONMENT: _loaded(
        faults.ENVIRONMENT,
        "A room names a shape that is not there",
        _G,
        _ERROR,
        "The room's record names an environment and a structure in it, and one of them is missing or unreadable: the "
        "room has portals and things, but no walls and no inside.",
    ),
    faults.STRUCTURE: _loaded(
        faults.STRUCTURE,
        "A structure is damaged",
        _G,
        _ERROR,
        "A structure of an environment has contents that contradict each other; what cannot be used is left out of all "
        "rooms that have the shape.",
    ),
    faults.POLYGON: _loaded(
        faults.POLYGON,
        "A polygon cannot be used, or is bent",
        _G,
        _WARNING,
        "A polygon has too few corners, no area, a corner that is not there, an id that another one has, or a corner "
        "more than 1 cm off its plane. It is left out, or collides elsewhere than it is drawn.",
    ),
    faults.PORTAL: _loaded(
        faults.PORTAL,
        "A portal's flags and target contradict each other",
        _G,
        _WARNING,
        "An exit has the bit that says so and the target 0xFFFF. Client and server look at one each, so where only "
        "one is there, they disagree whether the opening leads outdoors. The fix sets or clears the bit where the "
        "other side leaves no doubt.",
    ),
    faults.NO_PORTALS: _loaded(
        faults.NO_PORTALS,
        "A room has no portal",
        _P,
        _ERROR,
        "For the client a room without portals contains no point, so no body can stand or be placed in it, though its "
        "walls are solid.",
    ),
    faults.PORTAL_LINK: _loaded(
        faults.PORTAL_LINK,
        "A portal is not paired",
        _G,
        _WARNING,
        "The portal leads to a room that is not there, or that does not lead back, or that its stab list lacks. It "
        "can be passed in one direction only, or not at all. The fix pairs it with the only portal that fits its "
        "opening, or adds the room to the stab list.",
    ),
    faults.PORTAL_POLYGON: _loaded(
        faults.PORTAL_POLYGON,
        "A portal has no polygon",
        _G,
        _ERROR,
        "The structure has no polygon of the number that the portal names. Such a portal joins nothing.",
    ),
    faults.PORTAL_SIDE: _loaded(
        faults.PORTAL_SIDE,
        "A portal says the wrong side",
        _V,
        _WARNING,
        "The flag of a portal says on which side of its polygon the room is, and the whole room is on the other. The "
        "opening is not seen through from inside, and bodies are said to reach the next room from everywhere. The fix "
        "turns the flag.",
    ),
    faults.PORTAL_ORDER: _loaded(
        faults.PORTAL_ORDER,
        "Portals are in another order than their polygons",
        _G,
        _WARNING,
        "The structure lists its portal polygons, the room its portals, and one number is the index of both. Where the "
        "orders differ, the client takes the opening of one for the other.",
    ),
    faults.STAB_LIST: _loaded(
        faults.STAB_LIST,
        "A stab list names rooms that are not there, or one twice",
        _V,
        _WARNING,
        "A stab list has ids of rooms that the landblock does not have, or an id more than once. The fix keeps each "
        "existing one once.",
    ),
    faults.SEEN_OUTSIDE: _loaded(
        faults.SEEN_OUTSIDE,
        "A room's flag about the outdoors contradicts its exits",
        _V,
        _INFO,
        "A room with an exit says that the outdoors is not seen from it, or one that says so has no exit in sight. "
        "Then sky and land are missing in the doorway, or are drawn for nothing. The fix sets the flag as the exits "
        "are.",
    ),
    faults.FRAME: _loaded(
        faults.FRAME,
        "A frame is not a place with a direction",
        _G,
        _ERROR,
        "A position is not a number or beyond the world, or a rotation is not of length 1. It is repaired as far as "
        "possible, and stands otherwise than its record says.",
    ),
    faults.SURFACE: _loaded(
        faults.SURFACE,
        "A surface is missing",
        Family.RENDER,
        _ERROR,
        "A polygon names a surface beyond its list, or a surface or its texture is missing or unreadable. It is drawn "
        "in a colour of its own, or by the client not at all.",
    ),
    faults.BUILDING: _loaded(
        faults.BUILDING,
        "A building cannot be used",
        _G,
        _ERROR,
        "A building has no land cell, shares one with another building, or its shell's model is missing: it does not "
        "collide, or nobody can enter it.",
    ),
    faults.BUILDING_PORTAL: _loaded(
        faults.BUILDING_PORTAL,
        "An entry of a building has no opening in the shell",
        _V,
        _WARNING,
        "The building has an entry, and no node of the shell's drawing tree has its opening. Bodies pass it, but "
        "nobody sees in from outdoors.",
    ),
    faults.BUILDING_LINK: _loaded(
        faults.BUILDING_LINK,
        "An entry of a building leads to no exit",
        _G,
        _WARNING,
        "An entry names a room or a portal that is not there, or one that leads indoors, or its stab list lacks rooms. "
        "Bodies do not come in there, or do not see in.",
    ),
    faults.STATIC_OBJECT: _loaded(
        faults.STATIC_OBJECT,
        "A static thing has no model",
        _G,
        _WARNING,
        "A record places a model that is missing or unreadable: nothing stands there.",
    ),
    faults.MODEL: _loaded(
        faults.MODEL,
        "A model is damaged",
        _G,
        _WARNING,
        "A model or one of its parts is missing or contradicts itself. What cannot be used is left out wherever it "
        "stands.",
    ),
    faults.MOTION: _loaded(
        faults.MOTION,
        "A motion is damaged",
        _E,
        _WARNING,
        "A motion table or an animation is missing or contradicts itself. Who has it stands still, or a door does not "
        "open.",
    ),
    faults.TERRAIN: _loaded(
        faults.TERRAIN,
        "The ground of a landblock is missing or damaged",
        _G,
        _ERROR,
        "The record of the landblock's ground is missing, cannot be read, or names heights beyond the height table.",
    ),
    faults.SCENERY: _loaded(
        faults.SCENERY,
        "Scenery cannot be made",
        _G,
        _INFO,
        "The scenes that the terrain words name are missing or name models that are not there: trees and rocks are "
        "absent here, and clients that have them collide with them.",
    ),
    faults.RECORD: _loaded(
        faults.RECORD,
        "A record cannot be read",
        _G,
        _ERROR,
        "A record of the data files is damaged, truncated or longer than its contents.",
    ),
    faults.REGION: _loaded(
        faults.REGION,
        "The region is damaged",
        _G,
        _ERROR,
        "The region, which has the heights, the kinds of ground and the sky, is missing or contradicts itself.",
    ),
    faults.ENTITY: _loaded(
        faults.ENTITY,
        "An entity cannot be used",
        _E,
        _WARNING,
        "An entity of the server's data contradicts itself: no weenie, a rotation that is none, a cell that is no "
        "cell, a link whose ends are not there; or the world lacks its model. It is repaired or left out.",
    ),
    faults.CONTAINER: _loaded(
        faults.CONTAINER,
        "A data file is damaged",
        _G,
        _ERROR,
        "The container of the records is damaged, changed while it was read, or is not what it says.",
    ),
}
"""The checks of the loader by what is at fault, the value of `Fault.what`."""

UNREACHED: Final = register(
    Check(
        "rooms.no-way-in",
        "No chain of portals leads to a room",
        Family.GEOMETRY,
        Severity.WARNING,
        "From the entries of the landblock, or where it has none from its largest group of rooms, no chain of portals "
        "leads to this room: nothing can walk in. A group of such rooms is told once, at its first. Rooms that only "
        "portals for players lead to are told as well.",
    )
)


_OF_PORTALS: Final = frozenset({faults.PORTAL, faults.PORTAL_LINK, faults.PORTAL_POLYGON, faults.PORTAL_SIDE})
_OF_POLYGONS: Final = frozenset({faults.POLYGON, faults.SURFACE})


def check_loaded(sim: Simulation, block: Landblock) -> Iterator[Found]:
    """Each fault of a landblock, of its entities, and of the structures and models in it, as loading left it."""
    listed = sim.world.landblock_faults(block.id)
    by_block = sim.world.entity_index.by_block
    listed += [] if by_block is None else by_block.block_faults(block.id)
    rooms = {cell.id: cell for cell in block.env_cells}
    fixes = fixes_of(sim, block) if listed else {}
    for fault in dict.fromkeys(listed):
        check = LOADED.get(fault.what)
        if check is not None:
            yield _found(block.id, rooms.get(fault.where), check, fault, fixes.get(fault))
    yield from _not_living(sim, block)
    for place, fault in _shape_faults(sim, block):
        check = LOADED.get(fault.what)
        if check is not None:
            number = fault.index if fault.what in _OF_POLYGONS else -1
            sentence = f"{cell_text(fault.where)}: {fault.reason}"
            cell_id = place[0] if place[0] in rooms else 0
            yield Found(check.id, block.id, cell_id, polygon=number, place=place, sentence=sentence)


def _not_living(sim: Simulation, block: Landblock) -> Iterator[Found]:
    """The entities that the simulation could not take in as their specifications say, since it was last told."""
    specs = {spec.guid: spec for spec in sim.world.entities_of(block.id)} if sim.population.faults else {}
    for fault in dict.fromkeys(sim.population.faults):
        spec = specs.get(fault.where)
        if spec is not None:
            place: Place = (spec.cell_id, spec.frame.origin)
            yield Found(LOADED[faults.ENTITY].id, block.id, entity=spec.guid, place=place, sentence=fault.reason)


def _shape_faults(sim: Simulation, block: Landblock) -> Iterator[tuple[Place, Fault]]:
    """The faults of the shapes and models in a landblock, each once, where it is met first."""
    told: set[Fault] = set()
    places: list[tuple[Place, Sequence[Fault]]] = []
    models: dict[int, Place] = {}
    for cell in block.env_cells:
        places.append(((cell.id, cell.frame.origin), cell.structure.faults))
        for static in cell.static_objects:
            models.setdefault(static.model_id, (cell.id, static.frame.origin))
    for building in block.buildings:
        models.setdefault(building.model_id, (block.id, building.frame.origin))
    for static in block.statics:
        models.setdefault(static.model_id, (block.id, static.frame.origin))
    for model_id, place in models.items():
        setup = sim.world.setup(model_id)
        if setup is not None:
            places.append((place, setup.faults))
            places += [(place, part.gfxobj.faults) for part in setup.parts if part.gfxobj is not None]
    for place, found in places:
        for fault in found:
            if fault not in told:
                told.add(fault)
                yield place, fault


def _found(block_id: int, cell: EnvCell | None, check: Check, fault: Fault, fix: Fix | None) -> Found:
    is_portal, is_entity = fault.what in _OF_PORTALS, fault.what == faults.ENTITY
    place: Place | None = None
    if cell is not None:
        place = (cell.id, _portal_place(cell, fault.index) if is_portal else cell.frame.origin)
    return Found(
        check.id,
        block_id,
        0 if is_entity else fault.where,
        fault.where if is_entity else 0,
        fault.index if is_portal else -1,
        fault.index if fault.what in _OF_POLYGONS else -1,
        place,
        fault.reason,
        fix=None if fix is None else FixForm.of(fix.name, fix.edits()),
    )


def _portal_place(cell: EnvCell, index: int) -> Vec3:
    polygon = cell.portals[index].polygon if 0 <= index < len(cell.portals) else None
    return cell.frame.origin if polygon is None else cell.frame.local_to_global(mean(polygon.vertices))


# --- reach


def check_reach(view: View) -> Iterator[Found]:
    for first, more in unreached(view.rooms, view.buildings):
        cell = view.rooms[first]
        behind = f", nor to {more} more behind it" if more else ""
        sentence = f"no chain of portals leads here{behind}: nothing can walk in"
        space = view.space(cell)
        place = cell.frame.origin if space is None else mean([(c[0], c[1], c[2]) for c in space.corners.tolist()])
        yield Found(UNREACHED.id, view.id, first, place=(first, place), sentence=sentence)


def unreached(cells: Mapping[int, EnvCell], buildings: Sequence[Building]) -> Iterator[tuple[int, int]]:
    """The groups of rooms that cannot be reached: the first room of each, and how many more it has. They are reached
    from outdoors, if there are entries, else from the largest group of rooms."""
    entries = {cell.id for cell in cells.values() if cell.has_exit()}
    entries |= {portal.other_cell_id for building in buildings for portal in building.portals}
    groups = _groups(cells)
    if not entries & cells.keys() and groups:
        largest = sorted(groups, key=lambda group: -len(group))[0]
        entries = set(largest)
    reached = _reached(entries & cells.keys(), cells)
    for group in groups:
        if any(_leads_into_the_unknown(cells[cell_id], cells) for cell_id in group):
            continue  # in a partial dump a path may lead through a room that it lacks
        lost = [cell_id for cell_id in group if cell_id not in reached]
        if lost:
            yield lost[0], len(lost) - 1


def _leads_into_the_unknown(cell: EnvCell, cells: Mapping[int, EnvCell]) -> bool:
    return any(not portal.leads_outside and portal.other_cell_id not in cells for portal in cell.portals)


def _reached(starts: set[int], cells: Mapping[int, EnvCell]) -> set[int]:
    reached, waiting = set(starts), sorted(starts)
    while waiting:
        for portal in cells[waiting.pop()].portals:
            if portal.other_cell_id in cells and portal.other_cell_id not in reached:
                reached.add(portal.other_cell_id)
                waiting.append(portal.other_cell_id)
    return reached


def _groups(cells: Mapping[int, EnvCell]) -> list[list[int]]:
    """Groups of rooms connected by portals in either direction, each in ascending order."""
    joined: dict[int, set[int]] = {cell_id: set() for cell_id in cells}
    for cell in cells.values():
        for portal in cell.portals:
            if portal.other_cell_id in joined:
                joined[cell.id].add(portal.other_cell_id)
                joined[portal.other_cell_id].add(cell.id)
    groups: list[list[int]] = []
    known: set[int] = set()
    for start in cells:
        if start not in known:
            group, waiting = {start}, [start]
            while waiting:
                more = joined[waiting.pop()] - group
                group |= more
                waiting += sorted(more)
            known |= group
            groups.append(sorted(group))
    return groups
