"""The player: a body of two spheres that is steered (physics.md 1.1, 5.3, 11, #2)."""

from __future__ import annotations

from typing import Final

from engine.entities.bodies import PlayerBody
from engine.entities.body_state import visit_motion
from engine.entities.entity import Entity
from engine.entities.human import STEP_DOWN, STEP_UP, SUNK, human_spheres
from engine.entities.motion_interp import Skills
from engine.entities.skills import PK_FIGHT
from engine.entities.specs import STATUSES
from engine.entities.state_io import StateIO
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, r24
from engine.physics.errors import PhysicsError
from engine.physics.flags import (
    ENTITY_HAS_WEENIE,
    ENTITY_IS_CREATURE,
    ENTITY_IS_PK,
    ENTITY_IS_PKLITE,
    ENTITY_IS_PLAYER,
    mover_bits,
)
from engine.world.cells.objects import Setup

_NUMBERS: Final = (
    "radius",
    "height",
    "sunk",
    "step_up",
    "step_down",
    "run_skill",
    "jump_skill",
    "burden",
    "stamina",
    "pk_fight",
)
_SIZES: Final = ("radius", "height")


class Player(Entity):
    """The entity that is steered. Others collide with the spheres that he sweeps with.

    `radius` is that of his foot, `height` the top of his head, `sunk` how far his foot reaches below the origin.
    Another size makes both spheres anew.
    """

    steered: PlayerBody
    radius: float
    height: float

    def __init__(self, body: PlayerBody, name: str, human: Setup | None = None) -> None:
        """A body like that of `human`, which the world's data have for players, or of the client's stated sizes."""
        flags = ENTITY_IS_PLAYER | ENTITY_IS_CREATURE | ENTITY_HAS_WEENIE
        super().__init__(body.id, name, "player", setup_of_spheres(_spheres_of(human)), 1.0, flags, 0, Frame())
        self._measure()
        self.steered = body
        self.body = body
        body.info_flags = mover_bits(flags)
        body.free_heading = True  # or a player wedged into a corner could not even turn round
        body.spheres = self.body_spheres()
        body.step_up_height = r24(STEP_UP if human is None else human.step_up_height)
        body.step_down_height = r24(STEP_DOWN if human is None else human.step_down_height)

    def skills(self) -> Skills:
        weenie = self.steered.interp.weenie
        if weenie is None:
            raise PhysicsError("the player has no skills")
        return weenie

    def number(self, name: str) -> float:
        """One of the numbers that he moves by."""
        if name == "radius":
            return self.radius
        if name == "height":
            return self.height
        if name == "sunk":
            return self.sunk()
        if name == "step_up":
            return self.steered.step_up_height
        if name == "step_down":
            return self.steered.step_down_height
        skills = self.skills()
        if name == "run_skill":
            return skills.run_skill
        if name == "jump_skill":
            return skills.jump_skill
        if name == "burden":
            return skills.burden
        if name == "stamina":
            return skills.stamina
        if name == "pk_fight":
            return skills.pk_fight
        if name in STATUSES:
            return 1.0 if self.flags & STATUSES[name] else 0.0
        raise PhysicsError(f"a player has no {name!r}; he has {', '.join(player_names())}")

    def set_number(self, name: str, value: float) -> None:
        """Change a number. A new size takes effect with the next sweep; register the player's shapes again."""
        self.number(name)
        if name in STATUSES:
            self._set_status(name, value)
            return
        if not 0.0 <= value < 1e6 or (name in _SIZES and value < 0.01):
            raise PhysicsError(f"{value} is not a valid {name} for a player")
        value = r24(value)
        skills = self.skills()
        if name == "radius":
            self._resize(value, self.height)
        elif name == "height":
            self._resize(self.radius, value)
        elif name == "sunk":
            if value > self.radius:
                raise PhysicsError(f"a foot of {self.radius} m cannot be sunk by {value} m")
            self._sink(value)
        elif name == "step_up":
            self.steered.step_up_height = value
        elif name == "step_down":
            self.steered.step_down_height = value
        elif name == "run_skill":
            skills.run_skill = value
        elif name == "jump_skill":
            skills.jump_skill = value
        elif name == "burden":
            skills.burden = value
        elif name == "pk_fight":
            skills.pk_fight = min(value, PK_FIGHT)
        else:
            skills.stamina = value

    def _set_status(self, name: str, value: float) -> None:
        if value not in (0.0, 1.0):
            raise PhysicsError(f"a player is {name} (1) or is not (0), not {value}")
        flag = STATUSES[name]
        self.flags = self.flags | flag if value == 1.0 else self.flags & ~flag
        self.steered.info_flags = mover_bits(self.flags)
        self.skills().player_killer = (self.flags & (ENTITY_IS_PK | ENTITY_IS_PKLITE)) != 0

    def _resize(self, radius: float, height: float) -> None:
        sunk = self.sunk()
        self.radius = radius
        self.height = height
        self._sink(SUNK if abs(sunk - SUNK) < 1e-6 else min(sunk, radius))  # the body keeps it in single precision

    def _sink(self, sunk: float) -> None:
        self.setup = setup_of_spheres(human_spheres(self.radius, self.height, sunk))
        self.steered.spheres = self.body_spheres()

    def _measure(self) -> None:
        spheres = self.setup.spheres
        top = spheres[len(spheres) - 1]
        self.radius = spheres[0].radius
        self.height = r24(top.center[2] + top.radius)

    def sunk(self) -> float:
        """Return how far the soles are below the origin. A player whose origin is put on a floor would be in the floor,
        so servers lift teleported players by as much."""
        foot = self.steered.spheres[0]
        return max(0.0, foot.radius - foot.center[2])

    def soles(self) -> Vec3:
        """The point of the ground under him, while he stands: what a teleport takes."""
        x, y, z = self.origin()
        return (x, y, z - self.sunk())

    def visit(self, io: StateIO) -> None:
        super().visit(io)
        self.flags = io.integer("flags", self.flags)
        radius = io.real("radius", self.radius)
        height = io.real("height", self.height)
        if io.reading:
            if not self.steered.spheres:
                raise PhysicsError("the saved state has a player without a body")
            self.setup = setup_of_spheres(self.steered.spheres)
            self.radius = radius
            self.height = height
        body = self.steered
        body.charging = io.flag("charging", body.charging)
        body.charge = io.real("charge", body.charge)
        visit_motion(io, body.interp)


def player_names() -> list[str]:
    """The numbers that a player moves by, and what he is to others: 1 for yes, 0 for no."""
    return [*_NUMBERS, *STATUSES]


def _spheres_of(human: Setup | None) -> list[Sphere]:
    """The spheres that are swept: the first two, at the scale of 1 that players have."""
    return human_spheres() if human is None else human.spheres[:2]


def setup_of_spheres(spheres: list[Sphere]) -> Setup:
    """The spheres as a model without parts, for those who run into him and for the picture."""
    top = spheres[len(spheres) - 1]
    height = top.center[2] + top.radius
    radius = spheres[0].radius
    around = Sphere((0.0, 0.0, height * 0.5), max(height * 0.5, radius))
    setup = Setup(0, [], {}, [], [sphere.copy() for sphere in spheres], around, around.copy())
    setup.height = height
    setup.radius = radius
    return setup
