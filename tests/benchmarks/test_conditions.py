"""`bench physics`, its part on conditions."""

from __future__ import annotations

import pytest

from benchmarks.conditions import costs


def test_each_figure_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(costs.TICKS, "python", 40)
    monkeypatch.setitem(costs.LIVE, "python", 20)
    found = {figure.name: figure.value for figure in costs.figures("python")}
    assert len(found) == 9
    assert all(value > 0.0 for name, value in found.items() if "search" in name)
