"""Plays a survey's recordings: as a ghost's walk in the picture, or by leading the player of the open world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.document.clock import Clock, Keys
from editor.document.document import Document
from editor.document.step_application import REFUSALS
from editor.models.survey.settings import Doors, SurveySettings
from engine.entities.door import Door
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, distance
from engine.physics.rules import RULE_NAMES, rule_set
from engine.sim.edits.doors import OpenDoor
from engine.sim.edits.edit import Edit
from engine.sim.edits.player import SetPlayerNumber, Teleport
from engine.sim.edits.rules import SetRuleSet
from engine.sim.errors import SimError
from engine.sim.playback import restore
from engine.sim.recording import Recording
from engine.sim.recording_file import parse_recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.world.cells.position import into_block
from engine.world.graph.graph import NO_CELL

if TYPE_CHECKING:
    from editor.models.survey.watch import Way

NEAR: Final = 0.01
"""Metres within which he has arrived where the recording did."""
TICKS_PER_SECOND: Final = 30.0
OTHERWISE: Final = "Something stands or moves otherwise than when it was searched."


def read_walk(data: bytes) -> Recording:
    """A finding's recording; a SimError when it cannot be read, or has no ticks."""
    recording = parse_recording(data, "the recording of a survey")
    if not len(recording):
        raise SimError("the walk has no ticks: it begins there")
    return recording


@dataclass(frozen=True)
class GhostWalk:
    """A recording as a ghost walks it: cell and origin after each tick."""

    radius: float
    spheres: tuple[Sphere, ...]
    track: tuple[tuple[int, Vec3], ...]


def walk_of(sim: Simulation, data: bytes) -> GhostWalk:
    """A recording as a ghost walks it."""
    recording = read_walk(data)
    samples = [recording.samples[number] for number in range(len(recording))]
    track = tuple((sample.cell, sample.origin) for sample in samples if sample.cell != NO_CELL)
    if not track:
        raise SimError("the body of this recording is in no cell")
    player = sim.player
    return GhostWalk(player.radius, tuple(player.steered.spheres), track)


def terms_of(sim: Simulation, recording: Recording, settings: SurveySettings, way: Way | None) -> list[Edit]:
    """The edits that let the open world be as the search had it, as far as keys depend on it, and put the player where
    the recording begins."""
    edits: list[Edit] = []
    if settings.rules and any(sim.rules.form(rule) != rule_set(settings.rules).form(rule) for rule in RULE_NAMES):
        edits.append(SetRuleSet(settings.rules))
    wanted = {
        "radius": sim.player.number("radius") * settings.radius_scale,
        "height": sim.player.number("height") * settings.height_scale,
        "run_skill": settings.run_skill or sim.player.number("run_skill"),
        "jump_skill": settings.jump_skill or sim.player.number("jump_skill"),
    }
    edits += [SetPlayerNumber(name, value) for name, value in wanted.items() if value != sim.player.number(name)]
    if settings.doors == Doors.OPEN.value:
        doors = [entity for entity in sim.population.ordered if isinstance(entity, Door)]
        edits += [OpenDoor(door.id) for door in doors if not door.is_open]
    if way is not None:
        edits.append(Teleport(way.cell_id, *way.origin, way.heading))
        return edits
    trial = Simulation(sim.world.loaded, player_id=sim.player.id)
    try:
        restore(trial, recording.keyframes.snapshot(0))
        place = trial.player.steered.place
        x, y, z = place.origin
        edits.append(Teleport(place.cell_id, x, y, z - trial.player.sunk(), place.turn.heading()))
    finally:
        trial.close()
    return edits


class PlayedKeys(Keys):
    """Gives the recorded controls, one for each tick, whatever keys are held."""

    def __init__(self, controls: Sequence[Controls]) -> None:
        super().__init__()
        self._controls = controls
        self.taken = 0

    @property
    def left(self) -> int:
        return len(self._controls) - self.taken

    def controls(self) -> Controls:
        if not self.left:
            return Controls()
        self.taken += 1
        return self._controls[self.taken - 1]


class KeyPlayer(QObject):
    """Plays one recording at a time; a pause, another world or a jump in time ends it."""

    ended = Signal(str, bool)
    """A sentence on how it went, and whether he came where the recording ends."""

    def __init__(self, document: Document, clock: Clock, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.clock = clock
        self._recording: Recording | None = None
        self._keys: PlayedKeys | None = None
        self._own = clock.keys
        document.ticked.connect(self._on_ticked)
        document.started.connect(self._give_back)
        document.travelled.connect(self._give_back)
        clock.running_changed.connect(self._on_running)

    @property
    def is_playing(self) -> bool:
        return self._keys is not None

    def play(self, recording: Recording, edits: Sequence[Edit], title: str, *, at_once: bool = False) -> bool:
        """Make the edits as one undo step and let time run by the recorded keys; False when that is refused.

        `at_once`: as fast as the ticks can be run.
        """
        self.clock.pause()
        self._give_back()
        try:
            self.document.apply(title, *edits)
        except REFUSALS as error:
            self.document.refused.emit(f"{title}: {error}")
            return False
        self.document.changed.emit()
        self._recording = recording
        self._own = self.clock.keys
        self._keys = PlayedKeys(recording.controls)
        self.clock.keys = self._keys
        self.document.player_placed.emit()
        if at_once:
            self.clock.step(len(recording))
        else:
            self.clock.run()
        return True

    @Slot(object)
    def _on_ticked(self, report: object) -> None:
        if self._keys is not None and not self._keys.left and not self.document.is_travelling:
            self.clock.halt()
            self._finish()

    def _finish(self) -> None:
        recording = self._recording
        self._give_back()
        if recording is None:
            return
        place = self.document.sim.player.steered.place
        end = recording.samples[len(recording) - 1]
        if end.cell == NO_CELL:
            is_lost = self.document.sim.player.steered.cell is None
            self.ended.emit("No cell holds the player any more, as it was found." if is_lost else OTHERWISE, is_lost)
            return
        away = distance(place.origin, into_block(place.cell_id, end.cell, end.origin))
        if away <= NEAR and end.cell == place.cell_id:
            seconds = len(recording) / TICKS_PER_SECOND
            self.ended.emit(f"Arrived after {seconds:.1f} s. Undo returns the player.", True)
        else:
            self.ended.emit(f"The walk ended {away:.2f} m from there. {OTHERWISE}", False)

    @Slot(bool)
    def _on_running(self, running: bool) -> None:
        if not running and self._keys is not None and self._keys.left and not self.clock.is_stepping:
            self._give_back()

    @Slot()
    def _give_back(self) -> None:
        """The keys are the user's again."""
        if self._keys is not None:
            self.clock.keys = self._own
        self._keys = self._recording = None
