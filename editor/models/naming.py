"""Names of cells, portals and models: whose name a selection has, and what a rename or an import changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from editor.authoring.static_edits import find_static
from editor.document.document import Document
from editor.process.plain_text import counted
from editor.session.session import Kind, Selection
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.names import Named, NameKey, Names, clean_name
from engine.world.portal_mates import mate_of
from engine.world.world import World


def key_of(sim: Simulation, selection: Selection | None) -> NameKey | None:
    """Whose name a selection has: a cell or landblock its own, anything else that of its model."""
    if selection is None:
        return None
    if selection.kind in (Kind.CELL, Kind.LANDBLOCK):
        return NameKey.cell(selection.key)
    if selection.kind is Kind.ENTITY:
        entity = sim.population.find(selection.key)
        return None if entity is None or entity.setup is None else NameKey.model(entity.setup.id)
    block = sim.world.landblock(selection.landblock)
    if selection.kind is Kind.BUILDING:
        known = block is not None and selection.key < len(block.buildings)
        return NameKey.model(block.buildings[selection.key].model_id) if block is not None and known else None
    thing = find_static(sim, selection.key)
    if thing is not None:
        return NameKey.model(thing.model_id)
    found = [] if block is None else [thing for thing in block.statics if thing.id == selection.key]
    return NameKey.model(found[0].model_id) if found else None


def wanted_names(world: World, key: NameKey, name: str) -> dict[NameKey, str]:
    """The names that a rename gives: the portal on the other side of an opening has the same one."""
    wanted = {key: name}
    if key.kind is Named.PORTAL:
        cell = world.graph.get_visible(key.id)
        if isinstance(cell, EnvCell) and key.index < len(cell.portals):
            other = world.graph.get_visible(cell.portals[key.index].other_cell_id)
            beside = {other.id: other} if isinstance(other, EnvCell) else {}
            mate = mate_of(cell, key.index, beside)
            if mate is not None:
                wanted[NameKey.portal(cell.portals[key.index].other_cell_id, mate)] = name
    return wanted


def rename(document: Document, key: NameKey, text: str) -> bool:
    """Give a name as one undo step; an empty one takes it away."""
    world = document.world
    if world is None:
        return False
    name = clean_name(text)
    title = f"Name {_thing(key)} {name}" if name else f"Remove Name of {_thing(key)}"
    return document.rename(title, wanted_names(document.sim.world, key, name))


def _thing(key: NameKey) -> str:
    if key.kind is Named.PORTAL:
        return f"Portal {key.index} of {cell_text(key.id)}"
    return cell_text(key.id)


@dataclass(frozen=True)
class Merge:
    """What importing names changes: new names, and those that replace another one."""

    wanted: dict[NameKey, str]
    added: int
    replaced: list[str]
    """One line each: `cell 0xC95B0104: Cellar becomes Basement`."""
    same: int

    @property
    def sentence(self) -> str:
        parts = [counted(self.added, "new name")]
        if self.replaced:
            parts.append(f"{counted(len(self.replaced), 'name')} that {_verb(len(self.replaced))} another one")
        if self.same:
            parts.append(f"{counted(self.same, 'name')} that {'is' if self.same == 1 else 'are'} here already")
        return (
            f"The file has {', '.join(parts[:-1])} and {parts[-1]}." if len(parts) > 1 else f"The file has {parts[0]}."
        )


def _verb(count: int) -> str:
    return "replaces" if count == 1 else "replace"


def merge_of(names: Names, found: Mapping[NameKey, str]) -> Merge:
    """Compare the names of a file with those of the world; the file takes none away."""
    wanted = {key: name for key, name in found.items() if name}
    changes = names.changes(wanted)
    replaced = [f"{change.key.text}: {change.before} becomes {change.after}" for change in changes if change.before]
    return Merge(wanted, len(changes) - len(replaced), replaced, len(wanted) - len(changes))
