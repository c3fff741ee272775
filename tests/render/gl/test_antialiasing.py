"""Multisampled pictures: smooth edges, the same surfaces, buffers that can be read (docs/window.md)."""

from __future__ import annotations

import numpy as np
import pytest

from engine.render.antialiasing import Antialiasing
from engine.render.errors import RenderError
from engine.render.gl.offscreen import OffscreenContext, OffscreenTarget, samples_for
from tests.render.gl.helpers.demo_pictures import HEIGHT, WIDTH, DemoPictures, Look, far_apart
from tests.render.gl.helpers.easel import Easel
from tests.render.gl.helpers.meshes import mesh_of, painted

PLACES = [Look("inn_common_room", 180.0), Look("street"), Look("great_hall")]


def slanted(samples: int) -> OffscreenTarget:
    """A red triangle with slanted edges on black."""
    target = OffscreenTarget(64, 48, samples)
    easel = Easel(target)
    easel.begin()
    corners = [(-8.0, 10.0, -7.0), (8.0, 10.0, -3.0), (-1.0, 10.0, 8.0)]
    easel.paint(easel.add(mesh_of([corners]), painted(255, 0, 0)))
    easel.close()
    return target


def test_edges_are_mixed_of_their_samples(context: OffscreenContext) -> None:
    plain, smooth = slanted(1).pixels()[:, :, 0], slanted(4).pixels()[:, :, 0]
    assert set(np.unique(plain)) == {0, 255}
    mixed = (smooth > 0) & (smooth < 255)
    assert 20 <= mixed.sum() <= 200
    assert (smooth[~mixed] == plain[~mixed]).all()


def test_depth_and_stencil_of_samples_are_read_back(context: OffscreenContext) -> None:
    plain, smooth = slanted(1), slanted(4)
    apart = np.abs(plain.depth() - smooth.depth()) > 1e-3
    assert apart.mean() < 0.05
    assert (smooth.stencil() == 0).all()


@pytest.mark.parametrize("exact", [True, False], ids=["exact", "retail"])
@pytest.mark.parametrize("place", PLACES, ids=lambda look: look.place)
def test_samples_change_edges_alone(place: Look, exact: bool, own_demo: DemoPictures) -> None:
    plain = own_demo.look(place, exact)
    usual = own_demo.target
    own_demo.target = OffscreenTarget(WIDTH, HEIGHT, 4)
    smooth = own_demo.look(place, exact)
    own_demo.target.close()
    own_demo.target = usual
    assert 0.0005 < far_apart(plain, smooth).mean() < 0.25
    assert abs(plain.mean() - smooth.mean()) < 1.5
    assert roughness(smooth) < roughness(plain)


def roughness(picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> float:
    """The mean difference between a pixel and the next one."""
    return float(np.abs(np.diff(picture.astype(np.int16), axis=1)).mean())


def test_software_offers_what_it_can(context: OffscreenContext) -> None:
    auto, off, eight = (samples_for(choice) for choice in (Antialiasing.AUTO, Antialiasing.OFF, Antialiasing.EIGHT))
    assert (auto.moving, auto.at_rest, auto.reason) == (1, 4, "")
    assert (off.moving, off.at_rest) == (1, 1)
    assert eight.reason.startswith("Antialiasing 8x is not supported by llvmpipe")


def test_a_refused_number_of_samples_is_an_error_that_names_it(context: OffscreenContext) -> None:
    with pytest.raises(RenderError, match="64 x 48 with 64 samples"):
        OffscreenTarget(64, 48, 64)
