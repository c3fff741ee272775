"""Walking or running: in rooms a player who is steered walks, outdoors he runs, until the user changes either."""

from __future__ import annotations

from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import is_env_cell


class Pace:
    """How the user wants the player to move, for rooms and for the land."""

    def __init__(self) -> None:
        self.runs_in_rooms = False
        """A human runs 9.5 m/s at the skill of 200 that players begin with: too fast for a room."""
        self.runs_outdoors = True

    def runs(self, sim: Simulation | None) -> bool:
        """Whether he runs where he is now."""
        return self.runs_in_rooms if _is_in_room(sim) else self.runs_outdoors

    def switch(self, sim: Simulation | None) -> str:
        """Change between walking and running where he is now, and say so."""
        if _is_in_room(sim):
            self.runs_in_rooms = not self.runs_in_rooms
            return "The player runs in rooms now." if self.runs_in_rooms else "The player walks in rooms now."
        self.runs_outdoors = not self.runs_outdoors
        return "The player runs outdoors now." if self.runs_outdoors else "The player walks outdoors now."


def _is_in_room(sim: Simulation | None) -> bool:
    cell = None if sim is None else sim.player.steered.cell
    return cell is not None and is_env_cell(cell.id)
