"""The golden pictures of the demo world, and proof that the comparison notices changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from engine.render.draws import PartDraw, ShellDraw
from engine.render.gl.offscreen import OffscreenContext
from engine.render.materials import Material
from engine.render.scene import Scene
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import Building
from engine.world.world import World
from tests.render.gl.helpers import golden
from tests.render.gl.helpers.demo_pictures import DemoPictures


@pytest.mark.parametrize("name", golden.GOLDEN)
def test_the_demo_world_matches_its_golden_pictures(name: str, demo: DemoPictures) -> None:
    found, wanted = golden.draw(demo, name), golden.load(name)
    assert golden.same(found, wanted), (
        f"{name}: mean and far apart {golden.difference(found, wanted)}; if the change is wanted, "
        "draw the golden pictures anew with python -m tests.render.gl.helpers.golden"
    )


@pytest.mark.parametrize("name", golden.GOLDEN)
@pytest.mark.parametrize("axis", [0, 1])
def test_the_comparison_notices_a_shift_of_one_pixel(name: str, axis: int) -> None:
    wanted = golden.load(name)
    assert not golden.same(np.roll(wanted, 1, axis), wanted)


class WithoutTexture(Scene):
    """Shows one surface in plain grey, and records in `surfaces` every one asked for."""

    missing = 0

    def __init__(self, world: World, sim: Simulation) -> None:
        self.surfaces: set[int] = set()
        self._grey: dict[int, Material] = {}
        super().__init__(world, sim)

    def shell(self, cell_id: int) -> ShellDraw | None:
        draw = super().shell(cell_id)
        return None if draw is None else replace(draw, materials=tuple(map(self._shown, draw.materials)))

    def building_shell(self, building: Building, block_id: int) -> ShellDraw | None:
        draw = super().building_shell(building, block_id)
        return None if draw is None else replace(draw, materials=tuple(map(self._shown, draw.materials)))

    def parts_in(self, cell_id: int) -> list[PartDraw]:
        return self._all_shown(super().parts_in(cell_id))

    def parts_on_land(self, block_id: int) -> dict[int, list[PartDraw]]:
        return {cell_id: self._all_shown(parts) for cell_id, parts in super().parts_on_land(block_id).items()}

    def _all_shown(self, parts: list[PartDraw]) -> list[PartDraw]:
        return [replace(part, materials=tuple(map(self._shown, part.materials))) for part in parts]

    def _shown(self, material: Material) -> Material:
        self.surfaces.add(material.surface_id)
        if material.surface_id != self.missing:
            return material
        return self._grey.setdefault(self.missing, replace(material, pixels=None, colour=(0.5, 0.5, 0.5, 1.0)))


@pytest.fixture(scope="module")
def patched(context: OffscreenContext) -> Iterator[DemoPictures]:
    """The demo world with such a scene."""
    made = DemoPictures(WithoutTexture)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("name", "at_least"), [("parlour", 5), ("great_hall", 4), pytest.param("street", 3, marks=pytest.mark.slow)]
)
def test_the_comparison_notices_a_missing_texture(name: str, at_least: int, patched: DemoPictures) -> None:
    scene = patched.scene
    assert isinstance(scene, WithoutTexture)
    scene.missing = 0
    scene.surfaces.clear()
    wanted = golden.load(name)
    assert golden.same(golden.draw(patched, name), wanted)
    noticed = 0
    for surface_id in sorted(scene.surfaces):
        scene.missing = surface_id
        noticed += not golden.same(golden.draw(patched, name), wanted)
    assert noticed >= at_least
