"""Paths as they are typed, pasted and dropped, in the form of the system."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl

from ui.widgets.paths import dropped_paths, native, typed_path

WINDOWS = sys.platform == "win32"


@pytest.mark.parametrize("around", ["{}", "  {} ", '"{}"', "'{}'", ' "{}"\n'])
def test_a_pasted_path_may_have_quotes_and_spaces_around_it(tmp_path: Path, around: str) -> None:
    path = tmp_path / "my worlds" / "it's here"
    assert typed_path(around.format(path)) == str(path)


def test_quotes_that_belong_to_a_name_stay() -> None:
    assert typed_path("it's") == "it's"
    assert typed_path("'a' and \"b\"") == "'a' and \"b\""
    assert typed_path('"') == '"'
    assert typed_path("  ") == ""


def test_a_url_of_a_file_is_its_path(tmp_path: Path) -> None:
    path = tmp_path / "Keller Tür.cellardoor"
    assert typed_path(QUrl.fromLocalFile(str(path)).toString()) == str(path)
    assert typed_path(bytes(QUrl.fromLocalFile(str(path)).toEncoded().data()).decode()) == str(path)


def test_a_tilde_is_the_home_folder() -> None:
    assert typed_path("~") == native(os.path.expanduser("~"))
    assert typed_path("~/worlds") == str(Path.home() / "worlds")


def test_separators_are_those_of_the_system() -> None:
    assert native("C:/worlds/demo") == ("C:\\worlds\\demo" if WINDOWS else "C:/worlds/demo")
    assert typed_path("C:\\worlds/demo") == ("C:\\worlds\\demo" if WINDOWS else "C:\\worlds/demo")


def test_only_files_of_this_computer_are_dropped(tmp_path: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl("https://example.org/a.json"), QUrl.fromLocalFile(str(tmp_path))])
    assert dropped_paths(mime) == [str(tmp_path)]
