"""Everything with a mesh in OpenGL: rooms, buildings, parts of objects, particles, objects in the sky.

A `Thing` has vertices of its own, which are the mesh's, scaled, with the rows of its place and its surfaces. So any
things that are drawn together fit in one call, whatever they belong to, and a moving one costs a row.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.geometry.vec import Vec3
from engine.render.gl import api
from engine.render.gl.programs import PLACES_UNIT, SURFACES_UNIT
from engine.render.gl.uploads.buffers import Mirror, Space
from engine.render.gl.uploads.packing import Packed, pack
from engine.render.gl.uploads.tables import ALL_LAMPS, ALPHA_AT, LAMPS_AT, PLACE_FLOATS, Pass, Surfaces, Table
from engine.render.gl.uploads.textures import Pictures
from engine.render.materials import ALPHA_BLEND, Material, SubsetKind
from engine.render.mesh import Mesh

VERTEX: Final = np.dtype(
    [
        ("position", np.float32, 3),
        ("normal", np.float32, 3),
        ("uv", np.float32, 2),
        ("tint", np.uint8, 4),
        ("place", np.int32),
        ("surface", np.int32),
    ]
)
INDEX_BYTES: Final = 4
UNSCALED: Final = (1.0, 1.0, 1.0)


class Range:
    """Indices that are drawn in one pass: how many, and the byte where they begin."""

    __slots__ = ("count", "drawn", "start", "subset")

    def __init__(self, drawn: Pass, count: int, start: int, subset: int) -> None:
        self.drawn = drawn
        self.count = count
        self.start = start
        self.subset = subset

    @property
    def is_blended(self) -> bool:
        return self.drawn.blend is not None


class Thing:
    """Something that was uploaded. `stamp` is that of the frame in which it was drawn last (11.2)."""

    __slots__ = (
        "alpha",
        "blended",
        "clip",
        "faded",
        "first_index",
        "first_vertex",
        "index_count",
        "lamps",
        "materials",
        "mesh",
        "opaque",
        "packed",
        "place",
        "stamp",
        "vertex_count",
    )

    def __init__(self, mesh: Mesh, materials: Sequence[Material], place: int, packed: Packed) -> None:
        self.mesh = mesh
        self.packed = packed
        self.materials = list(materials)
        self.place = place
        self.alpha = 1.0
        self.lamps = ALL_LAMPS
        """A bit for each of the lamps that move, in their order: it lights this."""
        self.first_vertex = 0
        self.vertex_count = 0
        self.first_index = 0
        self.index_count = 0
        self.opaque: list[Range] = []
        self.clip: list[Range] = []
        self.blended: list[Range] = []
        self.faded: list[Range] | None = None
        """All of it, as it is drawn while `alpha` is below 1."""
        self.stamp = -1


class Things:
    """The buffers that all things share."""

    def __init__(self) -> None:
        self.pictures = Pictures()
        self.surfaces = Surfaces(self.pictures)
        self.places = Table("the places", PLACE_FLOATS)
        self.vertices = Mirror("vertices", api.ARRAY_BUFFER, VERTEX)
        self.lamps = Mirror("light of lamps", api.ARRAY_BUFFER, np.dtype((np.uint8, 4)))
        self.indices = Mirror("indices", api.ELEMENT_ARRAY_BUFFER, np.dtype(np.uint32))
        self._vertex_space = Space()
        self._index_space = Space()
        self._vertex_array = 0
        self._packed: weakref.WeakKeyDictionary[Mesh, dict[bool, Packed]] = weakref.WeakKeyDictionary()

    def packed(self, mesh: Mesh, tight: bool) -> Packed:
        """A mesh as it is uploaded; `tight`: with its T-junctions closed."""
        forms = self._packed.setdefault(mesh, {})
        found = forms.get(tight)
        if found is None:
            found = forms[tight] = pack(mesh, tight)
        return found

    # --- adding and removing

    def add(
        self,
        mesh: Mesh,
        materials: Sequence[Material],
        place: NDArray[np.float32],
        scale: Vec3 = UNSCALED,
        light: NDArray[np.float32] | None = None,
        drawn: Sequence[bool] | None = None,
        tight: bool = False,
    ) -> Thing:
        """A new thing at a row of `place_row`. `drawn` leaves out subsets, `light` is what lamps give its vertices;
        `tight` is for walls that nothing may shine through."""
        packed = self.packed(mesh, tight)
        thing = Thing(mesh, materials, self.places.take(), packed)
        self.places.write(thing.place, place)
        rows, arrays = self._acquire(materials)
        self._write_vertices(thing, packed, rows, scale)
        self._write_indices(thing, packed.indices)
        self.set_light(thing, light)
        self._make_ranges(thing, arrays, drawn)
        self.set_alpha(thing, float(place[ALPHA_AT]))
        return thing

    def _acquire(self, materials: Sequence[Material]) -> tuple[list[int], list[int]]:
        found = [self.surfaces.acquire(material) for material in materials]
        return [row for row, _ in found], [array for _, array in found]

    def _write_vertices(self, thing: Thing, packed: Packed, rows: Sequence[int], scale: Vec3) -> None:
        count = len(packed.positions)
        vertices = np.zeros(count, VERTEX)
        vertices["position"] = packed.positions
        vertices["normal"] = packed.normals
        if scale != UNSCALED:
            vertices["position"] *= np.array(scale, np.float32)
            vertices["normal"] = rescaled(packed.normals, scale)
        vertices["uv"] = packed.uvs
        vertices["tint"] = 255
        tints = thing.mesh.tints
        if tints is not None:
            vertices["tint"][:, :3] = eight_bits(packed.of_vertices(tints))
        vertices["place"] = thing.place
        vertices["surface"] = np.array([*rows, 0], np.int32)[packed.subsets]
        thing.vertex_count = count
        thing.first_vertex = self._vertex_space.take(count)
        self.vertices.write(thing.first_vertex, vertices)

    def _write_indices(self, thing: Thing, indices: NDArray[np.uint32]) -> None:
        thing.index_count = len(indices)
        thing.first_index = self._index_space.take(len(indices))
        self.indices.write(thing.first_index, indices + np.uint32(thing.first_vertex))

    def _make_ranges(self, thing: Thing, arrays: Sequence[int], drawn: Sequence[bool] | None) -> None:
        lists = {SubsetKind.OPAQUE: thing.opaque, SubsetKind.CLIP: thing.clip, SubsetKind.BLENDED: thing.blended}
        for number, subset in enumerate(thing.mesh.subsets):
            if drawn is None or drawn[number]:
                material = thing.materials[number]
                blended = material.kind is SubsetKind.BLENDED
                blend = material.blend if blended or not material.depth_write else None
                tested = blended and material.alpha_ref is not None
                own = self.surfaces.pass_of(material.kind, blend, arrays[number], subset.wraps, tested)
                first, count = thing.packed.spans[number]
                start = (thing.first_index + first) * INDEX_BYTES
                lists[material.kind].append(Range(own, count, start, number))

    def remove(self, thing: Thing) -> None:
        for material in thing.materials:
            self.surfaces.release(material)
        self.places.give(thing.place)
        self._vertex_space.give(thing.first_vertex, thing.vertex_count)
        self._index_space.give(thing.first_index, thing.index_count)

    # --- changing

    def move(self, thing: Thing, place: NDArray[np.float32]) -> None:
        """Update the position, or the fading, of a thing."""
        place[LAMPS_AT] = thing.lamps
        self.places.write(thing.place, place)
        self.set_alpha(thing, float(place[ALPHA_AT]))

    def light_by(self, thing: Thing, lamps: int) -> None:
        """These of the lamps that move light it, a bit for each."""
        if lamps != thing.lamps:
            thing.lamps = lamps
            row = self.places.rows[thing.place].copy()
            row[LAMPS_AT] = lamps
            self.places.write(thing.place, row)

    def set_alpha(self, thing: Thing, alpha: float) -> None:
        """A fading thing is drawn with the blended ones (17.5). A surface that blends anyhow keeps its own way, unless
        it is clip-mapped (rendering.md C12)."""
        if alpha >= 1.0:
            thing.faded = None
        elif thing.faded is None:
            solid = [*thing.opaque, *thing.clip, *[each for each in thing.blended if each.drawn.tested]]
            faded = [self.blended_again(each) for each in solid]
            thing.faded = faded + [each for each in thing.blended if not each.drawn.tested]
        thing.alpha = alpha

    def blended_again(self, each: Range) -> Range:
        """The same as a blended range, which writes no depth."""
        return Range(self._fading(each.drawn), each.count, each.start, each.subset)

    def _fading(self, solid: Pass) -> Pass:
        return self.surfaces.pass_of(SubsetKind.BLENDED, ALPHA_BLEND, solid.array, solid.wraps)

    def set_light(self, thing: Thing, light: NDArray[np.float32] | None) -> None:
        """Set the light of lamps on the vertices of its mesh; None means none."""
        values = np.zeros((thing.vertex_count, 4), np.uint8)
        if light is not None:
            values[:, :3] = eight_bits(thing.packed.of_vertices(light))
        span = slice(thing.first_vertex, thing.first_vertex + thing.vertex_count)
        self.lamps.reserve(span.stop)
        if not np.array_equal(self.lamps.array[span], values):
            self.lamps.write(span.start, values)

    # --- drawing

    @property
    def is_sent(self) -> bool:
        """Nothing has changed since the last `bind`."""
        return (
            self.vertices.is_sent
            and self.lamps.is_sent
            and self.indices.is_sent
            and self.places.is_sent
            and self.surfaces.table.is_sent
            and self.pictures.is_sent
        )

    def bind(self) -> None:
        """Bind the buffers that things are drawn from, tables included."""
        self.places.bind(PLACES_UNIT)
        self.surfaces.table.bind(SURFACES_UNIT)
        self.use()

    def use(self) -> None:
        """Draw from it now that another vertex array was drawn from, and send what changed meanwhile."""
        if self.is_sent and self._vertex_array:
            api.bind_vertex_array(self._vertex_array)
            return
        with api.doing("sending things"):
            api.bind_vertex_array(0)
        self.pictures.upload()
        self.places.bind(PLACES_UNIT)
        self.surfaces.table.bind(SURFACES_UNIT)
        renewed = [self.vertices.upload(), self.lamps.upload(), self.indices.upload()]
        with api.doing("binding vertices"):
            if not self._vertex_array:
                self._vertex_array = api.make(api.gen_vertex_arrays)
                renewed = [True]
            api.bind_vertex_array(self._vertex_array)
            if any(renewed):
                self._point()

    def _point(self) -> None:
        """Tell the vertex array where its attributes are (`thing.vert`)."""
        api.bind_buffer(api.ARRAY_BUFFER, self.vertices.buffer)
        size = VERTEX.itemsize
        for place, (name, count) in enumerate((("position", 3), ("normal", 3), ("uv", 2))):
            api.enable_vertex_attrib_array(place)
            at = api.offset(offset_of(name))
            api.vertex_attrib_pointer(place, count, api.FLOAT, api.FALSE, size, at)
        api.enable_vertex_attrib_array(3)
        api.vertex_attrib_pointer(3, 4, api.UNSIGNED_BYTE, api.TRUE, size, api.offset(offset_of("tint")))
        api.enable_vertex_attrib_array(4)
        api.vertex_attrib_i_pointer(4, 2, api.INT, size, api.offset(offset_of("place")))
        api.bind_buffer(api.ARRAY_BUFFER, self.lamps.buffer)
        api.enable_vertex_attrib_array(5)
        api.vertex_attrib_pointer(5, 3, api.UNSIGNED_BYTE, api.TRUE, 4, api.offset(0))
        api.bind_buffer(api.ELEMENT_ARRAY_BUFFER, self.indices.buffer)

    def invalidate(self) -> None:
        """The context is gone; everything is sent again at the next `bind`."""
        self._vertex_array = 0
        for kept in (self.pictures, self.surfaces.table, self.places, self.vertices, self.lamps, self.indices):
            kept.invalidate()

    def close(self) -> None:
        if self._vertex_array:
            with api.doing("giving vertices back"):
                api.drop(api.delete_vertex_arrays, self._vertex_array)
        for kept in (self.pictures, self.surfaces.table, self.places, self.vertices, self.lamps, self.indices):
            kept.close()
        self._vertex_array = 0


def offset_of(name: str) -> int:
    """The offset of a field of a vertex."""
    fields = VERTEX.fields
    assert fields is not None
    return int(fields[name][1])


def rescaled(normals: NDArray[np.float32], scale: Vec3) -> NDArray[np.float32]:
    """Normals of a stretched mesh; one that is zero stays so (16.4). In doubles, for which no scale of a record is too
    small and no normal too long."""
    stretched = normals / np.array([factor if factor else 1.0 for factor in scale], np.float64)
    sizes = np.linalg.norm(stretched, axis=1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(stretched, sizes, out=np.zeros_like(stretched), where=sizes > 0.0)
    return unit.astype(np.float32)


def eight_bits(colours: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Colours in 0..1 as bytes."""
    found: NDArray[np.uint8] = np.rint(np.clip(colours, 0.0, 1.0) * 255.0).astype(np.uint8)
    return found
