"""Asking what Qt misses does not need a Qt that works."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cellar_door import libraries
from cellar_door.libraries import missing_drawing_library, missing_window_library
from tests.systems import chooses_display


def test_a_machine_that_was_set_up_misses_nothing() -> None:
    assert missing_drawing_library() is None
    assert missing_window_library() is None


@chooses_display
def test_the_library_that_the_loader_misses_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "libxcb-cursor.so.0: cannot open shared object file: No such file or directory"
    code = f"import sys; sys.exit({said!r})"
    monkeypatch.setattr(libraries, "bare_command", lambda module: [sys.executable, "-c", code])
    assert missing_window_library() == "libxcb-cursor.so.0"


def test_a_plugin_that_does_not_load_is_told_by_what_it_lacks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plugin = tmp_path / "PySide6" / "Qt" / "plugins" / "platforms" / "libqxcb.so"
    plugin.parent.mkdir(parents=True)
    plugin.write_bytes(b"no library")
    (tmp_path / "PySide6" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "PySide6", raising=False)
    missing = missing_window_library()
    assert sys.platform == "win32" or missing == str(plugin)


def test_a_qt_without_x11_misses_no_x11_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "PySide6").mkdir()
    (tmp_path / "PySide6" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "PySide6", raising=False)
    assert missing_window_library() is None
