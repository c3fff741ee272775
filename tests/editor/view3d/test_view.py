"""The 3D view without its widget: what outdates a picture, and the three parts of taking one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtTest import QSignalSpy

from editor.document.clock import Clock
from editor.document.document import Document
from editor.models.sweep.watch import SweepWatch
from editor.session.session import Kind, Selection
from editor.view3d.view import Picture, View3D
from engine.build import WorldBuilder, rect
from engine.build.built import BuiltWorld
from engine.render.overlays.catalogue import Overlay
from engine.render.viewer.inputs import ViewerInput
from engine.render.viewer.viewer import View
from engine.sim.tick.controls import Controls
from tests.editor.document.small_document import document_of

SIZE = (640.0, 400.0)


@pytest.fixture(scope="module")
def built() -> BuiltWorld:
    """A hall and a study with a door between them."""
    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4), height=2.8)
    study = world.room("study", rect(6.3, 0, 5, 4), height=2.8)
    world.doorway(hall, study, name="hall-study")
    return world.build()


@pytest.fixture
def document(built: BuiltWorld) -> Iterator[Document]:
    made = document_of(built, "hall", (1.5, 2.0))
    sim = made.sim
    yield made
    sim.close()


@pytest.fixture
def view(document: Document) -> Iterator[View3D]:
    """The 3D view of a document that was opened before the view existed."""
    made = View3D(document, Clock(document))
    document.started.emit()
    yield made
    document.session.simulation = None
    document.session.opened.emit()


def contents(picture: Picture | None) -> object:
    """Everything comparable in a picture."""
    assert picture is not None
    frame, overlays = picture.frame, picture.overlays
    floods = [
        (visible.cell_id, [(tuple(poly.xs), tuple(poly.ys)) for poly in visible.views])
        for flood in frame.floods()
        for visible in flood.cells
    ]
    drawn = [(lines.points.tolist(), lines.width) for lines in overlays.lines]
    eye = (frame.camera.block_id, frame.camera.eye, frame.camera.width, frame.camera.height)
    return eye, frame.root_id, len(frame.events), floods, drawn, [label.text for label in overlays.labels]


def state(view: View3D) -> object:
    """The state of the view and the document that taking a picture could change."""
    viewer, scene = view.viewer, view.scene
    assert viewer is not None
    assert scene is not None
    rig = viewer.rig
    return (
        view.last,
        view.camera.size,
        view.manipulation.ratio,
        (rig.eye, rig.heading, rig.pitch, rig.cell_id, rig.player_alpha),
        (viewer.choice, viewer.watch.changes, viewer.watch.root_id, viewer.seconds),
        viewer.manager.landscape.loadpoint,
        viewer.arrivals is not None and viewer.arrivals.is_busy,
        (scene.player_alpha, scene.viewer_lit, scene.seconds, scene.time_of_day),
        view.session.selection,
        view.document.tick,
    )


def test_ticks_and_edits_outdate_the_picture_without_tracing_sweeps(document: Document, view: View3D) -> None:
    changed = QSignalSpy(view.changed)
    document.tick_many(1)
    assert changed.count() == 1
    view.set_time_of_day(0.25)
    assert changed.count() == 2
    assert view.sweeps == []


def test_a_sweep_watch_does_not_repeat_the_documents_signals(document: Document) -> None:
    watch = SweepWatch(document)
    watch.look(True)
    told = QSignalSpy(watch.changed)
    document.tick_many(2)
    assert told.count() == 0


def test_the_last_sweeps_are_ready_when_the_view_reports_a_tick(document: Document, view: View3D) -> None:
    view.show_overlay(Overlay.CONTACT, True)
    found: list[int] = []
    view.changed.connect(lambda: found.append(len(view.sweeps)))
    document.tick_many(1, Controls(forward=1.0))
    assert found[-1] > 0


def test_see_returns_the_same_picture_twice_and_changes_nothing(document: Document, view: View3D) -> None:
    for overlay in (Overlay.ROOTS, Overlay.CONTACT):
        view.show_overlay(overlay, True)
    cell_id = document.sim.player.steered.place.cell_id
    document.session.select(Selection(Kind.CELL, document.sim.world.landblock_ids()[0], cell_id))
    view.prepare(*SIZE, 2.0)
    before = state(view)
    spies = [QSignalSpy(signal) for signal in (view.changed, view.switched, view.seen, view.hinted, view.camera.sent)]
    first, second = view.see(), view.see()
    assert contents(first) == contents(second)
    assert state(view) == before
    assert [spy.count() for spy in spies] == [0] * len(spies)


def test_publish_stores_the_picture_and_notifies_once(view: View3D) -> None:
    seen = QSignalSpy(view.seen)
    view.prepare(*SIZE)
    picture = view.see()
    assert (view.last, seen.count()) == (None, 0)
    view.publish(picture)
    assert view.last is picture
    assert seen.count() == 1


def test_prepare_follows_the_camera_and_the_simulation(document: Document, view: View3D) -> None:
    view.prepare(*SIZE)
    before = view.see()
    view.camera.step(0.1, ViewerInput(look=(40.0, 0.0)))
    document.tick_many(3)
    view.prepare(800.0, 600.0)
    after = view.see()
    assert contents(before) != contents(after)
    assert after is not None
    assert (after.camera.width, after.camera.height) == (800.0, 600.0)
    assert view.scene is not None
    assert view.scene.seconds == document.sim.seconds


def test_switching_the_camera_outdates_the_picture_and_the_controls(view: View3D) -> None:
    changed, switched = QSignalSpy(view.changed), QSignalSpy(view.switched)
    view.camera.look_through(View.FIRST_PERSON)
    assert view.camera.follows_player
    assert (changed.count(), switched.count()) == (1, 1)


def test_without_a_world_there_is_no_picture(document: Document, view: View3D) -> None:
    view.prepare(*SIZE)
    view.publish(view.see())
    document.session.simulation = None
    document.session.opened.emit()
    view.prepare(*SIZE)
    assert view.see() is None
    assert view.last is None
    assert (view.viewer, view.scene) == (None, None)
