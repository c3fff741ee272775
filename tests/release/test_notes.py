"""The notes of a release are the section of its version, and there is one for the version of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

import engine
from release.errors import ReleaseError
from release.notes import notes_of
from release.version_resource import version_numbers, version_resource

CHANGELOG = """# Changes

## 1.1.0 (May)

Second.

- a point

## 1.1

First.

## 1.0

"""


@pytest.fixture
def changelog(tmp_path: Path) -> Path:
    file = tmp_path / "CHANGELOG.md"
    file.write_text(CHANGELOG, encoding="utf-8")
    return file


def test_the_notes_are_the_section_and_no_other(changelog: Path) -> None:
    assert notes_of("1.1.0", changelog) == "# Cellar Door 1.1.0 (May)\n\nSecond.\n\n- a point\n"
    assert notes_of("1.1", changelog) == "# Cellar Door 1.1\n\nFirst.\n"


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_version_without_notes_is_refused(changelog: Path, version: str) -> None:
    with pytest.raises(ReleaseError, match=f"has no section for {version}"):
        notes_of(version, changelog)


def test_this_version_has_notes() -> None:
    assert notes_of(engine.__version__).startswith(f"# Cellar Door {engine.__version__}\n")


def test_windows_gets_four_numbers() -> None:
    assert version_numbers("0.1.0") == (0, 1, 0, 0)
    assert version_numbers("1.2rc3") == (1, 2, 0, 0)
    assert version_numbers("1.2.3.4.5") == (1, 2, 3, 4)
    assert "filevers=(0, 1, 0, 0)" in version_resource("0.1.0")
    assert "StringStruct('FileVersion', '0.1.0')" in version_resource("0.1.0")
