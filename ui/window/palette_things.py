"""Palette entries beside commands: entities, cells of the landblock in view, and ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from editor.models.entities import not_open
from editor.models.search_ranking import PaletteEntry
from editor.process.plain_text import plain
from editor.session.session import Kind, Selection
from engine.world.cells.ids import cell_text, landblock_id, parse_id
from engine.world.faults import WorldError
from ui.commands.command_palette import Thing
from ui.context import WindowContext


class PaletteThings:
    """`choose_landblock` opens one of the landblocks that are not open."""

    def __init__(self, context: WindowContext, choose_landblock: Callable[[], object]) -> None:
        self._session = context.session
        self._navigation = context.navigation
        self._choose_landblock = choose_landblock

    def all(self) -> Iterator[Thing]:
        """The entities of the world and the cells of the landblock in view, by name and id."""
        session = self._session
        world, sim = session.world, session.simulation
        if world is None or sim is None:
            return
        for entity in sim.population.ordered:
            at = Selection(Kind.ENTITY, landblock_id(entity.place_cell()), entity.id)
            where = f"{type(entity).__name__} {cell_text(entity.id)}"
            yield self._thing(f"entity/{entity.id:08X}", plain(entity.name) or cell_text(entity.id), where, at)
        more = not_open(sim)
        if more:
            yield Thing(
                PaletteEntry("not-open", more, "Open one of the landblocks", thing=True), self._choose_landblock
            )
        block = None if session.landblock_id is None else world.landblock(session.landblock_id)
        for cell in [] if block is None else block.env_cells:
            at = Selection(Kind.CELL, landblock_id(cell.id), cell.id)
            where = f"Cell · {len(cell.portals)} portals"
            yield self._thing(f"cell/{cell.id:08X}", cell_text(cell.id), where, at)

    def _thing(self, name: str, title: str, where: str, selection: Selection) -> Thing:
        return Thing(PaletteEntry(name, title, where, thing=True), partial(self._navigation.jump, selection))

    def by_id(self, text: str) -> Thing | None:
        """Going to an id that was typed, whatever it belongs to; None for a text that is no id."""
        try:
            wanted = parse_id(text)
        except WorldError:
            wanted = 0
        if not wanted:
            return None
        entry = PaletteEntry("id", plain(f"Go to {text}"), "By id", thing=True)
        return Thing(entry, partial(self._navigation.go_to, text))
