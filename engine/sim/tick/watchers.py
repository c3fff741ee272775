"""The observers of bodies' sweeps, which stay while edits and restored states replace the bodies."""

from __future__ import annotations

from engine.physics.body import Body
from engine.physics.sweep.trace import SweepObserver
from engine.sim.observers import together


class Watchers:
    """The observers of each body, by its id, attached to the bodies that there are now."""

    bodies: dict[int, Body]
    _watching: dict[int, list[SweepObserver]]

    def __init__(self, bodies: dict[int, Body]) -> None:
        self.bodies = bodies
        self._watching = {}

    def add(self, body_id: int, observer: SweepObserver) -> None:
        watching = self._watching.setdefault(body_id, [])
        if observer not in watching:
            watching.append(observer)
        self.attach()

    def remove(self, body_id: int, observer: SweepObserver) -> None:
        watching = self._watching.get(body_id, [])
        if observer in watching:
            watching.remove(observer)
        self.attach()

    def attach(self) -> None:
        """Give every body its observers; edits and restored states make new bodies."""
        for body_id in self.bodies:
            self.bodies[body_id].observer = together(self._watching.get(body_id, []))
