"""Random edits, undos, redos and ticks: stack, simulation and registry stay in step, and all of it can be replayed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from editor.authoring.cell_edits import link_portal, set_cell_frame, set_portal_flags, set_seen_outside, set_stab_list
from editor.authoring.dropping import drop_entity
from editor.authoring.static_edits import add_static, move_static, rehome_static, remove_static
from editor.document.document import Document
from editor.document.step_application import REFUSALS
from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.physics.rules import RULE_NAMES
from engine.sim.edits.catalogue import edit_of
from engine.sim.edits.doors import SetResetInterval
from engine.sim.edits.edit import Edit
from engine.sim.edits.entities import AddEntity, MoveEntity, RemoveEntity, SetScale, SetStateBits, spec_text
from engine.sim.edits.player import FacePlayer, SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRule, SetRuleSet
from engine.sim.edits.world import SetTimeOfDay
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.portals import OUTSIDE
from engine.world.entity_spec import EntitySpec
from tests.editor.document.small_document import document_of
from tests.sim.helpers.small_worlds import built, two_rooms

HALL, STUDY = 0x00070100, 0x00070101
ADDED = 0x80000001

indices = st.integers(0, 5)
rooms = st.sampled_from([HALL, STUDY])
places = st.tuples(
    st.sampled_from([*((HALL, x) for x in (1.0, 3.0, 5.0, 5.6)), (STUDY, 8.0), (STUDY, 12.0), (0x00070177, 3.0)]),
    st.sampled_from([1.0, 2.0, 3.0]),
    st.sampled_from([0.0, 90.0, 200.0]),
)
Place = tuple[tuple[int, float], float, float]


class Sequences(RuleBasedStateMachine):
    """`steps` is what the undo stack should hold, with the state before each while no time has passed."""

    def __init__(self) -> None:
        super().__init__()
        self.document: Document = document_of(built(two_rooms))
        self.steps: list[bytes | None] = []
        self.done = 0
        self.history: list[Edit | Controls] = []
        self.added = 0
        self.forgotten = False
        """A step could not be taken back, so nothing leads back to how all began."""
        self.travelling = False
        self.stood: list[tuple[int, int, int]] = []
        self.model = self.document.sim.population.doors[0].setup.id

    @initialize()
    def listen(self) -> None:
        self.document.sim.listen(lambda tick, edit: self.note(edit))
        self.document.sim.listen_to_ticks(lambda controls, report: self.note(controls))

    def note(self, happened: Edit | Controls) -> None:
        """For making it all again; what is only shown again did not happen twice."""
        if not self.travelling:
            self.history.append(happened)

    def make(self, name: str, edits: Callable[[Simulation], list[Edit]], drag: str = "") -> None:
        sim, stack = self.document.sim, self.document.stack
        before, count = sim.state_hash(), stack.index()
        try:
            wanted = edits(sim)
        except REFUSALS:
            assert sim.state_hash() == before
            return
        if self.document.edit(name, *wanted, drag=drag):
            if stack.index() == count:  # merged into the one before; what was undone after that is gone
                del self.steps[self.done :]
                return
            self.steps[self.done :] = [before]
            self.done += 1
        else:
            assert sim.state_hash() == before

    def somebody(self, index: int) -> int:
        entities = self.document.sim.population.ordered
        return entities[index % len(entities)].id if entities else 0x12345678

    @rule(index=indices, name=st.sampled_from(["use", "open_door", "close_door", "lock_door"]), on=st.booleans())
    def door(self, index: int, name: str, on: bool) -> None:
        rest: dict[str, tuple[int, ...]] = {"use": (0,), "lock_door": (on,)}
        self.make(name, lambda sim: [edit_of(name, (self.somebody(index), *rest.get(name, ())))])

    @rule(index=indices, seconds=st.sampled_from([0.5, 2.0, 30.0]))
    def interval(self, index: int, seconds: float) -> None:
        self.make("interval", lambda sim: [SetResetInterval(self.somebody(index), seconds)])

    @rule(index=indices, bit=st.sampled_from([0x4, 0x8, 0x10, 0x400, 0x4000]), on=st.booleans())
    def state(self, index: int, bit: int, on: bool) -> None:
        self.make("state", lambda sim: [SetStateBits(self.somebody(index), bit, on)])

    @rule(index=indices, place=places, drag=st.sampled_from(["", "drag"]))
    def move(self, index: int, place: Place, drag: str) -> None:
        (cell, x), y, heading = place
        key = f"{drag} {self.somebody(index)}" if drag else ""
        self.make("move", lambda sim: [MoveEntity(self.somebody(index), cell, x, y, 0.0, heading)], key)

    @rule(index=indices)
    def delete(self, index: int) -> None:
        self.make("delete", lambda sim: [RemoveEntity(self.somebody(index))])

    @rule(place=places, kind=st.sampled_from(["door", "creature"]))
    def add(self, place: Place, kind: str) -> None:
        (cell, x), y, _ = place
        model = self.model
        spec = EntitySpec(ADDED + self.added, kind, kind, model, cell, Frame((x, y, 0.0)), 0x10408)
        self.added += 1
        self.make("add", lambda sim: [AddEntity(spec_text(spec))])

    @rule(place=places)
    def teleport(self, place: Place) -> None:
        (cell, x), y, heading = place
        self.make("teleport", lambda sim: [Teleport(cell, x, y, 0.0, heading)])

    @rule(name=st.sampled_from(["height", "step_up", "run_skill"]), value=st.sampled_from([0.3, 1.2, 1.8, -1.0]))
    def number(self, name: str, value: float) -> None:
        self.make("number", lambda sim: [SetPlayerNumber(name, value)])

    @rule(name=st.sampled_from(RULE_NAMES), form=st.sampled_from(["retail", "ace"]))
    def flip(self, name: str, form: str) -> None:
        self.make("rule", lambda sim: [SetRule(name, form)])

    @rule(form=st.sampled_from(["retail", "ace"]))
    def rule_set(self, form: str) -> None:
        self.make("rules", lambda sim: [SetRuleSet(form)])

    @rule(cell=st.sampled_from([HALL, STUDY]), seen=st.sampled_from([[], [HALL], [STUDY], [STUDY, HALL]]))
    def stab_list(self, cell: int, seen: list[int]) -> None:
        self.make("stab list", lambda sim: set_stab_list(sim, cell, seen))

    @rule(cell=st.sampled_from([HALL, STUDY]), on=st.booleans(), flags=st.sampled_from([0x0, 0x1, 0x2, 0x3]))
    def cell(self, cell: int, on: bool, flags: int) -> None:
        self.make("portal", lambda sim: set_portal_flags(sim, cell, 0, flags))
        self.make("seen outside", lambda sim: set_seen_outside(sim, cell, on))

    @rule(cell=rooms, index=st.integers(0, 3), beyond=st.sampled_from([HALL, STUDY, OUTSIDE]), both=st.booleans())
    def link(self, cell: int, index: int, beyond: int, both: bool) -> None:
        self.make("link", lambda sim: link_portal(sim, cell, 0, beyond, index - 1, both))

    @rule(cell=rooms, x=st.sampled_from([-1.0, 0.0, 0.5]), turn=st.sampled_from([0.0, 10.0]), carry=st.booleans())
    def frame(self, cell: int, x: float, turn: float, carry: bool) -> None:
        frame = Frame((x, 0.0, 0.0), from_heading(turn))
        self.make("frame", lambda sim: set_cell_frame(sim, cell, frame, carry))

    @rule(cell=rooms, place=places)
    def add_thing(self, cell: int, place: Place) -> None:
        (_, x), y, heading = place
        self.make("static", lambda sim: add_static(sim, cell, self.model, Frame((x, y, 0.0), from_heading(heading))))

    @rule(cell=rooms, home=rooms, index=st.integers(0, 2), place=places, drag=st.sampled_from(["", "static"]))
    def move_thing(self, cell: int, home: int, index: int, place: Place, drag: str) -> None:
        frame = Frame((place[0][1], place[1], 0.5), from_heading(place[2]))
        if drag:
            self.make("static", lambda sim: move_static(sim, cell, index, frame), f"{drag} {cell} {index}")
        else:
            self.make("static", lambda sim: rehome_static(sim, cell, index, home, frame))

    @rule(cell=rooms, index=st.integers(0, 2))
    def remove_thing(self, cell: int, index: int) -> None:
        self.make("static", lambda sim: remove_static(sim, cell, index))

    @rule(index=indices, scale=st.sampled_from([0.25, 0.5, 1.0, 2.0, -1.0]), drag=st.sampled_from(["", "scale"]))
    def scale(self, index: int, scale: float, drag: str) -> None:
        key = f"{drag} {self.somebody(index)}" if drag else ""
        self.make("scale", lambda sim: [SetScale(self.somebody(index), scale)], key)

    @rule(index=indices)
    def drop(self, index: int) -> None:
        self.make("drop", lambda sim: [drop_entity(sim, self.somebody(index))])

    @rule(time=st.sampled_from([0.0, 0.25, 0.75, 1.5]), drag=st.sampled_from(["", "time"]))
    def time_of_day(self, time: float, drag: str) -> None:
        self.make("time", lambda sim: [SetTimeOfDay(time)], drag)

    @rule(count=st.sampled_from([1, 2, 20]), forward=st.sampled_from([-1.0, 0.0, 1.0]), jump=st.booleans())
    def tick(self, count: int, forward: float, jump: bool) -> None:
        self.document.tick_many(count, Controls(forward=forward, jump=jump))
        self.steps = [None] * len(self.steps)

    @rule(back=st.integers(1, 30))
    def look_back(self, back: int) -> None:
        """The past, some of it as it passed, and the present again."""
        document, past = self.document, self.document.history
        assert past is not None
        present, end = document.sim.state_hash(), past.end
        self.travelling = True
        document.go_to(end - back)
        if document.in_past:
            document.tick_many(1)
            assert not document.in_past or not document.edit("in the past", FacePlayer(12.0))
        document.go_to(end)
        self.travelling = False
        assert document.sim.state_hash() == present

    @rule(back=st.integers(1, 30))
    def continue_from_the_past(self, back: int) -> None:
        document, past = self.document, self.document.history
        assert past is not None
        self.travelling = True
        document.go_to(past.end - back)
        self.travelling = False
        if not document.in_past:
            return
        document.continue_here()
        while self.stood and self.stood[-1][0] >= document.sim.tick_number:
            del self.stood[-1]
        _, count, self.done = self.stood[-1] if self.stood else (0, 0, 0)
        self.steps = [None] * count
        ticks = 0
        for place, happened in enumerate(self.history):
            if ticks == document.sim.tick_number:
                del self.history[place:]
                return
            ticks += isinstance(happened, Controls)

    @precondition(lambda self: self.done > 0)
    @rule()
    def undo(self) -> None:
        expected = self.steps[self.done - 1]
        self.document.undo()
        self.done -= 1
        if self.document.stack.count() < len(self.steps):  # it was not possible any more
            del self.steps[self.done]
            self.forgotten = True
        if expected is not None:
            assert self.document.sim.state_hash() == expected
        else:
            self.steps = [None] * len(self.steps)

    @precondition(lambda self: self.done < len(self.steps))
    @rule()
    def redo(self) -> None:
        before, count = self.document.sim.state_hash(), self.document.stack.count()
        self.document.redo()
        if self.document.stack.count() < count:
            del self.steps[self.done]
        else:
            self.steps[self.done] = before
            self.done += 1

    @invariant()
    def the_stack_is_as_expected(self) -> None:
        assert (self.document.stack.index(), self.document.stack.count()) == (self.done, len(self.steps))
        self.stood.append((self.document.sim.tick_number, len(self.steps), self.done))

    @invariant()
    def everybody_is_registered_where_he_is(self) -> None:
        population, graph = self.document.sim.population, self.document.sim.graph
        registered = population.registry.entities
        assert {population.player.id, *population.entities, *population.statics.things} == set(registered)
        for cell in graph.all_cells():
            inside = [shadow.object_id for shadow in cell.shadow_objects]
            assert len(inside) == len(set(inside))
            assert set(inside) == {guid for guid, entry in registered.items() if cell.id in entry.cell_ids}
        for entity in population.ordered:
            if entity.body is not None:
                assert entity.body.state & ~0x4 == population.state_of(entity.id) & ~0x4

    def teardown(self) -> None:
        """The same ticks and edits, undos among them, make the same simulation again."""
        again = document_of(built(two_rooms)).sim
        for step in self.history:
            if isinstance(step, Edit):
                again.apply_edit(step)
            else:
                again.tick(step)
        assert again.state_hash() == self.document.sim.state_hash()


def test_random_sequences_keep_document_simulation_and_registry_in_step() -> None:
    run_state_machine_as_test(Sequences, settings=settings(max_examples=200, stateful_step_count=12, deadline=None))


@pytest.mark.slow
def test_a_thousand_random_sequences_keep_document_and_registry_in_step() -> None:
    run_state_machine_as_test(Sequences, settings=settings(max_examples=1000, stateful_step_count=40, deadline=None))
