"""Listens to the player's sweeps for the causes of what becomes of him: cheap enough to listen to every tick.

Contacts of probes (a step up that is tried, the search for ground) are not causes; what the passage that made the probe
answers then is.
"""

from __future__ import annotations

from typing import Final

from engine.geometry.frame import Frame
from engine.geometry.polygon import Polygon
from engine.geometry.vec import Vec3, dot
from engine.physics.flags import ADJUSTED, COLLIDED, INVALID, OI_CONTACT, OI_ON_WALKABLE, OK, SLID
from engine.physics.objects.physics_object import PhysicsObj, ShadowEntry
from engine.physics.place import Place
from engine.physics.sweep.cell_array import CellArray
from engine.physics.sweep.collision_info import CollisionInfo
from engine.physics.sweep.sphere_path import SpherePath
from engine.physics.sweep.trace import (
    CLIFF_SLIDE,
    EDGE_SLIDE,
    FLOOR,
    HIT,
    LEFT,
    PRECIPICE_SLIDE,
    STEP_UP,
    UNDER,
    SweepObserver,
)
from engine.physics.sweep.trace import TERRAIN as TERRAIN_ASKED
from engine.physics.sweep.transition import Transition
from engine.sim.tick.contacts import BARRIER, EDGE, MET, NO_CELL, STEEP, THING, Contact, SweepContacts
from engine.sim.trace.search_replay import SearchReplay
from engine.world.cells.cell import ObjCell
from engine.world.cells.position import into_block

_SAME_NORMAL: Final = 0.9999
_SAME_PLANE: Final = 0.02
"""Metres; far more than rounding adds up to in a landblock, and less than two floors lie apart."""


class MetPolygon:
    """A polygon as it was met, and what it is of."""

    polygon: Polygon
    frame: Frame | None
    scale: float
    space_cell: int
    """The cell in whose landblock the polygon is, brought there by `frame` and `scale`."""
    cell_id: int
    what: int
    obj: PhysicsObj | None
    row: ShadowEntry | None
    sphere: int

    def __init__(
        self,
        polygon: Polygon,
        sp: SpherePath | None,
        cell_id: int,
        what: int,
        obj: PhysicsObj | None,
        row: ShadowEntry | None,
        sphere: int,
    ) -> None:
        self.polygon = polygon
        self.frame = None if sp is None else sp.space_frame
        self.scale = 1.0 if sp is None else sp.space_scale
        self.space_cell = cell_id if sp is None else sp.space_cell_id
        self.cell_id = cell_id
        self.what = what
        self.obj = obj
        self.row = row
        self.sphere = sphere

    def normal(self) -> Vec3:
        return self.polygon.normal if self.frame is None else self.frame.local_to_global_vec(self.polygon.normal)

    def is_on(self, ci: CollisionInfo) -> bool:
        """Whether the contact plane is the polygon's."""
        plane = ci.contact_plane
        nx, ny, nz = self.normal()
        px, py, pz = plane.normal
        if nx * px + ny * py + nz * pz < _SAME_NORMAL:
            return False
        corner = self.polygon.vertices[0]
        if self.frame is not None:
            x, y, z = corner
            corner = self.frame.local_to_global((x * self.scale, y * self.scale, z * self.scale))
        return abs(plane.dist(into_block(ci.contact_plane_cell_id, self.space_cell, corner))) < _SAME_PLANE


class ContactWatch(SweepObserver):
    """Keeps the contacts of the last sweep in `result`."""

    result: SweepContacts
    _contacts: list[Contact]
    _depth: int
    _inside: bool
    _met: MetPolygon | None
    _left: MetPolygon | None
    _floors: list[MetPolygon]
    """Floors and land that were met in the sub-step, in probes too."""
    _ground: MetPolygon | None
    _stood_on: MetPolygon | None
    _edge: MetPolygon | None
    _edge_met: bool
    _sliding: list[Contact]
    """The contacts that left the sliding normal with which the last sweep ended."""
    _sliding_normal: Vec3
    _ended: Place
    """Where the last sweep ended."""
    _is_first: bool
    """The sub-step is the first of its sweep."""
    _footing: int
    _cell_id: int
    _what: int
    _obj: PhysicsObj | None
    _row: ShadowEntry | None
    _outer_cell: int
    _outer_row: ShadowEntry | None
    _array: CellArray
    _found: list[SearchReplay | None]
    """The last search of each insertion that runs, if it leads into another cell: probes insert within insertions."""
    _search: SearchReplay | None
    _search_id: int
    _began_in: ObjCell | None

    def __init__(self) -> None:
        self.result = SweepContacts()
        self._ground = None
        self._sliding = []
        self._sliding_normal = (0.0, 0.0, 0.0)
        self._ended = Place(0, (0.0, 0.0, 0.0), Frame())
        self._is_first = False
        self._begin()

    def take(self) -> SweepContacts:
        """The contacts since the last call."""
        taken = self.result
        self.result = SweepContacts()
        return taken

    def _begin(self) -> None:
        self._contacts = []
        self._depth = 0
        self._inside = False
        self._met = None
        self._left = None
        self._floors = []
        self._stood_on = self._ground
        self._edge = None
        self._edge_met = False
        self._footing = 0
        self._cell_id = 0
        self._what = 0
        self._obj = None
        self._row = None
        self._outer_cell = 0
        self._outer_row = None
        self._array = CellArray()
        self._found = []
        self._search = None
        self._search_id = 0
        self._began_in = None

    def hears_of_clear_shapes(self) -> bool:
        return False

    # --- the sweep and its sub-steps

    def sweep_begins(self, tr: Transition) -> None:
        self.result = SweepContacts()
        begin = tr.sp.begin
        if begin is None or begin.cell_id != self._ended.cell_id or begin.origin != self._ended.origin:
            self._ground = None  # put elsewhere, or at another time
            self._sliding = []
        self._begin()
        self._footing = tr.oi.state & (OI_CONTACT | OI_ON_WALKABLE)

    def sweep_ends(self, tr: Transition, found: bool) -> None:
        result, in_contact = self.result, tr.ci.contact_plane_valid
        is_changed = tr.oi.state & (OI_CONTACT | OI_ON_WALKABLE) != self._footing
        if in_contact and self._ground is not None:
            if is_changed:
                result.ground = self._contact_of(tr, MET, self._ground, OK)
            if not tr.oi.state & OI_ON_WALKABLE:
                result.steep = self._contact_of(tr, STEEP, self._ground, OK)
        if self._stood_on is not None and (is_changed or not in_contact):
            result.took_off = not self._footing & OI_CONTACT
            result.stood_on = self._contact_of(tr, MET if result.took_off else EDGE, self._stood_on, OK)
        self._keep_sliding(tr)
        self._ended = tr.sp.curr.copy()

    def _keep_sliding(self, tr: Transition) -> None:
        """Remember what left the sliding normal that the next sweep begins with."""
        result = self.result
        causes = result.stopped_by or result.slid_along[::-1]
        if not causes and result.steep is not None and not result.held:
            causes = [result.steep]
        if causes or not result.held or not tr.ci.sliding_normal_valid:
            self._sliding = causes if tr.ci.sliding_normal_valid else []
        self._sliding_normal = tr.ci.sliding_normal

    def step_begins(self, tr: Transition, number: int, asked: Vec3) -> None:
        self._contacts = []
        self._depth = 0
        self._inside = False
        self._met = None
        self._left = None
        self._floors = []
        self._found = []
        self._search = None
        self._began_in = tr.sp.curr_cell
        self._is_first = number == 0

    def step_adjusted(self, tr: Transition, left: Vec3) -> None:
        if tr.ci.sliding_normal_valid:
            self.result.held = True
            if self._is_first and dot(tr.ci.sliding_normal, self._sliding_normal) > _SAME_NORMAL:
                self.result.held_by = self._sliding
        push = tr.sp.check.origin[2] - tr.sp.curr.origin[2]
        if push != 0.0:
            self.result.pushed += push
            if self._ground is not None:
                self.result.pushed_by = self._contact_of(tr, MET, self._ground, OK)

    def step_ends(self, tr: Transition, answer: int) -> None:
        result = self.result
        self._find_ground(tr)
        if answer == OK:
            for contact in self._contacts:
                if not self._is_ground(tr, contact):
                    _add(result.slid_along, contact)
            self._explain_cell(tr)
        elif answer != INVALID:
            self._stop(tr, answer)

    def _find_ground(self, tr: Transition) -> None:
        """The floor with the contact plane: the last that was met, or the one of the sub-step before."""
        if not tr.ci.contact_plane_valid:
            self._ground = None
            return
        for met in reversed(self._floors):
            if met.is_on(tr.ci):
                self._ground = met
                return
        if self._ground is not None and not self._ground.is_on(tr.ci):
            self._ground = None

    def _stop(self, tr: Transition, answer: int) -> None:
        """The sub-step was rolled back: what answered COLLIDED decided, or all contacts together, the first of which
        stands for them."""
        stopped = self.result.stopped_by
        if answer == COLLIDED:
            for contact in reversed(self._contacts):
                if contact.answer == COLLIDED:
                    _add(stopped, contact)
                    break
        for contact in self._contacts:
            _add(stopped, contact)
        if not stopped:
            nowhere = Contact(NO_CELL, 0, tr.sp.check.cell_id, answer)
            self._place(tr, nowhere, 0, (0.0, 0.0, 0.0))
            stopped.append(nowhere)

    def _is_ground(self, tr: Transition, contact: Contact) -> bool:
        """The body has landed on it: it is no obstacle."""
        ground = self._ground
        return (
            contact.answer == ADJUSTED
            and contact.how == MET
            and tr.ci.contact_plane_valid
            and ground is not None
            and ground.polygon.id == contact.polygon_id
            and ground.what == contact.what
        )

    # --- the context: the innermost, and that outside of all probes

    def cell_begins(self, tr: Transition, cell: ObjCell, primary: ObjCell | None) -> None:
        self._cell_id = cell.id
        if self._depth == 0:
            self._outer_cell = cell.id

    def surroundings_begins(self, tr: Transition, cell: ObjCell, what: int) -> None:
        self._what = what
        self._obj = None
        self._row = None
        if self._depth == 0:
            self._inside = True
            self._met = None

    def surroundings_ends(self, tr: Transition, cell: ObjCell, what: int, state: int) -> None:
        if self._depth != 0:
            return
        self._inside = False
        if state == OK or (what == TERRAIN_ASKED and state == ADJUSTED and tr.ci.contact_plane_valid):
            return
        how = STEEP if what == TERRAIN_ASKED and state == ADJUSTED else MET
        self._meet(tr, how, what, cell.id, None, None, state)

    def object_begins(self, tr: Transition, obj: PhysicsObj) -> None:
        self._what = THING
        self._obj = obj
        if self._depth == 0:
            self._inside = True
            self._met = None
            self._outer_row = None

    def row_begins(self, tr: Transition, row: ShadowEntry) -> None:
        self._row = row
        if self._depth == 0:
            self._outer_row = row

    def object_ends(self, tr: Transition, obj: PhysicsObj, verdict: int) -> None:
        if self._depth != 0:
            return
        self._inside = False
        if verdict != OK:
            self._meet(tr, MET, THING, self._outer_cell, obj, self._outer_row, verdict)

    def entry_refused(self, tr: Transition, cell: ObjCell) -> None:
        if self._depth == 0:
            contact = Contact(BARRIER, 0, cell.id, COLLIDED)
            contact.object_id = cell.restriction_object
            self._place(tr, contact, 0, tr.ci.collision_normal)
            self._contacts.append(contact)

    def polygon_met(self, tr: Transition, polygon: Polygon, sphere: int, how: int) -> None:
        outer = self._depth == 0
        if how in (FLOOR, UNDER) or outer:
            space = None if how == UNDER else tr.sp
            met = MetPolygon(polygon, space, self._cell_id, self._what, self._obj, self._row, sphere)
            if how in (FLOOR, UNDER):
                self._floors.append(met)
            if outer:
                self._met = met
                if how in (HIT, LEFT):
                    self._left = met

    # --- passages

    def probe_begins(self, tr: Transition, what: int, height: float, zval: float) -> None:
        if what == EDGE_SLIDE and self._depth == 0:
            self._edge = self._ground
            self._edge_met = False
        elif what == CLIFF_SLIDE and self._depth == 1:
            for met in self._floors:
                if met.is_on(tr.ci):
                    self._edge = met
        elif what == PRECIPICE_SLIDE and self._depth == 1:
            walkable = tr.sp.walkable
            for met in self._floors:
                if walkable is not None and met.polygon is walkable:
                    self._edge = met
        self._depth += 1

    def probe_ends(self, tr: Transition, what: int, state: int) -> None:
        self._depth -= 1
        if what == STEP_UP and self._depth == 0 and state == OK:
            self.result.climbed = True
        elif what == CLIFF_SLIDE and self._depth == 1 and state != OK:
            self._meet_edge(tr, STEEP, state)
        elif (what == PRECIPICE_SLIDE and self._depth == 1 and state != OK) or (
            what == EDGE_SLIDE and self._depth == 0 and state == COLLIDED and not self._edge_met
        ):
            self._meet_edge(tr, EDGE, state)

    def slid(self, tr: Transition, normal: Vec3, state: int) -> None:
        """A slide outside of all tests is along a polygon that was touched while it was being left (5.6)."""
        if self._depth == 0 and not self._inside and state in (SLID, COLLIDED) and self._left is not None:
            self._contacts.append(self._contact_of(tr, MET, self._left, state))

    # --- the cell array

    def insert_begins(self, tr: Transition, attempts: int) -> None:
        self._found.append(None)

    def insert_ends(self, tr: Transition, state: int) -> None:
        if self._found:
            self._found.pop()

    def cells_found(self, tr: Transition, containing: ObjCell | None, asked: bool) -> None:
        """Keep what a search that leads into another cell began with: it is run again if the sweep goes there."""
        sp = tr.sp
        found: SearchReplay | None = None
        here = sp.curr_cell
        if asked and containing is not None and containing is not here and sp.check.cell_id != containing.id:
            spheres = [sphere.copy() for sphere in sp.global_spheres()]
            found = SearchReplay(tr.graph, tr.rules, sp.check.cell_id, spheres, _copy(self._array, tr))
        if self._found:
            self._found[-1] = found
        if not tr.rules.cell_array_cleared:
            self._array = _copy(tr.ca, tr)  # the next search begins with it

    def retargeted(self, tr: Transition, how: int) -> None:
        found = self._found[-1] if self._found else None
        if found is not None:
            self._search = found
            self._search_id = tr.sp.check.cell_id

    def _explain_cell(self, tr: Transition) -> None:
        """The body has gone into another cell: ask the search that led there how it came in."""
        cell = tr.sp.curr_cell
        if cell is None or cell is self._began_in:
            return
        self.result.came_by = ""
        self.result.portal = -1
        if self._search is None or self._search_id != cell.id:
            return
        candidate = self._search.run(True).find(cell.id)
        if candidate is not None:
            entry = candidate.entry
            self.result.came_by = entry.how
            self.result.portal = entry.portal
            self.result.portal_of = entry.cell_id if entry.portal >= 0 else 0

    # --- values

    def _meet(
        self,
        tr: Transition,
        how: int,
        what: int,
        cell_id: int,
        obj: PhysicsObj | None,
        row: ShadowEntry | None,
        state: int,
    ) -> None:
        """Something outside of all probes has answered other than OK."""
        met = self._met
        if met is not None:
            contact = self._contact_of(tr, how, met, state)
            contact.cell_id = cell_id
        else:
            contact = Contact(how, what, cell_id, state)
            self._name(contact, obj, row)
            self._place(tr, contact, 0, tr.ci.collision_normal)
        self._contacts.append(contact)

    def _meet_edge(self, tr: Transition, how: int, state: int) -> None:
        self._edge_met = True
        edge = self._edge
        if edge is None:
            contact = Contact(how, 0, tr.sp.curr.cell_id, state)
            self._place(tr, contact, 0, (0.0, 0.0, 1.0))
        else:
            contact = self._contact_of(tr, how, edge, state)
        self._contacts.append(contact)

    def _contact_of(self, tr: Transition, how: int, met: MetPolygon, state: int) -> Contact:
        contact = Contact(how, met.what, met.cell_id, state)
        contact.polygon_id = met.polygon.id
        self._name(contact, met.obj, met.row)
        self._place(tr, contact, met.sphere, met.normal())
        return contact

    def _name(self, contact: Contact, obj: PhysicsObj | None, row: ShadowEntry | None) -> None:
        if obj is None:
            return
        contact.object_id = obj.object_id
        if row is not None:
            if row.shape.gfxobj is not None:
                contact.gfxobj_id = row.shape.gfxobj.id
            for index in range(len(obj.rows)):
                if obj.rows[index] is row:
                    contact.part = index

    def _place(self, tr: Transition, contact: Contact, sphere: int, normal: Vec3) -> None:
        """The point of the sphere that is nearest to the surface."""
        sp = tr.sp
        ball = sp.global1 if sphere == 1 and sp.num_sphere > 1 else sp.global0
        x, y, z = ball.center
        nx, ny, nz = normal
        contact.normal = normal
        contact.at = (x - nx * ball.radius, y - ny * ball.radius, z - nz * ball.radius)
        contact.at_cell = sp.check.cell_id


def _add(contacts: list[Contact], contact: Contact) -> None:
    for other in contacts:
        if other.key == contact.key:
            return
    contacts.append(contact)


def _copy(array: CellArray, tr: Transition) -> CellArray:
    copied = CellArray()
    copied.ids = array.ids[:]
    copied.cells = array.cells[:]
    copied.gaps = array.gaps[:]
    copied.do_not_load_cells = tr.ca.do_not_load_cells
    return copied
