"""The miniature checkout, compiled once for all the tests that need it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bootstrap.core import CoreBuild
from tests.bootstrap.fake_core import write_fake_core


@pytest.fixture(scope="session")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("compiled") / "checkout"
    write_fake_core(root)
    assert CoreBuild(root).build()
    return root


@pytest.fixture
def built(compiled_once: Path, tmp_path: Path) -> Path:
    """A checkout with a compiled core that the test may spoil."""
    return Path(shutil.copytree(compiled_once, tmp_path / "built"))


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A checkout that nothing was compiled in."""
    write_fake_core(tmp_path / "plain")
    return tmp_path / "plain"
