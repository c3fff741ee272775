"""Settings shared by every test."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from cellar_door.virtual_display import in_memory
from engine.render.gl.platform import settle_gl_platform
from tests.systems import mend_search_for_modules

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication

    from tests.patient_bot import PatientBot
    from tests.world.server.mariadb import MariaDb

mend_search_for_modules()
settle_gl_platform()  # before any test loads Qt or OpenGL

# A shell ignores interrupts for its background jobs, and `nohup` hang-ups; a process that a test starts would inherit
# that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Every run on every machine tries the same examples, so a red run can be repeated.
settings.register_profile("cellar-door", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cellar-door")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where Qt draws into memory, nothing that a display does can be tested."""
    if in_memory(os.environ):
        for item in items:
            if item.get_closest_marker("display") is not None:
                item.add_marker(pytest.mark.skip(reason="needs a display, and windows are drawn into memory"))


@pytest.fixture
def qtbot(qapp: QCoreApplication, request: pytest.FixtureRequest) -> Iterator[PatientBot]:
    """Replaces pytest-qt's. A button left pressed would turn the next test's moves into drags."""
    from tests.patient_bot import PatientBot

    bot = PatientBot(request)
    yield bot
    assert not bot.held, f"{request.node.name} leaves a mouse button pressed"


@pytest.fixture(scope="session")
def mariadb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MariaDb]:
    """A MariaDB of the tests' own; skips where it is not installed."""
    from tests.world.server.mariadb import running_mariadb

    with running_mariadb(tmp_path_factory.mktemp("mariadb")) as server:
        yield server
