"""The geometry of a sweep: its spheres, where they are accepted, where they are tried (physics.md 3.10, 5.1, 5.2).

Two spheres at most, each held in attributes of its own: the sweep touches them in every routine.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import mypyc_attr

from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon, WalkProbe
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, r24, r24v
from engine.physics.flags import TRANSITION
from engine.physics.place import Place
from engine.world.cells.cell import ObjCell
from engine.world.cells.landdefs import block_offset


@mypyc_attr(free_list_len=1)
class SpherePath:
    """The candidate (`check_*`), the accepted state (`curr_*`), and the passing state of the probes in between."""

    num_sphere: int
    local0: Sphere
    local1: Sphere
    global0: Sphere
    global1: Sphere
    _global_list: list[Sphere]
    curr_center0: Vec3
    curr_center1: Vec3
    local_low_point: Vec3
    global_low_point: Vec3

    space0: Sphere
    space1: Sphere
    space_cell_id: int
    space_frame: Frame
    space_scale: float
    space_z: Vec3

    begin_cell: ObjCell | None
    begin: Place | None
    end: Place
    curr_cell: ObjCell | None
    curr: Place
    check_cell: ObjCell | None
    check: Place
    backup_cell: ObjCell | None
    backup: Place
    insert_type: int
    backup_insert_type: int
    global_offset: Vec3

    step_up: bool
    step_down: bool
    collide: bool
    check_walkable: bool
    obstruction_ethereal: bool
    hits_interior_cell: bool
    building_check: bool
    cell_array_valid: bool
    neg_step_up: bool
    neg_poly_hit: bool
    placement_allows_sliding: bool
    step_up_normal: Vec3
    neg_collision_normal: Vec3
    step_down_amt: float
    probe: WalkProbe

    walkable: Polygon | None
    walkable_check: Sphere
    walkable_up: Vec3
    walkable_cell_id: int
    walkable_frame: Frame
    walkable_scale: float

    def __init__(self) -> None:
        # Every sweep makes one of these: values that are replaced before use are shared, the zero vector is a local.
        zero: Vec3 = (0.0, 0.0, 0.0)
        up: Vec3 = (0.0, 0.0, 1.0)
        self.num_sphere = 0
        self.local0 = _NO_SPHERE
        self.local1 = _NO_SPHERE
        self.global0 = Sphere(zero, 0.0)
        self.global1 = Sphere(zero, 0.0)
        self._global_list = []
        self.curr_center0 = zero
        self.curr_center1 = zero
        self.local_low_point = zero
        self.global_low_point = zero
        self.space0 = Sphere(zero, 0.0)
        self.space1 = Sphere(zero, 0.0)
        self.space_scale = 1.0
        self.space_cell_id = 0
        self.space_frame = _NOWHERE
        self.space_z = up
        self.begin_cell = None
        self.begin = None
        self.end = _NO_PLACE
        self.curr_cell = None
        self.curr = Place(0, zero, _NOWHERE)
        self.check_cell = None
        self.check = Place(0, zero, _NOWHERE)
        self.backup_cell = None
        self.backup = Place(0, zero, _NOWHERE)
        self.insert_type = TRANSITION
        self.backup_insert_type = TRANSITION
        self.global_offset = zero
        self.step_up = False
        self.step_down = False
        self.collide = False
        self.check_walkable = False
        self.obstruction_ethereal = False
        self.hits_interior_cell = False
        self.building_check = False
        self.cell_array_valid = False
        self.neg_step_up = False
        self.neg_poly_hit = False
        self.placement_allows_sliding = True
        self.step_up_normal = zero
        self.neg_collision_normal = zero
        self.step_down_amt = 0.0
        self.probe = WalkProbe(0.0, 1.0)
        self.walkable = None
        self.walkable_check = _NO_SPHERE
        self.walkable_up = up
        self.walkable_cell_id = 0
        self.walkable_frame = _NOWHERE
        self.walkable_scale = 1.0

    def begin_again(self) -> None:
        """Back to what a new one is, without making its parts again."""
        zero: Vec3 = (0.0, 0.0, 0.0)
        up: Vec3 = (0.0, 0.0, 1.0)
        self.num_sphere = 0
        self.local0 = _NO_SPHERE
        self.local1 = _NO_SPHERE
        self.global0.center = zero
        self.global0.radius = 0.0
        self.global1.center = zero
        self.global1.radius = 0.0
        self._global_list = []
        self.curr_center0 = zero
        self.curr_center1 = zero
        self.local_low_point = zero
        self.global_low_point = zero
        self.space0.center = zero
        self.space0.radius = 0.0
        self.space1.center = zero
        self.space1.radius = 0.0
        self.space_scale = 1.0
        self.space_cell_id = 0
        self.space_frame = _NOWHERE
        self.space_z = up
        self.begin_cell = None
        self.begin = None
        self.end = _NO_PLACE
        self.curr_cell = None
        self.curr.set_to(_NO_PLACE)
        self.check_cell = None
        self.check.set_to(_NO_PLACE)
        self.backup_cell = None
        self.backup.set_to(_NO_PLACE)
        self.insert_type = TRANSITION
        self.backup_insert_type = TRANSITION
        self.global_offset = zero
        self.step_up = False
        self.step_down = False
        self.collide = False
        self.check_walkable = False
        self.obstruction_ethereal = False
        self.hits_interior_cell = False
        self.building_check = False
        self.cell_array_valid = False
        self.neg_step_up = False
        self.neg_poly_hit = False
        self.placement_allows_sliding = True
        self.step_up_normal = zero
        self.neg_collision_normal = zero
        self.step_down_amt = 0.0
        self.probe.allowance = 0.0
        self.probe.interp = 1.0
        self.walkable = None
        self.walkable_check = _NO_SPHERE
        self.walkable_up = up
        self.walkable_cell_id = 0
        self.walkable_frame = _NOWHERE
        self.walkable_scale = 1.0

    def init_sphere(self, spheres: list[Sphere], scale: float) -> None:
        """The mover's own spheres, the first two of them."""
        count = min(len(spheres), 2)
        self.num_sphere = count
        if count > 0:
            self.local0 = _scaled(spheres[0], scale)
            x, y, z = self.local0.center
            self.local_low_point = (x, y, z - self.local0.radius)
        if count > 1:
            self.local1 = _scaled(spheres[1], scale)
        self._global_list = [self.global0, self.global1] if count > 1 else [self.global0] if count > 0 else []

    def global_spheres(self) -> list[Sphere]:
        """The spheres of the candidate; the same objects every time, so they are up to date."""
        return self._global_list

    def cache_global_curr_center(self) -> None:
        self.curr_center0 = r24v(self.curr.local_to_global(self.local0.center))
        if self.num_sphere > 1:
            self.curr_center1 = r24v(self.curr.local_to_global(self.local1.center))

    def add_offset_to_check_pos(self, offset: Vec3) -> None:
        """Move the candidate. Its origin is held in single precision (13.12 "pos")."""
        self.cell_array_valid = False
        self.move_check_pos(offset)

    def move_check_pos(self, offset: Vec3) -> None:
        """The same where the cell array is kept (3.6 step_sphere_down)."""
        ox, oy, oz = self.check.origin
        dx, dy, dz = offset
        self.check.origin = (r24(ox + dx), r24(oy + dy), r24(oz + dz))
        self.shift_global_sphere(offset)

    def shift_global_sphere(self, offset: Vec3) -> None:
        dx, dy, dz = offset
        sphere = self.global0
        x, y, z = sphere.center
        sphere.center = (r24(x + dx), r24(y + dy), r24(z + dz))
        x, y, z = self.global_low_point
        self.global_low_point = (r24(x + dx), r24(y + dy), r24(z + dz))
        if self.num_sphere > 1:
            sphere = self.global1
            x, y, z = sphere.center
            sphere.center = (r24(x + dx), r24(y + dy), r24(z + dz))

    def cache_global_sphere(self) -> None:
        """Recompute the spheres from the candidate."""
        check = self.check
        self.global0.center = r24v(check.local_to_global(self.local0.center))
        self.global0.radius = self.local0.radius
        self.global_low_point = r24v(check.local_to_global(self.local_low_point))
        if self.num_sphere > 1:
            self.global1.center = r24v(check.local_to_global(self.local1.center))
            self.global1.radius = self.local1.radius

    def set_check_pos(self, place: Place, cell: ObjCell | None) -> None:
        self.check.set_to(place)
        self.check_cell = cell
        self.cell_array_valid = False
        self.cache_global_sphere()

    def adjust_check_pos(self, cell_id: int) -> None:
        """Re-label the candidate with another cell; a room shares the landblock of the position it came from."""
        if (cell_id & 0xFFFF) < 0x100 and cell_id >> 16 != self.check.cell_id >> 16:
            dx, dy, dz = block_offset(cell_id, self.check.cell_id)
            ox, oy, oz = self.check.origin
            self.check.origin = (r24(ox + dx), r24(oy + dy), oz + dz)
            self.shift_global_sphere((dx, dy, dz))
        self.check.cell_id = cell_id

    def save_check_pos(self) -> None:
        self.backup_cell = self.check_cell
        self.backup.set_to(self.check)

    def restore_check_pos(self) -> None:
        self.set_check_pos(self.backup, self.backup_cell)

    def set_collide(self, normal: Vec3) -> None:
        self.collide = True
        self.save_check_pos()
        self.step_up_normal = normal
        self.probe.interp = 1.0

    def set_neg_poly_hit(self, step_up: bool, normal: Vec3) -> None:
        """The polygon was being left: its normal points along the motion, its negation opposes it (3.6)."""
        self.neg_step_up = step_up
        self.neg_poly_hit = True
        self.neg_collision_normal = (-normal[0], -normal[1], -normal[2])

    def set_walkable(self, sphere: Sphere, polygon: Polygon, up: Vec3, scale: float) -> None:
        """Remember the polygon underfoot, in the local space of the tree being tested."""
        self.walkable_check = sphere.copy()
        self.walkable = polygon
        self.walkable_up = up
        self.walkable_cell_id = self.space_cell_id
        self.walkable_frame = self.space_frame
        self.walkable_scale = scale

    def cache_local_space_sphere(self, cell_id: int, frame: Frame, scale: float) -> None:
        """Both spheres in the local space of a cell (scale 1) or of a part (3.10, 13.12 "local").

        The point that sphere 0 came from is asked for less often: `local_space_curr_center`.
        """
        check = self.check
        self.space0.center = _into_space(cell_id, frame, check, self.local0.center, scale)
        self.space0.radius = self.local0.radius / scale
        if self.num_sphere > 1:
            self.space1.center = _into_space(cell_id, frame, check, self.local1.center, scale)
            self.space1.radius = self.local1.radius / scale
        self.space_cell_id = cell_id
        self.space_frame = frame
        self.space_scale = scale
        self.space_z = frame.row_z

    def local_space_curr_center(self) -> Vec3:
        """The previous centre of sphere 0, in the local space cached last."""
        return _into_space(self.space_cell_id, self.space_frame, self.curr, self.local0.center, self.space_scale)


def _scaled(sphere: Sphere, scale: float) -> Sphere:
    x, y, z = sphere.center
    return Sphere((r24(x * scale), r24(y * scale), r24(z * scale)), r24(sphere.radius * scale))


def _into_space(cell_id: int, frame: Frame, place: Place, point: Vec3, scale: float) -> Vec3:
    # Rounded whether a border is crossed or not: on both sides of one the same point has to be the same.
    x, y, z = r24v(place.local_to_global(point))
    if cell_id >> 16 != place.cell_id >> 16:
        dx, dy, dz = block_offset(cell_id, place.cell_id)
        x = r24(x + dx)
        y = r24(y + dy)
        z = r24(z + dz)
    x, y, z = frame.global_to_local((x, y, z))
    if scale != 1.0:
        return (r24(x / scale), r24(y / scale), r24(z / scale))
    return (r24(x), r24(y), r24(z))


_NOWHERE: Final = Frame()
_NO_SPHERE: Final = Sphere((0.0, 0.0, 0.0), 0.0)
_NO_PLACE: Final = Place(0, (0.0, 0.0, 0.0), _NOWHERE)
