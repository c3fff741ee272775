"""The player: a body of two spheres that is steered (spec/physics.md 1.1, 5.3, 11)."""

from __future__ import annotations

from typing import Final

from engine.entities.bodies import PlayerBody
from engine.entities.body_state import visit_motion
from engine.entities.entity import Entity
from engine.entities.motion_interp import Skills
from engine.entities.specs import STATUSES
from engine.entities.state_io import StateIO
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.geometry.vec import r24
from engine.physics.errors import PhysicsError
from engine.physics.flags import (
    ENTITY_HAS_WEENIE,
    ENTITY_IS_CREATURE,
    ENTITY_IS_PK,
    ENTITY_IS_PLAYER,
    mover_bits,
)
from engine.physics.resolve import resolve_spheres
from engine.world.cells.objects import Setup

PLAYER_ID: Final = 0x50000001

RADIUS: Final = 0.48
HEIGHT: Final = 1.835
STEP_UP: Final = 0.6
STEP_DOWN: Final = 1.5
"""The player of the live records (spec/physics.md 1.1)."""

_NUMBERS: Final = ("radius", "height", "step_up", "step_down", "run_skill", "jump_skill", "burden", "stamina")
_SIZES: Final = ("radius", "height")


class Player(Entity):
    """The one who is steered. Others collide with the spheres that he sweeps with."""

    steered: PlayerBody
    radius: float
    height: float

    def __init__(self, body: PlayerBody, name: str) -> None:
        flags = ENTITY_IS_PLAYER | ENTITY_IS_CREATURE | ENTITY_HAS_WEENIE
        super().__init__(body.id, name, "player", _setup(RADIUS, HEIGHT), 1.0, flags, 0, Frame())
        self.radius = r24(RADIUS)
        self.height = r24(HEIGHT)
        self.steered = body
        self.body = body
        body.info_flags = mover_bits(flags)
        body.free_heading = True  # or somebody wedged into a corner could not even turn round
        body.spheres = self.body_spheres()
        body.step_up_height = r24(STEP_UP)
        body.step_down_height = r24(STEP_DOWN)

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
        if name in STATUSES:
            return 1.0 if self.flags & STATUSES[name] else 0.0
        raise PhysicsError(f"a player has no {name!r}; he has {', '.join(player_names())}")

    def set_number(self, name: str, value: float) -> None:
        """Change one of them. A new size counts from the next sweep; his shapes are to be registered anew."""
        self.number(name)
        if name in STATUSES:
            self._set_status(name, value)
            return
        if not 0.0 <= value < 1e6 or (name in _SIZES and value < 0.01):
            raise PhysicsError(f"{value} is no {name} for a player")
        value = r24(value)
        skills = self.skills()
        if name == "radius":
            self._resize(value, self.height)
        elif name == "height":
            self._resize(self.radius, value)
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
        else:
            skills.stamina = value

    def _set_status(self, name: str, value: float) -> None:
        if value not in (0.0, 1.0):
            raise PhysicsError(f"a player is {name} (1) or is not (0), not {value}")
        flag = STATUSES[name]
        self.flags = self.flags | flag if value == 1.0 else self.flags & ~flag
        self.steered.info_flags = mover_bits(self.flags)
        self.skills().player_killer = (self.flags & ENTITY_IS_PK) != 0

    def _resize(self, radius: float, height: float) -> None:
        self.radius = radius
        self.height = height
        self.setup = _setup(radius, height)
        self.steered.spheres = self.body_spheres()

    def visit(self, io: StateIO) -> None:
        super().visit(io)
        self.flags = io.integer("flags", self.flags)
        radius = io.real("radius", self.radius)
        height = io.real("height", self.height)
        if io.reading:
            self._resize(radius, height)
        body = self.steered
        body.charging = io.flag("charging", body.charging)
        body.charge = io.real("charge", body.charge)
        visit_motion(io, body.interp)


def player_names() -> list[str]:
    """The numbers that a player moves by, and what he is to others: 1 for yes, 0 for no."""
    return [*_NUMBERS, *STATUSES]


def _setup(radius: float, height: float) -> Setup:
    """The spheres of `ResolveWithTransition` (7.2) as a model without parts."""
    spheres = [Sphere(sphere.center, sphere.radius) for sphere in resolve_spheres(r24(radius), r24(height))]
    around = Sphere((0.0, 0.0, height * 0.5), max(height * 0.5, radius))
    setup = Setup(0, [], {}, [], spheres, around, around.copy())
    setup.height = height
    setup.radius = radius
    return setup
