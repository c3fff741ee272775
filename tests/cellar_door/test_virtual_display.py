"""A display of our own, where the machine has none."""

from __future__ import annotations

import os

import pytest

from cellar_door.virtual_display import NoDisplayError, display_environment, virtual_display
from tests.systems import chooses_display


@chooses_display
def test_two_displays_at_a_time_have_two_names() -> None:
    with virtual_display() as first, virtual_display() as second:
        assert first != second
        assert os.path.exists(f"/tmp/.X11-unix/X{first[1:]}")
    assert not os.path.exists(f"/tmp/.X11-unix/X{first[1:]}")


def test_without_xvfb_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoDisplayError, match="Xvfb, which could stand in for one, is not installed"), virtual_display():
        pass


def test_the_display_is_the_only_one_that_programs_see(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    environment = display_environment(":5")
    assert environment["DISPLAY"] == ":5"
    assert environment["QT_QPA_PLATFORM"] == "xcb"
    assert "WAYLAND_DISPLAY" not in environment
