"""The columns of the Timeline as a CSV file: one line per tick, numbers at full precision."""

from __future__ import annotations

import csv
import math
from collections.abc import Collection
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QObject, Signal

from editor.models.timeline.columns import Envelope, Stretches
from editor.models.timeline.events import EventLog
from editor.models.timeline.lanes import CONTACT_WORDS
from editor.models.timeline.plots import Plots
from editor.models.timeline.tick_log import TICKS_PER_SECOND, TickLog, key_words
from editor.process.output_files import bare, output_file
from editor.process.plain_text import visible
from editor.session.background import Job
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.world.cells.ids import cell_text
from engine.world.faults import WorldError

if TYPE_CHECKING:
    from editor.models.compare.watch import CompareWatch

TOLD_EVERY: Final = 2000
FORMULA: Final = ("=", "+", "-", "@")
"""First characters that make a spreadsheet evaluate a text."""

Table = dict[str, list[str]]


class CsvTable:
    """A copy of all columns, so that a thread can write it while the session continues."""

    def __init__(self, log: TickLog, events: EventLog, plots: Plots, second: CompareWatch | None = None) -> None:
        """`second` is the run that they are compared with."""
        self.first = log.first
        self.count = len(log)
        self.second_cell = ""
        """The title of the column of the second run's cells."""
        self.second_cells: list[int] = []
        curves = {
            "height m": log.height,
            "speed m/s": log.speed,
            "heading deg": log.heading,
            "tick cost ms": log.tick_cost,
            "frame cost ms": log.frame_cost,
        }
        for plot in plots.plots.values():
            title = f"{plot.name} {plot.quantity.title} {plot.quantity.unit}".rstrip()
            curves[f"{title} {plot.id}" if title in curves else title] = plot.column
        if second is not None and second.is_on:
            name = second.names[1]
            curves |= {
                f"{name} height m": second.height,
                f"{name} speed m/s": second.speed,
                f"{name} heading deg": second.heading,
                "apart m": second.distance,
            }
            self.second_cell = f"{name} cell"
            self.second_cells = _whole(second.cells, self.count)
        self.curves = {title: _copy(column, self.count) for title, column in curves.items()}
        self.cells = _whole(log.cells, self.count)
        self.contact = _whole(log.contact, self.count)
        self.blocked = _whole(log.blocked, self.count)
        self.keys = _whole(log.keys, self.count)
        self.events: dict[int, list[str]] = {}
        for event in events.events:
            self.events.setdefault(event.tick, []).append(f"{event.kind}: {event.text}")

    @property
    def titles(self) -> list[str]:
        second = [self.second_cell] if self.second_cell else []
        return ["tick", "seconds", "cell", *second, *self.curves, "contact", "blocked", "keys", "events"]

    def line(self, number: int) -> list[str]:
        """The fields of a tick; unknown numbers are empty."""
        tick = self.first + number
        cell, contact = self.cells[number], self.contact[number]
        return [
            str(tick),
            repr(round(tick / TICKS_PER_SECOND, 6)),
            cell_text(cell) if cell else "",
            *(cell_text(each) if each else "" for each in self.second_cells[number : number + 1]),
            *("" if math.isnan(values[number]) else repr(values[number]) for values in self.curves.values()),
            CONTACT_WORDS.get(contact, ""),
            "blocked" if self.blocked[number] else "",
            key_words(self.keys[number]),
            "; ".join(self.events.get(tick, ())),
        ]


def _copy(column: Envelope, count: int) -> list[float]:
    values = np.full(count, np.nan)
    known = min(len(column), count)
    values[:known] = column.values[:known]
    found: list[float] = values.tolist()
    return found


def _whole(stretches: Stretches, count: int) -> list[int]:
    """Missing values at the end are 0."""
    values = np.zeros(count, np.int64)
    known = min(stretches.count, count)
    values[:known] = stretches.all_values()[:known]
    found: list[int] = values.tolist()
    return found


class SaveCsv(Job):
    """Writes a table in the background, whole or not at all."""

    class Signals(QObject):
        done = Signal(str)
        failed = Signal(str, str)

    def __init__(self, table: CsvTable, path: Path, read: Collection[str | Path]) -> None:
        """`read` are the files and sources that must not be overwritten."""
        super().__init__()
        self.signals = SaveCsv.Signals()
        self._table = table
        self._path = path
        self._read = read

    def work(self) -> None:
        try:
            output_file(self._path, self._read)
            write_whole(output_file(self._path, self._read), self._text().encode())
        except (WorldError, DatError) as error:
            self.signals.failed.emit(f"{self._path.name} cannot be written: {bare(error.reason)}", str(error))
            return
        count = self._table.count
        self.signals.done.emit(f"Saved {count:,} tick{'' if count == 1 else 's'} as {self._path.name}")

    def _text(self) -> str:
        text, table = StringIO(), self._table
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([_field(title) for title in table.titles])
        for number in range(table.count):
            if number % TOLD_EVERY == 0:
                self.progress(number / table.count, f"Writing tick {number:,} of {table.count:,} …")
                self.check()
            *numbers, events = table.line(number)
            writer.writerow([*numbers, _field(events)])
        return text.getvalue()


def _field(text: str) -> str:
    """Names come from data, so no field may become a formula."""
    shown = visible(text)
    return f"'{shown}" if shown.startswith(FORMULA) else shown
