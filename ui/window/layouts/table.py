"""Four layouts, one for each kind of work. A layout names the docks that it shows; the others are closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QSize, Qt

from ui.window.dock_table import BOTTOM, GROUP_HEIGHTS, LEFT, RIGHT, DockSpec

AREAS: Final = (LEFT, RIGHT, BOTTOM)
ROOMY: Final = 900
"""In a window of at least this height the docks at the bottom of Inspect reach below those at the left, too."""

LEAST_LEFT: Final = 320
LEAST_RIGHT: Final = 400
"""With less, the numbers of Player and Cell would have to be scrolled."""

LEAST_CENTRE: Final = 340
NARROWEST_LEFT: Final = 240
"""The docks at the left give way to the picture, down to this width."""


@dataclass(frozen=True)
class Group:
    """Docks that share a place as tabs, the first `shown` of them open; `front` is on top."""

    docks: tuple[str, ...]
    front: str
    shown: int
    weight: float = 1.0
    """Its part of the area, beside the weights of the other groups."""

    @property
    def is_open(self) -> bool:
        """Whether any of its docks is."""
        return self.shown > 0


@dataclass(frozen=True)
class Layout:
    """The groups of each area, from top to bottom or from left to right, and the size of the areas."""

    id: str
    title: str
    key: str
    tip: str
    groups: dict[Qt.DockWidgetArea, tuple[Group, ...]]
    side_share: float = 0.25
    """Part of the window's width that the docks at either side take."""
    bottom_share: float = 0.2
    """Part of the window's height that the docks at the bottom take."""
    least_bottom: int = 0
    wide_from: int = 0
    """Height of the window from which on the docks at the bottom reach below those at the left."""

    def is_wide(self, window: QSize) -> bool:
        return window.height() >= self.wide_from

    def size(self, area: Qt.DockWidgetArea, window: QSize) -> int:
        """The width of the docks at a side, or the height of those at the bottom."""
        if area == BOTTOM:
            return max(round(window.height() * self.bottom_share), self.least_bottom)
        side = round(window.width() * self.side_share)
        right = max(side, LEAST_RIGHT)
        if area == RIGHT:
            return right
        left = max(side, LEAST_LEFT)
        taken = right if any(group.is_open for group in self.groups.get(RIGHT, ())) else 0
        return max(min(left, window.width() - taken - LEAST_CENTRE), NARROWEST_LEFT)


def tabbed(*docks: str, front: str = "", weight: float = 1.0) -> Group:
    """Open docks that share a place."""
    return Group(docks, front or docks[0], len(docks), weight)


WALK: Final = Layout(
    "walk",
    "Walk",
    "Ctrl+2",
    "A large picture, with Player, Doors and Timeline",
    {RIGHT: (tabbed("player", "doors", "sweep"),), BOTTOM: (tabbed("timeline"),)},
    side_share=0.22,
    bottom_share=0.16,
    least_bottom=190,
)
DEBUG: Final = Layout(
    "debug",
    "Debug a Tick",
    "Ctrl+3",
    "Timeline and Sweep beside each other below the picture, the numbers of player and cell at its right",
    {
        RIGHT: (tabbed("player", "cell", "details", "why"),),
        BOTTOM: (tabbed("timeline", "capture", "log", weight=2.0), tabbed("sweep", weight=3.0)),
    },
    bottom_share=0.45,
    least_bottom=330,
)
VISIBILITY: Final = Layout(
    "visibility",
    "Visibility",
    "Ctrl+4",
    "Cell graph, PView and the lists of the cell around the picture",
    {LEFT: (tabbed("graph", "world"),), RIGHT: (tabbed("cell", "details"),), BOTTOM: (tabbed("pview"),)},
    bottom_share=0.34,
)


def inspect_layout(docks: Sequence[DockSpec]) -> Layout:
    """Every dock at the place that the table gives it."""
    groups: dict[Qt.DockWidgetArea, tuple[Group, ...]] = {}
    for area in AREAS:
        names = dict.fromkeys(spec.group for spec in docks if spec.area == area)
        groups[area] = tuple(
            _group([spec for spec in docks if (spec.area, spec.group) == (area, name)]) for name in names
        )
    tip = "Every dock: what is selected, what is near it, and what happened"
    return Layout("inspect", "Inspect", "Ctrl+1", tip, groups, wide_from=ROOMY)


def _group(specs: Sequence[DockSpec]) -> Group:
    front = next((spec.id for spec in specs if spec.is_first), specs[0].id)
    return Group(tuple(spec.id for spec in specs), front, len(specs), GROUP_HEIGHTS.get(specs[0].group, 1.0))


def layouts(docks: Sequence[DockSpec]) -> tuple[Layout, ...]:
    """All of them; docks that one does not show are closed at the place where they would be opened."""
    return (inspect_layout(docks), *(_with_closed(layout, docks) for layout in (WALK, DEBUG, VISIBILITY)))


def _with_closed(layout: Layout, docks: Sequence[DockSpec]) -> Layout:
    named = {name for groups in layout.groups.values() for group in groups for name in group.docks}
    groups = dict(layout.groups)
    for area in AREAS:
        closed = tuple(spec.id for spec in docks if spec.area == area and spec.id not in named)
        if not closed:
            continue
        there = groups.get(area, ())
        if there:
            first = there[0]
            groups[area] = (Group((*first.docks, *closed), first.front, first.shown, first.weight), *there[1:])
        else:
            groups[area] = (Group(closed, closed[0], 0),)
    return replace(layout, groups=groups)
