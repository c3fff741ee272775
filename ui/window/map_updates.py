"""Keeps the map of the landblock in view up to date: its plan, the selection, the player."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from editor.document.document import Document
from editor.maps.landblock_plan import Plan, make_plan
from editor.models.entities import specs_now
from editor.models.landblock_changes import LandblockChanges, LandblockContents
from editor.models.lost_wording import is_lost
from editor.session.session import Kind
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import block_of
from engine.world.landblock import Landblock
from engine.world.world import World
from ui.map.panel import MapPanel


class MapUpdates(QObject):
    """Makes a plan when the map is shown, and caches it until an edit."""

    def __init__(self, document: Document, changes: LandblockChanges, panel: MapPanel) -> None:
        super().__init__(panel)
        self._document = document
        self._session = document.session
        self._panel = panel
        self._map = panel.map
        self._plans: dict[int, Plan] = {}
        session = self._session
        session.opened.connect(self._forget_plans)
        session.landblock_changed.connect(self._on_landblock)
        session.selection_changed.connect(self._on_selection)
        session.hover_changed.connect(self._on_hover)
        changes.edited.connect(self._forget_plans)
        changes.changed.connect(self._on_contents)
        document.changed.connect(self._show_player)
        document.named.connect(self._on_named)
        self._map.chosen.connect(session.select)
        self._map.hovered.connect(session.set_hover)

    @Slot()
    def _forget_plans(self) -> None:
        """Drop all cached plans: an edit may have reached any landblock."""
        self._plans = {}

    @Slot()
    def _on_named(self) -> None:
        self._forget_plans()
        world, block_id = self._session.world, self._session.landblock_id
        before = None if block_id is None else self._map.plan_of(block_id)
        block = None if world is None or block_id is None else world.landblock(block_id)
        if world is not None and block is not None and before is not None:
            sim = self._session.simulation
            here = None if sim is None else specs_now(sim, block.id)
            self._map.update_plan(lambda: make_plan(world, block, here, before))

    @Slot()
    def _on_landblock(self) -> None:
        world, block_id = self._session.world, self._session.landblock_id
        block = None if world is None or block_id is None else world.landblock(block_id)
        if world is None or block is None:
            self._panel.forget_plan()
        else:
            self._panel.show_plan_of(lambda: self._plan_of(world, block))
        self._show_player()

    def _plan_of(self, world: World, block: Landblock) -> Plan:
        plan = self._plans.get(block.id)
        if plan is None:
            sim = self._session.simulation
            here = None if sim is None else specs_now(sim, block.id)
            plan = self._plans[block.id] = make_plan(world, block, here)
        return plan

    @Slot(object)
    def _on_contents(self, now: LandblockContents) -> None:
        before = self._map.plan_of(now.block.id)
        self._map.update_plan(lambda: make_plan(now.world, now.block, now.entities, before))

    @Slot()
    def _on_selection(self) -> None:
        self._map.set_selection(self._session.selection, self._stab_list())

    def _stab_list(self) -> frozenset[int]:
        world, selection = self._session.world, self._session.selection
        if world is None or selection is None or selection.kind is not Kind.CELL:
            return frozenset()
        cell = world.graph.get_visible(selection.key)
        return frozenset(cell.stab_list) if isinstance(cell, EnvCell) else frozenset()

    @Slot()
    def _on_hover(self) -> None:
        self._map.set_hover(self._session.hover)

    @Slot()
    def _show_player(self) -> None:
        sim, block_id = self._document.simulation, self._session.landblock_id
        place = None if sim is None else sim.player.steered.place
        if place is None or block_id is None or block_of(place.cell_id) != block_of(block_id):
            self._map.set_player(None)
            return
        at = (place.origin[0], place.origin[1], place.turn.heading())
        self._map.set_player(at, lost=is_lost(sim))
