"""The simulation of one world: edits between ticks, and `tick`, the only thing that moves time (physics.md 7, 9, 11;
ARCHITECTURE.md, promises 2 and 4).

Same start, same controls, same edits: the same bits, on either core. Any number of simulations share one loaded world;
what a run changes is in the fork of it that each simulation makes (`sim.world`).
"""

from __future__ import annotations

from typing import Final

from engine.entities.bodies import EntityBody
from engine.entities.door import Door
from engine.entities.entity import Entity
from engine.entities.events import FOUND, LOST, CellEvent, EntityEvent
from engine.geometry.constants import MIN_QUANTUM
from engine.geometry.vec import length
from engine.physics.flags import FROZEN, STATIC, TS_ACTIVE
from engine.physics.place import Place
from engine.physics.set_position import reenter
from engine.sim.edits.edit import Edit
from engine.sim.edits.world import OpenLandblock
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.state import SimulationState
from engine.world.cells.position import into_block
from engine.world.graph.graph import NO_CELL

QUANTUM: Final = MIN_QUANTUM
"""A tick, 1/30 s."""

ASLEEP_BEYOND: Final = 96.0
"""Metres from the player at which bodies are not moved (11.1)."""

STANDING_STILL: Final = Controls()


class Simulation(SimulationState):
    """A world in time.

        sim = Simulation(world)
        sim.apply_edit(Teleport(0xC95B0104, 96.0, 96.0, 0.0, 90.0))
        report = sim.tick(Controls(forward=1.0, run=True))

    `tick_number` counts the ticks that have run; what is edited now is seen by the tick of that number.
    """

    def apply_edit(self, edit: Edit) -> None:
        """Make a change from outside, and notify whoever listens; a refused one has changed nothing."""
        if edit.is_in_effect(self):
            return
        edit.apply(self)
        if self._listeners:
            self._notify(edit.normalized())

    def bring(self, entity_id: int) -> None:
        """Let the landblock of an entity come in that is about to be edited.

        That is an edit of its own, so a recording has it also when the edit that asked for it is refused.
        """
        if self.population.find(entity_id) is None:
            spec = self.world.entity_spec(entity_id)
            if spec is not None:
                self.apply_edit(OpenLandblock(spec.cell_id))

    def use_door(self, door_id: int, user_id: int, events: list[EntityEvent]) -> None:
        """Let an entity use a door; nothing happens when there is no such door."""
        door = self.population.find(door_id)
        if not isinstance(door, Door):
            return
        user = self.population.find(user_id)
        behind = user is not None and door.is_behind(user.place_cell(), user.origin())
        door.use(self.tick_number, user_id, behind, events)

    def tick(self, controls: Controls = STANDING_STILL) -> TickReport:
        """Run 1/30 s: doors, the player, the cell that he is in, then everybody else."""
        now = self.tick_number
        report = TickReport(now)
        report.events = self.pending_events
        self.pending_events = []
        for door in self.population.doors:
            door.step(now, report.events)
        if controls.use != 0:
            self.use_door(controls.use, self.player.id, report.events)
        self._move_player(controls, report)
        for entity in self.population.movers:
            body = entity.body
            if body is not None and self._is_stepped(body):
                self._move_other(entity, body, report)
        self._add_faults(report)
        self.tick_number = now + 1
        self.last_report = report
        if self._tick_listeners:
            for listener in self._tick_listeners.copy():
                listener(controls, report)
        return report

    def _move_player(self, controls: Controls, report: TickReport) -> None:
        body = self.player.steered
        report.begin(body)
        was_lost = body.held is not None
        before = body.place.copy()
        if was_lost and self.rules.no_cell_commit:
            reenter(body)  # the client does so in every frame that it draws, so between two ticks (physics.md #8)
        _, was_on_walkable = body.contact_bits()
        report.jumped = body.steer(
            controls.forward, controls.side_step, controls.turn, controls.run, controls.jump, QUANTUM
        )
        ok = body.step(QUANTUM)
        report.finish(body, was_on_walkable, ok)
        if report.lost != was_lost:
            self._tell_of_cells(body, before, report)
        if body.cell is not None and body.cell.id != self.graph.current_id:
            self.enter_cell(body.cell.id, body.cell.seen_outside)
        elif report.lost:
            self.graph.set_current(NO_CELL)

    def _is_stepped(self, body: EntityBody) -> bool:
        """Near the player every update wakes whoever sleeps; that restarts the body's clock, so that update steps
        nothing, and one at rest is stepped at each second one (11.1; physics.md #39)."""
        if body.cell is None or body.state & FROZEN or self._distance_to_player(body) > ASLEEP_BEYOND:
            body.transient &= ~TS_ACTIVE
            return False
        if body.transient & TS_ACTIVE:
            return True
        if not body.state & STATIC:
            body.transient |= TS_ACTIVE
        return False

    def _move_other(self, entity: Entity, body: EntityBody, report: TickReport) -> None:
        cell_id = body.place.cell_id
        origin = body.place.origin
        turn = body.place.turn
        before = body.place.copy()
        body.step(QUANTUM)
        place = body.place
        if body.held is not None:
            self._tell_of_cells(body, before, report)
        if place.origin != origin or place.turn is not turn or place.cell_id != cell_id:
            report.moved.append(entity.id)
        tr = body.last_transition
        if entity.opens_doors and tr is not None:
            for object_id in tr.ci.collide_objects:
                door = self.population.find(object_id)
                if isinstance(door, Door) and not door.is_open and not door.is_busy(report.tick):
                    self.use_door(object_id, entity.id, report.events)

    def _tell_of_cells(self, body: EntityBody, before: Place, report: TickReport) -> None:
        what = LOST if body.held is not None else FOUND
        report.events.append(CellEvent(report.tick, body.id, what, body.place, before))

    def _distance_to_player(self, body: EntityBody) -> float:
        here = self.player.steered.place
        x, y, z = into_block(here.cell_id, body.place.cell_id, body.place.origin)
        return length((x - here.origin[0], y - here.origin[1], z - here.origin[2]))

    def _add_faults(self, report: TickReport) -> None:
        faults = self.population.faults
        for index in range(self._told_faults, len(faults)):
            report.faults.append(str(faults[index]))
        self._told_faults = len(faults)
        body = self.player.steered
        if body.held is not None:
            report.faults.append("the player has left all cells: none holds his centre")
        elif body.cell is None:
            report.faults.append("the player is in no cell")
