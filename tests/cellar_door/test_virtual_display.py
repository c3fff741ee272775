"""A display of our own, where the machine has none."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from cellar_door.virtual_display import (
    NoDisplayError,
    display_environment,
    in_memory,
    memory_environment,
    place_for_tests,
    virtual_display,
)
from tests.systems import chooses_display


@chooses_display
@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="there is no Xvfb")
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


def test_memory_has_a_screen_of_the_same_size_and_no_display(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISPLAY", ":5")
    environment = memory_environment(tmp_path)
    platform, _, file = environment["QT_QPA_PLATFORM"].partition(":configfile=")
    (screen,) = json.loads(Path(file).read_text(encoding="utf-8"))["screens"]
    assert (platform, screen["width"], screen["height"]) == ("offscreen", 1920, 1200)
    assert "DISPLAY" not in environment


def test_without_xvfb_tests_have_their_windows_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with place_for_tests() as environment:
        assert in_memory(environment)


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="there is no Xvfb")
def test_with_xvfb_tests_have_a_display() -> None:
    with place_for_tests() as environment:
        assert not in_memory(environment)
        assert os.path.exists(f"/tmp/.X11-unix/X{environment['DISPLAY'][1:]}")
