"""The curves as a file: a PNG, an SVG, or the ticks as a CSV table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QBuffer, QSize
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QWidget

from editor.document.document import Document
from editor.models.timeline.csv_table import CsvTable, SaveCsv
from editor.models.timeline.lanes import Lane
from editor.models.timeline.plots import Plots
from editor.process.output_files import output_file
from editor.session import background
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.world.faults import WorldError
from ui.docks.timeline.plot import TimelinePlot, least_height
from ui.widgets.paths import native
from ui.widgets.save_folder import proposed, remember
from ui.widgets.screenshots import save_png

if TYPE_CHECKING:
    from editor.models.compare.watch import CompareWatch

PICTURE: Final = "Pictures (*.png)"
DRAWING: Final = "Drawings (*.svg)"
TABLE: Final = "Tables (*.csv)"
SUFFIXES: Final = {PICTURE: ".png", DRAWING: ".svg", TABLE: ".csv"}
LEAST_WIDTH: Final = 800
DOTS_PER_INCH: Final = 96
"""The resolution that browsers assume for an SVG."""


def ask_for_file(parent: QWidget) -> str:
    """Ask for a file name, with the suffix of the chosen type; "" if cancelled."""
    kinds = ";;".join(SUFFIXES)
    name, kind = QFileDialog.getSaveFileName(parent, "Save the Curves", proposed("timeline.png"), kinds)
    remember(name)
    name = native(name)
    if not name or Path(name).suffix.lower() in SUFFIXES.values():
        return name
    return f"{name}{SUFFIXES.get(kind, '.png')}"


def whole_plot(plot: TimelinePlot, lanes: list[Lane]) -> TimelinePlot:
    """A copy of the plot, tall enough for all of its lanes, with the same ticks in view."""
    made = TimelinePlot(plot.log, plot.events)
    made.now = plot.now
    made.names, made.parting = plot.names, plot.parting
    made.set_colours(plot.colours)
    made.resize(max(plot.width(), LEAST_WIDTH), max(plot.height(), least_height(lanes)))
    made.grab()  # lays it out
    made.set_lanes(lanes)
    made.set_range(*plot.canvas.x_range)
    return made


def save_plot(
    plot: TimelinePlot,
    lanes: list[Lane],
    plots: Plots,
    name: str,
    document: Document,
    second: CompareWatch | None = None,
) -> bool:
    """Write the type of file that the suffix names, and report it or the failure."""
    suffix = Path(name).suffix.lower()
    if suffix == ".csv":
        return _save_table(CsvTable(plot.log, plot.events, plots, second), name, document)
    copy = whole_plot(plot, lanes)
    try:
        return _save_svg(copy, name, document) if suffix == ".svg" else save_png(copy.grab(), name, document)
    finally:
        copy.deleteLater()


def _save_table(table: CsvTable, name: str, document: Document) -> bool:
    """Start writing in the background; False if the file is refused."""
    sources = list(document.session.sources)
    try:
        output_file(name, sources)
    except WorldError as error:
        document.refused.emit(str(error))
        return False
    job = SaveCsv(table, Path(name), sources)
    job.signals.done.connect(document.said)
    job.signals.failed.connect(document.refused)
    background.start(job)
    return True


def _save_svg(plot: TimelinePlot, name: str, document: Document) -> bool:
    buffer = QBuffer()
    drawing = QSvgGenerator()
    drawing.setOutputDevice(buffer)
    drawing.setResolution(DOTS_PER_INCH)
    drawing.setSize(QSize(plot.width(), plot.height()))
    drawing.setViewBox(plot.rect())
    drawing.setTitle("Timeline")
    painter = QPainter(drawing)
    plot.paint_on(painter)
    painter.end()
    try:
        write_whole(output_file(name, document.session.sources), bytes(buffer.data().data()))
    except (WorldError, DatError) as error:
        document.refused.emit(str(error))
        return False
    document.said.emit(f"Saved {name}")
    return True
