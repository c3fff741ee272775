"""The particles of an emitter as one thing: as many copies of the mesh as were ever live at once, whose vertices are
sent again in every frame that shows it (rendering.md 13.3)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.render.draws import AS_AUTHORED, FACE_VIEWER, ParticleDraw
from engine.render.gl.uploads.tables import place_row
from engine.render.gl.uploads.things import Thing, Things
from engine.render.mesh import Mesh, Subset
from engine.render.parts import facing_frame

FEWEST: Final = 8
"""Copies; more are made by doubling."""


class Swarm:
    """The particles of an emitter that was drawn."""

    __slots__ = ("capacity", "draw", "frame", "thing")

    def __init__(self, draw: ParticleDraw, thing: Thing, capacity: int) -> None:
        self.draw = draw
        self.thing = thing
        self.capacity = capacity
        self.frame = 0
        """In which it was drawn last."""


class Swarms:
    """All of them, by their emitters."""

    def __init__(self, things: Things) -> None:
        self._things = things
        self._swarms: dict[tuple[int, int], Swarm] = {}

    def thing(self, draw: ParticleDraw, eye: Vec3, frame: int) -> Thing:
        """The draw of an emitter's particles, turned to an eye of the same landblock, for a frame number."""
        swarm = self._swarms.get(draw.key)
        count = len(draw.origins)
        if swarm is None or swarm.draw.mesh is not draw.mesh or swarm.capacity < count:
            swarm = self._renew(draw, swarm, count)
        swarm.draw = draw
        swarm.frame = frame
        self._things.move(swarm.thing, place_row(draw.block_id, Frame(draw.sort_center)))
        self._write(swarm, particle_points(draw, eye))
        for own in (swarm.thing.opaque, swarm.thing.clip, swarm.thing.blended):
            for each in own:
                each.count = count * draw.mesh.subsets[each.subset].index_count
        return swarm.thing

    def sweep(self, oldest: int) -> None:
        """Release the particles that were last drawn before a frame."""
        for key in [key for key, swarm in self._swarms.items() if swarm.frame < oldest]:
            self._things.remove(self._swarms.pop(key).thing)

    def _renew(self, draw: ParticleDraw, old: Swarm | None, count: int) -> Swarm:
        if old is not None:
            self._things.remove(old.thing)
        capacity = max(FEWEST, 1 << (count - 1).bit_length())
        many = repeated(draw.mesh, capacity)
        thing = self._things.add(many, draw.materials, place_row(draw.block_id, Frame(draw.sort_center)))
        swarm = self._swarms[draw.key] = Swarm(draw, thing, capacity)
        return swarm

    def _write(self, swarm: Swarm, points: NDArray[np.float32]) -> None:
        """Positions and opacities of the copies that are in use, which come first."""
        draw, thing = swarm.draw, swarm.thing
        size = len(draw.mesh.positions)
        sources = thing.packed.sources
        used = np.flatnonzero(sources < len(draw.origins) * size)
        rows = self._things.vertices.array[thing.first_vertex : thing.first_vertex + thing.vertex_count]
        rows["position"][used] = points.reshape(-1, 3)[sources[used]]
        alphas = np.rint(np.repeat(draw.alphas, size) * 255.0).astype(np.uint8)
        rows["tint"][used, 3] = alphas[sources[used]]
        self._things.vertices.touch(thing.first_vertex, thing.first_vertex + thing.vertex_count)


def repeated(mesh: Mesh, times: int) -> Mesh:
    """A mesh that is there several times; of each subset all copies follow each other."""
    size = len(mesh.positions)
    shifts = (np.arange(times, dtype=np.uint32) * np.uint32(size))[:, None]
    subsets: list[Subset] = []
    indices: list[NDArray[np.uint32]] = []
    start = 0
    for subset in mesh.subsets:
        own = mesh.indices[subset.first_index : subset.first_index + subset.index_count]
        indices.append((own[None, :] + shifts).reshape(-1))
        count = times * subset.index_count
        subsets.append(Subset(subset.slot, start, count, subset.stippled, subset.wraps))
        start += count
    return Mesh(
        np.tile(mesh.positions, (times, 1)),
        np.tile(mesh.normals, (times, 1)),
        np.tile(mesh.uvs, (times, 1)),
        np.concatenate(indices) if indices else mesh.indices,
        tuple(subsets),
        np.tile(mesh.triangle_polygon, times),
        np.tile(mesh.triangle_side, times),
        mesh.sphere,
        mesh.box,
        None if mesh.tints is None else np.tile(mesh.tints, (times, 1)),
    )


def particle_points(draw: ParticleDraw, eye: Vec3) -> NDArray[np.float32]:
    """(n, vertices, 3): where the vertices of all particles are, told from the emitter's middle."""
    turned = _turns(draw, eye)
    own = draw.mesh.positions.astype(np.float64)[None, :, :] * draw.scales[:, None, None]
    away = draw.origins - np.array(draw.sort_center)
    points: NDArray[np.float64] = np.einsum("nij,nvj->nvi", turned, own) + away[:, None, :]
    return points.astype(np.float32)


def _turns(draw: ParticleDraw, eye: Vec3) -> NDArray[np.float64]:
    """(n, 3, 3): the rotation of each particle, as its degrade mode has it (18.5)."""
    count = len(draw.origins)
    if draw.billboard == AS_AUTHORED:
        return np.broadcast_to(np.eye(3), (count, 3, 3))
    if draw.billboard == FACE_VIEWER:
        return facing(draw.origins - np.array(eye))
    turns = np.empty((count, 3, 3))
    for number, origin in enumerate(draw.origins.tolist()):
        frame = facing_frame(Frame((origin[0], origin[1], origin[2])), draw.billboard, eye)
        turns[number] = (frame.row_x, frame.row_y, frame.row_z)
    return turns


def facing(ways: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rotations that bring +y to each of some ways and leave x level; for a way of no length none."""
    lengths = np.linalg.norm(ways, axis=1, keepdims=True)
    forward = np.divide(ways, lengths, out=np.tile((0.0, 1.0, 0.0), (len(ways), 1)), where=lengths > 1e-9)
    level = np.stack([forward[:, 1], -forward[:, 0], np.zeros(len(ways))], axis=1)
    sizes = np.linalg.norm(level, axis=1, keepdims=True)
    right = np.divide(level, sizes, out=np.tile((1.0, 0.0, 0.0), (len(ways), 1)), where=sizes > 1e-9)
    return np.stack([right, forward, np.cross(right, forward)], axis=2)
