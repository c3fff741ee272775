"""Edits of the player: where he is, where he looks, and the numbers that he moves by (physics.md 7, 11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.geometry.frame import Frame
from engine.geometry.quat import from_heading
from engine.geometry.vec import ZERO, r24v
from engine.physics.errors import PhysicsError
from engine.physics.place import Place
from engine.physics.set_position import relabel_arrival
from engine.sim.edits.arrival import arrive
from engine.sim.edits.edit import Edit
from engine.sim.edits.placing import check_finite, place_again

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation


@dataclass(frozen=True)
class Teleport(Edit):
    """Put the player there, or on the nearest free spot; his soles are at z, so his origin is 5 mm above it.

    Refused where there is no room. A landblock's own id, 0xXXYYFFFF, means the land cell under the place.
    """

    cell_id: int
    x: float
    y: float
    z: float
    heading: float

    def apply(self, sim: Simulation) -> None:
        check_finite((self.x, self.y, self.z), self.heading)
        feet = r24v((self.x, self.y, self.z + sim.player.sunk()))
        place = Place(self.cell_id, feet, Frame(ZERO, from_heading(self.heading)))
        relabel_arrival(sim.player.steered, place)
        arrive(sim, place)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return place_again(sim, sim.player.id)


@dataclass(frozen=True)
class PutPlayerBack(Edit):
    """Put the player, whom no cell holds, where one held him last, or next to it.

    Refused when he is not lost, and where there is no room for him any more.
    """

    def apply(self, sim: Simulation) -> None:
        held = sim.player.steered.held
        if held is None:
            raise PhysicsError("the player has not left the cells: there is nothing to return from")
        arrive(sim, held.copy())

    def inverse(self, sim: Simulation) -> list[Edit]:
        return place_again(sim, sim.player.id)


@dataclass(frozen=True)
class FacePlayer(Edit):
    """Turn the player to a compass heading at once."""

    heading: float

    def apply(self, sim: Simulation) -> None:
        check_finite(ZERO, self.heading)
        sim.player.steered.place.turn = Frame(ZERO, from_heading(self.heading))

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [FacePlayer(sim.player.steered.place.turn.heading())]


@dataclass(frozen=True)
class SetPlayerNumber(Edit):
    """Change one of the numbers that the player moves by: `player_names` lists them."""

    number: str
    value: float

    def apply(self, sim: Simulation) -> None:
        player = sim.player
        player.set_number(self.number, self.value)
        if player.id in sim.population.registry.entities:
            if self.number in ("radius", "height", "sunk"):
                sim.population.register_again(player)
            sim.population.registry.update_pwd_flags(player.id, player.flags)

    def inverse(self, sim: Simulation) -> list[Edit]:
        return [SetPlayerNumber(self.number, sim.player.number(self.number))]
