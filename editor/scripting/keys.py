"""Keys as scripts write them: `W`, `WD run`, `forward right`."""

from __future__ import annotations

from typing import Final

from editor.scripting.errors import RefusedError
from engine.sim.tick.controls import Controls

FORWARD, ASIDE, TURN, RUN, JUMP = range(5)

WORDS: Final = {
    "forward": (FORWARD, 1.0),
    "back": (FORWARD, -1.0),
    "left": (ASIDE, -1.0),
    "right": (ASIDE, 1.0),
    "turn-left": (TURN, -1.0),
    "turn-right": (TURN, 1.0),
    "run": (RUN, 1.0),
    "jump": (JUMP, 1.0),
}
LETTERS: Final = {
    "W": "forward",
    "S": "back",
    "A": "turn-left",
    "D": "turn-right",
    "Z": "left",
    "C": "right",
}
"""The editor's keys, as the 3D view has them."""

Keys = str | Controls


def controls_of(keys: Keys, *, look: float = 0.0, use: int = 0) -> Controls:
    """The controls of a tick. Keys that pull both ways cancel each other."""
    if isinstance(keys, Controls):
        return keys
    if not isinstance(keys, str):
        raise TypeError(f"keys are a text such as 'W run', not {keys!r:.80}")
    values = [0.0] * 5
    for word in keys.split():
        names = [word] if word in WORDS else [LETTERS.get(letter, "") for letter in word]
        for name in names:
            if not name:
                letters = " ".join(LETTERS)
                raise RefusedError(f"{word!r} is no key; there are {letters} and the words {', '.join(WORDS)}")
            kind, value = WORDS[name]
            values[kind] = max(-1.0, min(1.0, values[kind] + value))
    forward, aside, turn, run, jump = values
    return Controls(forward, aside, turn, run != 0.0, jump != 0.0, use, look)
