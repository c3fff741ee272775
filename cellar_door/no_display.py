"""`run_editor.py` on a machine without a display: walks through the demo world, and takes a picture of the window.

The exit code is 0 when the story went as it should, also where there is no picture because Qt lacks a library: a
sentence then names it. It is 1 when the story went otherwise, and 2 when a picture was taken and cannot be saved.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import Final

from cellar_door.libraries import missing_drawing_library
from cellar_door.virtual_display import place_for_pictures
from editor.commands.demo_walk import walk_the_demo
from editor.process.plain_text import visible
from editor.session.sources import DEMO

PICTURE: Final = "cellar-door.png"
"""Saved in the working directory of the command."""

STORY_FAILED: Final = 1


def tell_the_story(open_window: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    """`options` are the options of the window; they name no source."""
    _say("There is no display to open the window on (DISPLAY is not set), so here is a walk through the demo instead.")
    went_well = walk_the_demo(_say)
    missing = missing_drawing_library()
    if missing is not None:
        _say(f"There is no picture of the window: it needs {missing}, which this system lacks.")
        return 0 if went_well else STORY_FAILED
    options.source, options.screenshot = DEMO, os.path.abspath(PICTURE)
    with place_for_pictures():
        code = open_window(options)
    if code == 0:
        _say(f"A picture of the window is in {visible(options.screenshot)}")
    return code or (0 if went_well else STORY_FAILED)


def _say(line: str) -> None:
    print(line)
    sys.stdout.flush()  # the lines come as the ticks do
