"""The type of pytest-qt's `qtlog`, which has no public one."""

from __future__ import annotations

from typing import Any, Protocol


class QtMessages(Protocol):
    """What pytest-qt has caught of Qt's own words."""

    @property
    def records(self) -> list[Any]: ...
