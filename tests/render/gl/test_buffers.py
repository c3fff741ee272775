"""Buffers and textures that mirror arrays in memory, and meshes prepared for them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.render.gl import api
from engine.render.gl.offscreen import OffscreenContext
from engine.render.gl.uploads.buffers import Mirror, Space, merged
from engine.render.gl.uploads.packing import pack
from engine.render.gl.uploads.textures import MOST_LAYERS, WHITE, PictureArray, Pictures, level_count, mip_levels
from tests.render.gl.helpers.meshes import mesh_of, square

UP = (0.0, 0.0, 1.0)
EAST = (1.0, 0.0, 0.0)


def content(mirror: Mirror, count: int) -> list[int]:
    held = np.zeros(count, np.uint32)
    api.bind_buffer(api.ARRAY_BUFFER, mirror.buffer)
    api.get_buffer_sub_data(api.ARRAY_BUFFER, 0, held.nbytes, held)
    return [int(value) for value in held]


def test_a_mirror_sends_what_changed(context: OffscreenContext) -> None:
    mirror = Mirror("numbers", api.ARRAY_BUFFER, np.dtype(np.uint32), 65536)
    mirror.write(0, np.arange(50_000, dtype=np.uint32))
    assert mirror.upload()
    sent = mirror.sent_bytes
    mirror.write(40_000, np.array([7, 8, 9], np.uint32))
    assert not mirror.upload()
    assert mirror.sent_bytes - sent == 12
    assert content(mirror, 50_000)[39_999:40_004] == [39_999, 7, 8, 9, 40_003]
    assert not mirror.upload()
    assert mirror.sent_bytes - sent == 12
    mirror.close()


def test_a_mirror_that_outgrows_its_buffer_gets_a_new_one_with_all_data(context: OffscreenContext) -> None:
    mirror = Mirror("numbers", api.ARRAY_BUFFER, np.dtype(np.uint32), 4)
    mirror.write(0, np.array([1, 2, 3], np.uint32))
    mirror.upload()
    mirror.write(3, np.array([4, 5, 6], np.uint32))
    assert mirror.upload()
    assert content(mirror, 6) == [1, 2, 3, 4, 5, 6]
    mirror.close()


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 20)), min_size=1), st.integers(0, 8))
def test_merged_spans_cover_their_sources_and_do_not_touch(spans: list[tuple[int, int]], gap: int) -> None:
    whole = [(start, start + size) for start, size in spans]
    found = merged(whole, gap)
    assert all(any(a <= start and end <= b for a, b in found) for start, end in whole)
    assert all(b + gap < c for (_, b), (c, _) in pairwise(found))
    assert {a for a, _ in found} <= {a for a, _ in whole}
    assert {b for _, b in found} <= {b for _, b in whole}


@given(st.lists(st.integers(1, 9), min_size=1, max_size=40), st.integers(0, 3))
def test_allocated_spans_never_overlap_and_are_reused(sizes: list[int], kept: int) -> None:
    space, taken = Space(), dict[int, int]()
    for size in sizes:
        start = space.take(size)
        assert all(start + size <= other or other + length <= start for other, length in taken.items())
        taken[start] = size
        if len(taken) > kept:
            gone = sorted(taken)[size % len(taken)]
            space.give(gone, taken.pop(gone))
    for start, size in taken.items():
        space.give(start, size)
    assert space.end == 0


# --- pictures


def test_a_mipmap_texel_is_the_mean_of_the_texels_that_it_covers() -> None:
    pixels = np.arange(4 * 2 * 4, dtype=np.uint8).reshape(2, 4, 4)
    levels = mip_levels(pixels, level_count(4, 2))
    assert [level.shape[:2] for level in levels] == [(2, 4), (1, 2), (1, 1)]
    assert levels[1][0, 0, 0] == round((0 + 4 + 16 + 20) / 4)
    assert [level.shape[:2] for level in mip_levels(np.zeros((5, 3), np.uint8), 3)] == [(5, 3), (2, 1), (1, 1)]


def test_one_new_picture_is_uploaded_alone(context: OffscreenContext) -> None:
    array = PictureArray(8, 8)
    for shade in range(3):
        array.add(np.full((8, 8, 4), shade, np.uint8))
    array.upload()
    assert array.sent_layers == 3
    array.add(np.full((8, 8, 4), 9, np.uint8))
    array.upload()
    assert array.sent_layers == 4
    array.close()


def test_pictures_are_counted_and_their_layers_reused() -> None:
    pictures = Pictures()
    first, second = (np.full((8, 8, 4), shade, np.uint8) for shade in (1, 2))
    place = pictures.acquire(first)
    assert pictures.acquire(first) == place
    pictures.release(first)
    assert pictures.acquire(second) != place
    pictures.release(first)
    assert pictures.acquire(np.full((8, 8, 4), 3, np.uint8)) == place
    assert pictures.acquire(None) == pictures.acquire(WHITE)


def test_more_pictures_of_a_size_than_an_array_holds_need_a_second_one() -> None:
    pictures = Pictures()
    kept = [np.zeros((1, 1, 4), np.uint8) for _ in range(MOST_LAYERS + 1)]
    places = [pictures.acquire(pixels) for pixels in kept]
    assert len(set(places)) == MOST_LAYERS + 1
    assert places[-1] == (1, 0)


# --- meshes


def test_a_vertex_shared_by_two_surfaces_exists_once_for_each() -> None:
    left, right = square((0.0, 0.0, 0.0), EAST, UP), square((2.0, 0.0, 0.0), EAST, UP)
    packed = pack(mesh_of([left], [right, left]))
    assert packed.subsets.tolist() == [0] * 4 + [1] * 8
    assert packed.spans == ((0, 6), (6, 12))
    assert packed.indices.max() == 11
    assert (packed.positions[packed.indices[:6]] == mesh_of([left]).positions[[0, 1, 2, 0, 2, 3]]).all()


def test_a_corner_inside_an_edge_gets_a_corner_there_too() -> None:
    """A wall of four metres over two of two metres: the joint of the lower ones touches the upper one's edge."""
    upper = square((0.0, 0.0, 3.0), (2.0, 0.0, 0.0), UP)
    lower = [square((x, 0.0, 1.0), EAST, UP) for x in (-1.0, 1.0)]
    mesh = mesh_of([upper, *lower])
    loose, tight = pack(mesh), pack(mesh, tight=True)
    assert len(tight.indices) == len(loose.indices) + 3
    added = np.flatnonzero(tight.shares)
    assert [tuple(tight.positions[i]) for i in added] == [(0.0, 0.0, 2.0)]
    assert tight.uvs[added[0]].tolist() == [0.5, 1.0]
    values = np.array([[float(i)] for i in range(len(mesh.positions))], np.float32)
    assert tight.of_vertices(values)[added[0], 0] == pytest.approx(0.5)  # between its corners 0 and 1


@given(st.lists(st.floats(0.05, 0.95), max_size=6), st.lists(st.floats(0.05, 0.95), max_size=6))
def test_closed_junctions_keep_the_area_and_every_corner(bottom: list[float], top: list[float]) -> None:
    wall = square((0.0, 0.0, 0.0), (5.0, 0.0, 0.0), (0.0, 0.0, 5.0))
    shards = [
        [(10.0 * at - 5.0, 0.0, z), (10.0 * at - 5.0, 1.0, z + 0.5), (10.0 * at - 5.0, 2.0, z)]
        for z, places in ((-5.0, bottom), (5.0, top))
        for at in places
    ]
    mesh = mesh_of([wall], shards) if shards else mesh_of([wall])
    tight = pack(mesh, tight=True)
    first, count = tight.spans[0]
    corners = tight.positions[tight.indices[first : first + count]].reshape(-1, 3, 3).astype(np.float64)
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 1] / -2.0
    assert (areas > 0.0).all()
    assert areas.sum() == pytest.approx(100.0, rel=1e-5)
    on_edge = {tuple(place) for place in tight.positions[tight.indices[first : first + count]].tolist()}
    assert {tuple(np.array(corner[0], np.float32).tolist()) for corner in shards} <= on_edge
