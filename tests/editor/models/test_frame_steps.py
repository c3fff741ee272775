"""The steps of a frame in words."""

from __future__ import annotations

from editor.models.pview.frame_steps import event_words, steps_line
from engine.build.demo import SPOTS
from engine.visibility.camera import focal_of_screen, looking
from engine.visibility.events import AlphaFlush, Shell, Sun
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameResult
from engine.visibility.store import CellManager
from engine.visibility.world_view import WorldView
from tests.visibility.helpers.worlds import demo


def frame_at(place: str) -> FrameResult:
    world, spot = demo(), SPOTS[place]
    x, y, z = spot.origin
    CellManager(world.graph).change_position(spot.cell_id, spot.origin)
    eye = (x, y, z + 1.5)
    camera = looking(spot.cell_id, eye, spot.heading, 0.0, 640.0, 400.0, focal_of_screen(640.0, 400.0))
    return FrameDriver(WorldView(world), Visibility(world.graph)).frame_events(camera, spot.cell_id)


def test_a_line_says_which_step_of_how_many_was_the_last() -> None:
    frame = frame_at("cottage_parlour")
    count = len(frame.events)
    number = next(n for n, event in enumerate(frame.events, 1) if isinstance(event, Shell))
    assert steps_line(frame, number).startswith(f"{number} of {count}: Shell 0xC95B01")
    assert steps_line(frame, 0) == f"0 of {count}: nothing yet"
    assert steps_line(frame, count + 5) == f"{count} of {count}: Alpha flush"


def test_every_event_has_words() -> None:
    for place in ("cottage_parlour", "street", "great_hall"):
        for event in frame_at(place).events:
            words = event_words(event)
            assert words[0].isupper()
            assert len(words) < 40
    assert event_words(Sun(True)) == "Sun on"
    assert event_words(AlphaFlush(0.75)) == "Alpha flush if 75% full"
