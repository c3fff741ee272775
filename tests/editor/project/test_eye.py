"""The view that a project keeps: read back as it was, and ignored when it makes no sense."""

from __future__ import annotations

import json
import math

import pytest

from editor.project.eye import Eye, eye_form, read_eye


def test_an_eye_reads_back_bit_by_bit() -> None:
    eye = Eye(0xC95B0104, (60.1 / 3.0, 17.25, -3e-9), 359.75, -12.5)
    assert read_eye(json.loads(json.dumps(eye_form(eye)))) == eye


@pytest.mark.parametrize(
    "value",
    [
        None,
        "0x00070100",
        [],
        ["0x00070100", 1.0, 2.0, 3.0, 4.0],
        ["nonsense", 1.0, 2.0, 3.0, 4.0, 5.0],
        ["0x0", 1.0, 2.0, 3.0, 4.0, 5.0],
        ["0x1FFFFFFFF", 1.0, 2.0, 3.0, 4.0, 5.0],
        ["0x00070100", math.nan, 2.0, 3.0, 4.0, 5.0],
        ["0x00070100", 1e300, 2.0, 3.0, 4.0, 5.0],
        ["0x00070100", 10**400, 2.0, 3.0, 4.0, 5.0],
        ["0x00070100", "1", 2.0, 3.0, 4.0, 5.0],
    ],
)
def test_an_eye_that_makes_no_sense_is_none(value: object) -> None:
    assert read_eye(value) is None
