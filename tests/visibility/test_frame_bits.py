"""The compiled core and the Python sources draw the same frames, bit for bit."""

from __future__ import annotations

from tests.geometry.test_same_bits import compiled_core, run_under

__all__ = ["compiled_core"]


def digests(core: str) -> list[str]:
    run = run_under(core, "-m", "tests.visibility.helpers.frame_bits")
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def test_both_cores_draw_the_same_frames_and_fly_the_same_paths(compiled_core: None) -> None:
    interpreted = digests("python")
    assert [line.split()[0] for line in interpreted] == ["spots", "above", "flights"]
    assert interpreted == digests("compiled")
