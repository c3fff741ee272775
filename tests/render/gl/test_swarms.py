"""How particles are drawn: position, size, opacity and the turn to the eye (rendering.md 13.3, 18.5)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine.geometry.frame import Frame
from engine.geometry.vec import Vec3
from engine.render.draws import AS_AUTHORED, FACE_VIEWER, TURN_ABOUT_Z, ParticleDraw
from engine.render.gl.uploads.particles import Swarms, facing, particle_points
from engine.render.gl.uploads.tables import WORLD
from engine.render.materials import Factor
from engine.render.parts import facing_frame
from tests.render.gl.conftest import Targets
from tests.render.gl.helpers.easel import HEIGHT, WIDTH, Easel
from tests.render.gl.helpers.meshes import blended, mesh_of, painted, square

EYE: Vec3 = (0.0, 0.0, 0.0)
FLAKE = mesh_of([square((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.0, 0.5))])
MATERIAL = blended(painted(200, 200, 200), Factor.SRC_ALPHA, Factor.ONE_MINUS_SRC_ALPHA)


@pytest.fixture
def easel(targets: Targets) -> Iterator[Easel]:
    made = Easel(targets(WIDTH, HEIGHT))
    yield made
    made.close()


def flakes(origins: list[Vec3], scale: float = 1.0, alpha: float = 1.0, billboard: int = FACE_VIEWER) -> ParticleDraw:
    count = len(origins)
    return ParticleDraw(
        (1, 0),
        1,
        (),
        WORLD,
        FLAKE,
        (MATERIAL,),
        billboard,
        np.array(origins, np.float64),
        np.full(count, scale, np.float32),
        np.full(count, alpha, np.float32),
        FLAKE.sphere,
        origins[0],
    )


def shown(easel: Easel, swarms: Swarms, draw: ParticleDraw) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    easel.begin()
    easel.paint(swarms.thing(draw, EYE, 1))
    return easel.target.pixels()[:, :, 0]


def test_each_particle_has_its_position_and_size(easel: Easel) -> None:
    swarms = Swarms(easel.things)
    picture = shown(easel, swarms, flakes([(0.0, 6.0, 0.0), (4.0, 6.0, 0.0)], scale=2.0))
    # Two metres at a distance of six, with a focal length of 24 pixels, are eight pixels.
    assert abs(int((picture[HEIGHT // 2] > 0).sum()) - 16) <= 1
    assert picture[HEIGHT // 2, WIDTH // 2] == picture[HEIGHT // 2, WIDTH // 2 + 16] == 200
    assert picture[HEIGHT // 2, WIDTH // 2 + 8] == 0


def test_a_swarm_may_grow_and_shrink_between_frames(easel: Easel) -> None:
    swarms = Swarms(easel.things)
    many: list[Vec3] = [(-7.4 + 0.74 * number, 6.0, 0.0) for number in range(21)]
    for count in (3, 21, 2, 9):
        picture = shown(easel, swarms, flakes(many[:count], scale=0.3))
        runs = np.diff((picture[HEIGHT // 2] > 0).astype(int), prepend=0) == 1
        assert runs.sum() == count


def test_particles_fade_by_their_own_alpha(easel: Easel) -> None:
    assert abs(int(shown(easel, Swarms(easel.things), flakes([(0.0, 6.0, 0.0)], alpha=0.5)).max()) - 100) <= 1


def test_removed_swarms_release_their_vertices(easel: Easel) -> None:
    swarms = Swarms(easel.things)
    swarms.thing(flakes([(0.0, 6.0, 0.0)]), EYE, 1)
    size = easel.things.vertices.size
    swarms.sweep(2)
    swarms.thing(flakes([(0.0, 6.0, 0.0)]), EYE, 1)
    assert easel.things.vertices.size == size


@pytest.mark.parametrize("way", [(0.0, 1.0, 0.0), (3.0, -4.0, 1.0), (-2.0, 0.5, -6.0)])
def test_turning_many_to_the_eye_equals_turning_each(way: Vec3) -> None:
    frame = facing_frame(Frame(way), FACE_VIEWER, EYE)
    wanted = np.array((frame.row_x, frame.row_y, frame.row_z))
    assert np.allclose(facing(np.array([way]))[0], wanted, atol=1e-6)


def test_particles_confined_to_an_axis_turn_only_about_it() -> None:
    place: Vec3 = (3.0, 4.0, 10.0)
    points = particle_points(flakes([place], billboard=TURN_ABOUT_Z), EYE)[0]
    assert np.allclose(sorted(points[:, 2]), (-0.5, -0.5, 0.5, 0.5), atol=1e-6)
    across = points[1] - points[0]
    assert abs(float(across[:2] @ np.array(place[:2]))) < 1e-5
    assert np.allclose(particle_points(flakes([place], billboard=AS_AUTHORED), EYE)[0], FLAKE.positions)
