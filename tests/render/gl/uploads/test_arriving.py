"""Uploads prepared between frames draw like those that a frame waits for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.build.demo import SPOTS, ensure_demo
from engine.render.gl.renderer import GlRenderer
from engine.render.gl.uploads.textures import PictureArray
from engine.render.gl.uploads.things import Thing, Things
from engine.render.mesh import Mesh
from engine.render.scene import Scene
from engine.render.viewer.viewer import Viewer
from engine.world.loader import open_world
from engine.world.world import World
from tests.render.gl.conftest import Targets
from tests.render.gl.helpers.demo_pictures import EYE_HEIGHT, Picture, far_apart

WIDTH, HEIGHT = 240, 150


def street(targets: Targets, world: World, patient: bool) -> tuple[Picture, Picture]:
    """The first picture of the street, and the one after all landblocks have arrived."""
    target, spot = targets(WIDTH, HEIGHT), SPOTS["street"]
    scene, viewer = Scene(world), Viewer(world, patient=patient)
    renderer = GlRenderer(scene)
    x, y, z = spot.origin
    viewer.free.place(spot.cell_id, (x, y, z + EYE_HEIGHT), spot.heading)
    pictures: list[Picture] = []
    for _ in range(2):
        renderer.draw(viewer.frame(float(WIDTH), float(HEIGHT)), target.framebuffer)
        pictures.append(target.pixels()[:, :, :3].copy())
        if viewer.arrivals is not None:
            viewer.arrivals.drawer = renderer
            viewer.arrivals.work(lambda: False)
    renderer.close()
    viewer.close()
    scene.close()
    return pictures[0], pictures[1]


def test_landblocks_that_arrive_piece_by_piece_draw_the_same_picture(targets: Targets) -> None:
    with open_world(ensure_demo()) as world:
        first, last = street(targets, world, patient=True)
        for block in world.loaded_landblocks():
            world.graph.unload_landblock(block.id)
        at_once, same = street(targets, world, patient=False)
    assert far_apart(first, at_once).any()
    assert not far_apart(at_once, same, 0).any()
    assert not far_apart(last, at_once, 0).any()


@pytest.mark.parametrize("place", ["street", "cottage_parlour"])
def test_what_a_frame_shows_can_be_uploaded_before_it(
    targets: Targets, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """The first frame then adds hardly anything, sends next to no picture, and looks the same."""
    added: list[Mesh] = []
    sent: list[int] = []
    add = Things.add

    def counted(self: Things, mesh: Mesh, *rest: Any, **named: Any) -> Thing:
        added.append(mesh)
        return add(self, mesh, *rest, **named)

    send = PictureArray._send

    def sent_too(self: PictureArray, layer: int) -> None:
        sent.append(layer)
        send(self, layer)

    monkeypatch.setattr(Things, "add", counted)
    monkeypatch.setattr(PictureArray, "_send", sent_too)
    counts, layers, pictures = [], [], []
    with open_world(ensure_demo()) as world:
        for before in (False, True):
            target, spot = targets(WIDTH, HEIGHT), SPOTS[place]
            scene, viewer = Scene(world), Viewer(world)
            renderer = GlRenderer(scene)
            x, y, z = spot.origin
            viewer.free.place(spot.cell_id, (x, y, z + EYE_HEIGHT), spot.heading)
            frame = viewer.frame(float(WIDTH), float(HEIGHT))
            if before:
                assert sum(1 for _ in (*renderer.landscape_of(frame), *renderer.indoors_of(frame))) > 10
                for send_pictures in renderer.unsent_pictures():
                    send_pictures()
            added.clear()
            sent.clear()
            renderer.draw(frame, target.framebuffer)
            counts.append(len(added))
            layers.append(len(sent))
            pictures.append(target.pixels()[:, :, :3].copy())
            renderer.close()
            viewer.close()
            scene.close()
    assert counts[1] * 4 < counts[0]
    assert layers[1] * 4 < layers[0]
    assert not far_apart(pictures[0], pictures[1], 0).any()
