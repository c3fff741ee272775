"""Palette entries beside commands: entities, cells of the landblock in view, places to stand at, and what is typed: ids
and places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from editor.document.moving_player import move_player, move_player_to_text, why_not_there
from editor.models.entities import not_open
from editor.models.place_choices import PlaceChoice, choices_in, named_spots
from editor.models.search_ranking import PaletteEntry
from editor.places.place_text import read_place, seems_place
from editor.process.plain_text import counted, plain
from editor.session.session import Kind, Selection
from engine.world.cells.ids import block_text, cell_text, landblock_id, parse_id
from engine.world.faults import WorldError
from ui.commands.command_palette import Thing
from ui.context import WindowContext


class PaletteThings:
    """`choose_landblock` opens one of the landblocks that are not open."""

    def __init__(self, context: WindowContext, choose_landblock: Callable[[], object]) -> None:
        self._session = context.session
        self._document = context.document
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
            where = f"Cell · {counted(len(cell.portals), 'portal')}"
            yield self._thing(f"cell/{cell.id:08X}", plain(world.names.cell(cell.id)), where, at)
        for spot in named_spots(session):
            yield self._place(spot, spot.step, "Named place")
        for choice in [] if block is None else choices_in(sim, block):
            yield self._place(choice, choice.title, "")

    def _place(self, choice: PlaceChoice, title: str, where: str) -> Thing:
        entry = PaletteEntry(f"stand/{title}", plain(title), where, "", self._document.why_not_edit, thing=True)
        return Thing(entry, partial(move_player, self._document, choice.step, choice.find))

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

    def at_place(self, text: str) -> Thing | None:
        """Standing at a place that was typed or pasted, in whichever landblock of the open world it is; or the reason
        why it is none."""
        if not seems_place(text):
            return None
        try:
            place = read_place(text)
        except WorldError as error:
            entry = PaletteEntry("place", plain(text), why_not=plain(f"{error}."), thing=True)
            return Thing(entry, lambda: None)
        is_elsewhere = landblock_id(place.cell_id) != self._session.landblock_id
        where = f"Opens landblock {block_text(place.cell_id)}" if is_elsewhere else "Moves the player"
        why_not = self._document.why_not_edit or why_not_there(self._document, place)
        entry = PaletteEntry("place", f"Stand at {place.short}", where, "", plain(why_not), thing=True)
        return Thing(entry, partial(move_player_to_text, self._document, text))
