"""What the Compare dock says: sentences and rows about where two runs part, why, for how long, and before a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from editor.models.capture import Capture
from editor.models.compare.calls import CallsWatch
from editor.models.compare.explaining import Explanation
from editor.models.compare.watch import CompareWatch
from editor.models.live_table import ACCEPTED, ADJUSTED, DIFFERS, DIM, FAULT, Column, Row, Value
from editor.models.player import TRANSIENT
from editor.process.plain_text import counted
from editor.reports.contact_wording import thing_name
from engine.physics.rule_table import RULE_OF, Rule
from engine.sim.compare.alignment import AlignedSweeps
from engine.sim.compare.answers import TickDifference
from engine.sim.compare.causes import CHANGES, EARLIER, EDITS, KEYS, RULES, WORLD, Cause
from engine.sim.compare.comparison import Parting
from engine.sim.compare.corrections import REFUSES
from engine.sim.compare.gaps import GROWS, HEALS, Span
from engine.sim.recording import Sample
from engine.world.cells.ids import cell_text
from engine.world.names import Names

SHOWN_ROWS: Final = 500
"""Rows of a list; the rest is counted below it."""
SHOWN_FIELDS: Final = 12

GAPS: Final = (
    Column("From tick", mono=True, right=True, sample="999,999"),
    Column("To tick", mono=True, right=True, sample="999,999"),
    Column("At most", mono=True, right=True, sample="999.999 m"),
    Column("In tick", mono=True, right=True, sample="999,999"),
    Column("The gap"),
)
SERVER: Final = (
    Column("Tick", mono=True, right=True, sample="999,999"),
    Column("A server", sample="■ refuses"),
    Column("Apart", mono=True, right=True, sample="999.999 m"),
)
CALLS: Final = (
    Column("Move", mono=True, right=True, sample="9,999"),
    Column("Tick", mono=True, right=True, sample="999,999"),
    Column("Differs in", sample="position, cellId"),
    Column("Rule"),
)
BECOMES: Final = {"heals": "✓ heals", "grows": "■ grows", "shrinks": "↷ shrinks", "stays": "= stays"}
TONES: Final = {HEALS: ACCEPTED, GROWS: FAULT}


@dataclass(frozen=True)
class CauseText:
    """A headline, and the rules that it is about."""

    head: str
    rules: tuple[Rule, ...] = ()


def place_columns(names: tuple[str, str]) -> tuple[Column, ...]:
    sample = "0x00000000"
    return (Column("After it", sample="≠ Standing"), *(Column(name, mono=True, sample=sample) for name in names))


def headline(watch: CompareWatch) -> str:
    """Whether and where both part."""
    if watch.calls.capture is not None:
        return watch.calls.capture.summary()
    if watch.problem and not watch.is_on:
        return f"{watch.title} cannot be compared: {watch.problem}"
    if not watch.is_on:
        return ""
    one, two = watch.names
    parting = watch.seen or watch.first
    done = counted(watch.compared, "tick")
    if parting is None:
        return f"Nothing differs in {done} of {one} and {two}."
    return f"{one} and {two} part in tick {number_of(watch, parting):,}: {', '.join(parting.tick.what)}."


def progress(watch: CompareWatch) -> str:
    """What is compared, how much of it, and what hinders."""
    if watch.calls.is_on:
        left = len(watch.calls.explained) - len(watch.calls.causes)
        return f"Looking for the rules of {counted(left, 'move')} …" if left else ""
    if not watch.is_on:
        return ""
    whole = watch.whole
    lines = [
        f"{watch.title}: {counted(watch.compared, 'tick')}" + ("" if watch.compared >= whole else f" of {whole:,}")
    ]
    kept = watch.kept
    if kept is not None:
        lines[0] += f" compared, {kept.comparison.totals.differing:,} differ"
        lines += [
            f"{len(left)} of the changes could not be made: {left[0]}"
            for left in [kept.comparison.two.left_out]
            if left
        ]
    more = watch.left_over
    lines += [
        f"{name} has {counted(count, 'more tick')}" for name, count in zip(watch.names, more, strict=True) if count
    ]
    if watch.problem:
        lines.append(f"{watch.names[1]} ends: {watch.problem}")
    return "; ".join(lines) + ("." if watch.compared >= whole else " …")


def number_of(watch: CompareWatch, parting: Parting) -> int:
    """The number of the tick at which runs part."""
    return watch.first_tick + parting.index


def place_rows(tick: TickDifference, names: Names) -> list[Row]:
    """Both sides after a tick; what is not the same in both is marked."""
    one, two = _values(tick.first, names), _values(tick.second, names)
    rows = []
    for (label, mine), (_, theirs) in zip(one, two, strict=True):
        is_same = mine == theirs
        word = Value(label if is_same else f"{DIFFERS} {label}", tone=DIM if is_same else FAULT)
        rows.append(Row(label, (word, Value(mine), Value(theirs))))
    apart = Value(f"{tick.distance:.6g} m" if tick.distance else "–", repr(tick.distance))
    return [*rows, Row("apart", (Value("Apart", tone=DIM), Value(""), apart))]


def _values(sample: Sample, names: Names) -> list[tuple[str, str]]:
    x, y, z = sample.origin
    speed = sum(each * each for each in sample.velocity) ** 0.5
    return [
        ("Cell", "in no cell" if not sample.cell else cell_text(sample.cell)),
        ("x", f"{x:.6g}"),
        ("y", f"{y:.6g}"),
        ("z", f"{z:.6g}"),
        ("Heading", f"{sample.heading:.5g}°"),
        ("Speed", f"{speed:.4g} m/s"),
        ("Standing", " ".join(name for bit, name in TRANSIENT if sample.transient & bit) or "–"),
    ]


def cause_text(watch: CompareWatch, explanation: Explanation) -> CauseText:
    """What makes the runs part."""
    if explanation.problem:
        return CauseText(f"What does it cannot be found: {explanation.problem}")
    cause = explanation.cause
    if cause is None:
        return CauseText("Looking for what does it …")
    if cause.kind == RULES:
        return _rules_text(cause)
    return CauseText(_other_text(watch, cause))


def _rules_text(cause: Cause) -> CauseText:
    if len(cause.names) > 1:
        proof = "" if cause.is_smallest else " (none can be left out; not all smaller sets were tried)"
        head, names = f"{len(cause.names)} rules do it together{proof}:", cause.names
    elif len(cause.alone) > 1:
        head, names = f"Each of {len(cause.alone)} rules does it alone:", cause.alone
    else:
        head, names = "One rule does it:", cause.alone
    return CauseText(head, tuple(RULE_OF[name] for name in names))


def _other_text(watch: CompareWatch, cause: Cause) -> str:
    names = ", ".join(cause.names)
    if cause.kind == CHANGES:
        if len(cause.names) > 1:
            return f"These changes do it together: {names}."
        others = [name for name in cause.alone if name != cause.names[0]]
        return f"This change does it: {names}{f' (so does {chr(44).join(others)} alone)' if others else ''}."
    if cause.kind in (KEYS, EDITS):
        what = "keys" if cause.kind == KEYS else "edits"
        return f"The {what} are not the same in tick {watch.first_tick + int(cause.names[0]):,}."
    if cause.kind == WORLD:
        return f"The worlds are not the same{f': {names} differ' if names else ''}."
    if cause.kind == EARLIER:
        return "It follows from what differed before that tick."
    kept = watch.kept
    if kept is not None and kept.comparison.given:
        return "It follows from what differed before the first tick."
    return "No rule and no change does it."


def sweeps_text(watch: CompareWatch, sweeps: AlignedSweeps | None, names: Names) -> str:
    """Where the sweeps part."""
    if sweeps is None:
        return "Looking for the row at which the sweeps part …"
    if not sweeps.part:
        return "The sweeps of that tick are the same on both sides."
    where = []
    if sweeps.step:
        where.append(f"in sub-step {sweeps.step}")
    if sweeps.cell_id:
        where.append(f"in {names.cell(sweeps.cell_id)}")
    if sweeps.object_id:
        sim = watch.document.simulation
        where.append(f"at {cell_text(sweeps.object_id) if sim is None else thing_name(sim, sweeps.object_id)}")
    how = "were asked different things" if sweeps.is_asked else "answer differently"
    return f"The sweeps part {', '.join(where) or 'at their beginning'}: the marked rows {how}."


def gap_rows(spans: Sequence[Span], first: int) -> list[Row]:
    """The stretches of ticks in which the bodies are apart."""
    return [_gap_row(span, first) for span in spans[:SHOWN_ROWS]]


def _gap_row(span: Span, first: int) -> Row:
    becomes = span.becomes
    return Row(
        first + span.first,
        (
            Value(f"{first + span.first:,}"),
            Value(f"{first + span.end - 1:,}"),
            Value(f"{span.widest:.4g} m", repr(span.widest)),
            Value(f"{first + span.widest_at:,}"),
            Value(BECOMES[becomes], becomes, TONES.get(becomes, ADJUSTED)),
        ),
    )


def call_rows(calls: CallsWatch) -> list[Row]:
    """The moves of a capture that come out otherwise than recorded."""
    capture = calls.capture
    return [] if capture is None else [_call_row(calls, capture, number) for number in capture.differing]


def _call_row(calls: CallsWatch, capture: Capture, number: int) -> Row:
    replay = capture.replays[number]
    cause = calls.causes.get(number)
    fields = ", ".join(each.field for each in replay.differences)
    if isinstance(cause, Cause):
        rule = Value(" and ".join(cause.names) or "no rule", tone="" if cause.names else DIM)
    else:
        rule = Value("–" if cause is not None or number not in calls.explained else "…", tone=DIM)
    return Row(number, (Value(f"{number + 1:,}"), Value(f"{replay.record.tick:,}"), Value(fields, tone=FAULT), rule))


def call_text(calls: CallsWatch, number: int) -> CauseText:
    """What would make a move come out as recorded."""
    cause = calls.causes.get(number)
    if cause is None:
        is_coming = number in calls.explained
        return CauseText("Looking for what does it …" if is_coming else "The rules of the first moves are looked for.")
    if isinstance(cause, str):
        return CauseText(f"What does it cannot be found: {cause}")
    return _rules_text(cause) if cause.kind == RULES else CauseText("No rules make it come out as recorded.")


def rule_lines(rule: Rule) -> list[str]:
    """A rule in both forms."""
    return [f"{rule.name}: {rule.title}", f"    retail: {rule.retail}", f"    ace: {rule.ace}"]


def server_rows(watch: CompareWatch) -> list[Row]:
    """The moves of the first side that a server would refuse or correct."""
    first = watch.first_tick
    return [
        Row(
            first + each.index,
            (
                Value(f"{first + each.index:,}"),
                Value("■ refuses" if each.verdict == REFUSES else "↷ corrects", each.verdict, FAULT),
                Value(f"{each.distance:.4g} m", repr(each.distance)),
            ),
        )
        for each in watch.corrections[:SHOWN_ROWS]
    ]


def server_text(watch: CompareWatch) -> str:
    """How many moves a server would not take."""
    if not watch.is_on:
        return ""
    found = watch.corrections
    refused = sum(each.verdict == REFUSES for each in found)
    more = "" if watch.judged >= watch.compared else f" (so far: {watch.judged:,} of {watch.compared:,} ticks)"
    if not found:
        return f"A server that goes by ace takes every move of {watch.names[0]}{more}."
    counts = f"refuses {counted(refused, 'move')} and corrects {len(found) - refused:,}"
    left = "" if len(found) <= SHOWN_ROWS else f"; the first {SHOWN_ROWS} are listed"
    return f"A server that goes by ace {counts}{left}{more}."
