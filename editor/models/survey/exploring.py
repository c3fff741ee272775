"""The search of a task, in the worker process: seeds and settings of the engine's from the user's, and its states as
records."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from editor.models.survey.columns import STATE, States
from editor.models.survey.known_checks import known_checks
from editor.models.survey.opening import simulation_in
from editor.models.survey.settings import Start, SurveySettings
from editor.models.survey.task import SurveyTask
from engine.entities.door import Door
from engine.explore.findings.doors import check_doors
from engine.explore.findings.explore import findings_of, watched
from engine.explore.findings.rules_part import END_APART, find_parting_rules
from engine.explore.forms.seeds import DOOR, FLOOR, GROUND, PORTAL, SPOT, seeds_of
from engine.explore.forms.settings import BodySize, DoorsAs, Seed, Settings
from engine.explore.results.reach import Reach
from engine.explore.results.recordings import recording_to
from engine.explore.search import Search
from engine.findings.finding import Found
from engine.physics.rules import RULE_NAMES, rule_set
from engine.sim.recording_file import recording_bytes
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import landblock_id

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation
    from engine.world.world import World

WHY: Final = {DOOR: Start.DOORS, PORTAL: Start.PORTALS, SPOT: Start.SPOTS, FLOOR: Start.FLOORS, GROUND: Start.GROUND}
PLAYER: Final = "player"
ENTRY: Final = "entry"
BORDER: Final = 2.0
STRIP: Final = 24.0
"""Metres beyond the border that are searched."""
CHUNK: Final = 8_192
"""States of one message: the window reads it in a millisecond."""


def seeds_for(sim: Simulation, block_id: int, settings: SurveySettings) -> list[Seed]:
    """The places that the user has chosen to begin at."""
    wanted = {Start(each) for each in settings.starts}
    seeds: list[Seed] = []
    steered = sim.player.steered
    if Start.PLAYER in wanted and steered.cell is not None and landblock_id(steered.place.cell_id) == block_id:
        seeds.append(_seed(sim, steered.place.cell_id, steered.place.origin, steered.place.turn.heading(), PLAYER))
    sim.surroundings.join(block_id)
    spots = [
        Seed(entity.place_cell(), entity.frame.origin, entity.frame.heading(), f"{SPOT} {entity.name}")
        for entity in sim.population.ordered
        if entity is not sim.player and not isinstance(entity, Door) and landblock_id(entity.place_cell()) == block_id
    ]
    found = seeds_of(sim, block_id, spots)
    return seeds + [seed for seed in found if WHY.get(seed.why.split()[0]) in wanted]


def _seed(sim: Simulation, cell_id: int, origin: tuple[float, float, float], heading: float, why: str) -> Seed:
    """A place of a body's origin as one of its soles."""
    x, y, z = origin
    return Seed(cell_id, (x, y, z - sim.player.sunk()), heading, why)


def settings_for(sim: Simulation, task: SurveyTask) -> Settings:
    """The engine's settings for the user's."""
    chosen = task.settings
    player = sim.player
    numbers = [
        (name, value)
        for name, value, own in (
            ("radius", player.number("radius") * chosen.radius_scale, player.number("radius")),
            ("height", player.number("height") * chosen.height_scale, player.number("height")),
            ("run_skill", chosen.run_skill or player.number("run_skill"), player.number("run_skill")),
            ("jump_skill", chosen.jump_skill or player.number("jump_skill"), player.number("jump_skill")),
        )
        if value != own
    ]
    rules = rule_set(chosen.rules) if chosen.rules else sim.rules
    return Settings(
        doors=DoorsAs(chosen.doors),
        run=chosen.runs,
        jumps=chosen.jumps,
        rules=tuple((rule, rules.form(rule)) for rule in RULE_NAMES),
        body=BodySize(tuple(numbers)) if numbers else None,
        bounds=frozenset({task.block_id}),
        border=STRIP if chosen.strip else BORDER,
        known=frozenset(task.known),
    )


class Exploration:
    """One search, as the worker leads it."""

    def __init__(self, world: World, sim: Simulation, task: SurveyTask) -> None:
        self._world = world
        self._task = task
        entered = [_seed(sim, each.cell_id, each.origin, each.heading, ENTRY) for each in task.entries]
        seeds = [seed for seed in seeds_for(sim, task.block_id, task.settings) if seed.cell_id not in task.known]
        self.search = Search(sim, [*entered, *seeds], settings_for(sim, task))
        self._suspects = watched(self.search)
        self._seeds = array("i")
        """Of every state that was sent, the seed that it came from."""

    @property
    def count(self) -> int:
        return self.search.count

    @property
    def sweeps(self) -> int:
        return self.search.sweeps

    @property
    def queued(self) -> int:
        return self.search.queue_length

    @property
    def is_finished(self) -> bool:
        return self.search.is_finished

    @property
    def is_full(self) -> bool:
        """It ended at the most states that are searched."""
        return self.search.is_full

    def expand(self, states: int) -> None:
        self.search.expand(states)

    def new_states(self) -> Iterator[bytes]:
        """The states since the last call, as records."""
        columns = self.search.columns
        end = len(columns)
        while len(self._seeds) < end:
            first = len(self._seeds)
            self._note_seeds(min(first + CHUNK, end))
            yield self._records(slice(first, len(self._seeds))).tobytes()

    def all_states(self) -> States:
        """All that were sent."""
        return self._records(slice(0, len(self._seeds)))

    def _records(self, part: slice) -> States:
        columns = self.search.columns
        made = np.zeros(part.stop - part.start, STATE)
        for name, values in (
            *(("cell", columns.cell), ("x", columns.x), ("y", columns.y), ("z", columns.z)),
            *(("heading", columns.heading), ("look", columns.look), ("ticks", columns.ticks)),
            *(("since", columns.since), ("parent", columns.parent), ("move", columns.move)),
            *(("how", columns.needs), ("standing", columns.standing)),
        ):
            made[name] = values[part]
        if self._task.entries:
            self._add_entries(made, np.array(self._seeds[part]))
        return made

    def _note_seeds(self, end: int) -> None:
        """A parent comes before its children."""
        seeds, parents = self._seeds, self.search.columns.parent
        for state in range(len(seeds), end):
            parent = parents[state]
            seeds.append(seeds[parent] if parent >= 0 else self.search.seed_of(state))

    def _add_entries(self, made: States, seeds: NDArray[np.int32]) -> None:
        """States behind an entry came there as the entry did, and so much later."""
        entries = self._task.entries
        behind = seeds < len(entries)
        numbers = seeds[behind]
        made["since"][behind] += np.array([entry.since for entry in entries], np.uint32)[numbers]
        hows = np.array([entry.how for entry in entries], np.uint8)[numbers]
        made["how"][behind] = np.maximum(made["how"][behind], hows)

    def findings(self) -> Iterator[Found]:
        """What the search shows, proved."""
        off = self._task.settings.left_out
        task = self._task
        enabled = frozenset(check.id for check in known_checks()) - frozenset(off)
        yield from findings_of(self.search, self._suspects, task.block_id, enabled, task.source)
        with closing(simulation_in(self._world, task)) as sim:
            for found in check_doors(sim, task.block_id, enabled):
                if found.cell not in task.known:
                    yield found
        if END_APART.id in enabled:
            yield from find_parting_rules(self.search, task.block_id, task.source)

    def unreached(self) -> Iterator[dict[str, Any]]:
        """Walkable floors of rooms that nobody came to: their corners in the coordinates of the landblock."""
        for floor in Reach(self.search).unreached_floors():
            cell = self.search.sim.graph.peek(floor.cell_id)
            if isinstance(cell, EnvCell) and floor.cell_id not in self._task.known:
                corners = cell.structure.physics_polygons[floor.polygon].vertices
                yield {"cell": floor.cell_id, "corners": [list(cell.frame.local_to_global(at)) for at in corners]}

    def recording_to(self, state: int) -> tuple[Seed, bytes]:
        """The seed that the way to a state begins at, and its recording."""
        recording = recording_to(self.search, state, self._task.source)
        return self.search.seeds[self.search.seed_of(state)], recording_bytes(recording)
