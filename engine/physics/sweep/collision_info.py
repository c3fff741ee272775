"""The properties of a sweep's mover, and the collisions found so far (physics.md 5.1)."""

from __future__ import annotations

from typing import Final

from mypy_extensions import mypyc_attr

from engine.geometry.constants import EPSILON, FLOOR_Z, LANDING_Z
from engine.geometry.plane import Plane
from engine.geometry.vec import Vec3, length, normalize_check_small
from engine.physics.flags import OI_ON_WALKABLE, OK
from engine.physics.rules import RuleSet

NO_PLANE: Final = Plane((0.0, 0.0, 0.0), 0.0)
"""All planes start as N = (0,0,0), d = 0; "invalid" only clears the flag."""


@mypyc_attr(free_list_len=1)
class ObjectInfo:
    """Facts about the mover, fixed at the start but for the CONTACT and ON_WALKABLE bits."""

    state: int
    scale: float
    step_up_height: float
    step_down_height: float
    ethereal: bool
    step_down: bool
    gravity: bool
    mover_id: int
    mover_state: int
    target_id: int
    velocity_stopped: bool

    def __init__(self) -> None:
        self.state = 0
        self.scale = 1.0
        self.step_up_height = 0.0
        self.step_down_height = 0.0
        self.ethereal = False
        self.step_down = True
        self.gravity = True
        self.mover_id = 0
        self.mover_state = 0
        self.target_id = 0
        self.velocity_stopped = False

    def is_valid_walkable(self, normal: Vec3) -> bool:
        return normal[2] >= FLOOR_Z

    def get_walkable_z(self) -> float:
        return FLOOR_Z if self.state & OI_ON_WALKABLE else LANDING_Z

    def stop_velocity(self) -> None:
        """The body's velocity goes to zero. The body takes it from here when the sweep has ended (7.2)."""
        self.velocity_stopped = True


@mypyc_attr(free_list_len=1)
class CollisionInfo:
    """The results of a sweep, written while it runs."""

    rules: RuleSet
    contact_plane_valid: bool
    contact_plane: Plane
    contact_plane_cell_id: int
    contact_plane_is_water: bool
    last_known_contact_plane_valid: bool
    last_known_contact_plane: Plane
    last_known_contact_plane_cell_id: int
    last_known_contact_plane_is_water: bool
    sliding_normal_valid: bool
    sliding_normal: Vec3
    collision_normal_valid: bool
    collision_normal: Vec3
    collide_objects: list[int]
    last_collided_object: int
    collided_with_environment: bool
    frames_stationary_fall: int

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.reset()

    def reset(self) -> None:
        """Reset everything, as a blocked placement attempt does under `retail` (5.15)."""
        self.contact_plane_valid = False
        self.contact_plane = NO_PLANE
        self.contact_plane_cell_id = 0
        self.contact_plane_is_water = False
        self.last_known_contact_plane_valid = False
        self.last_known_contact_plane = NO_PLANE
        self.last_known_contact_plane_cell_id = 0
        self.last_known_contact_plane_is_water = False
        self.sliding_normal_valid = False
        self.sliding_normal = (0.0, 0.0, 0.0)
        self.collision_normal_valid = False
        self.collision_normal = (0.0, 0.0, 0.0)
        self.last_collided_object = 0
        self.collided_with_environment = False
        self.frames_stationary_fall = 0
        self.forget_objects()

    def forget_objects(self) -> None:
        self.collide_objects = []
        self.last_collided_object = 0

    def set_contact_plane(self, plane: Plane, water: bool, cell_id: int) -> None:
        self.contact_plane_valid = True
        self.contact_plane = plane
        self.contact_plane_is_water = water
        self.contact_plane_cell_id = cell_id

    def clear_contact_plane(self) -> None:
        """Only the flags: the old plane and its cell stay readable."""
        self.contact_plane_valid = False
        self.contact_plane_is_water = False

    def init_contact_plane(self, cell_id: int, plane: Plane, water: bool) -> None:
        self.set_contact_plane(plane, water, cell_id)
        self.init_last_known_contact_plane(cell_id, plane, water)

    def init_last_known_contact_plane(self, cell_id: int, plane: Plane, water: bool) -> None:
        self.last_known_contact_plane_valid = True
        self.last_known_contact_plane = plane
        self.last_known_contact_plane_cell_id = cell_id
        self.last_known_contact_plane_is_water = water

    def set_collision_normal(self, n: Vec3) -> None:
        self.collision_normal_valid = True
        small, unit = normalize_check_small(n)
        if small:
            self.collision_normal = (0.0, 0.0, 0.0)
        elif self.rules.collision_normal_normalised:
            self.collision_normal = unit
        else:
            self.collision_normal = n

    def set_sliding_normal(self, n: Vec3) -> None:
        self.sliding_normal_valid = True
        flat: Vec3 = (n[0], n[1], 0.0)
        if self.rules.sliding_normal_normalised:
            small, unit = normalize_check_small(flat)
            self.sliding_normal = (0.0, 0.0, 0.0) if small else unit
        else:
            self.sliding_normal = (0.0, 0.0, 0.0) if length(n) < EPSILON else flat

    def init_sliding_normal(self, n: Vec3) -> None:
        self.sliding_normal_valid = True
        small, unit = normalize_check_small(n)
        self.sliding_normal = (0.0, 0.0, 0.0) if small else unit

    def add_object(self, object_id: int, state: int) -> None:
        """Touched, in order of first touch and each once; objects are compared by id (6.5)."""
        if object_id not in self.collide_objects:
            self.collide_objects.append(object_id)
            if state != OK:
                self.last_collided_object = object_id
