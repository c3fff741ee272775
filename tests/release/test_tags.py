"""A release is made from the tag of its version, without changes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from release import build
from release.build import check_tag
from release.errors import ReleaseError


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(build, "ROOT", tmp_path)
    git(tmp_path, "init", "--quiet")
    (tmp_path / "file").write_text("one", encoding="utf-8")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "--quiet", "-m", "One")
    return tmp_path


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize("tag", ["1.2.3", "v1.2.3"])
def test_the_tag_of_the_version_is_built(repository: Path, tag: str) -> None:
    git(repository, "tag", tag)
    check_tag("1.2.3", None)
    check_tag("1.2.3", tag)


def test_a_commit_without_a_tag_is_not(repository: Path) -> None:
    with pytest.raises(ReleaseError, match="has no tag"):
        check_tag("1.2.3", None)


def test_a_tag_of_another_version_is_not(repository: Path) -> None:
    git(repository, "tag", "v1.2.4")
    with pytest.raises(ReleaseError, match=r"the tag v1\.2\.4 is not that of the version, 1\.2\.3"):
        check_tag("1.2.3", None)


def test_a_tag_of_another_commit_is_not(repository: Path) -> None:
    git(repository, "tag", "v1.2.3")
    (repository / "file").write_text("two", encoding="utf-8")
    git(repository, "commit", "--quiet", "-am", "Two")
    with pytest.raises(ReleaseError, match="is not on the commit"):
        check_tag("1.2.3", "v1.2.3")


def test_a_changed_file_is_named(repository: Path) -> None:
    git(repository, "tag", "v1.2.3")
    (repository / "file").write_text("two", encoding="utf-8")
    with pytest.raises(ReleaseError, match="in no commit: file"):
        check_tag("1.2.3", None)
