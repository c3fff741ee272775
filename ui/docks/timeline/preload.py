"""Imports the plot, and pyqtgraph with it, away from the window's thread."""

from __future__ import annotations

import importlib

from editor.session.background import Job


class Preload(Job):
    """Whoever needs the plot sooner imports it himself, and waits for the rest."""

    def work(self) -> None:
        importlib.import_module("ui.docks.timeline.plot")
