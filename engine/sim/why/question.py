"""Asks why a value is what it is, and of the answer why again, as far back as the recording goes.

    question = WhyQuestion(sim, recording, Asked(door_id, "is_open", 300))
    for _ in question.steps():
        ...  # a pause after every few milliseconds

The simulation is led about at will: it is one of its own, of the recording's world, and may answer any number of
questions one after the other.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Final

from engine.entities.door import Door
from engine.physics.rules import RULE_NAMES
from engine.sim.errors import SimError
from engine.sim.recording import Recording
from engine.sim.tick.simulation import Simulation
from engine.sim.why.answer import SIMULATION, Asked, CauseKind, Chain, Link
from engine.sim.why.bodies import OF_PLACES, cause_of_body, kept_by
from engine.sim.why.cause import Cause
from engine.sim.why.doors import cause_of_door
from engine.sim.why.history import Change, History, drain
from engine.sim.why.kinds import DOOR_PATHS
from engine.sim.why.moment import Moment
from engine.sim.why.rows import node_at
from engine.sim.why.values import (
    KEY_NAMES,
    KEYS,
    exact_text,
    key_value,
    reader,
    title_of,
    value_text,
)
from engine.sim.why.wording import edit_text, held_text, sentence, subject, switched_text

MOST_LINKS: Final = 40
RULES_A_STEP: Final = 8

ENDED_BY_KEY: Final = "A key was pressed or let go: nothing in the recording made it."
ENDED_BY_EDIT: Final = "It was edited: nothing in the recording made the edit."
ENDED_AT_START: Final = "So it was when the recording began."
ENDED_IN_ITSELF: Final = "What comes before is in the chain already."
ENDED_BY_LENGTH: Final = f"The chain has {MOST_LINKS} links: ask again from the last one."
ENDED: Final = "Nothing else led to it."


class WhyQuestion:
    """`chain` is what is known so far; it is finished when `steps` has ended."""

    def __init__(self, sim: Simulation, recording: Recording, asked: Asked) -> None:
        self.sim = sim
        self.recording = recording
        self.asked = asked
        self.chain = Chain()
        self._history = History(sim, recording)
        self._seen: set[tuple[int, str, int]] = set()

    def steps(self) -> Iterator[None]:
        """Find link after link; a SimError when the value is not there or the recording cannot be run again."""
        history, asked = self._history, self.asked
        if not self.recording.first_tick <= asked.tick <= history.last_tick:
            raise SimError(
                f"the recording has the ticks {self.recording.first_tick} to {history.last_tick}, not {asked.tick}"
            )
        waiting: tuple[Asked, ...] = (asked,)
        while waiting:
            link = yield from self._next_link(waiting)
            if link is None:
                self.chain = replace(self.chain, ended=ENDED_IN_ITSELF)
                return
            self.chain = replace(self.chain, links=(*self.chain.links, link))
            if len(self.chain.links) == 1 and link.tick < asked.tick < self.recording.end:
                yield from self._find_what_keeps(link)
            if link.kind is CauseKind.START or not link.leads_to or len(self.chain.links) == MOST_LINKS:
                break
            waiting = link.leads_to
        self.chain = replace(self.chain, ended=_end_of(self.chain.links[-1]))

    def run(self) -> Chain:
        """The whole chain at once."""
        drain(self.steps())
        return self.chain

    def _find_what_keeps(self, link: Link) -> Iterator[None]:
        """A body that has not moved since may be held where it is."""
        asked = self.asked
        if asked.path.partition(".")[0] not in OF_PLACES or asked.entity != self.recording.player_id:
            return
        read = reader(asked.entity, asked.path, self.sim)
        moment = Moment(self._history, Change(asked.tick, None, None), asked.entity, read)
        yield from moment.run()
        self.chain = replace(self.chain, kept_by=sentence(kept_by(moment)))

    # --- a link

    def _next_link(self, leads: tuple[Asked, ...]) -> Generator[None, None, Link | None]:
        """The first lead that goes further back than the start, else the first of all that is not in the chain."""
        starts: list[Asked] = []
        for asked in leads:
            change = yield from self._history.last_change(asked)
            if change is None:
                starts.append(asked)
            elif (asked.entity, asked.path, change.tick) not in self._seen:
                self._seen.add((asked.entity, asked.path, change.tick))
                return (yield from self._link(asked, change))
        for asked in starts:
            if (asked.entity, asked.path, -1) not in self._seen:
                self._seen.add((asked.entity, asked.path, -1))
                return self._since_start(asked)
        return None

    def _since_start(self, asked: Asked) -> Link:
        sim = self.sim
        tick = self.recording.first_tick
        if not self._history.is_key(asked):
            self._history.stand_after(asked.tick)
        title = title_of(sim, asked.entity, asked.path)
        if self._history.is_key(asked):
            value = key_value(self._history.controls_at(asked.tick), asked.path)
            text = value_text(sim, asked.entity, asked.path, value)
            name = asked.path.removeprefix(f"{KEYS}.")
            held = {name: value} if isinstance(value, float | bool) and name in KEY_NAMES and value else {}
            what = held_text(sim, held) if held else f"{title}: {text}"
        else:
            text = value_text(sim, asked.entity, asked.path, reader(asked.entity, asked.path, sim)(sim))
            what = f"{title}: {text}"
        said = f"{sentence(what)} since the recording began"
        return Link(asked, title, text, text, tick, CauseKind.START, said)

    def _link(self, asked: Asked, change: Change) -> Generator[None, None, Link]:
        sim = self.sim
        if self._history.is_key(asked):
            yield
            return self._key_link(asked, change)
        # the simulation stands wherever the search ended, perhaps where the entity is not there yet
        self._history.stand_after(change.tick)
        present = asked.entity == SIMULATION or sim.population.find(asked.entity) is not None
        yield
        if not present:
            self._history.stand_before(change.tick)
        read = reader(asked.entity, asked.path, sim)
        title = title_of(sim, asked.entity, asked.path)
        before, after = (value_text(sim, asked.entity, asked.path, each) for each in (change.before, change.after))
        if before == after:
            before, after = exact_text(change.before), exact_text(change.after)
        moment = Moment(self._history, change, asked.entity, read)
        yield from moment.run()
        cause = self._cause(asked, moment)
        yield
        if cause.is_swept and change.tick < self.recording.end:
            rules: list[str] = []
            for number, rule in enumerate(moment.rules_that_matter()):
                if rule:
                    rules.append(rule)
                if number % RULES_A_STEP == 0:
                    yield
            cause = replace(cause, rules=tuple(rules))
        row = "" if cause.trace_path is None else node_at(moment.sweeps, cause.trace_path).line
        return Link(
            asked,
            title,
            before,
            after,
            change.tick,
            cause.kind,
            sentence(cause.sentence),
            sub_step=cause.sub_step,
            swept=asked.entity if row else 0,
            trace_path=cause.trace_path,
            row=row,
            cell=cause.cell,
            entity=cause.entity,
            polygon=cause.polygon,
            portal=cause.portal,
            key=cause.key,
            edit=cause.edit,
            edit_number=cause.edit_number,
            rules=cause.rules,
            point=cause.point,
            leads_to=cause.leads_to,
        )

    def _cause(self, asked: Asked, moment: Moment) -> Cause:
        number = moment.deciding_edit
        if number is not None:
            text = edit_text(self.sim, moment.edits[number])
            is_rule = asked.entity == SIMULATION and asked.path in RULE_NAMES
            kind = CauseKind.RULE if is_rule else CauseKind.EDIT
            return Cause(kind, text, edit=text, edit_number=number, rules=(asked.path,) if is_rule else ())
        player = Asked(self.sim.player.id, "cell", moment.tick)
        if asked.entity != SIMULATION and not moment.was_there:
            text = f"the landblock of {subject(self.sim, asked.entity)} came in as the player came near"
            return Cause(CauseKind.FOLLOWS, text, (player,))
        if asked.entity == SIMULATION:
            return Cause(CauseKind.FOLLOWS, "the player came into another cell", (player,))
        entity = self.sim.population.find(asked.entity)
        if isinstance(entity, Door) and (asked.path in DOOR_PATHS or entity.body is None):
            return cause_of_door(moment, asked.path)
        return cause_of_body(moment, asked.path)

    def _key_link(self, asked: Asked, change: Change) -> Link:
        sim, name = self.sim, asked.path.removeprefix(KEYS).removeprefix(".")
        title = title_of(sim, asked.entity, asked.path)
        before, after = (value_text(sim, asked.entity, asked.path, each) for each in (change.before, change.after))
        if name:
            said = switched_text(sim, name, change.before, change.after)  # type: ignore[arg-type]  # a key's value
        else:
            said = f"the keys changed from {before} to {after}"
        return Link(asked, title, before, after, change.tick, CauseKind.KEY, sentence(said), key=name or KEYS)


def _end_of(link: Link) -> str:
    if link.kind is CauseKind.START:
        return ENDED_AT_START
    if link.leads_to:
        return ENDED_BY_LENGTH
    if link.kind is CauseKind.KEY:
        return ENDED_BY_KEY
    return ENDED_BY_EDIT if link.edit else ENDED


def answer(sim: Simulation, recording: Recording, asked: Asked) -> Chain:
    """The whole chain."""
    return WhyQuestion(sim, recording, asked).run()
