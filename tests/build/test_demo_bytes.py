"""The demo world's files have the same bytes on every system and with either core."""

from __future__ import annotations

import hashlib
from typing import Final

from engine.build.demo import ensure_demo

DIGESTS: Final = {
    "client_cell_1.dat": "869d9f87355019dda4a1e7095e01e1010f176ab7ee6beedb03e2c120739f8075",
    "client_portal.dat": "5ceeaa38f9a3b74eed69f1a03269c767ccb7db4ae21098c9abe33851b713a4d6",
    "entities.json": "acbe4f29a09981043c27840a9164e4ed895e26bee2f2d94e7e297d73e61d0d31",
    "names.json": "f1deffaa6e2ed4aed801991805cbea9490b2f96cbbaa82a1b85053889bade573",
    "spots.json": "ac9d4acd0ddac6cfd9fb2e0f69349161523919aaa8b247e876ebfc74649cba05",
}
"""SHA-256 of each file, on Linux and Windows. A change of the demo's description changes them; nothing else may."""


def test_the_files_have_the_bytes_that_they_have_everywhere() -> None:
    folder = ensure_demo()
    assert {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in DIGESTS} == DIGESTS
