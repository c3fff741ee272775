"""The input of a camera between two frames: plain numbers, whatever keys and buttons they came from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ViewerInput:
    """Everything since the last update.

    `look` and `orbit` are the degrees that the view turns, to the right and upwards: on the spot, and around the
    target. A camera that can only do one of the two takes both for it. `move` is how far the keys to the right, forward
    and up are pressed, each from −1 to 1. `dolly` counts steps of the wheel, nearer is positive. `pan` moves the
    picture, to the right and down, in parts of its height. `steering`: the mouse turns the player, so a camera behind
    him keeps up with it. `looking_around`: the mouse holds the camera where it is around him.
    """

    look: tuple[float, float] = (0.0, 0.0)
    orbit: tuple[float, float] = (0.0, 0.0)
    move: tuple[float, float, float] = (0.0, 0.0, 0.0)
    dolly: float = 0.0
    pan: tuple[float, float] = (0.0, 0.0)
    fast: bool = False
    steering: bool = False
    looking_around: bool = False


STILL = ViewerInput()
