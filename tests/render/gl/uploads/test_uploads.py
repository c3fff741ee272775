"""What the renderer sends to OpenGL, and when: once, and after an edit only what it touched. What is lost with a
context."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from editor.pictures.contexts import offscreen_context
from engine.render.errors import RenderError
from engine.render.gl import api
from engine.render.gl.offscreen import OffscreenContext, OffscreenTarget
from engine.render.gl.renderer import GlRenderer
from engine.render.gl.uploads.things import VERTEX
from engine.render.overlays.geometry import OverlayGeometry, ScreenPolygon
from engine.sim.edits.doors import OpenDoor
from engine.world.cells.cell import EnvCell
from tests.render.gl.helpers.demo_pictures import DemoPictures, Look

PARLOUR = Look("cottage_parlour")
STREET = Look("street")


@dataclass(frozen=True)
class Sent:
    """Everything sent so far: bytes of each kind, and textures."""

    vertices: int
    lamps: int
    indices: int
    places: int
    surfaces: int
    terrain: int
    pictures: int

    @staticmethod
    def by(renderer: GlRenderer) -> Sent:
        things, ground = renderer.things, renderer.ground
        arrays = [*things.pictures.arrays, *(array for array in (ground.pictures, ground.masks) if array is not None)]
        return Sent(
            things.vertices.sent_bytes,
            things.lamps.sent_bytes,
            things.indices.sent_bytes,
            things.places.sent_bytes,
            things.surfaces.table.sent_bytes,
            ground.vertices.sent_bytes,
            sum(array.sent_layers for array in arrays),
        )

    def since(self, before: Sent) -> Sent:
        return Sent(*(getattr(self, name) - getattr(before, name) for name in Sent.__dataclass_fields__))


NOTHING = Sent(0, 0, 0, 0, 0, 0, 0)


def settled(demo: DemoPictures, look: Look) -> Sent:
    """After sending everything seen from there. Smoke rises meanwhile, so the clock stands still."""
    demo.look(look)
    demo.look(look)
    return Sent.by(demo.renderer)


@pytest.mark.parametrize("look", [PARLOUR, STREET], ids=["parlour", "street"])
def test_an_unchanged_frame_sends_nothing_but_particles(look: Look, own_demo: DemoPictures) -> None:
    before = settled(own_demo, look)
    own_demo.look(look)
    sent = Sent.by(own_demo.renderer).since(before)
    assert replace(sent, vertices=0) == NOTHING
    assert sent.vertices < 64 * 4 * VERTEX.itemsize * 4


def test_an_opening_door_costs_only_the_placements_of_its_parts(own_demo: DemoPictures) -> None:
    demo = own_demo
    look = Look("cottage_inside_front_door")
    before = settled(demo, look)
    still = demo.look(look)
    door = next(entity.guid for entity in demo.world.entities if entity.name == "Front Door")
    demo.sim.apply_edit(OpenDoor(door))
    for _ in range(10):
        demo.sim.tick()
    assert (demo.look(look) != still).any()
    sent = Sent.by(demo.renderer).since(before)
    assert 0 < sent.places <= 64 * 64
    assert (sent.indices, sent.terrain, sent.pictures, sent.surfaces) == (0, 0, 0, 0)
    assert sent.vertices < 16_000  # the particles of a lamp that is in view


def test_an_edit_of_a_room_sends_only_that_room(own_demo: DemoPictures) -> None:
    demo = own_demo
    before = settled(demo, PARLOUR)
    still = demo.look(PARLOUR)
    old = demo.world.graph.peek(PARLOUR.root_id)
    assert isinstance(old, EnvCell)
    surfaces = [*old.surfaces[1:], old.surfaces[0]]
    room = EnvCell(old.id, old.frame, old.structure, old.portals, old.stab_list, old.flags, surfaces)
    room.static_objects = old.static_objects
    demo.world.graph.replace_cell(room)
    assert (demo.look(PARLOUR) != still).any()
    sent = Sent.by(demo.renderer).since(before)
    shell = demo.renderer.stage.room(PARLOUR.root_id)
    assert shell is not None
    assert sent.vertices < 2 * shell.thing.vertex_count * VERTEX.itemsize + 16_000
    assert sent.terrain == 0
    assert sent.pictures <= 1  # a surface of the room that nothing else shows


def test_the_renderer_releases_what_the_scene_no_longer_shows(own_demo: DemoPictures) -> None:
    demo = own_demo
    demo.look(STREET)
    many = demo.renderer.stage.count()
    for _ in range(800):
        demo.renderer.stage.begin()
    demo.look(PARLOUR)
    for _ in range(128):
        demo.renderer.stage.begin()
    few = demo.renderer.stage.count()
    assert few < many // 2
    demo.look(STREET)
    assert demo.renderer.stage.count() > 2 * few


def test_after_a_lost_context_the_next_frame_uploads_everything_again(context: OffscreenContext) -> None:
    """In contexts of its own, one of which is destroyed."""
    with offscreen_context():
        demo = DemoPictures()
        wanted = {look: demo.look(look) for look in (PARLOUR, STREET)}
    with offscreen_context():
        demo.renderer.invalidate()
        demo.target = OffscreenTarget(demo.target.width, demo.target.height)
        for look, picture in wanted.items():
            assert (demo.look(look) == picture).all()
        demo.close()
    context.make_current()


def test_an_opengl_error_names_the_operation_that_caused_it(own_demo: DemoPictures) -> None:
    said = r"OpenGL failed at painting: invalid enumerant \(glBindTexture\)"
    with pytest.raises(RenderError, match=said), api.doing("painting"):
        api.bind_texture(0x1234, 1)
    frame = own_demo.frame(PARLOUR.camera(), PARLOUR.root_id)
    with pytest.raises(RenderError, match="beginning a frame"):
        own_demo.renderer.draw(frame, 4711)
    assert own_demo.look(PARLOUR).any()


def test_a_frame_is_the_same_whatever_state_was_left_behind(own_demo: DemoPictures) -> None:
    demo = own_demo
    wanted = demo.look(STREET)
    assert not api.is_enabled(api.DEPTH_TEST)
    for unwanted in (api.BLEND, api.SCISSOR_TEST, api.STENCIL_TEST, api.DEPTH_CLAMP, api.POLYGON_OFFSET_FILL):
        api.enable(unwanted)
    api.scissor(0, 0, 3, 3)
    api.stencil_func(api.EQUAL, 77, 0xFF)
    api.depth_func(api.GREATER)
    api.depth_mask(api.FALSE)
    api.depth_range(0.4, 0.5)
    api.color_mask(api.TRUE, api.FALSE, api.FALSE, api.TRUE)
    api.front_face(api.CW)
    api.viewport(0, 0, 7, 7)
    assert (demo.look(STREET) == wanted).all()


def test_overlays_can_be_added_to_a_finished_picture(own_demo: DemoPictures) -> None:
    demo = own_demo
    frame = demo.frame(STREET.camera(), STREET.root_id)
    plain = demo.picture(frame)
    square = ScreenPolygon(((10.0, 30.0), (40.0, 30.0), (40.0, 10.0), (10.0, 10.0)), (0, 0, 0, 0), (255, 0, 255, 255))
    demo.renderer.draw_overlays(frame, demo.target.framebuffer, OverlayGeometry(screen_polygons=[square]))
    shown = demo.target.pixels()[:, :, :3]
    assert (shown[10:30, 10:40] == (255, 0, 255)).all()
    assert (shown[31:] == plain[31:]).all()


def test_an_impossible_picture_is_refused_with_a_clear_message(context: OffscreenContext) -> None:
    for width, height in ((0, 10), (10, -1), (1 << 20, 10)):
        with pytest.raises(RenderError, match=f"a picture of {width} x {height} pixels cannot be drawn"):
            OffscreenTarget(width, height)
