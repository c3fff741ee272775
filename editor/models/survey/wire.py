"""Messages between the window and its worker process: a line of JSON with a block of bytes behind it.

Both ends are this program; the lengths keep a message that was cut off from being taken for a whole one.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

HEAD: Final = struct.Struct(">II")
"""The bytes of the JSON, and of the block behind it."""


@dataclass(frozen=True)
class Message:
    """What is said, by its name in "is", and bytes that go with it."""

    form: dict[str, Any]
    data: bytes = field(default=b"", repr=False)

    @property
    def kind(self) -> str:
        return str(self.form.get("is", ""))

    def packed(self) -> bytes:
        text = json.dumps(self.form).encode()
        return HEAD.pack(len(text), len(self.data)) + text + self.data


class Inbox:
    """Bytes as they come, messages as soon as they are whole."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def add(self, data: bytes) -> None:
        self._bytes += data

    def take(self) -> Iterator[Message]:
        """The whole messages so far."""
        while len(self._bytes) >= HEAD.size:
            text, block = HEAD.unpack_from(self._bytes)
            end = HEAD.size + text + block
            if len(self._bytes) < end:
                return
            form = json.loads(self._bytes[HEAD.size : HEAD.size + text])
            data = bytes(self._bytes[HEAD.size + text : end])
            del self._bytes[:end]
            yield Message(form, data)
