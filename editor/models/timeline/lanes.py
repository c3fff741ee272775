"""The lanes of the Timeline, and the text of each for a tick."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Final

from editor.models.conditions.finds import ConditionFinds
from editor.models.timeline.columns import Envelope, Stretches
from editor.models.timeline.events import EventLog
from editor.models.timeline.plots import Plots
from editor.models.timeline.polyline import axis_range
from editor.models.timeline.tick_log import CONTACT, ON_WALKABLE, TickLog, key_words
from engine.world.names import Names

NO_VALUE: Final = "–"
NO_CELL: Final = "■ no cell"
CONTACT_WORDS: Final = {ON_WALKABLE: "on walkable", CONTACT: "contact"}
TONES: Final = ("exit_portal", "building_portal", "adjusted", "visible", "accepted", "stab")
"""Colours of added curves, used in turn."""


class LaneKind(Enum):
    """How a lane is drawn."""

    CELLS = "cells"
    EVENTS = "events"
    FOUND = "found"
    KEYS = "keys"
    STATES = "states"
    CURVE = "curve"


@dataclass
class Lane:
    """One lane; a curve has a column, a unit, a colour and the least height of its axis."""

    id: str
    title: str
    kind: LaneKind
    unit: str = ""
    tone: str = ""
    column: Envelope | None = None
    least: float = 1.0
    fixed: tuple[float, float] | None = None
    from_zero: bool = False
    decimals: int = 2
    removable: bool = False
    finds: ConditionFinds | None = None
    """The ticks that a lane marks."""
    second: Envelope | None = None
    """The same of the second run, while two are compared."""
    second_cells: Stretches | None = None
    filled: bool = False
    """Filled from zero up to the curve."""

    @property
    def has_second(self) -> bool:
        return self.second is not None or self.second_cells is not None

    def range_of(self, first: int, last: int) -> tuple[float, float]:
        """The ends of its axis for the numbers from `first` up to `last`."""
        if self.fixed is not None or self.column is None:
            return self.fixed or (0.0, 1.0)
        low, high = axis_range(self.column, first, last, self.least)
        if self.second is not None and len(self.second) > first:
            lower, higher = axis_range(self.second, first, last, self.least)
            low, high = min(low, lower), max(high, higher)
        return (0.0, max(high, self.least)) if self.from_zero else (low, high)


def standard_lanes(log: TickLog) -> list[Lane]:
    """The lanes that are always there, in their order."""
    curve = LaneKind.CURVE
    return [
        Lane("cell", "cell", LaneKind.CELLS),
        Lane("events", "events", LaneKind.EVENTS),
        Lane("height", "height", curve, "m", "visible", log.height, 0.5),
        Lane("speed", "speed", curve, "m/s", "exit_portal", log.speed, 1.0, from_zero=True),
        Lane("contact", "contact, blocked", LaneKind.STATES),
        Lane("keys", "keys", LaneKind.KEYS),
        Lane("heading", "heading", curve, "°", "building_portal", log.heading, fixed=(0.0, 360.0), decimals=1),
        Lane("tick-cost", "tick", curve, "ms", "adjusted", log.tick_cost, 1.0, from_zero=True),
        Lane("frame-cost", "frame", curve, "ms", "stab", log.frame_cost, 1.0, from_zero=True),
    ]


def found_lanes(finds: ConditionFinds) -> list[Lane]:
    """The ticks of the chosen condition, once there is one."""
    if finds.kept.chosen is None:
        return []
    return [Lane("conditions", "condition", LaneKind.FOUND, finds=finds)]


COSTS: Final = ("tick-cost", "frame-cost")
"""Lanes that are hidden by default."""


def added_lanes(plots: Plots) -> list[Lane]:
    """One for each curve that the user has added."""
    found = []
    for number, plot in enumerate(plots.plots.values()):
        quantity = plot.quantity
        found.append(
            Lane(
                plot.id,
                f"{plot.name} {quantity.title}",
                LaneKind.CURVE,
                quantity.unit,
                TONES[number % len(TONES)],
                plot.column,
                quantity.least,
                decimals=3,
                removable=True,
            )
        )
    return found


def lane_text(lane: Lane, log: TickLog, events: EventLog, tick: int) -> str:
    """The text of a lane for a tick."""
    number = tick - log.first
    if lane.finds is not None and lane.finds.kept.chosen is not None:
        return lane.finds.count_text(lane.finds.kept.chosen)
    if lane.kind is LaneKind.CURVE:
        return value_text(lane, number)
    if not 0 <= number < len(log):
        return NO_VALUE
    if lane.kind is LaneKind.CELLS:
        return cell_words(log.cells.value(number) or 0, events.document.names)
    if lane.kind is LaneKind.KEYS:
        return key_words(log.keys.value(number) or 0) or NO_VALUE
    if lane.kind is LaneKind.STATES:
        contact = CONTACT_WORDS.get(log.contact.value(number) or 0, "in the air")
        return f"{contact}, blocked" if log.blocked.value(number) else contact
    return "; ".join(event.text for event in events.between(tick, tick + 1)) or NO_VALUE


def value_text(lane: Lane, number: int) -> str:
    """The value of a curve, with its unit."""
    return _number_text(lane, lane.column, number)


def _number_text(lane: Lane, column: Envelope | None, number: int) -> str:
    if column is None or not 0 <= number < len(column) or math.isnan(column.values[number]):
        return NO_VALUE
    return f"{column.values[number]:.{lane.decimals}f}{'' if lane.unit == '°' else ' '}{lane.unit}".rstrip()


def second_text(lane: Lane, log: TickLog, names: Names, tick: int) -> str:
    """The text of a lane for a tick of the second run; empty where the lane does not show it."""
    number = tick - log.first
    if lane.second_cells is not None:
        cell = lane.second_cells.value(number)
        return NO_VALUE if cell is None else cell_words(cell, names)
    return "" if lane.second is None else _number_text(lane, lane.second, number)


def cell_words(cell_id: int, names: Names) -> str:
    return names.cell_field(cell_id) if cell_id else NO_CELL
