"""Runs end in the same state on every system, with either core; and the worlds in them have the same identity."""

from __future__ import annotations

import hashlib
from typing import Final

import pytest

from tests.geometry.test_same_bits import compiled_core, run_under
from tests.shared import needs_shared
from tests.sim.helpers.golden_runs import Run, end_of, runs

__all__ = ["compiled_core"]

ENDS: Final = {
    "a door, retail": "6d946c820fd9b6d35264320c44e09a8c in 1ac686185558e4d9",
    "a cellar, retail": "5c4348d25ae34c0c5480b49faa75bc16 in efac0bc944aa01fa",
    "a slope, retail": "32ddfda591f08c301c346f3f9bd3519d in e7404ce33d28ccfd",
    "furniture, retail": "b2b41a8f2e95fb254493ea6f8cb264c9 in 4705a5042f1b27ef",
    "a house on land, retail": "ce20fb473066c769ea55923497344f3a in aa29ce2701e52a9b",
    "a crowd, retail": "4335a5e511b9b1c5822de48dbe0d65d9 in e0eebadea9098f3f",
    "demo: market, retail": "d228b63915117c1af302343ec071ca4b in 310a2ba80cdf7f99",
    "demo: upstairs, retail": "65d0953f684839b66b05ed9f101cd73b in 310a2ba80cdf7f99",
    "demo: inn_common_room, retail": "268abc46e76a579e0022189d0e0c32a6 in 310a2ba80cdf7f99",
    "demo: steep_slope, retail": "6436769d55a14d341a7670cf5a67253e in 310a2ba80cdf7f99",
    "demo: double_door, retail": "3ed963d5496d1cccead6b0ec58dfa625 in 310a2ba80cdf7f99",
    "demo: spiral_top, retail": "3c1ab94a17eeebd055f536bf770bed65 in 310a2ba80cdf7f99",
    "a door, ace": "62500d42780f97a250d4469dfc19cafc in 1ac686185558e4d9",
    "a cellar, ace": "9b963bedabb6a5c2e74747f1af710cae in efac0bc944aa01fa",
    "a slope, ace": "0e537bc759e46b33c714ad0d5e049acc in e7404ce33d28ccfd",
    "furniture, ace": "50371cdb3f1eedb69aa2156a6f354e01 in 4705a5042f1b27ef",
    "a house on land, ace": "b148c4d2df4d249d896fe3e110121773 in aa29ce2701e52a9b",
    "a crowd, ace": "e90fcae4362ae76a60e44d206c1f873a in e0eebadea9098f3f",
    "demo: market, ace": "55edbd0ab87b7b3f3d3f1d33686c8422 in 310a2ba80cdf7f99",
    "demo: upstairs, ace": "a3dcb6327c9164a590bee3c722753920 in 310a2ba80cdf7f99",
    "demo: inn_common_room, ace": "4e9c2e6192589ae55c7cf614acd81606 in 310a2ba80cdf7f99",
    "demo: steep_slope, ace": "c0923d1ef05501fd1ab0c4510cf256cf in 310a2ba80cdf7f99",
    "demo: double_door, ace": "c249277097dab5abd9a8972df8b6d59e in 310a2ba80cdf7f99",
    "demo: spiral_top, ace": "094824e176a394e08da5dc4a02497f94 in 310a2ba80cdf7f99",
}
"""The last states of the runs and the worlds that they go through: on Linux and Windows, interpreted and compiled."""

RANDOM_SCENES: Final = "f30366f72cff4965ec3d8a4379557741"
GOLDEN_SCENES: Final = "c1fd67bebbe498c3eeee9f5e00778214"
"""Of all answers to every eighth move, of random scenes and of the goldens."""


@pytest.mark.parametrize("run", list(runs()), ids=str)
def test_a_run_ends_as_it_does_everywhere(run: Run) -> None:
    assert end_of(run) == ENDS[str(run)]


@pytest.mark.slow
@pytest.mark.parametrize("core", ["python", "compiled"])
def test_either_core_ends_them_so(core: str, request: pytest.FixtureRequest) -> None:
    if core == "compiled":
        request.getfixturevalue("compiled_core")
    told = run_under(core, "-m", "tests.sim.helpers.golden_runs")
    assert told.returncode == 0, told.stderr
    assert [line.rpartition(": ")[::2] for line in told.stdout.splitlines()] == list(ENDS.items())


def scene_digests(core: str) -> tuple[str, str]:
    told = run_under(core, "-m", "tests.sim.helpers.scene_bits", "8")
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    random = [line for line in lines if line.startswith("random")]
    return _digest(random), _digest([line for line in lines if line not in random])


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]


def test_random_scenes_are_answered_as_everywhere() -> None:
    assert scene_digests("auto")[0] == RANDOM_SCENES


@needs_shared
def test_golden_scenes_are_answered_as_everywhere() -> None:
    assert scene_digests("auto")[1] == GOLDEN_SCENES
