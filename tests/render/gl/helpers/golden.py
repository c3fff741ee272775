"""The golden pictures of the demo world, in `tests/render/golden`.

`python -m tests.render.gl.helpers.golden` redraws them after an intended change of the picture. Inspect them before
committing.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtGui import QImage

from editor.pictures.contexts import offscreen_context
from engine.render.gl.renderer import STANDARD
from tests.render.gl.helpers.demo_pictures import DemoPictures, Look, Picture

FOLDER = Path(__file__).resolve().parents[2] / "golden"

GOLDEN: dict[str, tuple[Look, bool, float]] = {
    "parlour": (Look("cottage_parlour"), True, 0.5),
    "kitchen_to_parlour": (Look("cottage_kitchen", 182.0), False, 0.5),
    "inn_common_room": (Look("inn_common_room"), False, 0.5),
    "inn_window": (Look("inn_common_room", 175.0), True, 0.5),
    "upstairs": (Look("upstairs"), True, 0.5),
    "cellar": (Look("cellar"), False, 0.5),
    "dungeon_passage": (Look("dungeon_start"), True, 0.5),
    "great_hall": (Look("great_hall"), False, 0.5),
    "pit": (Look("pit", 0.0, 60.0), True, 0.5),
    "street": (Look("street"), False, 0.5),
    "street_evening": (Look("street", -30.0), False, 0.75),
    "garden": (Look("garden", -20.0, 15.0), True, 0.5),
    "stream": (Look("stream", 60.0), False, 0.5),
    "through_the_crossing": (Look("crossing_outside"), True, 0.5),
    "out_of_the_crossing": (Look("crossing"), False, 0.5),
}
"""By name: the spot, whether in exact mode, and the time of day."""

MEAN = 0.2
"""How much two pictures may differ on average, out of 255. A shift by one pixel makes 2 or more."""
FAR = 24
MOST_FAR = 0.0005
"""The share of pixels that may differ by more than FAR."""


def draw(demo: DemoPictures, name: str) -> Picture:
    look, exact, time = GOLDEN[name]
    demo.stand_at(look)
    demo.scene.time_of_day = time
    demo.scene.forget_light()  # another picture may have seen all of it by another
    picture = demo.look(look, exact, replace(STANDARD, without=demo.player))
    demo.scene.time_of_day = 0.5
    demo.stand_aside()
    return picture


def difference(a: Picture, b: Picture) -> tuple[float, float]:
    """The mean difference of the channels, and the share of pixels that differ by more than FAR."""
    apart = np.abs(a.astype(np.int16) - b.astype(np.int16))
    return float(apart.mean()), float((apart.max(axis=2) > FAR).mean())


def same(a: Picture, b: Picture) -> bool:
    mean, far = difference(a, b)
    return mean <= MEAN and far <= MOST_FAR


def load(name: str) -> Picture:
    image = QImage(str(FOLDER / f"{name}.png")).convertToFormat(QImage.Format.Format_RGBX8888)
    pixels = np.array(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    picture: Picture = pixels[:, :, :3]
    return picture


def save(name: str, picture: Picture) -> None:
    pixels = np.ascontiguousarray(picture)
    height, width = pixels.shape[:2]
    image = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    if not image.save(str(FOLDER / f"{name}.png")):
        raise OSError(f"{FOLDER / name}.png cannot be written")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    with offscreen_context():
        demo = DemoPictures()
        for name in GOLDEN:
            save(name, draw(demo, name))
            print(name)
        demo.close()


if __name__ == "__main__":
    main()
