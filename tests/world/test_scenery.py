"""Scenery (dat-format.md chapter 6 and the vectors of B.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry import quat
from engine.geometry.frame import heading_of
from engine.geometry.vec import r24v
from engine.world import scenery
from engine.world.cells import landdefs
from engine.world.cells.terrain import Terrain
from engine.world.scenery import PlacedScenery, SceneObject, SceneryTables, place_scenery

LINEAR = [2.0 * index for index in range(256)]
TREE = SceneObject(0x02000247, displace_x=7.38, displace_y=7.02, min_scale=0.7, max_scale=1.5, max_rotation=360.0)
SCENE = 0x12000074


def tables_of(*objects: SceneObject) -> SceneryTables:
    """Every terrain type and scenery index leads to one scene of these objects."""
    scenes = {SCENE: objects}
    return SceneryTables([[0] * 32 for _ in range(32)], [[SCENE]], scenes.get)


def no_scene(scene_id: int) -> None:
    return None


def ground(heights: list[int] | None = None, words: list[int] | None = None, cell_id: int = 0xA9B4FFFF) -> Terrain:
    return Terrain(cell_id, heights or [0] * 81, words or [0] * 81, LINEAR)


def placed_on(terrain: Terrain, *objects: SceneObject) -> list[PlacedScenery]:
    placed, faults = place_scenery(terrain, tables_of(*objects))
    assert faults == []
    return placed


SMALL = st.floats(-30.0, 30.0, width=32)
SCENE_OBJECTS = st.builds(
    SceneObject,
    model_id=st.integers(0, 3),
    base_origin=st.tuples(SMALL, SMALL, SMALL),
    base_rotation=st.floats(0.0, 360.0).map(quat.from_heading),
    frequency=st.floats(0.0, 1.0, width=32),
    displace_x=SMALL,
    displace_y=SMALL,
    min_scale=st.floats(0.5, 2.0, width=32),
    max_scale=st.floats(0.5, 2.0, width=32),
    max_rotation=st.floats(-10.0, 360.0, width=32),
    min_slope=st.floats(0.0, 1.0, width=32),
    max_slope=st.floats(0.0, 1.0, width=32),
    align=st.booleans(),
    weenie=st.booleans(),
)
TERRAINS = st.builds(
    lambda x, y, heights, words: ground(heights, words, x << 24 | y << 16),
    st.integers(0, 254),
    st.integers(0, 254),
    st.lists(st.integers(0, 60), min_size=81, max_size=81),
    st.lists(
        st.integers(0, 0xFFFF).map(lambda word: word & 0xFFFC | (1 if word % 5 == 0 else 0)), min_size=81, max_size=81
    ),
)
SCENES = st.lists(SCENE_OBJECTS, max_size=4)


# --- the vectors of B.2

VECTORS = [(0, 0), (10, 20), (1352, 1440)]


@pytest.mark.parametrize(("vertex", "expected"), list(zip(VECTORS, [0x7F8CDA01, 0x8FE76633, 0x4B261039], strict=True)))
def test_b_2_scene_choice(vertex: tuple[int, int], expected: int) -> None:
    assert f"{scenery.scene_hash(*vertex):08X}" == f"{expected:08X}"


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        (scenery.FREQUENCY, (0xF4D7C05F, 0x60443981, 0x16DC1C97)),
        (scenery.FREQUENCY + 1, (0x844E90A8, 0x99DD1712, 0x5B8BF1E0)),
        (scenery.DISPLACE_X, (0x7EF78C75, 0x4678C847, 0x3666E6AD)),
        (scenery.DISPLACE_Y, (0x37073047, 0xD2C260A9, 0x0A36D47F)),
        (scenery.SCALE, (0x55EC1E19, 0xEC49930B, 0xE9BE0C51)),
        (scenery.ROTATION, (0xCB3B010F, 0xBB148FB1, 0x6DF74D47)),
    ],
)
def test_b_2_object_hashes(k: int, expected: tuple[int, int, int]) -> None:
    assert tuple(scenery.object_hash(gx, gy, k) for gx, gy in VECTORS) == expected


@pytest.mark.parametrize(("vertex", "expected"), list(zip(VECTORS, [0xE8031203, 0xAC41C445, 0xAA2A023B], strict=True)))
def test_b_2_quarter_turns(vertex: tuple[int, int], expected: int) -> None:
    assert scenery.turn_hash(*vertex) == expected


# --- one object, computed by hand from the vectors of vertex (1352, 1440), the south-west corner of 0xA9B4


def test_the_first_tree_of_landblock_a9b4_is_where_the_hashes_put_it() -> None:
    tree = replace(TREE, base_origin=(-20.0, -30.0, 9.0), displace_x=10.0, displace_y=5.0, frequency=0.1)
    dx = -20.0 + 0x3666E6AD / 2**32 * 10.0
    dy = -30.0 + 0x0A36D47F / 2**32 * 5.0
    first = placed_on(ground(heights=[5] * 81), tree)[0]
    assert first.vertex == 0
    assert math.isclose(first.frame.origin[0], -dx, abs_tol=1e-4)  # turn hash 0xAA…: half a turn
    assert math.isclose(first.frame.origin[1], -dy, abs_tol=1e-4)
    assert first.frame.origin[2] == 10.0
    assert math.isclose(first.scale, 0.7 * (1.5 / 0.7) ** (0xE9BE0C51 / 2**32), abs_tol=1e-6)
    assert math.isclose(first.frame.heading(), 360.0 * 0x6DF74D47 / 2**32, abs_tol=1e-6)


def test_frequency_is_compared_strictly_with_the_hash() -> None:
    chance = 0x16DC1C97 / 2**32
    tree = replace(TREE, base_origin=(-20.0, -30.0, 0.0), frequency=chance)
    assert 0 not in [thing.vertex for thing in placed_on(ground(), tree)]
    assert 0 in [thing.vertex for thing in placed_on(ground(), replace(tree, frequency=chance + 1e-9))]


def test_each_object_of_a_scene_has_its_own_hashes() -> None:
    """At vertex (1352, 1440) the second object's frequency hash is 0x5B8BF1E0."""
    tree = replace(TREE, base_origin=(-20.0, -30.0, 0.0), frequency=0x16DC1C97 / 2**32 + 1e-9)
    assert [thing.index for thing in placed_on(ground(), tree, tree) if thing.vertex == 0] == [0]


# --- choice of the scene


def test_the_scene_follows_from_terrain_type_and_scenery_index() -> None:
    terrain_scenes = [[0] * 32 for _ in range(32)]
    terrain_scenes[13][9] = 1
    scenes: dict[int, Sequence[SceneObject]] = {SCENE: [replace(TREE, base_origin=(1.0, 1.0, 0.0))]}
    tables = SceneryTables(terrain_scenes, [[], [SCENE]], scenes.get)
    assert place_scenery(ground(), tables) == ([], [])
    words = [0] * 81
    words[40] = 0x4834
    placed, faults = place_scenery(ground(words=words), tables)
    assert {thing.vertex for thing in placed} == {40}
    assert faults == []


def test_the_vertex_picks_the_scene_among_those_of_its_type() -> None:
    """0x4B26.../2^32 is 0.29: the second of four."""
    scenes: dict[int, Sequence[SceneObject]] = {
        SCENE + index: [replace(TREE, base_origin=(-20.0, -20.0, 0.0), displace_x=0.0, displace_y=0.0)]
        for index in range(4)
    }
    tables = SceneryTables([[0] * 32 for _ in range(32)], [list(scenes)], scenes.get)
    placed, _ = place_scenery(ground(), tables)
    assert placed[0].vertex == 0
    assert placed[0].scene_id == SCENE + 1


# --- exclusions


@given(TERRAINS, SCENES)
def test_scenery_stands_on_the_ground_inside_the_block_and_off_the_roads(
    terrain: Terrain, objects: list[SceneObject]
) -> None:
    for thing in placed_on(terrain, *objects):
        x, y, z = thing.frame.origin
        assert landdefs.in_block(thing.frame.origin)
        assert not terrain.on_road(x, y)
        height = terrain.height_at(x, y)
        assert height is not None
        assert math.isclose(z, height, abs_tol=1e-4)
        assert thing.frame.origin == r24v(thing.frame.origin)
        described = objects[thing.index]
        assert not described.weenie
        assert thing.model_id == described.model_id != 0
        low, high = sorted((described.min_scale, described.max_scale))
        assert low - 1e-6 <= thing.scale <= high + 1e-6
        polygon = terrain.polygon_under(x, y)
        assert polygon is not None
        assert described.min_slope <= polygon.normal[2] <= described.max_slope


@given(TERRAINS, SCENES)
def test_scenery_is_the_same_every_time(terrain: Terrain, objects: list[SceneObject]) -> None:
    def described(things: list[PlacedScenery]) -> list[tuple[object, ...]]:
        return [(t.model_id, t.frame.origin, t.frame.rotation, t.scale, t.index, t.vertex) for t in things]

    again = Terrain(terrain.cell_id, terrain.height_indices, terrain.words, LINEAR)
    assert described(placed_on(terrain, *objects)) == described(placed_on(again, *objects))


def test_nothing_grows_on_a_block_of_road() -> None:
    assert placed_on(ground(words=[1] * 81), TREE) == []


def test_nothing_grows_in_a_land_cell_with_a_building() -> None:
    tables = tables_of(replace(TREE, frequency=1.0))
    everywhere, _ = place_scenery(ground(), tables)
    taken = {0x01, 0x0A}
    rest, _ = place_scenery(ground(), tables, taken)
    lows = [landdefs.get_outside_cell_id(0xA9B4FFFF, thing.frame.origin) & 0xFFFF for thing in everywhere]
    assert taken <= set(lows)
    assert [thing.vertex for thing in rest] == [
        thing.vertex for thing, low in zip(everywhere, lows, strict=True) if low not in taken
    ]


def test_slope_limits_apply_to_the_normals_z() -> None:
    slope = ground(heights=[6 * i for i in range(9) for _ in range(9)])  # 12 m in 24 m: normal z 0.894
    assert placed_on(slope, replace(TREE, min_slope=0.9)) == []
    assert placed_on(slope, replace(TREE, max_slope=0.89)) == []
    assert placed_on(slope, replace(TREE, min_slope=0.89, max_slope=0.9)) != []


@pytest.mark.parametrize("thing", [replace(TREE, weenie=True), replace(TREE, model_id=0), replace(TREE, frequency=0.0)])
def test_spawned_empty_and_never_chosen_objects_make_no_scenery(thing: SceneObject) -> None:
    assert placed_on(ground(), thing) == []


def test_things_that_reach_out_of_the_block_are_skipped_on_request() -> None:
    tables = tables_of(replace(TREE, frequency=1.0))
    everywhere, _ = place_scenery(ground(), tables)
    asked: list[int] = []

    def radius(model_id: int) -> float:
        asked.append(model_id)
        return 5.0

    within, _ = place_scenery(ground(), tables, sorting_radius=radius)
    assert set(asked) == {TREE.model_id}
    expected = [thing.vertex for thing in everywhere if landdefs.in_block(thing.frame.origin, 5.0 * thing.scale)]
    assert [thing.vertex for thing in within] == expected
    assert 0 < len(within) < len(everywhere)


# --- rotation and scale


def test_an_aligned_thing_turns_with_the_slope() -> None:
    eastward = ground(heights=[6 * i for i in range(9) for _ in range(9)])
    for thing in placed_on(eastward, replace(TREE, align=True)):
        assert math.isclose(thing.frame.heading(), heading_of((1.0, 0.0, 0.0)))


def test_an_aligned_thing_on_level_ground_faces_west() -> None:
    headings = [thing.frame.heading() for thing in placed_on(ground(), replace(TREE, align=True))]
    assert headings
    assert all(math.isclose(heading, 270.0) for heading in headings)


def test_without_align_and_rotation_the_base_orientation_remains() -> None:
    tilted = quat.from_axis_angle((1.0, 0.0, 0.0), 0.3)
    things = placed_on(ground(), replace(TREE, max_rotation=0.0, base_rotation=tilted))
    assert things
    assert all(thing.frame.rotation == tilted for thing in things)


def test_equal_minimum_and_maximum_scales_are_used_as_given() -> None:
    things = placed_on(ground(), replace(TREE, min_scale=1.25, max_scale=1.25))
    assert {thing.scale for thing in things} == {1.25}


# --- bad tables


@pytest.mark.parametrize(
    ("tables", "reason"),
    [
        (SceneryTables([], [[SCENE]], no_scene), "terrain type 0 has no scene type for scenery index 0"),
        (SceneryTables([[]], [[SCENE]], no_scene), "terrain type 0 has no scene type for scenery index 0"),
        (SceneryTables([[7]], [[SCENE]], no_scene), "terrain type 0 names scene type 7, the region has 1"),
        (SceneryTables([[0]], [[SCENE]], no_scene), "scene 0x12000074 is not there"),
        (tables_of(replace(TREE, min_scale=0.0)), "object 0 of scene 0x12000074 has no usable scale"),
        (tables_of(replace(TREE, max_scale=math.nan)), "object 0 of scene 0x12000074 has no usable scale"),
        (tables_of(replace(TREE, max_rotation=math.inf)), "object 0 of scene 0x12000074 has no usable orientation"),
        (
            tables_of(replace(TREE, max_rotation=0.0, base_rotation=(0.0, 0.0, 0.0, 0.0))),
            "object 0 of scene 0x12000074 has no usable orientation",
        ),
    ],
)
def test_bad_tables_give_one_fault_and_no_scenery(tables: SceneryTables, reason: str) -> None:
    placed, faults = place_scenery(ground(), tables)
    assert placed == []
    assert [(fault.where, fault.reason) for fault in faults] == [(0xA9B4FFFF, reason)]


ANY = st.floats(width=32)


@given(
    TERRAINS,
    st.builds(
        SceneObject,
        model_id=st.integers(0, 3),
        base_origin=st.tuples(ANY, ANY, ANY),
        base_rotation=st.tuples(ANY, ANY, ANY, ANY),
        frequency=ANY,
        displace_x=ANY,
        displace_y=ANY,
        min_scale=ANY,
        max_scale=ANY,
        max_rotation=ANY,
        min_slope=ANY,
        max_slope=ANY,
        align=st.booleans(),
    ),
)
def test_nonsense_in_a_scene_is_no_error(terrain: Terrain, thing: SceneObject) -> None:
    for placed in place_scenery(terrain, tables_of(thing))[0]:
        assert landdefs.in_block(placed.frame.origin)
        assert placed.frame.is_valid()
        assert placed.scale > 0.0
