"""Materials, their textures, and coordinates in metres (dat-format.md 3.6, 3.7, 5.1)."""

from __future__ import annotations

import pytest

from engine.build import Face, Finish, Material, TextureImage, WorldBuilder, rect
from engine.build.records.meshes import texture_coordinates
from engine.dat.records import EnvCell, Environment, RenderSurface, Surface, SurfaceTexture
from engine.world.cells.cell import EnvCell as Room


def _record(world: WorldBuilder, record_id: int) -> object:
    return world.build().load().record(record_id)


def test_a_flat_colour_is_a_tiny_image_as_cells_skip_solid_surfaces() -> None:
    world = WorldBuilder(finish=Finish("red", "red", "red"))
    world.define(Material("red", (200, 10, 20)))
    world.room("a", rect(0, 0, 4, 4))
    opened = world.build().load()
    surface = opened.record(0x08000001)
    assert isinstance(surface, Surface)
    assert surface.type_flags == 2
    assert surface.texture_id == 0x05000001
    texture = opened.record(0x05000001)
    assert isinstance(texture, SurfaceTexture)
    image = opened.record(texture.images[0])
    assert isinstance(image, RenderSurface)
    assert image.data[:3] == bytes((20, 10, 200))


def test_colours_replace_textures_that_the_provider_lacks() -> None:
    pictures = {"oak": TextureImage(2, 2, 0x65, bytes(8), palette=(0xFF102030,) * 9)}
    world = WorldBuilder(textures=pictures.get, finish=Finish("oak", "oak", "pine"))
    world.define(Material("oak", texture="oak", metres=1.5), Material("pine", (1, 2, 3), texture="pine"))
    world.room("a", rect(0, 0, 4, 4))
    made = world.build()
    assert 0x04000001 in made.portal
    image = made.load().record(0x06000001)
    assert isinstance(image, RenderSurface)
    assert (image.pixel_format, image.palette_id) == (0x65, 0x04000001)


def test_surface_flags_follow_the_material() -> None:
    world = WorldBuilder(finish=Finish("a", "b", "c"))
    world.define(
        Material("a", cutout=True),
        Material("b", translucency=0.5, luminosity=0.2),
        Material("c", additive=True, blended=True),
    )
    world.room("a", rect(0, 0, 4, 4))
    opened = world.build().load()
    flags = [record.type_flags for i in (1, 2, 3) if isinstance(record := opened.record(0x08000000 + i), Surface)]
    assert sorted(flags) == [4, 2 | 0x10 | 0x40, 2 | 0x100 | 0x10000]


def test_rooms_of_equal_shape_share_a_structure_with_their_own_surfaces() -> None:
    world = WorldBuilder()
    piece = world.piece("p", rect(0, 0, 4, 4))
    world.place(piece, "a", (0, 0))
    world.place(piece, "b", (10, 0), finish=Finish("brick", "flagstone", "stone"))
    made = world.build()
    opened = made.load()
    cells = [opened.record(made.cell_id(name)) for name in "ab"]
    assert all(isinstance(cell, EnvCell) for cell in cells)
    first, second = (cell for cell in cells if isinstance(cell, EnvCell))
    assert (first.environment, first.structure) == (second.environment, second.structure)
    assert first.surfaces != second.surfaces
    environment = opened.record(0x0D000000 | first.environment)
    assert isinstance(environment, Environment)
    assert len(environment.structures) == 1


def test_walls_of_a_plan_may_differ() -> None:
    world = WorldBuilder(finish=Finish(["plaster", "brick", "plaster", "wood"], "plank", "beam"))
    world.room("a", rect(0, 0, 4, 4))
    world.room("turned", list(reversed(rect(5, 0, 4, 4))))
    made = world.build()
    for name in ("a", "turned"):
        cell = made.load().graph.get_visible(made.cell_id(name))
        assert isinstance(cell, Room)
        assert len(cell.surfaces) == 5


def test_texture_coordinates_run_in_metres_right_and_down() -> None:
    wall = Face(((0.0, 0.0, 0.0), (0.0, 4.0, 0.0), (0.0, 4.0, 3.0), (0.0, 0.0, 3.0)))  # looks east
    uvs = texture_coordinates(wall, 2.0)
    assert uvs[1][0] - uvs[0][0] == 2.0
    assert uvs[0][1] - uvs[3][1] == 1.5
    assert uvs[0][0] == uvs[3][0]
    floor = Face(((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (4.0, 3.0, 0.0), (0.0, 3.0, 0.0)))
    uvs = texture_coordinates(floor, 1.0)
    assert (uvs[1][0] - uvs[0][0], uvs[1][1] - uvs[2][1]) == (4.0, 3.0)


def test_fragments_of_one_wall_continue_its_texture() -> None:
    left = Face(((0.0, 0.0, 0.0), (0.0, 9.0, 0.0), (0.0, 9.0, 3.0), (0.0, 0.0, 3.0)))
    right = Face(((0.0, 9.0, 0.0), (0.0, 11.0, 0.0), (0.0, 11.0, 3.0), (0.0, 9.0, 3.0)))
    a, b = texture_coordinates(left, 2.0)[1], texture_coordinates(right, 2.0)[0]
    assert (a[0] - b[0]) % 1.0 == pytest.approx(0.0)
    assert (a[1] - b[1]) % 1.0 == pytest.approx(0.0)


def test_a_fitted_texture_covers_its_face_once() -> None:
    board = Face(((3.0, 0.0, 1.0), (5.0, 0.0, 1.0), (5.0, 0.0, 2.0), (3.0, 0.0, 2.0)), fit=True)
    assert texture_coordinates(board, 2.0) == [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)]
