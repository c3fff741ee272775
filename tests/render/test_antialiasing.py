"""The number of samples for each choice, renderer and limit."""

from __future__ import annotations

import pytest

from engine.render.antialiasing import Antialiasing, choose_samples, is_software

CARD = "AMD Radeon RX 6600 (radeonsi, navi23)"
SOFTWARE = "llvmpipe (LLVM 15.0.6, 256 bits)"


@pytest.mark.parametrize(
    ("choice", "renderer", "most", "moving", "at_rest"),
    [
        (Antialiasing.AUTO, CARD, 8, 4, 4),
        (Antialiasing.AUTO, CARD, 2, 2, 2),
        (Antialiasing.AUTO, SOFTWARE, 4, 1, 4),
        (Antialiasing.AUTO, "softpipe", 0, 1, 1),
        (Antialiasing.OFF, CARD, 8, 1, 1),
        (Antialiasing.TWO, SOFTWARE, 4, 2, 2),
        (Antialiasing.EIGHT, CARD, 8, 8, 8),
    ],
)
def test_what_is_supported_is_used(choice: Antialiasing, renderer: str, most: int, moving: int, at_rest: int) -> None:
    assert choose_samples(choice, renderer, most) == (moving, at_rest, "")


def test_what_is_not_supported_gives_way_with_the_reason() -> None:
    assert choose_samples(Antialiasing.EIGHT, SOFTWARE, 4) == (
        4,
        4,
        f"Antialiasing 8x is not supported by {SOFTWARE}: drawn with 4x",
    )
    assert choose_samples(Antialiasing.TWO, CARD, 0).reason.endswith("drawn without")


def test_renderers_on_the_processor_are_known_by_name() -> None:
    assert [is_software(name) for name in (SOFTWARE, "Google SwiftShader", "Microsoft Basic Render Driver", CARD)] == [
        True,
        True,
        True,
        False,
    ]
