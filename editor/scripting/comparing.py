"""Two runs beside each other: where they part, and the rule, number or edit that does it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from editor.reports.comparison import cause_lines, comparison_data, comparison_lines, report_of
from editor.reports.recorded_comparison import RecordedComparison, recorded_data, recorded_lines
from editor.scripting.answers import sample_answer
from editor.scripting.errors import RefusedError, reported
from editor.scripting.recordings import Capture, Recording, open_recording
from editor.scripting.rules import Rules, rule_set_of
from editor.scripting.runs import Run
from editor.scripting.values import Sample
from engine.physics.rules import RuleSet
from engine.sim.compare.captures import CaptureComparison
from engine.sim.compare.comparison import Comparison as EngineComparison
from engine.sim.compare.corrections import corrections as corrections_of
from engine.sim.compare.gaps import Gaps
from engine.sim.compare.sides import EDIT, Change, Side, arrival_of, begun, body_changes, rule_changes

if TYPE_CHECKING:
    from editor.reports.comparison import PartingReport
    from editor.scripting.worlds import World
    from engine.sim.compare.answers import TickDifference

Compared = Recording | Run | str | os.PathLike[str]


@dataclass(frozen=True)
class Cause:
    """Why two runs part. `kind` is rules, changes, keys, edits, world, earlier or unknown; `names` are the rules or
    changes that do it together, `alone` those that do it by themselves, `sentences` say it."""

    kind: str
    names: tuple[str, ...]
    alone: tuple[str, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Parting:
    """The tick at which two runs part; ticks are counted from the first one compared."""

    tick: int
    what: tuple[str, ...]
    """cell, position, heading, velocity, contact, events, other bodies, refused edits, collision, ..."""
    first: Sample
    second: Sample
    distance: float
    cause: Cause | None
    values: tuple[tuple[str, str, str], ...]
    """Values of the states that differ after it: path, first, second."""


@dataclass(frozen=True)
class Gap:
    """Ticks in a row in which the bodies are apart: at most `widest` metres, and what becomes of it: heals, grows,
    shrinks or stays."""

    first: int
    last: int
    widest: float
    becomes: str


@dataclass(frozen=True)
class Correction:
    """A move of the first side that a server by the ace rules refuses or corrects, and by how many metres."""

    tick: int
    verdict: str
    distance: float


@dataclass(frozen=True)
class Comparison:
    """What comparing two runs has found."""

    same: bool
    ticks: int
    differing_ticks: int
    parts: Parting | None
    """The first tick in which somebody is elsewhere or does something else, else the first that differs at all."""
    hidden: Parting | None
    """An earlier one, of which nobody sees anything yet."""
    gaps: tuple[Gap, ...]
    distances: tuple[float, ...] = field(repr=False)
    """Metres between the bodies after every tick."""
    corrections: tuple[Correction, ...]
    notes: tuple[str, ...]
    text: str = field(repr=False)
    """As the command `compare` prints it."""
    data: dict[str, Any] = field(repr=False)
    """As `compare --json` prints it."""


@dataclass(frozen=True)
class CallDifference:
    """A call of a capture that is answered otherwise, with the rules that do it, if any do."""

    call: int
    tick: int
    differences: tuple[str, ...]
    rules: tuple[str, ...]


def compare(
    first: Compared,
    second: Compared | None = None,
    *,
    rules: Rules | None = None,
    body: Mapping[str, float] | None = None,
    world: World | None = None,
    corrections: bool = False,
) -> Comparison:
    """Run the keys of a recording on two sides that differ in one thing, and say where they part and why.

    The other side is the keys of another recording, or the same keys by other `rules`, in another `body`, or in another
    `world`, which may be the same one with edits. Without any of them a recording is compared with what it has
    recorded itself. `corrections` also asks which moves a server would refuse or correct.
    """
    given = [name for name, value in (("second", second), ("rules", rules), ("body", body), ("world", world)) if value]
    if len(given) > 1:
        raise RefusedError(f"one thing differs between the two sides: give {given[0]} or {given[1]}")
    with ExitStack() as stack, reported():
        one = _recording(first, stack)
        name = _name(first, "first")
        if not given:
            return _recorded(one, name)
        base = Side(name, one.world.loaded, one.engine)
        if second is not None:
            other = _recording(second, stack)
            return _compared(base, Side(_name(second, "second"), other.world.loaded, other.engine), corrections)
        if world is not None:
            return _compared(*_in_world(base, one.world, world), corrections)
        if rules is not None:
            sim = begun(base)
            changes = rule_changes(sim.rules, rule_set_of(rules, sim.rules))
            sim.close()
            name = rules if isinstance(rules, str) else ", ".join(f"{rule}={form}" for rule, form in rules.items())
        else:
            numbers = dict(body or {})
            changes = body_changes([(number, float(value)) for number, value in numbers.items()])
            _check_numbers(base, changes)
            name = ", ".join(f"{number} {value:g}" for number, value in numbers.items())
        return _compared(base, Side(name, base.world, base.recording, changes), corrections)


def compare_capture(capture: Capture, *, rules: Rules | None = None, explain: int = 20) -> list[CallDifference]:
    """The calls of a capture that are answered otherwise than recorded, or by other `rules` than by retail; for the
    first `explain` of them with the rules that do it."""
    with reported():
        other = None if rules is None else rule_set_of(rules, RuleSet())
        comparison = CaptureComparison(capture.world.loaded, capture.records, RuleSet(), other)
        found: list[CallDifference] = []
        try:
            for call in comparison:
                if call.is_same:
                    continue
                cause = comparison.cause_of(call) if len(found) < explain else None
                told = tuple(map(str, call.differences))
                found.append(CallDifference(call.index, call.record.tick, told, () if cause is None else cause.names))
        finally:
            comparison.close()
    return found


def _recording(run: Compared, stack: ExitStack) -> Recording:
    if isinstance(run, Recording):
        return run
    return run.recording if isinstance(run, Run) else stack.enter_context(open_recording(run))


def _name(run: Compared, else_name: str) -> str:
    path = run.path if isinstance(run, Recording) else "" if isinstance(run, Run) else os.fspath(run)
    return os.path.basename(path) or else_name


def _check_numbers(side: Side, changes: tuple[Change, ...]) -> None:
    """Refuse numbers that no player has, which a comparison would leave out."""
    sim = begun(side)
    try:
        for change in changes:
            for edit in change.edits:
                sim.apply_edit(edit)
    finally:
        sim.close()


def _in_world(base: Side, mine: World, world: World) -> tuple[Side, Side]:
    steps = tuple(Change(EDIT, f"step {number}, {step.name}", step.edits) for number, step in enumerate(world.made, 1))
    if world.loaded is mine.loaded or world.absolute_source == mine.absolute_source:
        return base, Side("edited", base.world, base.recording, steps)
    sim = begun(base)
    arrival = arrival_of(sim)
    sim.close()
    first = Side(base.name, base.world, base.recording, base.changes, arrival)
    return first, Side(world.name, world.loaded, base.recording, steps, arrival)


def _compared(one: Side, two: Side, corrections: bool) -> Comparison:
    with EngineComparison(one, two) as comparison:
        distances = tuple(tick.distance for tick in comparison)
        judged = list(corrections_of(one)) if corrections else None
        report = report_of(comparison, judged)
        return Comparison(
            comparison.is_same,
            comparison.totals.ticks,
            comparison.totals.differing,
            None if report.shown is None else _parting(report.shown, comparison),
            None if report.hidden is None else _parting(report.hidden, comparison),
            _gaps(comparison.gaps),
            distances,
            tuple(Correction(each.index, each.verdict, each.distance) for each in judged or ()),
            tuple(report.notes),
            "\n".join(comparison_lines(report)),
            comparison_data(report),
        )


def _parting(report: PartingReport, comparison: EngineComparison) -> Parting:
    cause = report.cause
    told = Cause(cause.kind, cause.names, cause.alone, tuple(line.strip() for line in cause_lines(cause, comparison)))
    values = tuple((each.path, each.recorded, each.ours) for each in report.fields)
    return _part(report.parting.tick, told, values)


def _part(tick: TickDifference, cause: Cause | None, values: tuple[tuple[str, str, str], ...]) -> Parting:
    first, second = sample_answer(tick.first), sample_answer(tick.second)
    return Parting(tick.index, tick.what, first, second, tick.distance, cause, values)


def _gaps(gaps: Gaps) -> tuple[Gap, ...]:
    return tuple(Gap(span.first, span.end - 1, span.widest, span.becomes) for span in gaps.spans)


def _recorded(one: Recording, name: str) -> Comparison:
    found = RecordedComparison(one.world.loaded, one.engine, name)
    apart = found.divergence
    values = (
        () if apart is None else tuple((each.path, each.recorded, each.ours) for each in (*apart.player, *apart.fields))
    )
    return Comparison(
        found.is_same,
        found.ticks,
        found.differing,
        None if found.first is None else _part(found.first, None, values),
        None,
        _gaps(found.gaps),
        (),
        (),
        (found.ended,) if found.ended else (),
        "\n".join(recorded_lines(found)),
        recorded_data(found),
    )
