"""`bench view`, its part on antialiasing and the sky: processor time of all threads for a frame drawn and read back,
which Mesa's rasteriser spends on pixels, and which other programs hardly change. With a graphics card it says little.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from benchmarks.figures import Figure
from engine.build.demo import SPOTS
from engine.render.antialiasing import ONE_SAMPLE
from engine.render.gl.offscreen import OffscreenTarget
from engine.visibility.camera import focal_of_screen, looking
from engine.visibility.frame import FrameOptions, FrameResult

if TYPE_CHECKING:
    from benchmarks.picture import Pictures

REPEATS: Final = 15
SAMPLES: Final = (ONE_SAMPLE, 2, 4)
HOURS: Final = {"noon": 0.5, "dusk": 0.775, "night": 0.0}
EYE_HEIGHT: Final = 1.5
STREET: Final = "street"
UP: Final = 50.0
"""Degrees; nearly all of the picture is sky then."""


def figures(pictures: Pictures, places: dict[str, tuple[str, float]]) -> list[Figure]:
    size = (pictures.target.width, pictures.target.height)
    found = []
    for samples in SAMPLES:
        target = OffscreenTarget(*size, samples)
        for name, (place, turn) in places.items():
            pictures.go(place)
            frame = pictures.events(place, turn, False)
            found.append(Figure(f"{name}: {samples} samples, processor", _busy(pictures, target, frame), "ms"))
        if samples != 2:
            found += _sky(pictures, target, samples)
        target.close()
    return found


def _sky(pictures: Pictures, target: OffscreenTarget, samples: int) -> list[Figure]:
    found = []
    pictures.go(STREET)
    for words, pitch in (("level", 0.0), ("up", UP)):
        frame = _looking_up(pictures, pitch)
        for hour, time_of_day in HOURS.items():
            pictures.scene.time_of_day = time_of_day
            name = f"street, looking {words}, {hour}: {samples} samples, processor"
            found.append(Figure(name, _busy(pictures, target, frame), "ms"))
    pictures.scene.time_of_day = HOURS["noon"]
    return found


def _looking_up(pictures: Pictures, pitch: float) -> FrameResult:
    spot, (width, height) = SPOTS[STREET], (float(pictures.target.width), float(pictures.target.height))
    x, y, z = spot.origin
    eye, focal = (x, y, z + EYE_HEIGHT), focal_of_screen(width, height)
    camera = looking(spot.cell_id, eye, spot.heading, pitch, width, height, focal)
    return pictures.driver.frame_events(camera, spot.cell_id, FrameOptions(False))


def _busy(pictures: Pictures, target: OffscreenTarget, frame: FrameResult) -> float:
    """Milliseconds of the quickest."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        pictures.scene.update()
        pictures.renderer.draw(frame, target.framebuffer)
        target.pixels()
        times.append(time.process_time() - start)
    return min(times) * 1000.0
