"""A survey from its beginning to its report: which landblocks, what of them is done already, who does the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Final

from editor.session.sources import open_source
from editor.survey.content import Contents
from editor.survey.journal import Journal
from editor.survey.parts import PARTS
from editor.survey.report_form import BlockReport, Report
from editor.survey.task import BlockDone, Item, PartDone, Work, enabled_of, versions
from editor.survey.workers import Told, Workers
from engine.world.faults import ENTITY, Severity

MOST_BATCHES: Final = 16
"""Batches for each worker at least, where there are so many landblocks: the last ones end at about the same time."""

MOST_FAULTS: Final = 100
"""Of a world's list of entities, that are told."""


@dataclass
class Progress:
    """How far a survey is."""

    total: int
    done: int = 0
    unchanged: int = 0
    """Of `done`, those of which the journal knew everything."""
    findings: int = 0
    problems: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def rate(self) -> float:
        """Landblocks a second."""
        return self.done / max(time.monotonic() - self.began, 1e-6)


Watcher = Callable[[Progress], None]


def prepared(work: Work, told: Told = lambda sentence: None) -> tuple[Work, list[int]]:
    """The work with what all workers have to agree on, and the landblocks of its world, ascending; `told` hears what is
    wrong with its lists of entities, which no landblock's findings tell. Raises the errors of a world that cannot be
    opened and of patterns that name no check."""
    enabled_of(work)
    sees = any(PARTS[name].sees for name in work.parts)
    with open_source(work.source, work.scene, work.server) as world:
        faults = [*world.source.faults, *world.entity_index.faults]
        for fault in [fault for fault in faults if fault.what == ENTITY and fault.severity > Severity.INFO][
            :MOST_FAULTS
        ]:
            told(fault.reason)
        shared = Contents(world).shared(sees)
        return replace(work, shared=shared, versions=versions(work.parts)), world.landblock_ids()


def run_survey(
    work: Work, blocks: Sequence[int], workers: Workers, count: int, journal: Journal | None, watcher: Watcher
) -> Report:
    """Do these landblocks, `count` of them at a time, and return the report: the same in whichever order they were
    done. What is done stands in the journal, however the survey ends."""
    progress = Progress(len(blocks))
    answers: dict[int, dict[str, PartDone]] = {}
    contents: dict[int, str] = {}
    with closing(workers):
        for done in workers.run(work, batches_of(work, blocks, count, journal)):
            if journal is not None:
                journal.done(done)
            answers[done.block] = _whole(done, journal)
            contents[done.block] = done.content
            progress.done += 1
            progress.unchanged += not done.parts
            progress.findings += sum(len(part.found) for part in answers[done.block].values())
            progress.problems += any(part.problem for part in done.parts)
            watcher(progress)
    return report_of(work, answers, contents)


def batches_of(work: Work, blocks: Sequence[int], count: int, journal: Journal | None) -> Iterator[tuple[Item, ...]]:
    """The landblocks in their order, several together where each takes little time."""
    size = min(PARTS[name].batch for name in work.parts)
    size = max(1, min(size, len(blocks) // (count * MOST_BATCHES)))
    for at in range(0, len(blocks), size):
        batch = blocks[at : at + size]
        yield tuple(Item(block) if journal is None else journal.item(block, work.parts) for block in batch)


def _whole(done: BlockDone, journal: Journal | None) -> dict[str, PartDone]:
    """All parts of a landblock, with those that still hold."""
    parts = {part.part: part for part in done.parts}
    for name in done.unchanged:
        known = None if journal is None else journal.of(done.block, name)
        if known is not None:
            parts[name] = known
    return parts


def report_of(work: Work, answers: dict[int, dict[str, PartDone]], contents: dict[int, str]) -> Report:
    blocks = [BlockReport(block, *_summed(work, parts), contents[block]) for block, parts in answers.items()]
    found = (each for parts in answers.values() for part in parts.values() for each in part.found)
    server = () if work.server is None else work.server.paths
    return Report.of(work.source, server, blocks, found)


def _summed(work: Work, parts: dict[str, PartDone]) -> tuple[float, tuple[str, ...], tuple[str, ...]]:
    listed: Iterable[PartDone] = [parts[name] for name in work.parts if name in parts]
    done = tuple(part.part for part in listed if not part.problem)
    return sum(part.seconds for part in listed), done, tuple(part.problem for part in listed if part.problem)
