"""Overlays of solid and moving things: the shapes registered in cells, and a sweep with its spheres and planes
(physics.md 5, 8.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3, add, scale
from engine.physics.flags import ETHEREAL, STATIC
from engine.physics.objects.physics_object import BSP, CYLINDER, PhysicsObj, ShadowEntry
from engine.render.overlays.geometry import Colour, OverlayGeometry
from engine.render.overlays.palette import ACCENT, ACCEPTED, ADJUSTED, CURRENT, FAULT, FURNITURE, faint
from engine.render.overlays.sketch import Sketch, ring
from engine.sim.trace import tree as nodes
from engine.sim.trace.tree import SweepState, TraceNode, object_text
from engine.world.cells.cell import ObjCell

DISC: Final = 0.6
"""Metres across which a contact plane is shown."""

NORMAL: Final = 0.5

ROLLED_BACK: Final = "rolled back"


def shadow_bounds(block_id: int, cells: Iterable[ObjCell], labelled: int) -> OverlayGeometry:
    """The shapes of everything registered in some cells, each once: static ones grey, entities blue, dashed and orange
    where ethereal. Those in the cell `labelled` carry their names."""
    sketch = Sketch(block_id)
    drawn: set[int] = set()
    for cell in cells:
        for shadow in cell.shadow_objects:
            if not isinstance(shadow, PhysicsObj) or shadow.object_id in drawn:
                continue
            drawn.add(shadow.object_id)
            for row in shadow.rows:
                _row(sketch, row, shadow.state)
            if cell.id == labelled and shadow.rows:
                words = " ethereal" if shadow.state & ETHEREAL else ""
                sketch.label(
                    f"{object_text(shadow.object_id)}{words}", shadow.rows[0].frame.origin, _kind(shadow.state)
                )
    return sketch.geometry()


def _kind(state: int) -> Colour:
    return ADJUSTED if state & ETHEREAL else FURNITURE if state & STATIC else ACCENT


def _row(sketch: Sketch, row: ShadowEntry, state: int) -> None:
    shape, colour, origin = row.shape, _kind(state), row.frame.origin
    gfxobj = shape.gfxobj
    width = 1.0 if state & STATIC else 1.5
    if shape.collision_type == CYLINDER:
        sketch.cylinder(origin, shape.radius, shape.cyl_height, colour, width)
    elif shape.collision_type != BSP:
        sketch.sphere(origin, shape.radius, colour, width)
    elif gfxobj is not None:
        size = shape.scale
        corners = [row.frame.local_to_global(scale(corner, size)) for corner in gfxobj.box.corners()]
        for a, b in ((0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7)):
            if state & ETHEREAL:
                sketch.dashes(corners[a], corners[b], colour, 0.08, width)
            else:
                sketch.line(corners[a], corners[b], colour, width)


def sweep_overlay(sweeps: Sequence[TraceNode], spheres: Sequence[Sphere]) -> list[OverlayGeometry]:
    """A tick's sweeps: amber where the body began, its spheres after every sub-step (green accepted, red rolled back,
    orange slid), the contact plane under its feet and the normals of what it ran into.

    `spheres` are the body's, in its own space. Sub-steps in several landblocks make several geometries.
    """
    sketches: dict[int, Sketch] = {}
    for sweep in sweeps:
        before = sweep.before
        if before is None:
            continue
        start = sketch_of(sketches, before.accepted_cell or before.candidate_cell)
        draw_spheres(start, spheres, before, before.accepted, CURRENT, 1.5)
        for step in sweep.find(nodes.STEP):
            _step(sketches, step, spheres)
        if sweep.after is not None:
            draw_planes(sketches, sweep.after)
    return [sketch.geometry() for sketch in sketches.values()]


def _step(sketches: dict[int, Sketch], step: TraceNode, spheres: Sequence[Sphere]) -> None:
    after = step.after
    if after is None:
        return
    if ROLLED_BACK in step.answer:
        tried = last_candidate(step)
        if tried is not None:
            draw_spheres(sketch_of(sketches, tried.candidate_cell), spheres, tried, tried.candidate, FAULT, 1.0)
        return
    colour = ADJUSTED if after.sliding_normal is not None else ACCEPTED
    draw_spheres(sketch_of(sketches, after.accepted_cell), spheres, after, after.accepted, colour, 1.0)


def last_candidate(step: TraceNode) -> SweepState | None:
    """The position at which the body was sent back: the candidate of the last insertion that began."""
    tries = [node.before for node in step.find(nodes.INSERT) if node.before is not None]
    return tries[-1] if tries else step.before


def draw_spheres(
    sketch: Sketch, spheres: Sequence[Sphere], state: SweepState, origin: Vec3, colour: Colour, width: float
) -> None:
    frame = Frame(origin, state.rotation)
    for sphere in spheres:
        sketch.sphere(frame.local_to_global(sphere.center), sphere.radius, colour, width, 0.5)


def draw_planes(sketches: dict[int, Sketch], state: SweepState) -> None:
    contact = state.contact_plane
    if contact is not None:
        sketch = sketch_of(sketches, contact.cell_id)
        foot = _foot(Plane(contact.normal, contact.d), state.accepted)
        disc = ring(foot, contact.normal, DISC)
        sketch.fill(disc, faint(ACCEPTED, 0.2), 0.3)
        sketch.loop(disc, ACCEPTED, 1.5)
        sketch.arrow(foot, scale(contact.normal, NORMAL), ACCEPTED, 2.0)
        sketch.label("contact plane, water" if contact.is_water else "contact plane", foot, ACCEPTED)
    here = sketch_of(sketches, state.accepted_cell or state.candidate_cell)
    waist = add(state.accepted, (0.0, 0.0, 0.9))
    for normal, colour, word in (
        (state.collision_normal, FAULT, "■ collision normal"),
        (state.sliding_normal, ADJUSTED, "↷ sliding normal"),
    ):
        if normal is not None:
            here.arrow(waist, scale(normal, NORMAL * 1.6), colour, 2.0)
            here.label(word, add(waist, scale(normal, NORMAL * 1.6)), colour)


def _foot(plane: Plane, p: Vec3) -> Vec3:
    return plane.set_height(p) if abs(plane.normal[2]) > 1e-3 else add(p, scale(plane.normal, -plane.dist(p)))


def sketch_of(sketches: dict[int, Sketch], cell_id: int) -> Sketch:
    block_id = cell_id | 0xFFFF
    return sketches.setdefault(block_id, Sketch(block_id))
