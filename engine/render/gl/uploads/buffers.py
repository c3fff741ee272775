"""Buffers of OpenGL that follow arrays in memory: only what changed is sent again."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.render.gl import api

GAP: Final = 4096
"""Bytes; changes that lie no farther apart are sent as one."""


class Mirror:
    """A growing array of rows of one type whose changes reach a buffer of OpenGL at `upload`.

    The array outlives the context: after `invalidate` everything is sent again.
    """

    def __init__(self, what: str, target: int, dtype: Any, capacity: int = 1024) -> None:
        self.what = what
        self._target = target
        self._dtype = dtype
        self.array: NDArray[Any] = np.zeros(capacity, dtype)
        self.size = 0
        self.buffer = 0
        self.sent_bytes = 0
        """All that was ever sent, for tests and figures."""
        self._buffer_capacity = 0
        self._dirty: list[tuple[int, int]] = []

    def reserve(self, size: int) -> None:
        """Make room for `size` elements in all."""
        if size > len(self.array):
            grown = np.zeros(max(size, 2 * len(self.array)), self._dtype)
            grown[: self.size] = self.array[: self.size]
            self.array = grown
        self.size = max(self.size, size)

    def write(self, start: int, values: NDArray[Any]) -> None:
        """Put values at a place; they are sent at the next `upload`."""
        end = start + len(values)
        self.reserve(end)
        self.array[start:end] = values
        self.touch(start, end)

    def touch(self, start: int, end: int) -> None:
        """Note that these items of `array` itself were changed."""
        if start < end:
            self._dirty.append((start, end))

    @property
    def is_sent(self) -> bool:
        """Nothing has changed since the last upload."""
        return not self._dirty and self.buffer != 0

    def upload(self) -> bool:
        """Send what changed; True when the buffer is a new one, to which vertex arrays have to be pointed again."""
        if self.is_sent:
            return False
        with api.doing(f"sending {self.what}"):
            if not self.buffer:
                self.buffer = api.make(api.gen_buffers)
                self._buffer_capacity = 0
            api.bind_buffer(self._target, self.buffer)
            width = self.array.strides[0]
            if self._buffer_capacity < len(self.array):
                self._buffer_capacity = len(self.array)
                api.buffer_data(self._target, self.array.nbytes, self.array, api.DYNAMIC_DRAW)
                self.sent_bytes += self.array.nbytes
                self._dirty.clear()
                return True
            for start, end in merged(self._dirty, max(1, GAP // width)):
                api.buffer_sub_data(self._target, start * width, (end - start) * width, self.array[start:end])
                self.sent_bytes += (end - start) * width
        self._dirty.clear()
        return False

    def invalidate(self) -> None:
        """The context is gone, and the buffer with it."""
        self.buffer = 0
        self._buffer_capacity = 0
        self._dirty.clear()

    def close(self) -> None:
        if self.buffer:
            with api.doing(f"giving back {self.what}"):
                api.drop(api.delete_buffers, self.buffer)
        self.invalidate()


class Stream:
    """A buffer that is rewritten for every use: the polygons of a frame."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.buffer = 0

    def send(self, values: NDArray[Any]) -> None:
        """Bind it and replace its content; draws in progress keep the old content."""
        with api.doing(f"sending {self.what}"):
            if not self.buffer:
                self.buffer = api.make(api.gen_buffers)
            api.bind_buffer(api.ARRAY_BUFFER, self.buffer)
            api.buffer_data(api.ARRAY_BUFFER, values.nbytes, values, api.STREAM_DRAW)

    def invalidate(self) -> None:
        self.buffer = 0

    def close(self) -> None:
        if self.buffer:
            with api.doing(f"giving back {self.what}"):
                api.drop(api.delete_buffers, self.buffer)
        self.invalidate()


def merged(spans: list[tuple[int, int]], gap: int) -> list[tuple[int, int]]:
    """The spans in order, those that overlap or lie closer than `gap` as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start - found[-1][1] <= gap:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


class Space:
    """Allocates parts of a growing array: first fit, neighbouring free parts merge."""

    def __init__(self) -> None:
        self.end = 0
        self._free: list[tuple[int, int]] = []

    def take(self, size: int) -> int:
        """The start of `size` free places in a row."""
        for index, (start, end) in enumerate(self._free):
            if end - start >= size:
                if end - start == size:
                    del self._free[index]
                else:
                    self._free[index] = (start + size, end)
                return start
        start = self.end
        self.end += size
        return start

    def give(self, start: int, size: int) -> None:
        """These places are free again."""
        if size:
            self._free = merged([*self._free, (start, start + size)], 0)
            if self._free[-1][1] == self.end:
                self.end = self._free.pop()[0]
