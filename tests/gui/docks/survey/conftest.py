"""The world of these tests, written once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gui.docks.survey.survey_hands import pit_world


@pytest.fixture(scope="session")
def pit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pit_world(tmp_path_factory.mktemp("pit"))
