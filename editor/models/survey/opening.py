"""Opens the window's world in a worker process, standing where the window's stands. Nothing of Qt is loaded for it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from editor.models.survey.task import SurveyTask
from editor.session.server_choice import ServerChoice
from editor.session.sources import Content, look_at, open_source
from engine.sim.errors import SimError
from engine.sim.playback import restore
from engine.sim.tick.simulation import Simulation

if TYPE_CHECKING:
    from engine.world.world import World


def open_world_of(task: SurveyTask) -> World:
    """The world of a task, loaded from its source again."""
    choice = None if task.server is None else ServerChoice(*task.server)
    if look_at(task.source).content is Content.REPRODUCTION:
        from editor.session.reproductions import packed_world, reproduction_at  # few worlds are packed ones
        from editor.session.server_choice import furnish

        path = Path(task.source)
        content = reproduction_at(path)
        if content is None:
            raise SimError("is no reproduction any more", task.source)
        return furnish(packed_world(content, path), choice)
    return open_source(task.source, task.scene, choice)


def simulation_in(world: World, task: SurveyTask) -> Simulation:
    """A simulation of that world in the state of the window's; a SimError when its files have changed meanwhile."""
    with ExitStack() as stack:
        sim = Simulation(world, player_id=task.player_id)
        stack.callback(sim.close)
        restore(sim, task.snapshot)
        if sim.state_hash() != task.state_hash:
            raise SimError("the files of the world have changed since it was opened; open it again", task.source)
        stack.pop_all()
    return sim
