"""A stage that keeps its steps: they can be exported, compared with another world, and saved as a project."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

from editor.document.step import Step
from editor.document.step_application import apply_step
from editor.scripting.errors import ClosedError, reported
from editor.scripting.stage import Stage
from editor.scripting.values import Difference, Exported
from engine.sim.edits.edit import Edit

if TYPE_CHECKING:
    from editor.scripting.worlds import World
    from engine.sim.tick.simulation import Simulation


class EditedStage(Stage):
    """`steps` are the edits made so far, those of a project that was opened first."""

    _what = "run"

    def __init__(self, sim: Simulation, steps: Sequence[Step]) -> None:
        self._sim: Simulation | None = sim
        self._steps: list[Step] = list(steps)

    @property
    @abstractmethod
    def world(self) -> World:
        """The world that was opened."""

    @property
    def engine(self) -> Simulation:
        if self._sim is None:
            raise ClosedError(f"the {self._what} is closed")
        return self._sim

    @property
    def steps(self) -> tuple[str, ...]:
        """The titles of the edits made so far."""
        return tuple(step.name for step in self._steps)

    @property
    def made(self) -> tuple[Step, ...]:
        """The same with their edits, as the engine has them; no part of the promise."""
        return tuple(self._steps)

    def _make(self, title: str, edits: Sequence[Edit]) -> None:
        if not edits:
            return
        with reported():
            step, _ = apply_step(self.engine, Step(title, tuple(edits)))
        self._steps.append(step)

    def export(self, folder: str | PathLike[str], *, loose: bool = False) -> Exported:
        """Write the edited world as data files of the client, into a folder of their own; with `loose` only the changed
        records."""
        from editor.scripting.exporting import export_files

        return export_files(self, folder, loose=loose)

    def diff(self, other: EditedStage) -> list[Difference]:
        """The records and entities in which another world differs from this one."""
        from editor.scripting.exporting import differences_of

        return differences_of(self, other)

    def save_project(self, path: str | PathLike[str]) -> None:
        """Save the edits, and where everything stands, as a project that the window opens."""
        from editor.scripting.exporting import save_as_project

        save_as_project(self, path)
