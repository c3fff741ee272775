"""A comparison of two runs as data, and as a few sentences: whether and where they part, what does it, and the gap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from editor.process.plain_text import counted
from editor.reports.contact_wording import thing_name
from engine.physics.rule_table import RULE_OF
from engine.sim.compare.alignment import AlignedSweeps, aligned_sweeps
from engine.sim.compare.causes import CHANGES, EARLIER, EDITS, KEYS, RULES, WORLD, Cause, cause_of, cause_of_beginning
from engine.sim.compare.comparison import Comparison, Parting, given_differences
from engine.sim.compare.corrections import REFUSES, Correction
from engine.sim.compare.gaps import Gaps, Span
from engine.sim.playback import FieldDifference
from engine.sim.recording import Sample
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.tree import NO_POLYGON, place_text
from engine.world.cells.ids import cell_text

SHOWN_FIELDS: Final = 12
SHOWN_SPANS: Final = 12
Data = dict[str, Any]


@dataclass(frozen=True)
class PartingReport:
    """A tick at which two runs part, with its cause, its sweeps, and the values of the states that differ after it."""

    parting: Parting
    cause: Cause
    sweeps: AlignedSweeps
    fields: list[FieldDifference]


@dataclass(frozen=True)
class ComparisonReport:
    """All that is told of a comparison. `hidden` is an earlier tick, after which nobody is elsewhere yet."""

    comparison: Comparison
    shown: PartingReport | None = None
    hidden: PartingReport | None = None
    beginning: Cause | None = None
    corrections: list[Correction] | None = None
    notes: list[str] = field(default_factory=list)


def report_of(
    comparison: Comparison, corrections: list[Correction] | None = None, notes: Sequence[str] = ()
) -> ComparisonReport:
    """Explain a comparison that has been run."""
    first, seen = comparison.first, comparison.seen
    shown = None if first is None else _parting_report(comparison, seen or first)
    hidden = None
    if first is not None and seen is not None and first.index < seen.index:
        hidden = _parting_report(comparison, first)
    beginning = cause_of_beginning(comparison) if comparison.given else None
    return ComparisonReport(comparison, shown, hidden, beginning, corrections, [*notes, *_notes(comparison)])


def _parting_report(comparison: Comparison, parting: Parting) -> PartingReport:
    cause = cause_of(comparison, parting)
    sweeps = aligned_sweeps(comparison, parting, cause)
    one, two = comparison.followers_at(parting)
    try:
        one.step()
        two.step()
        fields = given_differences(one.sim, two.sim)
    finally:
        one.close()
        two.close()
    return PartingReport(parting, cause, sweeps, fields)


def _notes(comparison: Comparison) -> list[str]:
    found = []
    left_out = comparison.two.left_out
    if left_out:
        found.append(f"{counted(len(left_out), 'change')} could not be made: {left_out[0]}")
    one, two = comparison.left_over
    for more, side in ((one, comparison.sides[0]), (two, comparison.sides[1])):
        if more:
            found.append(f"{side.name} has {counted(more, 'more tick')}")
    if comparison.ended:
        found.append(f"{comparison.sides[1].name} ends: {comparison.ended}")
    return found


# --- text


def comparison_lines(report: ComparisonReport) -> list[str]:
    """A headline, where they part, what does it, and how far they are apart when."""
    comparison, shown = report.comparison, report.shown
    one, two = (side.name for side in comparison.sides)
    ticks = comparison.totals.ticks
    if shown is None:
        both = "" if comparison.is_same else " that both have"
        lines = [f"Nothing differs in {counted(ticks, 'tick')} of {one} and {two}{both}."]
        if comparison.totals.differing:
            what = " and ".join(comparison.totals.what)
            lines.append(f"In {counted(comparison.totals.differing, 'tick')} {what} differed, without a consequence.")
        return [*lines, *_beginning_lines(report), *report.notes]
    index = shown.parting.index
    what = ", ".join(shown.parting.tick.what)
    lines = [f"{one} and {two} part in tick {index} ({index / 30:.1f} s) of {ticks:,}: {what}."]
    lines += _where_lines(report, shown)
    lines += cause_lines(shown.cause, comparison)
    if report.hidden is not None:
        hidden = report.hidden
        lines.append(
            f"Before, where nobody sees it, tick {hidden.parting.index}: {', '.join(hidden.parting.tick.what)}."
        )
        lines += [f"  {line}" for line in cause_lines(hidden.cause, comparison)]
    lines += gap_lines(comparison.gaps)
    if report.corrections is not None:
        lines += _correction_lines(one, report.corrections)
    return [*lines, *_beginning_lines(report), *report.notes]


def _beginning_lines(report: ComparisonReport) -> list[str]:
    """What differed before the first tick; the changes themselves say enough of what they change."""
    given, cause = report.comparison.given, report.beginning
    if not given:
        return []
    lines = [f"{counted(len(given), 'value')} of the states differed before the first tick."]
    return [*lines, *(f"  {line}" for line in rule_lines(cause))] if cause and cause.kind == RULES else lines


def _where_lines(report: ComparisonReport, shown: PartingReport) -> list[str]:
    tick, comparison = shown.parting.tick, report.comparison
    names = [side.name for side in comparison.sides]
    width = max(map(len, names))
    lines = [
        f"  {name:{width}}  {_sample_text(sample)}"
        for name, sample in zip(names, (tick.first, tick.second), strict=True)
    ]
    if tick.distance:
        lines.append(f"  {tick.distance:.6g} m apart")
    lines += [f"  refused by {names[1]}: {reason}" for reason in shown.parting.refused]
    sweeps = shown.sweeps
    if sweeps.part:
        lines.append(f"  the sweeps part {_row_place(comparison.one.sim, sweeps)}")
        for name, path in zip(names, (sweeps.first_path, sweeps.second_path), strict=True):
            lines.append(f"    {name:{width}}  {path[-1].line if path else 'has no such row'}")
    elif shown.fields:
        lines += [f"  {each.path}: {each.recorded} and {each.ours}" for each in shown.fields[:SHOWN_FIELDS]]
    return lines


def _row_place(sim: Simulation, sweeps: AlignedSweeps) -> str:
    said = [f"in sub-step {sweeps.step}" if sweeps.step else "outside of the sub-steps"]
    if sweeps.cell_id:
        said.append(f"in {sim.world.names.cell(sweeps.cell_id)}")
    if sweeps.object_id:
        said.append(f"at {thing_name(sim, sweeps.object_id)}")
    if sweeps.polygon_id != NO_POLYGON:
        said.append(f"polygon {sweeps.polygon_id}")
    return ", ".join(said)


def _sample_text(sample: Sample) -> str:
    speed = sum(part * part for part in sample.velocity) ** 0.5
    return f"{place_text(sample.cell, sample.origin)}, heading {sample.heading:.1f}, {speed:.3f} m/s"


def cause_lines(cause: Cause, comparison: Comparison) -> list[str]:
    """What makes two runs part, with the sentences of rules."""
    if cause.kind == RULES:
        return rule_lines(cause)
    if cause.kind == CHANGES:
        if len(cause.names) == 1:
            others = [name for name in cause.alone if name != cause.names[0]]
            also = f" (so does {', '.join(others)} alone)" if others else ""
            return [f"This change does it: {cause.names[0]}{also}."]
        return [f"These changes do it together: {', '.join(cause.names)}{_proof(cause)}."]
    if cause.kind in (KEYS, EDITS):
        return [f"The {'keys' if cause.kind == KEYS else 'edits'} are not the same in tick {cause.names[0]}."]
    if cause.kind == WORLD:
        where = f": {', '.join(cause.names)} differ" if cause.names else ""
        return [f"The worlds are not the same{where}."]
    if cause.kind == EARLIER:
        return ["It follows from what differed before that tick."]
    if comparison.given:
        return ["It follows from what differed before the first tick."]
    return ["No rule and no change does it."]


def rule_lines(cause: Cause) -> list[str]:
    """The rules of a cause with both forms."""
    if len(cause.names) > 1:
        head = f"{len(cause.names)} rules do it together{_proof(cause)}:"
    elif len(cause.alone) > 1:
        head = f"Each of {len(cause.alone)} rules does it alone:"
    else:
        head = "One rule does it:"
    lines = [head]
    for name in cause.names if len(cause.names) > 1 else cause.alone:
        rule = RULE_OF[name]
        lines += [f"  {name}: {rule.title}", f"    retail: {rule.retail}", f"    ace:    {rule.ace}"]
    return lines


def _proof(cause: Cause) -> str:
    return "" if cause.is_smallest else " (none can be left out; not all smaller sets were tried)"


def gap_lines(gaps: Gaps) -> list[str]:
    """The spans in which the bodies are apart."""
    lines = [_span_line(span) for span in gaps.spans[:SHOWN_SPANS]]
    more = len(gaps.spans) + gaps.left_out - len(lines)
    if more:
        lines.append(f"  and {counted(more, 'more span')}")
    return ["Apart:", *lines] if lines else ["The bodies are never apart."]


def _span_line(span: Span) -> str:
    ticks = f"tick {span.first}" if span.end == span.first + 1 else f"ticks {span.first} to {span.end - 1}"
    return f"  {ticks}: at most {span.widest:.6g} m, in tick {span.widest_at}; the gap {span.becomes}"


def _correction_lines(name: str, found: list[Correction]) -> list[str]:
    if not found:
        return [f"A server that goes by ace would take every move of {name}."]
    count = Counter(each.verdict for each in found)
    refused, corrected = count[REFUSES], len(found) - count[REFUSES]
    widest = max(found, key=lambda each: each.distance)
    return [
        f"A server that goes by ace would refuse {counted(refused, 'move')} of {name} and correct {corrected:,}, "
        f"first in tick {found[0].index}, by at most {widest.distance:.6g} m in tick {widest.index}."
    ]


# --- data


def comparison_data(report: ComparisonReport) -> Data:
    """For `--json`."""
    comparison = report.comparison
    data: Data = {
        "first": _side_data(comparison, 0),
        "second": _side_data(comparison, 1),
        "same": comparison.is_same,
        "ticks": comparison.totals.ticks,
        "differing_ticks": comparison.totals.differing,
        "what": comparison.totals.what,
        "values_differing_at_start": len(comparison.given),
        "beginning": None if report.beginning is None else cause_data(report.beginning),
        "parts": None if report.shown is None else parting_data(report.shown),
        "hidden": None if report.hidden is None else parting_data(report.hidden),
        "apart": [span_data(span) for span in comparison.gaps.spans],
        "more_spans": comparison.gaps.left_out,
        "notes": report.notes,
    }
    if report.corrections is not None:
        data["corrections"] = [
            {"tick": each.index, "server": each.verdict, "distance": each.distance} for each in report.corrections
        ]
    return data


def _side_data(comparison: Comparison, number: int) -> Data:
    side = comparison.sides[number]
    changes = [{"kind": change.kind, "name": change.title} for change in side.changes]
    return {"name": side.name, "world": side.world.name, "ticks": len(side.recording), "changes": changes}


def parting_data(report: PartingReport) -> Data:
    tick = report.parting.tick
    return {
        "tick": tick.index,
        "what": list(tick.what),
        "is_seen": tick.is_seen,
        "distance": tick.distance,
        "first": sample_data(tick.first),
        "second": sample_data(tick.second),
        "refused": list(report.parting.refused),
        "values": [{"path": each.path, "first": each.recorded, "second": each.ours} for each in report.fields],
        "cause": cause_data(report.cause),
        "sweeps": _sweeps_data(report.sweeps),
    }


def sample_data(sample: Sample) -> Data:
    return {
        "cell": cell_text(sample.cell),
        "origin": list(sample.origin),
        "velocity": list(sample.velocity),
        "heading": sample.heading,
        "transient": sample.transient,
    }


def cause_data(cause: Cause) -> Data:
    data: Data = {
        "kind": cause.kind,
        "names": list(cause.names),
        "alone": list(cause.alone),
        "is_smallest": cause.is_smallest,
        "from_start": cause.from_start,
    }
    if cause.kind == RULES:
        rules = [RULE_OF[name] for name in cause.names]
        data["rules"] = [
            {"name": rule.name, "title": rule.title, "retail": rule.retail, "ace": rule.ace, "section": rule.section}
            for rule in rules
        ]
    return data


def _sweeps_data(sweeps: AlignedSweeps) -> Data | None:
    if not sweeps.part:
        return None
    return {
        "sub_step": sweeps.step,
        "cell": cell_text(sweeps.cell_id) if sweeps.cell_id else None,
        "object": f"0x{sweeps.object_id:08X}" if sweeps.object_id else None,
        "polygon": None if sweeps.polygon_id == NO_POLYGON else sweeps.polygon_id,
        "asked_the_same": not sweeps.is_asked,
        "first": [row.line for row in sweeps.first_path],
        "second": [row.line for row in sweeps.second_path],
    }


def span_data(span: Span) -> Data:
    return {
        "first": span.first,
        "last": span.end - 1,
        "widest": span.widest,
        "widest_at": span.widest_at,
        "becomes": span.becomes,
    }
