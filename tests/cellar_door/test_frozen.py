"""Windows' program for the desktop has no output: what it refuses, or is asked to say, is shown in a box."""

from __future__ import annotations

import sys

import pytest

import engine
from cellar_door import frozen


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the boxes, with the streams as that program has them."""
    texts: list[str] = []
    monkeypatch.setattr(frozen, "_show", texts.append)
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    return texts


def start(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["cellar-door-window.exe", *words])
    return frozen._without_a_terminal()


def test_what_it_refuses_is_in_the_box(monkeypatch: pytest.MonkeyPatch, shown: list[str]) -> None:
    assert start(monkeypatch, "inspect", "no-such-file.cdrec") == 2
    (text,) = shown
    assert text.startswith("Cellar Door: ")
    assert "no-such-file.cdrec" in text


def test_words_that_it_does_not_know_are_in_the_box(monkeypatch: pytest.MonkeyPatch, shown: list[str]) -> None:
    assert start(monkeypatch, "--no-such-option") == 2
    assert "--no-such-option" in shown[0]


def test_the_version_is_in_the_box(monkeypatch: pytest.MonkeyPatch, shown: list[str]) -> None:
    assert start(monkeypatch, "--version") == 0
    assert shown[0].startswith(f"Cellar Door {engine.__version__}\n")


def test_what_went_well_shows_no_box(monkeypatch: pytest.MonkeyPatch, shown: list[str]) -> None:
    assert start(monkeypatch, "inspect", "demo") == 0
    assert shown == []
