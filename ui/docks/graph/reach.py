"""The reach of a survey in the cell graph: a strip on each node, in the colour of how its cell is reached."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

from editor.models.survey.rows import NOBODY_HERE, reach_words
from editor.models.survey.shown import Where
from editor.models.survey.watch import SurveyWatch
from ui.docks.graph.view import GraphView

TONES: Final = ("accepted", "accepted", "building_portal", "adjusted")
"""The theme's colours by the number of the way: seed, walk, fall, jump."""
NEVER: Final = "fault"
STALE: Final = "neither"
PACE_MS: Final = 400


class GraphReach(QObject):
    """Keeps the strips up to date while the graph is on the screen."""

    def __init__(self, view: GraphView, watch: SurveyWatch) -> None:
        super().__init__(view)
        self._view = view
        self._watch = watch
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.refresh)
        watch.reached.connect(self._later)
        watch.shown.changed.connect(self.refresh)

    @Slot()
    def _later(self) -> None:
        if not self._timer.isActive():
            self._timer.start(PACE_MS if self._watch.is_running else 0)

    @Slot()
    def refresh(self) -> None:
        result = self._watch.result
        found: dict[int, tuple[str, str]] = {}
        if result is not None and Where.GRAPH in self._watch.shown.where:
            never = {each.cell_id for each in result.unreached}
            found = dict.fromkeys(never, (NEVER, NOBODY_HERE))
            for cell, reach in result.cells().items():
                is_stale = cell in result.stale
                found[cell] = (STALE if is_stale else TONES[reach.how], reach_words(reach, is_stale=is_stale))
        self._view.set_reach(found)
