"""How surfaces are drawn: blending, alpha test, light, fog, textures (rendering.md 17.4, 17.5, 20)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from engine.geometry.vec import Vec3
from engine.render.draws import Daylight, LightSource
from engine.render.gl.uniforms import Lit
from engine.render.gl.uploads.tables import ALPHA_AT, WORLD
from engine.render.gl.uploads.things import rescaled
from engine.render.materials import ADD, Factor, SubsetKind
from tests.render.gl.conftest import Targets
from tests.render.gl.helpers.easel import EVEN, HEIGHT, WIDTH, Easel
from tests.render.gl.helpers.meshes import blended, mesh_of, painted, pictured, square, wall_at

WALL = mesh_of([wall_at(10.0)])
SMALL_WALL = mesh_of([wall_at(10.0, 0.5)])
NEARER = mesh_of([wall_at(5.0)])


@pytest.fixture
def easel(targets: Targets) -> Iterator[Easel]:
    made = Easel(targets(WIDTH, HEIGHT))
    yield made
    made.close()


def near(found: tuple[int, ...], wanted: tuple[float, ...], slack: float = 1.0) -> bool:
    return all(abs(a - b) <= slack for a, b in zip(found, wanted, strict=True))


def test_a_colour_is_drawn_unchanged(easel: Easel) -> None:
    easel.begin()
    easel.paint(easel.add(WALL, painted(200, 100, 50)))
    assert easel.middle() == (200, 100, 50)


def test_a_wall_is_invisible_from_behind(easel: Easel) -> None:
    easel.begin()
    away = mesh_of([list(reversed(wall_at(10.0)))])
    easel.paint(easel.add(away, painted(200, 100, 50)))
    assert easel.middle() == (0, 0, 0)


def test_a_vertex_far_from_the_worlds_corner_does_not_jitter(easel: Easel) -> None:
    """Its position is passed in two halves; in one it would jump by millimetres."""
    easel.begin()
    thing = easel.add(mesh_of([square((0.0, 1.0, 0.0), (0.001, 0.0, 0.0), (0.0, 0.0, 0.001))]), painted(255, 255, 255))
    row = easel.things.places.rows[thing.place].astype(np.float64)
    assert row[3] + row[12] == 0.0
    place = np.array((40123.456789, 12345.678912, 99.875))
    high = place.astype(np.float32)
    assert abs(high.astype(np.float64) - place).max() > 1e-4
    low = (place - high).astype(np.float32)
    assert abs(high.astype(np.float64) + low - place).max() < 1e-9


BELOW, ABOVE = (40, 80, 120), (200, 100, 60)

BLENDS = [
    (Factor.SRC_ALPHA, Factor.ONE_MINUS_SRC_ALPHA, lambda s, d, a: s * a + d * (1.0 - a)),
    (Factor.SRC_ALPHA, Factor.ONE, lambda s, d, a: s * a + d),
    (Factor.ONE_MINUS_SRC_ALPHA, Factor.SRC_ALPHA, lambda s, d, a: s * (1.0 - a) + d * a),
    (Factor.ONE_MINUS_SRC_ALPHA, Factor.ONE, lambda s, d, a: s * (1.0 - a) + d),
    (Factor.ONE, Factor.ONE, lambda s, d, a: s + d),
]


@pytest.mark.parametrize(("source", "target", "formula"), BLENDS, ids=lambda each: getattr(each, "value", ""))
def test_blended_surfaces_mix_with_the_colour_behind_them(
    source: Factor, target: Factor, formula: object, easel: Easel
) -> None:
    assert callable(formula)
    easel.begin()
    behind = easel.add(WALL, painted(*BELOW))
    before = easel.add(NEARER, blended(painted(*ABOVE), source, target, alpha=0.25))
    easel.paint(behind, before)
    wanted = tuple(min(255.0, formula(float(s), float(d), 0.25)) for s, d in zip(ABOVE, BELOW, strict=True))
    assert near(easel.middle(), wanted)


def test_blended_surfaces_can_be_hidden_but_hide_nothing(easel: Easel) -> None:
    easel.begin()
    wall = easel.add(NEARER, painted(*BELOW))
    hidden = easel.add(WALL, blended(painted(*ABOVE), Factor.ONE, Factor.ONE))
    easel.paint(wall, hidden)
    assert easel.middle() == BELOW
    easel.begin()
    glass = easel.add(NEARER, blended(painted(10, 10, 10), Factor.ONE, Factor.ONE))
    easel.paint(glass)
    easel.paint(wall, easel.add(WALL, painted(*BELOW)))
    assert easel.middle() == BELOW


def test_blended_surfaces_keep_their_given_order(easel: Easel) -> None:
    over = Factor.SRC_ALPHA, Factor.ONE_MINUS_SRC_ALPHA
    red, blue = blended(painted(255, 0, 0), *over, alpha=0.5), blended(painted(0, 0, 255), *over, alpha=0.5)
    for order, wanted in (((red, blue), (64, 0, 128)), ((blue, red), (128, 0, 64))):
        easel.begin()
        easel.paint(easel.add(WALL, order[0]), easel.add(NEARER, order[1]))
        assert near(easel.middle(), wanted)


def test_a_fading_thing_blends_as_a_whole_and_comes_back(easel: Easel) -> None:
    easel.begin()
    behind, thing = easel.add(WALL, painted(0, 0, 0)), easel.add(NEARER, painted(200, 100, 50), alpha=0.5)
    easel.paint(behind, thing)
    assert near(easel.middle(), (100, 50, 25))
    row = easel.things.places.rows[thing.place].copy()
    row[ALPHA_AT] = 1.0
    easel.things.move(thing, row)
    easel.begin()
    easel.paint(behind, thing)
    assert easel.middle() == (200, 100, 50)


@pytest.mark.parametrize(("alpha", "reference", "shown"), [(99, 100, False), (100, 100, True), (199, 200, False)])
def test_clip_mapped_surfaces_have_holes_where_alpha_is_below_the_reference(
    alpha: int, reference: int, shown: bool, easel: Easel
) -> None:
    pixels = np.full((4, 4, 4), (250, 250, 250, alpha), np.uint8)
    material = replace(pictured(pixels), kind=SubsetKind.CLIP, alpha_ref=reference / 255.0)
    easel.begin(clear=(0.0, 0.0, 1.0))
    easel.paint(easel.add(WALL, material))
    assert easel.middle() == ((250, 250, 250) if shown else (0, 0, 255))
    assert bool(easel.target.depth()[HEIGHT // 2, WIDTH // 2] < 1.0) is shown


# --- pictures


def test_pictures_are_upright(easel: Easel) -> None:
    """Row 0 of the pixels is at v = 0, the upper edge of the wall."""
    pixels = np.zeros((2, 2, 4), np.uint8)
    pixels[0, 0], pixels[0, 1], pixels[1, 0], pixels[1, 1] = (
        (255, 0, 0, 255),
        (0, 255, 0, 255),
        (0, 0, 255, 255),
        (255, 255, 255, 255),
    )
    easel.begin()
    easel.paint(easel.add(mesh_of([wall_at(10.0, 10.0)]), pictured(pixels)))
    shown = easel.target.pixels()
    left, right, top, bottom = WIDTH // 4, WIDTH * 3 // 4, HEIGHT // 6, HEIGHT * 5 // 6
    assert tuple(shown[top, left][:3].argsort()[::-1][:1]) == (0,)
    assert tuple(shown[top, right][:3].argsort()[::-1][:1]) == (1,)
    assert tuple(shown[bottom, left][:3].argsort()[::-1][:1]) == (2,)
    assert shown[bottom, right][:3].min() > 150


def test_pictures_repeat_only_where_the_subset_says_so(easel: Easel) -> None:
    pixels = np.zeros((4, 4, 4), np.uint8)
    pixels[:, :2], pixels[:, 2:] = (255, 0, 0, 255), (0, 0, 255, 255)
    for wraps, wanted in ((True, 0), (False, 2)):
        mesh = mesh_of([wall_at(10.0, 40.0)], wraps=wraps)
        mesh.uvs[:] = mesh.uvs + np.array((1.125, 0.0), np.float32) - np.array((0.5, 0.0), np.float32)
        easel.begin()
        easel.paint(easel.add(mesh, pictured(pixels)))
        assert easel.middle()[wanted] > 200


def test_each_surface_of_a_mesh_has_its_own_picture(easel: Easel) -> None:
    left = square((-5.0, 10.0, 0.0), (5.0, 0.0, 0.0), (0.0, 0.0, 10.0))
    right = square((5.0, 10.0, 0.0), (5.0, 0.0, 0.0), (0.0, 0.0, 10.0))
    small, large = np.full((4, 4, 4), 255, np.uint8), np.full((16, 8, 4), 255, np.uint8)
    small[:, :, :3], large[:, :, :3] = (10, 200, 30), (200, 10, 30)
    easel.begin()
    easel.paint(easel.add(mesh_of([left], [right]), [pictured(small), pictured(large)]))
    shown = easel.target.pixels()[HEIGHT // 2]
    assert tuple(shown[WIDTH // 4][:3]) == (10, 200, 30)
    assert tuple(shown[WIDTH * 3 // 4][:3]) == (200, 10, 30)


# --- light


SUN = Daylight(0.5, (0.0, -0.5, 0.0), (1.0, 0.8, 0.6), 0.3, (1.0, 1.0, 1.0), None, (0.0, 0.0, 0.0))
"""From behind the eye onto the wall."""


@pytest.mark.parametrize(
    ("way", "light"),
    [
        (Lit.GROUND, (0.3 + 0.5, 0.3 + 0.4, 0.3 + 0.3)),
        (Lit.OUTDOORS, (0.4 + 0.5, 0.4 + 0.4, 0.4 + 0.3)),
        (Lit.INDOORS, (0.4 + 0.25, 0.4, 0.4)),
        (Lit.LATE, (0.4 + 0.5, 0.4 + 0.4, 0.4 + 0.3)),
        (Lit.LATE_WALLS, (0.4 + 0.5 + 0.1, 0.4 + 0.4, 0.4 + 0.3)),
        (Lit.BRIGHT, (1.0, 1.0, 1.0)),
    ],
    ids=lambda each: each.name if isinstance(each, Lit) else "",
)
def test_light_depends_on_the_pass(way: Lit, light: tuple[float, ...], easel: Easel) -> None:
    """The sun lights nothing in a room, lamps nothing outside one, and ambient light everything except the ground,
    which has a share of the sun."""
    material = replace(painted(200, 200, 200), luminosity=0.0)
    lamps = np.tile(np.array((0.1 if way is Lit.LATE_WALLS else 0.25, 0.0, 0.0), np.float32), (4, 1))
    thing = easel.add(WALL, material, light=lamps)
    easel.begin(SUN)
    easel.uniforms.light(way)
    easel.paint(thing)
    assert near(easel.middle(), tuple(200.0 * channel for channel in light), 2.0)


@pytest.mark.parametrize("scale", [(1.0, 1.0, 2.0), (1e-44, 1e-44, 1e-44), (0.0, 1.0, 1.0), (1e30, 1e-30, 1.0)])
def test_normals_of_a_scaled_mesh_have_length_one_or_zero(scale: Vec3) -> None:
    """Damaged records have such scales and normals; they cause no warning."""
    normals = np.array([(0.6, 0.0, 0.8), (3e38, 1e38, -1e38), (0.0, 0.0, 0.0)], np.float32)
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        found = rescaled(normals, scale)
    assert np.allclose(np.linalg.norm(found[:2], axis=1), 1.0, atol=1e-6)
    assert not found[2].any()


def test_deferred_surfaces_in_a_dungeon_have_the_landscapes_last_sun(easel: Easel) -> None:
    """The ambient light is the dungeon's; the sun stays on (rendering.md C2)."""
    thing = easel.add(WALL, replace(painted(200, 200, 200), luminosity=0.0))
    easel.begin(replace(SUN, sun=(0.0, 0.0, 0.0)), sees_outside=False, landscape=replace(SUN, sun=(0.0, -0.5, 0.0)))
    easel.uniforms.light(Lit.LATE)
    easel.paint(thing)
    assert near(easel.middle(), (200.0 * (0.2 + 0.5), 200.0 * (0.2 + 0.4), 200.0 * (0.2 + 0.3)), 2.0)


def test_rooms_that_do_not_see_outside_have_a_flat_light_of_a_fifth(easel: Easel) -> None:
    thing = easel.add(WALL, replace(painted(200, 100, 50), luminosity=0.0))
    easel.begin(SUN, sees_outside=False)
    easel.uniforms.light(Lit.INDOORS)
    easel.paint(thing)
    assert near(easel.middle(), (40, 20, 10))


def test_moving_lamps_light_things_in_rooms_within_their_reach(easel: Easel) -> None:
    """Colour · intensity · cos / distance, within one and a half times the falloff; the wall is 10 m away."""
    material = replace(painted(200, 200, 200), luminosity=0.0)
    dark = replace(SUN, sun=(0.0, 0.0, 0.0), ambient_level=0.0)
    for falloff, way, wanted in ((4.0, Lit.INDOORS, 50.0), (3.0, Lit.INDOORS, 0.0), (4.0, Lit.OUTDOORS, 0.0)):
        lamp = LightSource(1, 0, WORLD, (), (0.0, 5.0, 0.0), (1.0, 0.5, 0.0), 1.25, falloff, True)
        easel.begin(dark, lamps=[lamp])
        easel.uniforms.light(way)
        easel.paint(easel.add(SMALL_WALL, material))
        assert near(easel.middle(), (wanted, wanted / 2.0, 0.0), 2.0)


def test_luminosity_adds_light_and_light_is_capped_at_one(easel: Easel) -> None:
    for luminosity, wanted in ((0.5, 0.9), (0.9, 1.0)):
        thing = easel.add(WALL, replace(painted(200, 200, 200), luminosity=luminosity))
        easel.begin(replace(SUN, sun=(0.0, 1.0, 0.0), ambient_level=0.2))
        easel.paint(thing)
        assert near(easel.middle(), (200.0 * wanted,) * 3)


def test_fog_is_computed_at_vertices_not_per_pixel(easel: Easel) -> None:
    """The corners of a wall ten metres away are farther than its centre, which is as foggy as they are."""
    corner = math.dist((0.0, 0.0, 0.0), WALL.positions[0].tolist())
    assert corner > 15.0
    easel.begin(replace(EVEN, fog=(0.0, 2.0 * corner), fog_colour=(1.0, 1.0, 1.0)))
    easel.paint(easel.add(WALL, painted(100, 100, 100)))
    assert near(easel.middle(), (177.5,) * 3, 2.0)


def test_a_fading_blended_surface_keeps_its_blend_mode_unless_cut_out(easel: Easel) -> None:
    """Additive stays additive (rendering.md C12)."""
    glow = replace(painted(100, 0, 0), kind=SubsetKind.BLENDED, blend=ADD, depth_write=False)
    for material, wanted in ((glow, (100, 0, 200)), (replace(glow, alpha_ref=0.5, depth_write=True), (50, 0, 100))):
        easel.begin(clear=(0.0, 0.0, 200.0 / 255.0))
        easel.paint(easel.add(WALL, material, alpha=0.5))
        assert near(easel.middle(), wanted, 2.0)


def test_a_blended_clip_map_is_cut_out_and_writes_depth(easel: Easel) -> None:
    material = replace(painted(100, 0, 0), kind=SubsetKind.BLENDED, blend=ADD, alpha_ref=0.5, depth_write=True)
    behind = easel.add(WALL, painted(0, 200, 0))
    easel.begin()
    easel.paint(easel.add(NEARER, material))
    easel.paint(behind)
    assert easel.middle() == (100, 0, 0), "it hides what is drawn behind it later"
    clear = np.zeros((4, 4, 4), np.uint8)
    easel.begin()
    easel.paint(easel.add(NEARER, replace(material, pixels=clear)))
    easel.paint(behind)
    assert easel.middle() == (0, 200, 0), "and where it is cut out it draws nothing"


def test_fog_fades_colours_with_distance_but_not_glowing_surfaces(easel: Easel) -> None:
    foggy = replace(EVEN, fog=(0.0, 20.0), fog_colour=(1.0, 1.0, 1.0))
    for material, wanted in ((painted(100, 100, 100), 177.5), (replace(painted(100, 100, 100), foggy=False), 100.0)):
        easel.begin(foggy)
        easel.paint(easel.add(SMALL_WALL, material))
        assert near(easel.middle(), (wanted,) * 3, 2.0)
    easel.begin(foggy, sees_outside=False)
    easel.paint(easel.add(WALL, painted(100, 100, 100)))
    assert easel.middle() == (100, 100, 100)
