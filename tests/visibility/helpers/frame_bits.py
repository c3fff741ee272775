"""Draws frames of the demo world, flies through it, and prints a digest of all results, bit for bit.

`test_frame_bits` runs `python -m tests.visibility.helpers.frame_bits` under both cores and compares the digests.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

from engine.build.demo import SPOTS
from engine.geometry.vec import Vec3
from engine.visibility.camera import looking
from engine.visibility.events import Land, transcript
from engine.visibility.frame import FrameResult
from engine.visibility.free_cell import FreeCell
from engine.visibility.world_view import WorldView
from engine.world.cells.landdefs import get_outside_cell_id
from tests.visibility.helpers.flood_bits import lines_of
from tests.visibility.helpers.frames import EXACT, driver_of
from tests.visibility.helpers.worlds import VILLAGE, demo, eye_at

NO_NAMES: dict[int, str] = {}
FLIGHTS = 60


def frame_lines(frame: FrameResult) -> Iterator[str]:
    yield from transcript(frame.events, NO_NAMES)
    for event in frame.events:
        if isinstance(event, Land):
            yield f"{event.cells} {event.objects}"
    for flood in frame.floods() + frame.rejected:
        yield from lines_of(flood)


def spots() -> Iterator[str]:
    """Every spot, looking in several directions, in both kinds of frame."""
    driver = driver_of(demo())
    for number, name in enumerate(sorted(SPOTS)):
        cell_id, eye = eye_at(name)
        for heading in range(0, 360, 72):
            camera = looking(cell_id, eye, float(heading + number), -4.0, 1280.0, 800.0, 600.0)
            for options in (None, EXACT):
                yield from frame_lines(driver.frame_events(camera, cell_id, options))


def above() -> Iterator[str]:
    """Frames from the air."""
    driver, chance = driver_of(demo()), random.Random(3)
    for _ in range(40):
        eye = (chance.uniform(-50.0, 240.0), chance.uniform(-50.0, 240.0), chance.uniform(22.0, 60.0))
        camera = looking(VILLAGE, eye, chance.uniform(0.0, 360.0), chance.uniform(-60.0, 10.0), 640.0, 480.0, 240.0)
        yield from frame_lines(driver.frame_events(camera, get_outside_cell_id(VILLAGE, eye)))


def flights() -> Iterator[str]:
    """Flights of the free camera from spot to spot, through whatever is between."""
    chance = random.Random(4)
    names = sorted(SPOTS)
    for _ in range(FLIGHTS):
        free = FreeCell(WorldView(demo()))
        cell_id, eye = eye_at(chance.choice(names))
        free.place(cell_id, eye)
        for _ in range(40):
            x, y, z = free.eye
            way: Vec3 = (chance.uniform(-2.0, 2.0), chance.uniform(-2.0, 2.0), chance.uniform(-0.6, 0.6))
            free.update_free_cell((x + way[0], y + way[1], z + way[2]))
            place = [value.hex() for value in free.eye]
            yield f"{free.cell_id:08X} {place} {free.how} {free.others} {free.outside_all} {free.crossings}"


def main() -> None:
    for name, lines in (("spots", spots()), ("above", above()), ("flights", flights())):
        told = hashlib.sha256()
        count = 0
        for line in lines:
            told.update(line.encode())
            count += 1
        print(name, count, told.hexdigest())


if __name__ == "__main__":
    main()
