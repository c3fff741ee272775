"""All overlays over frames of the demo world: each shows something where it should, and none breaks where it has
nothing to show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.build.demo import SPOTS, ensure_demo
from engine.render.overlays.catalogue import TITLES, Overlay, Subject, draw_overlays
from engine.render.viewer.comparison import compare_roots
from engine.sim.edits.player import Teleport
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.recorder import TraceRecorder
from engine.visibility.camera import focal_of_fov, looking
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver
from engine.visibility.world_view import WorldView
from engine.world.graph.graph import NO_CELL
from engine.world.loader import open_world


class Demo:
    """The demo world with the player in the parlour and one of his sweeps."""

    def __init__(self) -> None:
        self.sim = Simulation(open_world(ensure_demo()))
        self.world = self.sim.world
        spot = SPOTS["cottage_parlour"]
        self.sim.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
        recorder = TraceRecorder()
        self.sim.watch(self.sim.player.id, recorder)
        self.sim.tick(Controls(forward=1.0))
        self.sweeps = recorder.sweeps
        self.driver = FrameDriver(WorldView(self.world), Visibility(self.world.graph))

    def subject(self, place: str, selected: int = NO_CELL) -> Subject:
        spot = SPOTS[place]
        x, y, z = spot.origin
        camera = looking(spot.cell_id, (x, y, z + 1.5), spot.heading, 0.0, 640.0, 400.0, focal_of_fov(400.0, 1.178))
        self.world.graph.get_visible(spot.cell_id)
        frame = self.driver.frame_events(camera, spot.cell_id)
        spheres = self.sim.player.steered.spheres
        compared = compare_roots(self.driver, camera, self.sim.player.place_cell(), spot.cell_id)
        graph, floods = self.world.graph, frame.floods()
        return Subject(graph, camera, frame.root_id, floods, selected, self.sweeps, spheres, compared=compared)


@pytest.fixture(scope="module")
def demo() -> Iterator[Demo]:
    made = Demo()
    yield made
    made.sim.close()
    made.world.loaded.close()


def drawn(subject: Subject, overlay: Overlay) -> bool:
    """Whether it shows something, instead of only reporting that it has nothing to show."""
    shown = draw_overlays([overlay], subject)
    return not shown.is_empty and not any(label.text.startswith(f"{TITLES[overlay][0]}:") for label in shown.labels)


def test_every_overlay_has_a_title_and_a_description() -> None:
    assert set(TITLES) == set(Overlay)


@pytest.mark.parametrize("overlay", list(Overlay))
def test_indoors_every_overlay_shows_something(demo: Demo, overlay: Overlay) -> None:
    assert drawn(demo.subject("inn_common_room"), overlay)


@pytest.mark.parametrize("overlay", [overlay for overlay in Overlay if overlay is not Overlay.TREES])
def test_from_the_street_overlays_show_the_rooms_behind_openings(demo: Demo, overlay: Overlay) -> None:
    assert drawn(demo.subject("cottage_outside_front_door"), overlay)


def test_an_empty_overlay_reports_what_it_waits_for(demo: Demo) -> None:
    """On the street with its back to the houses; the player has not moved."""
    subject = replace(demo.subject("southern_border"), sweeps=[])
    wanted = [Overlay.TREES, Overlay.STAB, Overlay.ORDER, Overlay.CONTACT]
    words = [label.text for label in draw_overlays(wanted, subject).labels]
    assert words == [
        "Cell Tree Planes: select a room: land has no tree",
        "Stab List Reach: look from a room, or at the openings of a building",
        "Draw Order: no room is seen",
        "Contact and Sweep: let the player take a step",
    ]


def test_from_the_street_the_overlay_shows_the_openings_stab_lists(demo: Demo) -> None:
    subject = demo.subject("cottage_outside_front_door")
    listed = {
        cell_id
        for flood in subject.floods
        if flood.building is not None
        for cell_id in flood.building.portals[flood.portal_index].stab_list
    }
    words = {label.text for label in draw_overlays([Overlay.STAB], subject).labels}
    seen = subject.visible
    assert listed > seen
    assert words == {f"{cell_id & 0xFFFF:04X} {'seen' if cell_id in seen else 'listed'}" for cell_id in listed}


def test_comparing_roots_shows_cells_that_only_one_of_them_sees(demo: Demo) -> None:
    """The player in the parlour, the eye in the kitchen."""
    subject = demo.subject("cottage_kitchen")
    compared = subject.compared
    assert compared is not None
    assert compared.only_viewer
    words = [label.text for label in draw_overlays([Overlay.ROOTS], subject).labels]
    assert {f"{cell_id & 0xFFFF:04X} viewer's root only" for cell_id in compared.only_viewer} <= set(words)
    assert words[-1].startswith(f"both see {len(compared.both)}, only the player's root 0xC95B0101")
    same = [label.text for label in draw_overlays([Overlay.ROOTS], demo.subject("cottage_parlour")).labels]
    assert same == ["player and viewer have the same root 0xC95B0101"]


def test_trees_and_portals_are_those_of_the_selected_cell(demo: Demo) -> None:
    cell_id = SPOTS["inn_common_room"].cell_id
    shown = draw_overlays([Overlay.TREES, Overlay.PORTALS], demo.subject("inn_common_room", cell_id))
    low = f"{cell_id & 0xFFFF:04X}."
    assert any(label.text.startswith(low) for label in shown.labels)
    assert any(label.text.startswith("✓ plane") for label in shown.labels)


def test_without_a_cell_or_a_frame_overlays_show_nothing(demo: Demo) -> None:
    full = demo.subject("inn_common_room")
    assert draw_overlays(Overlay, Subject(full.graph, full.camera, NO_CELL, [])).is_empty


def test_all_overlays_together_make_few_batches(demo: Demo) -> None:
    shown = draw_overlays(Overlay, demo.subject("inn_common_room"))
    assert len(shown.lines) + len(shown.triangles) < 60
