"""Curves that the user adds: numbers of the player, a door or another entity, sampled after every tick."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from editor.document.document import Document
from editor.models.doors import countdown, is_passable
from editor.models.timeline.columns import Envelope, Numbers
from editor.models.timeline.tick_log import JUMP
from engine.entities.door import Door
from engine.entities.entity import Entity
from engine.geometry.vec import Vec3, length
from engine.physics.flags import TS_CONTACT, TS_SLIDING
from engine.sim.recording import REALS, Recording
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text
from engine.world.cells.position import into_block

MOST: Final = 24
"""The most curves that can be added."""
PLAYER: Final = "player"
UNKNOWN: Final = math.nan
SAMPLED_VELOCITY: Final = 3
SAMPLED_HEADING: Final = 6
"""Columns of a recording's samples; the position is in the first three."""

Reading = Callable[[Simulation, Entity], float]
Past = Callable[[Numbers], Numbers]
"""Computes a quantity for all recorded ticks from the player's samples."""


@dataclass(frozen=True)
class Quantity:
    """A number that an entity has after each tick. `least` is the smallest height of its axis."""

    id: str
    title: str
    unit: str
    least: float
    read: Reading
    breaks: bool = False
    """A change by more than `JUMP` in one tick is a jump, which breaks the curve."""
    past: Past | None = None
    """Reads it from the recording, so that the curve covers the whole session however late it is added."""


def _axis(
    name: str, of: Callable[[Simulation, Entity], Vec3 | None], title: str, unit: str, least: float
) -> list[Quantity]:
    """The three components of a vector; unknown where there is none."""

    def part(at: int) -> Reading:
        def read(sim: Simulation, entity: Entity) -> float:
            vector = of(sim, entity)
            return UNKNOWN if vector is None else vector[at]

        return read

    return [Quantity(f"{name}.{axis}", f"{title} {axis}", unit, least, part(at)) for at, axis in enumerate("xyz")]


def _origin(sim: Simulation, entity: Entity) -> Vec3:
    return entity.place_frame().origin


def _velocity(sim: Simulation, entity: Entity) -> Vec3 | None:
    return None if entity.body is None else entity.body.velocity


def _player_velocity(sim: Simulation, entity: Entity) -> Vec3:
    return sim.player.steered.velocity


def _player_origin(sim: Simulation, entity: Entity) -> Vec3:
    return sim.player.steered.place.origin


def _player_heading(sim: Simulation, entity: Entity) -> float:
    return sim.player.steered.place.turn.heading()


def _player_speed(sim: Simulation, entity: Entity) -> float:
    return length(sim.player.steered.velocity)


def _contact_normal(sim: Simulation, entity: Entity) -> Vec3 | None:
    body = sim.player.steered
    return body.contact_plane.normal if body.transient & TS_CONTACT else None


def _contact_distance(sim: Simulation, entity: Entity) -> float:
    body = sim.player.steered
    return body.contact_plane.d if body.transient & TS_CONTACT else UNKNOWN


def _sliding_normal(sim: Simulation, entity: Entity) -> Vec3 | None:
    body = sim.player.steered
    return body.sliding_normal if body.transient & TS_SLIDING else None


def _heading(sim: Simulation, entity: Entity) -> float:
    return entity.place_frame().heading()


def _speed(sim: Simulation, entity: Entity) -> float:
    return UNKNOWN if entity.body is None else length(entity.body.velocity)


def _distance(sim: Simulation, entity: Entity) -> float:
    """The distance to the player."""
    place = sim.player.steered.place
    there = into_block(place.cell_id, entity.place_cell(), entity.origin())
    return math.dist(place.origin, there)


def _countdown(sim: Simulation, entity: Entity) -> float:
    left = countdown(sim, entity) if isinstance(entity, Door) else None
    return UNKNOWN if left is None else left


def _is_open(sim: Simulation, entity: Entity) -> float:
    return float(isinstance(entity, Door) and entity.is_open)


def _is_passable(sim: Simulation, entity: Entity) -> float:
    return float(isinstance(entity, Door) and is_passable(sim, entity))


def _moved(quantities: list[Quantity]) -> list[Quantity]:
    """The same quantities, with breaks where the entity was put elsewhere."""
    return [replace(quantity, breaks=True) for quantity in quantities]


def _sampled(quantities: list[Quantity], first: int) -> list[Quantity]:
    """The same quantities, read from that column of the samples on."""

    def past(at: int) -> Past:
        return lambda reals: reals[:, at]

    return [replace(quantity, past=past(first + number)) for number, quantity in enumerate(quantities)]


def _sampled_speed(reals: Numbers) -> Numbers:
    found: Numbers = np.linalg.norm(reals[:, SAMPLED_VELOCITY : SAMPLED_VELOCITY + 3], axis=1)
    return found


PLAYER_QUANTITIES: Final = {
    "Position": _moved(_sampled(_axis("position", _player_origin, "position", "m", 0.5), 0)),
    "Heading": _sampled([Quantity("heading", "heading", "°", 5.0, _player_heading)], SAMPLED_HEADING),
    "Velocity": [
        *_sampled(_axis("velocity", _player_velocity, "velocity", "m/s", 0.5), SAMPLED_VELOCITY),
        Quantity("velocity", "velocity, its size", "m/s", 0.5, _player_speed, past=_sampled_speed),
    ],
    "Contact plane": _axis("contact", _contact_normal, "contact normal", "", 0.1),
    "  distance": [Quantity("contact-distance", "contact plane distance", "m", 0.5, _contact_distance)],
    "Sliding normal": _axis("sliding", _sliding_normal, "sliding normal", "", 0.1),
}
"""Quantities by the row of the Player dock that shows them."""

ENTITY_QUANTITIES: Final = [
    *_moved(_axis("position", _origin, "position", "m", 0.5)),
    Quantity("heading", "heading", "°", 5.0, _heading),
    Quantity("speed", "speed", "m/s", 0.5, _speed),
    *_axis("velocity", _velocity, "velocity", "m/s", 0.5),
    Quantity("distance", "distance to player", "m", 0.5, _distance, breaks=True),
]
DOOR_QUANTITIES: Final = [
    Quantity("open", "open", "", 1.0, _is_open),
    Quantity("passable", "passable", "", 1.0, _is_passable),
    Quantity("countdown", "resets in", "s", 1.0, _countdown),
    *ENTITY_QUANTITIES,
]
_BY_ID: Final = {
    PLAYER: {quantity.id: quantity for group in PLAYER_QUANTITIES.values() for quantity in group},
    "": {quantity.id: quantity for quantity in DOOR_QUANTITIES},
}


def plot_id(subject: int | None, quantity: Quantity) -> str:
    """The id of a curve in the settings; `subject` is an entity's id, None for the player."""
    return f"{PLAYER if subject is None else cell_text(subject)}:{quantity.id}"


class Plot:
    """One added curve."""

    def __init__(self, plot: str, subject: int | None, quantity: Quantity) -> None:
        self.id = plot
        self.subject = subject
        self.quantity = quantity
        self.column = Envelope()
        self.name = PLAYER.title() if subject is None else cell_text(subject)

    def read_past(self, recording: Recording) -> None:
        """Start over with the values that the recording has."""
        self.column = Envelope()
        past = self.quantity.past
        if self.subject is None and past is not None and len(recording):
            values = past(np.array(recording.samples.reals).reshape(-1, REALS))
            jumps = np.flatnonzero(np.abs(np.diff(values)) > JUMP) + 1 if self.quantity.breaks else None
            self.column.extend(values, jumps)

    def note(self, sim: Simulation, number: int) -> None:
        """Sample the quantity after a tick."""
        found = sim.player if self.subject is None else sim.population.find(self.subject)
        value = UNKNOWN if found is None else self.quantity.read(sim, found)
        if found is not None and self.subject is not None:
            self.name = found.name
        values, breaks = self.column.values, None
        if self.quantity.breaks and number == len(values) and number and abs(value - values[-1]) > JUMP:
            breaks = np.array([number])
        if number == len(values):
            self.column.extend(np.array([value]), breaks)
        elif number > len(values) or math.isnan(values[number]):
            self.column.put(number, value)


class Plots(QObject):
    """The added curves, sampled after each tick."""

    changed = Signal()

    def __init__(self, document: Document, chosen: Iterable[str] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.plots: dict[str, Plot] = {}
        for plot in chosen:
            self._add(plot)
        document.ticked.connect(self._on_tick)
        document.started.connect(self._on_started)
        document.travelled.connect(self._on_travelled)

    @property
    def chosen(self) -> list[str]:
        """The ids of the curves, for the settings."""
        return list(self.plots)

    def _add(self, plot: str) -> bool:
        """Ids come from a settings file, so those that name no curve are ignored."""
        subject, _, quantity = plot.partition(":")
        known = _BY_ID[PLAYER if subject == PLAYER else ""].get(quantity)
        try:
            entity_id = None if subject == PLAYER else int(subject, 16)
        except ValueError:
            return False
        if known is None or plot in self.plots or len(self.plots) >= MOST:
            return False
        self.plots[plot] = Plot(plot, entity_id, known)
        return True

    def add(self, plot: str) -> bool:
        """Add a curve; False if it exists already, or there are too many."""
        if not self._add(plot):
            return False
        history, sim = self.document.history, self.document.simulation
        if history is not None and sim is not None and history.now > history.first:
            self.plots[plot].read_past(history.recording)
            self.plots[plot].note(sim, history.now - 1 - history.first)
        self.changed.emit()
        return True

    def remove(self, plot: str) -> None:
        if self.plots.pop(plot, None) is not None:
            self.changed.emit()

    def toggle(self, plot: str) -> None:
        if plot in self.plots:
            self.remove(plot)
        else:
            self.add(plot)

    @Slot(object)
    def _on_tick(self, report: TickReport) -> None:
        history, sim = self.document.history, self.document.simulation
        if history is not None and sim is not None and report.tick >= history.first:
            for plot in self.plots.values():
                plot.note(sim, report.tick - history.first)

    @Slot()
    def _on_started(self) -> None:
        history = self.document.history
        for plot in self.plots.values():
            if history is None:
                plot.column = Envelope()
            else:
                plot.read_past(history.recording)

    @Slot()
    def _on_travelled(self) -> None:
        history = self.document.history
        if history is not None and not history.in_past:
            for plot in self.plots.values():
                plot.column.cut(history.end - history.first)
