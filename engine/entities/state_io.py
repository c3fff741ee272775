"""Writes, reads, hashes and names the simulation's state by one description of it.

A `visit_...` function names every value once: `body.velocity = io.vec("velocity", body.velocity)`. With a `StateWriter`
that packs the state into bytes (for snapshots and hashes), with a `StateReader` it puts packed state back, with a
`StateNamer` it lists the values by name (to say what differs). So the three cannot disagree.
"""

from __future__ import annotations

import struct
from typing import Final

from engine.geometry.plane import Plane
from engine.geometry.quat import Quat
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError

_HEADER: Final = "<III"
_HEADER_SIZE: Final = 12

STATE_VERSION: Final = 8
"""4: the twelve rules of physics.md 17.1. 5: fights of player killers (#36). 6: where a cell held a lost
body last (its #8). 7: the animations that move a body (its #4). 8: sines and powers by `elementary`. What came into
the state since 3 asks `io.version` first."""

OLDEST_STATE_VERSION: Final = 3


class StateIO:
    """A visitor of state. `reading`: what it answers differs from what it is given. `version`: of the state's form."""

    reading: bool
    hashing: bool
    version: int

    def __init__(self, reading: bool, hashing: bool = False) -> None:
        self.reading = reading
        self.hashing = hashing
        self.version = STATE_VERSION

    def section(self, name: str) -> None:
        """Start the section `name`."""

    def integer(self, name: str, value: int) -> int:
        raise NotImplementedError

    def real(self, name: str, value: float) -> float:
        raise NotImplementedError

    def blob(self, name: str, value: bytes) -> bytes:
        raise NotImplementedError

    def flag(self, name: str, value: bool) -> bool:
        return self.integer(name, 1 if value else 0) != 0

    def count(self, name: str, value: int) -> int:
        """Visit the number of items that follow, each of at least one value."""
        return self.integer(name, value)

    def vec(self, name: str, value: Vec3) -> Vec3:
        return (self.real(name, value[0]), self.real(name, value[1]), self.real(name, value[2]))

    def quat(self, name: str, value: Quat) -> Quat:
        return (
            self.real(name, value[0]),
            self.real(name, value[1]),
            self.real(name, value[2]),
            self.real(name, value[3]),
        )

    def plane(self, name: str, value: Plane) -> Plane:
        normal = self.vec(name, value.normal)
        d = self.real(name, value.d)
        return Plane(normal, d) if self.reading else value

    def integers(self, name: str, values: list[int]) -> list[int]:
        """A list of whole numbers, its length with it."""
        count = self.count(name, len(values))
        if not self.reading:
            for value in values:
                self.integer(name, value)
            return values
        return [self.integer(name, 0) for _ in range(count)]


class StateWriter(StateIO):
    """Packs the state: the same values give the same bytes on either core and in any process."""

    _integers: list[int]
    _reals: list[float]
    _blobs: list[bytes]

    def __init__(self, hashing: bool = False) -> None:
        """`hashing`: the bytes are only for a hash, so what is large and seldom changes may stand as its digest."""
        super().__init__(False, hashing)
        self._integers = []
        self._reals = []
        self._blobs = []

    def integer(self, name: str, value: int) -> int:
        self._integers.append(value)
        return value

    def real(self, name: str, value: float) -> float:
        self._reals.append(value)
        return value

    def vec(self, name: str, value: Vec3) -> Vec3:
        reals = self._reals  # all at once: most of the state are vectors, and a hash is taken every tick
        reals.append(value[0])
        reals.append(value[1])
        reals.append(value[2])
        return value

    def quat(self, name: str, value: Quat) -> Quat:
        reals = self._reals
        reals.append(value[0])
        reals.append(value[1])
        reals.append(value[2])
        reals.append(value[3])
        return value

    def integers(self, name: str, values: list[int]) -> list[int]:
        self._integers.append(len(values))
        self._integers.extend(values)
        return values

    def blob(self, name: str, value: bytes) -> bytes:
        self._blobs.append(value)
        self._integers.append(len(value))
        return value

    def packed(self) -> bytes:
        integers = self._integers
        reals = self._reals
        parts: list[bytes] = [
            struct.pack(_HEADER, len(integers), len(reals), len(self._blobs)),
            struct.pack(f"<{len(integers)}q", *integers),
            struct.pack(f"<{len(reals)}d", *reals),
        ]
        parts.extend(self._blobs)
        return b"".join(parts)


def start_of_blobs(packed: bytes) -> int:
    """Return the offset of the blobs in packed state; large values that seldom change come last."""
    if len(packed) < _HEADER_SIZE:
        raise PhysicsError("the saved state is cut off")
    counts = struct.unpack(_HEADER, packed[:_HEADER_SIZE])
    return min(_HEADER_SIZE + 8 * (int(counts[0]) + int(counts[1])), len(packed))


class StateReader(StateIO):
    """Gives packed state back, value by value in the order in which it was written."""

    _integers: list[int]
    _reals: list[float]
    _rest: bytes
    _next_integer: int
    _next_real: int
    _next_byte: int

    def __init__(self, packed: bytes) -> None:
        super().__init__(True)
        if len(packed) < _HEADER_SIZE:
            raise PhysicsError("the saved state is cut off")
        counts = struct.unpack(_HEADER, packed[:_HEADER_SIZE])
        integers = int(counts[0])
        reals = int(counts[1])
        start = _HEADER_SIZE + 8 * integers
        end = start + 8 * reals
        if len(packed) < end:
            raise PhysicsError("the saved state is cut off")
        self._integers = list(struct.unpack(f"<{integers}q", packed[_HEADER_SIZE:start]))
        self._reals = list(struct.unpack(f"<{reals}d", packed[start:end]))
        self._rest = packed[end:]
        self._next_integer = 0
        self._next_real = 0
        self._next_byte = 0

    def integer(self, name: str, value: int) -> int:
        place = self._next_integer
        if place >= len(self._integers):
            raise PhysicsError(f"the saved state ends before {name}")
        self._next_integer = place + 1
        return self._integers[place]

    def real(self, name: str, value: float) -> float:
        place = self._next_real
        if place >= len(self._reals):
            raise PhysicsError(f"the saved state ends before {name}")
        self._next_real = place + 1
        return self._reals[place]

    def count(self, name: str, value: int) -> int:
        count = self.integer(name, value)
        left = len(self._integers) - self._next_integer + len(self._reals) - self._next_real
        if not 0 <= count <= left:  # or room for it would be made before anybody sees that nothing comes
            raise PhysicsError(f"the saved state ends before {name}")
        return count

    def blob(self, name: str, value: bytes) -> bytes:
        size = self.integer(name, 0)
        start = self._next_byte
        if size < 0 or start + size > len(self._rest):
            raise PhysicsError(f"the saved state ends before {name}")
        self._next_byte = start + size
        return self._rest[start : start + size]

    def check_end(self) -> None:
        """Everything has been read."""
        left = len(self._integers) - self._next_integer + len(self._reals) - self._next_real
        if left != 0 or self._next_byte != len(self._rest):
            raise PhysicsError("the saved state is longer than this world's")


class StateNamer(StateIO):
    """Lists the state: a name like "player.velocity" with each value as text, in the order of the visit."""

    values: list[tuple[str, str]]
    _section: str

    def __init__(self) -> None:
        super().__init__(False)
        self.values = []
        self._section = ""

    def section(self, name: str) -> None:
        self._section = name

    def _add(self, name: str, text: str) -> None:
        self.values.append((f"{self._section}.{name}", text))

    def integer(self, name: str, value: int) -> int:
        self._add(name, str(value))
        return value

    def real(self, name: str, value: float) -> float:
        self._add(name, repr(value))
        return value

    def blob(self, name: str, value: bytes) -> bytes:
        self._add(name, value.hex())
        return value

    def flag(self, name: str, value: bool) -> bool:
        self._add(name, "yes" if value else "no")
        return value

    def vec(self, name: str, value: Vec3) -> Vec3:
        self._add(name, repr(value))
        return value

    def quat(self, name: str, value: Quat) -> Quat:
        self._add(name, repr(value))
        return value

    def plane(self, name: str, value: Plane) -> Plane:
        self._add(name, repr(value))
        return value

    def integers(self, name: str, values: list[int]) -> list[int]:
        self._add(name, ", ".join([f"0x{value:08X}" for value in values]))
        return values
