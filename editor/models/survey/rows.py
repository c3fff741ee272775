"""What the Survey dock says: how the survey stands, what was found, and what of each cell was reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from editor.models.live_table import ACCEPTED, ADJUSTED, DIM, FAULT, Column, Row, Value
from editor.models.survey.watch import Stage, SurveyWatch
from editor.process.plain_text import counted
from editor.session.session import Kind, Selection
from engine.findings.finding import Found
from engine.findings.registry import CHECKS
from engine.world.cells.ids import cell_text, is_env_cell, landblock_id
from engine.world.faults import Severity
from engine.world.names import Names

if TYPE_CHECKING:
    from editor.models.survey.columns import CellReach
    from editor.models.survey.results import SurveyResult

FOUND: Final = (
    Column("", sample="▲ warning"),
    Column("Where", mono=True, sample="0x00000000"),
    Column("What"),
)
CELLS: Final = (
    Column("Cell", mono=True, sample="0x00000000"),
    Column("Soonest", mono=True, right=True, sample="999.9 s"),
    Column("How", sample="⤒ jump"),
    Column("Places", mono=True, right=True, sample="99,999"),
)
HOW_WORDS: Final = ("● start", "→ walk", "↓ fall", "⤒ jump")
"""By the number of the way."""
SIGNS: Final = {Severity.ERROR: "■ error", Severity.WARNING: "▲ warning", Severity.INFO: "○ note"}
TONES: Final = {Severity.ERROR: FAULT, Severity.WARNING: ADJUSTED, Severity.INFO: DIM}
STALE: Final = "≠ stale"
NEVER: Final = "■ never"
TICKS_PER_SECOND: Final = 30.0
MOST_ROWS: Final = 5_000


def severity_of(found: Found) -> Severity:
    check = CHECKS.get(found.check)
    return Severity.WARNING if check is None else check.severity


def title_of_check(check_id: str) -> str:
    """The title of a check; its id where this version does not know it."""
    check = CHECKS.get(check_id)
    return check_id if check is None else check.title


def headline(watch: SurveyWatch, names: Names) -> str:
    """One sentence on how it stands; "" before anything was searched."""
    result = watch.result
    if result is None:
        return ""
    where = names.cell(result.block_id)
    if watch.stage is Stage.DEAD or watch.is_running:
        return f"{where}: {watch.text}"
    if result.stale:
        touched = f"{where}: edits have touched {counted(len(result.stale), 'cell')} since it was searched."
        return f"{touched} Go On searches only those again." if result.is_checked else f"{touched} Go On begins again."
    if result.is_checked and not result.count:
        return f"{where}: there is no place to begin at. Settings has more kinds of them."
    if result.is_checked and result.is_full:
        return f"{where}: the search ended at {result.count:,} places, the most that it remembers."
    if result.is_checked:
        return f"✓ {where}: everything that can be reached was searched."
    return f"{where}: stopped. Go On searches the rest."


def figures(watch: SurveyWatch) -> str:
    """Places and time so far, and while it is searched how fast: findings are proved by other sweeps."""
    result = watch.result
    if result is None or not result.count:
        return ""
    parts = [
        counted(result.count, "place"),
        counted(len(result.cells()), "cell"),
        f"{result.seconds:.0f}\N{NO-BREAK SPACE}s",
    ]
    if result.queued and result.seconds > 0.0:
        parts.insert(2, f"{result.sweeps / result.seconds:,.0f} sweeps a second")
    if watch.is_running and result.queued:
        parts.append(f"{result.queued:,} to go on from")
    return " · ".join(parts)


def place_of(found: Found) -> int:
    """The cell that a finding is in, or its landblock."""
    return found.cell or (found.place[0] if found.place is not None else found.block)


def selection_of(found: Found) -> Selection:
    """What a finding's row selects: its entity, cell or landblock."""
    where = place_of(found)
    block = landblock_id(where)
    if found.entity:
        return Selection(Kind.ENTITY, block, found.entity)
    if is_env_cell(where):
        return Selection(Kind.CELL, block, where)
    return Selection(Kind.LANDBLOCK, block, block)


def found_rows(result: SurveyResult | None, names: Names) -> list[Row]:
    """Worst first, otherwise in the order in which they were found."""
    if result is None:
        return []
    ordered = sorted(result.found, key=lambda each: -severity_of(each))
    return [_found_row(each, names, is_stale=result.is_stale(each)) for each in ordered[:MOST_ROWS]]


def _found_row(found: Found, names: Names, *, is_stale: bool) -> Row:
    severity = severity_of(found)
    sign = Value(STALE, tone=DIM) if is_stale else Value(SIGNS[severity], tone=TONES[severity])
    tip = "\n".join(filter(None, (title_of_check(found.check), found.sentence)))
    where = names.in_text(cell_text(place_of(found)), behind=True)
    values = (
        sign,
        Value(where, cell_text(place_of(found))),
        Value(title_of_check(found.check), found.sentence, tip=names.in_text(tip)),
    )
    return Row(found.key, values, selection_of(found))


NOBODY_HERE: Final = "The survey: nobody came here, though it has floors"


def reach_words(reach: CellReach, *, is_stale: bool) -> str:
    """How a cell is reached, as a sentence for a tooltip."""
    words = ("begun at", "reached by walking", "reached only by a fall", "reached only by a jump")[reach.how]
    stale = "; stale, an edit has touched it" if is_stale else ""
    return f"The survey: {words}, after {reach.ticks / TICKS_PER_SECOND:.1f} s{stale}"


def cell_rows(result: SurveyResult | None, names: Names) -> list[Row]:
    """Rooms and land cells: the reached ones, soonest first, below those with floors that nobody came to."""
    if result is None:
        return []
    reached = result.cells()
    never = [cell for cell in dict.fromkeys(each.cell_id for each in result.unreached) if cell not in reached]
    rows = [
        Row(cell, (_cell(cell, names), Value("–"), Value(NEVER, tone=FAULT), Value("0")), _chosen(cell))
        for cell in never
    ]
    for cell, reach in sorted(reached.items(), key=lambda item: (item[1].ticks, item[0]))[:MOST_ROWS]:
        how = Value(STALE, tone=DIM) if cell in result.stale else Value(HOW_WORDS[reach.how], tone=_tone(reach.how))
        seconds = reach.ticks / TICKS_PER_SECOND
        values = (_cell(cell, names), Value(f"{seconds:.1f} s", repr(seconds)), how, Value(f"{reach.count:,}"))
        rows.append(Row(cell, values, _chosen(cell)))
    return rows


def _tone(how: int) -> str:
    return ACCEPTED if how < 2 else ADJUSTED


def _cell(cell: int, names: Names) -> Value:
    return Value(names.in_text(cell_text(cell), behind=True), cell_text(cell))


def _chosen(cell: int) -> Selection:
    kind = Kind.CELL if is_env_cell(cell) else Kind.LANDBLOCK
    return Selection(kind, landblock_id(cell), cell if kind is Kind.CELL else landblock_id(cell))
