"""Places that a body gets into and not out of, told from the ways that a search went.

The ways make a graph of the states. A trap is a part of it with a way in, and no way out: `traps` finds such parts by
the ways that were tried; every other key is tried afterwards, from the places themselves (stuck_trials.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from engine.findings.finding import Check, Family
from engine.findings.registry import register
from engine.world.faults import Severity

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

LARGEST_PIT: Final = 25.0
"""Square metres; what is larger is a place of its own, with whatever its builder meant as the way out."""

LARGEST_STEP_PIT: Final = 6.0
"""Square metres of a pit that a jump leads out of: in larger ones there is room to see that one has to jump."""

NO_WAY: Final = register(
    Check(
        "stuck.no-way",
        "No key leads away",
        Family.EXPLORE,
        Severity.ERROR,
        "A body gets to a place from which nothing moves it by more than a step: walking and running in 32 directions, "
        "side steps, and jumps of several charges in every direction were tried. The player has to ask for help or to "
        "recall.",
    )
)
PIT: Final = register(
    Check(
        "stuck.pit",
        "A pit without a way out",
        Family.EXPLORE,
        Severity.ERROR,
        "A body gets into a part of at most 25 square metres in which it can move, and from which neither walking, "
        "running nor jumping leads out again. Parts that no way leads into, and parts with a door, a portal or a "
        "switch, are none.",
    )
)
JUMP_ONLY: Final = register(
    Check(
        "stuck.jump-only",
        "Only a jump leads away",
        Family.EXPLORE,
        Severity.INFO,
        "A body walks or falls into a part of at most 6 square metres which it can leave by a jump alone: a hole, a "
        "corner behind a step, or the top of a thing with edges that walkers stop at. Players manage; creatures stay.",
    )
)
HANGS: Final = register(
    Check(
        "stuck.hangs",
        "A body hangs on what is too steep",
        Family.EXPLORE,
        Severity.WARNING,
        "A body gets to where it is in contact with a surface too steep to stand on, or with none, and neither "
        "falls nor slides any more; no direction and no jump moves it, because keys lead only who stands. So it "
        "goes at the foot of steep slopes of the land, for whoever jumps against them. It is told once for each cell.",
    )
)
SHAKES: Final = register(
    Check(
        "stuck.shakes",
        "A body shakes for ever",
        Family.EXPLORE,
        Severity.WARNING,
        "With the same keys held, or with none, a body changes between two places from tick to tick, 2 cm or more "
        "apart, and comes no further. Players see it tremble; a server that checks moves may send it back.",
    )
)
SLIDES: Final = register(
    Check(
        "stuck.slides",
        "A body slides without end",
        Family.EXPLORE,
        Severity.ERROR,
        "A body gets onto a surface that is too steep to stand on and is still moved along it after ten seconds and "
        "ten more, without a key. It never comes to rest, so it can neither walk nor jump.",
    )
)
FALLS: Final = register(
    Check(
        "stuck.falls",
        "A body falls without end",
        Family.EXPLORE,
        Severity.ERROR,
        "A body leaves the ground and still falls after ten seconds and ten more: nothing is below that would stop it.",
    )
)


@dataclass(frozen=True, slots=True)
class Ways:
    """The moves of a search: from which state, to which, and whether by a jump."""

    count: int
    sources: Numbers
    targets: Numbers
    jumps: Flags


@dataclass(frozen=True, slots=True)
class Trap:
    """States that are left by no way, or by jumps alone; `entry` is a move into it."""

    states: tuple[int, ...]
    entry: tuple[int, int]
    jump_leads_out: bool


def traps(ways: Ways, is_end: Flags, areas: Numbers, most: float, most_by_jump: float) -> list[Trap]:
    """The parts with a way in and no way out.

    `is_end` marks states from which the search did not go on: nothing is known of what leads away from them. `areas`
    numbers the square of floor that each state is on; `most` and `most_by_jump` are how many of them a pit has, one
    without any way out and one that a jump leads out of.
    """
    found = list(_closed_parts(ways, is_end, areas, most, by_jump=False))
    known = {state for trap in found for state in trap.states}
    walked = Ways(ways.count, ways.sources[~ways.jumps], ways.targets[~ways.jumps], ways.jumps[~ways.jumps])
    by_jump = _closed_parts(walked, is_end, areas, most_by_jump, by_jump=True)
    return found + [trap for trap in by_jump if known.isdisjoint(trap.states) and _is_left(trap.states, ways)]


def _is_left(states: Sequence[int], ways: Ways) -> bool:
    inside = np.zeros(ways.count, dtype=np.bool_)
    inside[list(states)] = True
    return bool(np.any(inside[ways.sources] & ~inside[ways.targets]))


def _closed_parts(ways: Ways, is_end: Flags, areas: Numbers, most: float, *, by_jump: bool) -> list[Trap]:
    part = components(ways)
    crosses = part[ways.sources] != part[ways.targets]
    closed = np.ones(int(part.max(initial=-1)) + 1, dtype=np.bool_)
    closed[part[ways.sources[crosses]]] = False
    closed[part[is_end]] = False
    entered: dict[int, tuple[int, int]] = {}
    for source, target in zip(ways.sources[crosses].tolist(), ways.targets[crosses].tolist(), strict=True):
        number = int(part[target])
        if closed[number] and number not in entered:
            entered[number] = (source, target)
    if not entered:
        return []
    wanted = np.array(sorted(entered), dtype=np.int64)
    members = np.nonzero(np.isin(part, wanted))[0]
    by_part: dict[int, list[int]] = {number: [] for number in wanted.tolist()}
    for state in members.tolist():
        by_part[int(part[state])].append(state)
    return [
        Trap(tuple(states), entered[number], by_jump)
        for number, states in by_part.items()
        if len(np.unique(areas[states])) <= most
    ]


class Following:
    """The states that follow each state, as plain lists."""

    def __init__(self, count: int, sources: Numbers, targets: Numbers) -> None:
        keys = np.sort(sources * np.int64(max(count, 1)) + targets)
        if len(keys):
            keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))]
        self.count = count
        self.starts: list[int] = np.searchsorted(keys // max(count, 1), np.arange(count + 1)).tolist()
        self.targets: list[int] = (keys % max(count, 1)).tolist()

    def reached(self, states: Iterable[int]) -> set[int]:
        """The states themselves and all that come after them."""
        starts, targets = self.starts, self.targets
        seen = set(states)
        waiting = list(seen)
        while waiting:
            state = waiting.pop()
            for each in targets[starts[state] : starts[state + 1]]:
                if each not in seen:
                    seen.add(each)
                    waiting.append(each)
        return seen


def components(ways: Ways) -> Numbers:
    """For every state the number of its strongly connected part."""
    graph = Following(ways.count, ways.sources, ways.targets)
    starts, following = graph.starts, graph.targets
    part = [-1] * ways.count
    low = [0] * ways.count
    order = [-1] * ways.count
    path: list[int] = []
    parts = visited = 0
    for root in range(ways.count):
        if order[root] >= 0:
            continue
        calls = [(root, starts[root])]
        order[root] = low[root] = visited
        visited += 1
        path.append(root)
        while calls:
            state, at = calls.pop()
            if at < starts[state + 1]:
                calls.append((state, at + 1))
                other = following[at]
                if order[other] < 0:
                    order[other] = low[other] = visited
                    visited += 1
                    path.append(other)
                    calls.append((other, starts[other]))
                elif part[other] < 0:
                    low[state] = min(low[state], order[other])
                continue
            if calls:
                above = calls[-1][0]
                low[above] = min(low[above], low[state])
            if low[state] == order[state]:
                while True:
                    member = path.pop()
                    part[member] = parts
                    if member == state:
                        break
                parts += 1
    return np.array(part, dtype=np.int64)
