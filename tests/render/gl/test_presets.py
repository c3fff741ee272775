"""What presets of the client change in a picture (spec/rendering-client.md C9)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.render.gl.renderer import DrawOptions
from engine.render.materials import CLIP_BLEND, PLAIN_REFERENCE, Factor, Kind, Material
from engine.render.presets import Presets
from tests.render.gl.conftest import Targets
from tests.render.gl.dressed import Hall
from tests.render.gl.meshes import blended, painted, pictured
from tests.render.gl.test_demo import BOTH_MODES

RED, GREEN, BLUE = painted(200, 0, 0), painted(0, 200, 0), painted(0, 0, 200)
GLASS = blended(BLUE, Factor.SRC_ALPHA, Factor.ONE_MINUS_SRC_ALPHA, 0.5)
AT_ONCE = DrawOptions(presets=Presets(rooms_at_once=True))
MULTI_PASS = DrawOptions(presets=Presets(multi_pass_alpha=True))


def cut_out(alpha: int) -> Material:
    """White with this alpha everywhere, which has to be 200 to pass the test."""
    pixels = np.full((4, 4, 4), 255, np.uint8)
    pixels[:, :, 3] = alpha
    return replace(pictured(pixels), kind=Kind.CLIP, blend=CLIP_BLEND, alpha_ref=PLAIN_REFERENCE)


@BOTH_MODES
def test_walls_that_blend_at_once_are_painted_over_by_what_stands_behind_them(
    exact: bool, tmp_path: Path, targets: Targets
) -> None:
    """They write no depth, and things come after walls; deferred, they lie over both."""
    hall = Hall(tmp_path, targets, stands_at=6.0)
    shell = [(8.0, RED), (4.0, GLASS)]
    assert hall.middle(shell, GREEN, exact=exact) == pytest.approx((0, 100, 100), abs=1)
    assert hall.middle(shell, GREEN, AT_ONCE, exact) == (0, 200, 0)


@BOTH_MODES
def test_walls_that_blend_at_once_lie_over_the_walls_behind_them(exact: bool, tmp_path: Path, targets: Targets) -> None:
    hall = Hall(tmp_path, targets)
    shell = [(8.0, RED), (4.0, GLASS)]
    for options in (DrawOptions(), AT_ONCE):
        assert hall.middle(shell, options=options, exact=exact) == pytest.approx((100, 0, 100), abs=1)


@BOTH_MODES
def test_walls_that_are_cut_out_at_once_are_lit_as_walls_are(exact: bool, tmp_path: Path, targets: Targets) -> None:
    """Deferred ones have the sun, which no wall has."""
    hall = Hall(tmp_path, targets)
    dark = replace(cut_out(255), luminosity=0.0)
    wall = replace(dark, kind=Kind.OPAQUE, alpha_ref=None)
    lit = hall.middle([(4.0, wall)], exact=exact)
    assert hall.middle([(4.0, dark)], options=AT_ONCE, exact=exact) == lit
    assert hall.middle([(4.0, dark)], options=MULTI_PASS, exact=exact) == lit
    assert hall.middle([(4.0, dark)], exact=exact) != lit


@BOTH_MODES
@pytest.mark.parametrize("alpha", [100, 255])
def test_with_several_passes_what_the_alpha_test_leaves_out_is_blended(
    alpha: int, exact: bool, tmp_path: Path, targets: Targets
) -> None:
    hall = Hall(tmp_path, targets, stands_at=6.0)
    single = (200, 0, 0) if alpha < 200 else (255, 255, 255)
    share = alpha / 255.0
    several = tuple(255.0 * share + channel * (1.0 - share) for channel in (200, 0, 0))
    for shell, stands in (([(8.0, RED)], cut_out(alpha)), ([(8.0, RED), (4.0, cut_out(alpha))], RED)):
        assert hall.middle(shell, stands, exact=exact) == single
        assert hall.middle(shell, stands, MULTI_PASS, exact) == pytest.approx(several, abs=2)


def test_soft_edges_lie_over_what_blends_behind_them(tmp_path: Path, targets: Targets) -> None:
    """The second pass waits among the blended, far ones first, and hides nothing."""
    hall = Hall(tmp_path, targets, stands_at=6.0)
    found = hall.middle([(8.0, RED), (4.0, cut_out(100))], GLASS, MULTI_PASS, exact=True)
    share = 100.0 / 255.0
    assert found == pytest.approx([255.0 * share + c * (1.0 - share) for c in (100, 0, 100)], abs=2)
