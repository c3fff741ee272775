"""The map of all landblocks with the findings of a survey's report. A click chooses a landblock, a double click opens
it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from editor.maps.block_map import Colour
from editor.models.survey_report.map import BlockFindings, FindingColours, describe_findings, findings_picture, index_of
from editor.survey.report_form import Report
from engine.world.cells.ids import block_of
from engine.world.faults import Severity
from ui.map.block_map_view import BlockMapView
from ui.theme.theme import Colours

LEAST_MARK: Final = 6.0
"""Pixels of a landblock with findings."""
MOST_MARKS: Final = 4000
"""Landblocks with findings that are marked: more of them are seen without."""
SOUND_SHARE: Final = 0.4
"""How much of the colour of what is accepted the quiet landblocks have."""


class FindingMapView(BlockMapView):
    """Shows the landblocks of one report."""

    def __init__(self, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(colours, parent)
        self.setObjectName("finding-map")
        self.setAccessibleName("Map of the findings")
        self._report = Report("")
        self._surveyed: dict[int, tuple[str, ...]] = {}
        self._by_block: Mapping[int, BlockFindings] = {}

    def show_report(self, report: Report, by_block: Mapping[int, BlockFindings]) -> None:
        """Show another report, framed whole."""
        self._report = report
        self._surveyed = {block_of(each.id): each.problems for each in report.blocks}
        self.chosen = 0
        self.index = index_of(report)
        self.show_counts(by_block)
        self.fit()

    def show_counts(self, by_block: Mapping[int, BlockFindings]) -> None:
        """Show the findings that pass the filter."""
        self._by_block = by_block
        self.show_picture(findings_picture(self._report, by_block, finding_colours(self.colours)))

    def set_colours(self, colours: Colours) -> None:
        self.colours = colours
        self.show_counts(self._by_block)

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Landblocks with findings are marked where one is only a few pixels wide."""
        super().drawForeground(painter, rect)
        more = (LEAST_MARK - self.pixels_per_unit()) / 2.0
        if more <= 0.0 or len(self._by_block) > MOST_MARKS:
            return
        colours = finding_colours(self.colours).by_severity
        for block, here in sorted(self._by_block.items(), key=lambda each: each[1].severity):  # the worst on top
            painter.fillRect(
                self.rect_of(block << 16).adjusted(-more, -more, more, more), QColor(*colours[here.severity])
            )
        if self.chosen:
            painter.setPen(QPen(QColor(self.colours.selected), 2.0))
            painter.drawRect(self.rect_of(self.chosen).adjusted(-more - 2.0, -more - 2.0, more + 2.0, more + 2.0))

    def describe(self, block_id: int) -> str:
        return describe_findings(self._surveyed, self._by_block.get(block_of(block_id)), block_id)


def finding_colours(colours: Colours) -> FindingColours:
    """Those of the tables, and a quiet one for landblocks in which nothing was found."""
    ground, sound = _rgb(colours.sheet), _rgb(colours.accepted)
    red, green, blue = (round(a + (b - a) * SOUND_SHARE) for a, b in zip(ground, sound, strict=True))
    return FindingColours(
        ground,
        (red, green, blue),
        _rgb(colours.building_portal),
        {
            Severity.ERROR: _rgb(colours.fault),
            Severity.WARNING: _rgb(colours.adjusted),
            Severity.INFO: _rgb(colours.stab),
        },
    )


def _rgb(name: str) -> Colour:
    colour = QColor(name)
    return colour.red(), colour.green(), colour.blue()
