"""100,000 arguments for the functions of `elementary`, everyday, extreme and odd ones, and a digest of the answers.

`python -m tests.geometry.elementary_vector` prints the digest: it is the same on every system and core.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterator
from typing import Final

from engine.geometry import elementary

EACH: Final = 10_000
DIGEST: Final = "3d117d439697e2743a18dccf781a695c"
"""Of all answers, on every system."""

ONE: Final[dict[str, Callable[[float], float]]] = {
    "sin": elementary.sin,
    "cos": elementary.cos,
    "tan": elementary.tan,
    "asin": elementary.asin,
    "acos": elementary.acos,
    "log2": elementary.log2,
}
TWO: Final[dict[str, Callable[[float, float], float]]] = {
    "atan2": elementary.atan2,
    "power": elementary.power,
    "power of a few": elementary.power,
    "hypot": elementary.hypot,
}
ODD: Final = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    5e-324,
    1e-310,
    1.7976931348623157e308,
    float("inf"),
    float("-inf"),
    float("nan"),
)
WORD: Final = (1 << 64) - 1


class Dice:
    """Whole numbers of 64 bits (splitmix64), the same in every version of Python."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def word(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & WORD
        z = self._state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
        return z ^ (z >> 31)

    def part(self) -> float:
        """From 0 to 1."""
        return (self.word() >> 11) * 2.0**-53

    def any_float(self) -> float:
        """Any bits but those of what is no number."""
        found: float = struct.unpack("<d", struct.pack("<Q", self.word()))[0]
        return found if found - found == 0.0 else 1.0


def arguments(name: str, seed: int = 1, count: int = EACH) -> Iterator[tuple[float, ...]]:
    """The arguments of one function: most near to what the engine asks, some of every size, some odd."""
    dice = Dice(seed)
    for number in range(count):
        kind = number % 10
        yield tuple(_argument(name, dice, kind, place) for place in range(2 if name in TWO else 1))


def _argument(name: str, dice: Dice, kind: int, place: int) -> float:
    if kind == 0:
        return ODD[dice.word() % len(ODD)]
    if kind == 1 and name not in ("asin", "acos"):
        found = dice.any_float()
        return abs(found) if name in ("log2", "power") and place == 0 else found
    part = dice.part()
    if name in ("asin", "acos"):
        return 2.0 * part - 1.0 if kind > 2 else (1.0 - part * 1e-9 if kind == 1 else part * 1e-9)
    if name == "power of a few":
        return part if place == 0 else part / 15.0
    if name in ("log2", "power"):
        return part * 10.0 if place == 0 else part * 60.0 - 30.0
    if kind == 2:
        # next to multiples of a quarter turn, where sines lose their first digits
        return float(dice.word() % 1000) * 1.5707963267948966 * (1.0 + (part - 0.5) * 4e-16)
    return (part - 0.5) * (8.0 if kind < 7 else 2000.0)


def answer(name: str, values: tuple[float, ...]) -> float | str:
    """What a function says, or the name of its error."""
    try:
        return ONE[name](*values) if name in ONE else TWO[name](*values)
    except (ValueError, OverflowError) as error:
        return type(error).__name__


def digest() -> str:
    out = hashlib.blake2b(digest_size=16)
    for name in (*ONE, *TWO):
        for values in arguments(name):
            found = answer(name, values)
            if isinstance(found, str):
                out.update(found.encode())
            elif found != found:
                out.update(b"nan")  # which one of them is the processor's business
            else:
                out.update(struct.pack("<d", found))
    return out.hexdigest()


if __name__ == "__main__":
    print(digest())
