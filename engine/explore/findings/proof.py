"""From a suspicion to a finding: its keys are run tick by tick from ever earlier places of the way there until they
show it, shortened until none can be left out, and recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from engine.explore.findings.escapes import Escape, EscapeRules
from engine.explore.findings.shorten import Shortened, shortened
from engine.explore.findings.trial import Keys, Stand, Start, Trial
from engine.explore.search import Search
from engine.findings.finding import Found
from engine.sim.recording_file import recording_bytes
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import landblock_id

APART: Final = 0.05
"""Metres by which a body may be put elsewhere than a run of the search had it."""

LONGEST_PATH: Final = 2_000
"""Points of the line that shows a finding."""

AFTERWARDS: Final = 15
"""Ticks that a recording goes on, so that one sees what became of it."""


@dataclass(frozen=True, slots=True)
class Way:
    """Keys from a place on: what is shown, and after how many ticks."""

    start: Start
    keys: Keys


class Proofs:
    """Runs what a search found again, in a simulation of its own that is as the search's was."""

    def __init__(self, search: Search, source: str = "") -> None:
        self.search = search
        sim = Simulation(search.sim.world.loaded, player_id=search.sim.player.id, player_name=search.sim.player.name)
        sim.restore(search.start)
        self.trial = Trial(sim, source)
        self.rules = EscapeRules(sim)
        self._sunk = sim.player.sunk()

    def close(self) -> None:
        self.trial.close()

    # --- ways

    def ways(self, state: int, keys: Keys = ()) -> Iterator[Way]:
        """Ways that end like the search's way to a state, with more keys after it: from the place before the last move,
        from twice as many moves before, and so on; at last from the seed."""
        search = self.search
        chain = search.chain_of(state)
        back = 1 if keys else 2
        while back < len(chain):
            before = chain[-back]
            way = self._way_from(before, search.controls_to(state)[search.columns.since[before] :], keys)
            if way is not None:
                yield way
            back *= 2
        seed = search.seeds[search.seed_of(state)]
        yield Way(Start(seed.cell_id, seed.origin, seed.heading), (*search.controls_to(state), *keys))

    def way_between(self, first: int, last: int) -> Way | None:
        """The way of the search from one state to another that comes after it."""
        return self._way_from(first, self.search.controls_to(last)[self.search.columns.since[first] :], ())

    def _way_from(self, state: int, moves: Keys, keys: Keys) -> Way | None:
        """The first turn of the mouse is made before the run begins."""
        way = (*moves, *keys)
        if not way:
            return None
        columns = self.search.columns
        heading = columns.heading[state]
        forward, side_step, turn, run, jump, use, look = way[0].as_tuple()
        start = self.start_at(state, heading + look)
        return Way(start, (Controls(forward, side_step, turn, run, jump, use), *way[1:]))

    def start_at(self, state: int, heading: float) -> Start:
        columns = self.search.columns
        soles = (columns.x[state], columns.y[state], columns.z[state] - self._sunk)
        return Start(columns.cell[state], soles, heading % 360.0)

    def stand_of(self, state: int) -> Stand:
        columns = self.search.columns
        cell_id = columns.cell[state]
        return Stand(cell_id, cell_id, (columns.x[state], columns.y[state], columns.z[state]))

    # --- escapes

    def escapes_of(self, start: Start, keys: Keys) -> Iterator[tuple[int, Escape]]:
        """Everything that is told of a run, with the number of ticks until then."""
        before: Stand | None = None
        for tick, stand in enumerate(self.trial.run(start, keys)):
            if before is not None:
                for escape in self.rules.of_step(before, stand):
                    yield tick, escape
            before = stand

    def escapes(self, state: int, keys: Keys) -> list[tuple[Way, Escape]]:
        """What the keys show after a state, each kind once, from the latest place from which they show anything."""
        found: dict[tuple[str, tuple[int, ...]], tuple[Way, Escape]] = {}
        for way in self.ways(state, keys):
            for tick, escape in self.escapes_of(way.start, way.keys):
                found.setdefault(escape.kind, (replace(way, keys=way.keys[:tick]), escape))
            if found:
                break
        return list(found.values())

    def shortened_escape(self, way: Way, escape: Escape) -> Found:
        """The finding, with the fewest keys that do the same."""

        def holds(keys: Keys) -> int:
            for tick, other in self.escapes_of(way.start, keys):
                if other.kind == escape.kind:
                    return tick
            return -1

        short = shortened(way.keys, holds)
        keys = way.keys if short is None else short.keys
        last = escape
        for _, other in self.escapes_of(way.start, keys):
            if other.kind == escape.kind:
                last = other
        return self.found(
            Found(
                last.check,
                landblock_id(last.before.home),
                last.before.cell_id if last.door == 0 else 0,
                last.door,
                place=last.before.place,
                sentence=last.sentence,
                figures=last.figures,
            ),
            way.start,
            keys,
            short,
        )

    def shown(self, way: Way, shows: Callable[[list[Stand]], int]) -> Shortened | None:
        """The fewest keys of a way that show something, by the stands after each tick; `shows` answers with the number
        of ticks until then, or -1."""
        return shortened(way.keys, lambda keys: shows(list(self.trial.run(way.start, keys))))

    def found(self, found: Found, start: Start, keys: Keys, short: Shortened | None = None) -> Found:
        """The finding with its line and its recording."""
        stands = list(self.trial.run(start, keys))
        places = [place for place, _ in groupby(stand.place for stand in stands)]
        path = (*places[: -1 : max(len(places) // LONGEST_PATH, 1)], *places[-1:])
        figures = [*found.figures, ("keys held, s", len(keys) / 30.0)]
        if short is not None and not short.is_shortest:
            figures.append(("trials until shortening ended", float(short.trials)))
        recording = self.trial.recorded(start, (*keys, *[Controls()] * AFTERWARDS))
        return replace(found, figures=tuple(figures), path=path, recording=recording_bytes(recording))
