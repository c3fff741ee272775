"""How presets of the client change a picture (rendering.md C9, M3)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.build import Mesh, WorldBuilder
from engine.build.materials import TextureImage
from engine.build.shapes.faces import Face
from engine.build.shapes.solids import passable
from engine.dat.records import Region
from engine.dat.records.textures import PixelFormat
from engine.render.draws import PartDraw
from engine.render.gl.renderer import DrawOptions, GlRenderer
from engine.render.materials import CLIP_BLEND, PLAIN_REFERENCE, Factor, Material, SubsetKind
from engine.render.presets import Presets
from engine.render.scene import Scene
from engine.render.terrain import REGION_ID, detail_texture
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions
from engine.visibility.world_view import WorldView
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.loader import open_world
from engine.world.world import World
from tests.render.gl.conftest import Targets
from tests.render.gl.demo.test_demo import BOTH_MODES
from tests.render.gl.helpers.demo_pictures import camera_at
from tests.render.gl.helpers.dressed import SIZE, Hall
from tests.render.gl.helpers.meshes import blended, painted, pictured

BLOCK = 0xC95BFFFF
RED, GREEN, BLUE = painted(200, 0, 0), painted(0, 200, 0), painted(0, 0, 200)
GLASS = blended(BLUE, Factor.SRC_ALPHA, Factor.ONE_MINUS_SRC_ALPHA, 0.5)
AT_ONCE = DrawOptions(presets=Presets(rooms_at_once=True))
MULTI_PASS = DrawOptions(presets=Presets(multi_pass_alpha=True))


def cut_out(alpha: int) -> Material:
    """White with this alpha everywhere, which must be 200 to pass the test."""
    pixels = np.full((4, 4, 4), 255, np.uint8)
    pixels[:, :, 3] = alpha
    return replace(pictured(pixels), kind=SubsetKind.CLIP, blend=CLIP_BLEND, alpha_ref=PLAIN_REFERENCE)


@BOTH_MODES
def test_things_behind_immediately_blended_walls_draw_over_them(exact: bool, tmp_path: Path, targets: Targets) -> None:
    """They write no depth, and things come after walls; deferred, they cover both."""
    hall = Hall(tmp_path, targets, stands_at=6.0)
    shell = [(8.0, RED), (4.0, GLASS)]
    assert hall.middle(shell, GREEN, exact=exact) == pytest.approx((0, 100, 100), abs=1)
    assert hall.middle(shell, GREEN, AT_ONCE, exact) == (0, 200, 0)


@BOTH_MODES
def test_immediately_blended_walls_draw_over_the_walls_behind_them(
    exact: bool, tmp_path: Path, targets: Targets
) -> None:
    hall = Hall(tmp_path, targets)
    shell = [(8.0, RED), (4.0, GLASS)]
    for options in (DrawOptions(), AT_ONCE):
        assert hall.middle(shell, options=options, exact=exact) == pytest.approx((100, 0, 100), abs=1)


@BOTH_MODES
def test_immediately_cut_out_walls_are_lit_as_walls(exact: bool, tmp_path: Path, targets: Targets) -> None:
    """Deferred ones get sunlight, which no wall does."""
    hall = Hall(tmp_path, targets)
    dark = replace(cut_out(255), luminosity=0.0)
    wall = replace(dark, kind=SubsetKind.OPAQUE, alpha_ref=None)
    lit = hall.middle([(4.0, wall)], exact=exact)
    assert hall.middle([(4.0, dark)], options=AT_ONCE, exact=exact) == lit
    assert hall.middle([(4.0, dark)], options=MULTI_PASS, exact=exact) == lit
    assert hall.middle([(4.0, dark)], exact=exact) != lit


@BOTH_MODES
@pytest.mark.parametrize("alpha", [100, 255])
def test_with_several_passes_texels_that_fail_the_alpha_test_blend(
    alpha: int, exact: bool, tmp_path: Path, targets: Targets
) -> None:
    hall = Hall(tmp_path, targets, stands_at=6.0)
    single = (200, 0, 0) if alpha < 200 else (255, 255, 255)
    share = alpha / 255.0
    several = tuple(255.0 * share + channel * (1.0 - share) for channel in (200, 0, 0))
    for shell, stands in (([(8.0, RED)], cut_out(alpha)), ([(8.0, RED), (4.0, cut_out(alpha))], RED)):
        assert hall.middle(shell, stands, exact=exact) == single
        assert hall.middle(shell, stands, MULTI_PASS, exact) == pytest.approx(several, abs=2)


def test_soft_edges_draw_over_blended_surfaces_behind_them(tmp_path: Path, targets: Targets) -> None:
    """The second pass waits among the blended ones, far to near, and hides nothing."""
    hall = Hall(tmp_path, targets, stands_at=6.0)
    found = hall.middle([(8.0, RED), (4.0, cut_out(100))], GLASS, MULTI_PASS, exact=True)
    share = 100.0 / 255.0
    assert found == pytest.approx([255.0 * share + c * (1.0 - share) for c in (100, 0, 100)], abs=2)


class DressedLand(Scene):
    """Two panes on land, a red one behind one drawn with `nearer`."""

    def __init__(self, world: World, nearer: Material) -> None:
        self._nearer = nearer
        self._own: dict[int, dict[int, list[PartDraw]]] = {}
        super().__init__(world)

    def parts_on_land(self, block_id: int) -> dict[int, list[PartDraw]]:
        if block_id not in self._own:
            self._own[block_id] = {
                cell_id: [
                    replace(part, materials=(RED if part.frame.origin[1] > 84.0 else self._nearer,)) for part in parts
                ]
                for cell_id, parts in super().parts_on_land(block_id).items()
            }
        return self._own[block_id]


@BOTH_MODES
@pytest.mark.parametrize("alpha", [100, 255])
def test_with_several_passes_things_on_land_have_soft_edges_too(
    alpha: int, exact: bool, tmp_path: Path, targets: Targets
) -> None:
    builder = WorldBuilder()
    land = builder.landblock(0xC95B, height=20.0)
    for number, y in enumerate((83.0, 86.0)):
        corners = ((-2.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 0.0, 3.0), (-2.0, 0.0, 3.0))
        land.put(Mesh.of(f"pane {number}", passable([Face(corners, "wood", fit=True)])), (90.0, y))
    builder.build().write(tmp_path)
    share = alpha / 255.0
    several = tuple(255.0 * share + channel * (1.0 - share) for channel in (200, 0, 0))
    single = (200, 0, 0) if alpha < 200 else (255, 255, 255)
    with open_world(tmp_path) as opened:
        opened.graph.load_landblock(BLOCK)
        eye = (90.0, 80.0, 21.5)
        root_id = get_outside_cell_id(BLOCK, eye)
        frames = FrameDriver(WorldView(opened), Visibility(opened.graph))
        frame = frames.frame_events(camera_at(root_id, eye, 0.0, 0.0, SIZE, SIZE), root_id, FrameOptions(exact))
        target, scene = targets(SIZE, SIZE), DressedLand(opened, cut_out(alpha))
        renderer = GlRenderer(scene)
        for options, wanted in ((DrawOptions(), single), (MULTI_PASS, several)):
            renderer.draw(frame, target.framebuffer, options)
            assert target.pixels()[SIZE // 2, SIZE // 2, :3].tolist() == pytest.approx(wanted, abs=2)
        renderer.close()
        scene.close()


DETAILED = DrawOptions(presets=Presets(detail_textures=True))


def detail(*colours: tuple[int, int, int, int]) -> TextureImage:
    """Stripes from left to right: red, green, blue and alpha of each."""
    row = b"".join(bytes((blue, green, red, alpha)) * 4 for red, green, blue, alpha in colours)
    return TextureImage(4 * len(colours), 4, PixelFormat.A8R8G8B8, row * 4)


@BOTH_MODES
@pytest.mark.parametrize("others", [Presets(), Presets(rooms_at_once=True)])
def test_walls_are_drawn_again_with_the_regions_detail_texture(
    others: Presets, exact: bool, tmp_path: Path, targets: Targets
) -> None:
    """The colour times the detail, and the part of the colour that the detail's alpha leaves."""
    options = DrawOptions(presets=replace(others, detail_textures=True))
    wall = [(8.0, painted(200, 100, 240))]
    for number, (alpha, kept) in enumerate(((255, 0.0), (153, 0.4))):
        hall = Hall(tmp_path / str(number), targets, detail=(detail((102, 204, 51, alpha)), 1))
        wanted = (200.0 * (0.4 + kept), 100.0 * (0.8 + kept), 240.0 * (0.2 + kept))
        assert hall.middle(wall, exact=exact) == (200, 100, 240)
        assert hall.middle(wall, options=options, exact=exact) == pytest.approx(wanted, abs=1)


@BOTH_MODES
def test_things_and_blended_walls_have_no_detail(exact: bool, tmp_path: Path, targets: Targets) -> None:
    hall = Hall(tmp_path, targets, stands_at=6.0, detail=(detail((0, 0, 0, 255)), 1))
    assert hall.middle([(8.0, RED)], GREEN, DETAILED, exact) == (0, 200, 0)
    assert hall.middle([(8.0, RED), (4.0, GLASS)], GREEN, DETAILED, exact) == pytest.approx((0, 100, 100), abs=1)
    assert hall.middle([(8.0, RED)], cut_out(100), DETAILED, exact) == (0, 0, 0)


@BOTH_MODES
def test_details_repeat_as_often_as_the_region_says_per_wall_picture(
    exact: bool, tmp_path: Path, targets: Targets
) -> None:
    hall = Hall(tmp_path, targets, detail=(detail((255, 255, 255, 255), (0, 0, 0, 255)), 3))
    row = hall.picture([(4.0, RED)], options=DETAILED, exact=exact)[SIZE // 2, :, 0]
    across = row[np.flatnonzero(hall.picture([(4.0, RED)], exact=exact)[SIZE // 2, :, 0])]
    assert np.count_nonzero(np.diff((across > 100).astype(int))) == 5, "three light stripes, and three dark ones"


def test_without_a_detail_texture_in_the_region_walls_are_drawn_once(tmp_path: Path) -> None:
    WorldBuilder().build().write(tmp_path)
    with open_world(tmp_path) as opened:
        region = opened.record(REGION_ID)
        assert isinstance(region, Region)
        assert detail_texture(opened, region) is not None
        for look in region.terrain_textures.descriptions:
            look.detail_texture_id = 0
        assert detail_texture(opened, region) is None
