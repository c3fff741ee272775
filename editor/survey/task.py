"""What a worker process does: it opens the world once and then takes landblock after landblock.

Everything given and answered can be pickled: plain values, findings and names.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from editor.process.plain_text import visible
from editor.session.server_choice import ServerChoice
from editor.session.sources import open_source
from editor.survey.content import Contents
from editor.survey.errors import SurveyError
from editor.survey.parts import PARTS, Part
from engine.findings.errors import FindingError
from engine.findings.finding import Found, Place
from engine.findings.registry import enabled_ids
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import block_x, block_y

if TYPE_CHECKING:
    from engine.explore.forms.settings import Settings

KEY_SIZE: Final = 10
LONGEST: Final = 400
"""Characters of a problem's sentence."""


@dataclass(frozen=True)
class Work:
    """What is done with each landblock of a world, the same for all of them."""

    source: str
    scene: str | None = None
    server: ServerChoice | None = None
    parts: tuple[str, ...] = ("check",)
    on: tuple[str, ...] = ("*",)
    off: tuple[str, ...] = ()
    """Patterns of the checks that are switched on and off."""
    settings: tuple[tuple[str, object], ...] = ()
    """Of searches, by the names of their fields."""
    shared: str = ""
    """The digest of what counts for all landblocks."""
    versions: tuple[tuple[str, str], ...] = ()
    """Of the parts, in the program that gives the work out."""


@dataclass(frozen=True)
class Item:
    """A landblock to do, with the keys of what is done by name of the part."""

    block: int
    known: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class PartDone:
    """One part of one landblock. The key is that of its content, the checks and the versions; of a part with a problem
    it is empty, so that it is tried again."""

    part: str
    key: str
    seconds: float = 0.0
    found: tuple[Found, ...] = ()
    problem: str = ""


@dataclass(frozen=True)
class BlockDone:
    """What was done with a landblock, and the names of the parts of which what was known still holds."""

    block: int
    parts: tuple[PartDone, ...] = ()
    unchanged: tuple[str, ...] = ()
    content: str = ""
    """The digest of the landblock with its neighbours."""

    def is_whole(self, work: Work) -> bool:
        return len(self.parts) + len(self.unchanged) == len(work.parts)


def versions(parts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, PARTS[name].version()) for name in parts)


def enabled_of(work: Work) -> frozenset[str]:
    """The ids of the checks of some work that are switched on; loads the modules of its parts. Raises a SurveyError
    when none is."""
    parts = [PARTS[name] for name in work.parts]
    for part in parts:
        part.load()
    try:
        enabled = enabled_ids(work.on, work.off)
    except FindingError:  # perhaps checks of other parts
        for part in PARTS.values():
            if part.is_there():
                part.load()
        enabled = enabled_ids(work.on, work.off)
    if all(enabled.isdisjoint(part.ids()) for part in parts):
        raise SurveyError(f"no check of --do {','.join(work.parts)} is switched on")
    return enabled


def settings_of(work: Work) -> Settings:
    """The settings of searches; raises a SimError for a value out of its bounds."""
    from engine.explore.forms.settings import DoorsAs, Settings  # numpy loads with what searches

    values: dict[str, Any] = dict(work.settings)
    if "doors" in values:
        values["doors"] = DoorsAs(values["doors"])
    return Settings(**values)


def do_items(work: Work, items: Iterable[Item]) -> Iterator[BlockDone]:
    """Do one landblock after the other in this process. Bad content of one is a sentence of its own."""
    return (done for done in do_steps(work, items) if done.is_whole(work))


def do_steps(work: Work, items: Iterable[Item]) -> Iterator[BlockDone]:
    """The same, with what is done of a landblock after each of its parts."""
    bench = _bench(work)
    for item in items:
        yield from bench.do(item)


def do_batch(work: Work, items: tuple[Item, ...]) -> list[BlockDone]:
    return list(do_items(work, items))


_benches: Final = threading.local()
"""A world is for one thread alone, and some clusters' workers have several."""


def _bench(work: Work) -> _Bench:
    bench: _Bench | None = getattr(_benches, "bench", None)
    if bench is None or bench.work != work:
        if bench is not None:
            bench.close()
        _benches.bench = None
        bench = _benches.bench = _Bench(work)
    return bench


def put_away() -> None:
    """Close the world of this thread, with all that was read of it; the next task opens it again."""
    bench: _Bench | None = getattr(_benches, "bench", None)
    if bench is not None:
        _benches.bench = None
        bench.close()


class _Bench:
    """An open world, and what is done in it."""

    def __init__(self, work: Work) -> None:
        mine = versions(work.parts)
        if work.versions and mine != work.versions:
            raise SurveyError("a worker has another version of Cellar Door than the program that gives the work out")
        self.work = work
        enabled = enabled_of(work)
        self._parts = [PARTS[name] for name in work.parts]
        self._enabled = {part.name: enabled & part.ids() for part in self._parts}
        self._version = dict(mine)
        self._world = open_source(work.source, work.scene, work.server)
        self._contents = Contents(self._world)
        self._kept = {part.name: (part.keeper(),) for part in self._parts if part.keeps}
        self._terms = {part.name: self._terms_of(part) for part in self._parts}

    def close(self) -> None:
        self._world.close()

    def _terms_of(self, part: Part) -> bytes:
        """What an answer follows from besides the landblock's content."""
        settings = repr(sorted(self.work.settings)) if part.walks else ""
        parts = [self.work.shared, part.name, self._version[part.name], settings, *sorted(self._enabled[part.name])]
        return "\n".join(parts).encode()

    def do(self, item: Item) -> Iterator[BlockDone]:
        """What is done of a landblock after each part; the last one is the whole."""
        known = dict(item.known)
        done: list[PartDone] = []
        unchanged: list[str] = []
        try:
            content = self._contents.of(item.block)
        except Exception as error:  # noqa: BLE001  # whatever one landblock's data do, the others are done
            problem = _sentence("its content cannot be read", error)
            yield BlockDone(item.block, tuple(PartDone(part.name, "", problem=problem) for part in self._parts))
            return
        for part in self._parts:
            key = hashlib.blake2b(content + self._terms[part.name], digest_size=KEY_SIZE).hexdigest()
            if known.get(part.name) == key:
                unchanged.append(part.name)
            else:
                done.append(self._do_part(part, item.block, key))
            if part is self._parts[-1]:
                self._leave(item.block)
            yield BlockDone(item.block, tuple(done), tuple(unchanged), content.hex())

    def _do_part(self, part: Part, block_id: int, key: str) -> PartDone:
        began = time.perf_counter()
        found: list[Found] = []
        problem = ""
        enabled = self._enabled[part.name]
        try:
            found.extend(_finite(each) for each in self._found(part, block_id) if each.check in enabled)
        except Exception as error:  # noqa: BLE001  # as above
            problem, key = _sentence(f"{part.name} did not finish", error), ""
        return PartDone(part.name, key, round(time.perf_counter() - began, 4), tuple(found), problem)

    def _found(self, part: Part, block_id: int) -> Iterator[Found]:
        function, enabled = part.load(), self._enabled[part.name]
        if part.walks:
            yield from function(lambda: self._world, block_id, settings_of(self.work), enabled)
            return
        with closing(Simulation(self._world)) as sim:
            yield from function(sim, block_id, enabled, *self._kept.get(part.name, ()))

    def _leave(self, block_id: int) -> None:
        """Forget landblocks that are not around this one; the next in order need those again."""
        world, x, y = self._world, block_x(block_id), block_y(block_id)
        for loaded in world.graph.landblocks():
            if abs(block_x(loaded) - x) > 1 or abs(block_y(loaded) - y) > 1:
                world.graph.unload_landblock(loaded)
                if world.source.by_block is not None:
                    world.source.by_block.forget(loaded)


def _sentence(begin: str, error: Exception) -> str:
    said = visible(str(error))
    name = type(error).__name__
    return f"{begin}: {said if said and name.endswith('Error') else name}"[:LONGEST]


def _finite(found: Found) -> Found:
    """A finding that every report can hold: damaged data have places and figures that are no numbers."""
    figures = tuple((name, value) for name, value in found.figures if isfinite(value))
    path = tuple(place for place in found.path if _is_place(place))
    changed: dict[str, Any] = {}
    if len(figures) != len(found.figures):
        changed["figures"] = figures
    if len(path) != len(found.path):
        changed["path"] = path
    for name, place in (("place", found.place), ("eye", found.eye)):
        if place is not None and not _is_place(place):
            changed[name] = None
    return replace(found, **changed) if changed else found


def _is_place(place: Place) -> bool:
    return all(map(isfinite, place[1]))
