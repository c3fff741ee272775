"""The probe lines: silent unless requested, and exactly in the reference's words (physics.md 12.6)."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from engine.physics.rules import RuleSet
from engine.physics.sweep.trace import SweepObserver
from engine.sim import probes
from engine.sim.observers import ObserverGroup, together
from engine.sim.probes import attach_probes, probe_observer, use_environment, watch_cells
from engine.sim.trace.recorder import TraceRecorder
from tests.physics.bodies import push
from tests.physics.cases.test_latch import doorway_between
from tests.sim.helpers.small_worlds import FORWARD, built, hold, open_rooms, simulate, standing

LOGGERS = [probes.INDOOR_BSP, probes.CELL, probes.CELL_CACHE, probes.RESOLVE]
VESTIBULE, NEXT_ROOM = 0xA9B40164, 0xA9B40157


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Turns every probe off again and leaves no handler behind."""
    root = logging.getLogger(probes.ROOT)
    handlers = root.handlers[:]
    yield
    root.handlers = handlers
    for logger in LOGGERS:
        logger.setLevel(logging.NOTSET)


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


def push_in_the_vestibule() -> None:
    """Pushes against the next room's wall with the centre in the vestibule (C-LATCH-4)."""
    body = doorway_between(RuleSet(), wall_at=0.4, room_a=VESTIBULE, room_b=NEXT_ROOM)
    body.place.origin = (-0.2, 0.0, 0.0)
    body.observer = probe_observer()
    for _ in range(5):
        push(body, 0.06)
    assert body.place.cell_id == VESTIBULE


def test_c_latch_4_the_probe_prints_the_other_cells_and_their_answers(caplog: pytest.LogCaptureFixture) -> None:
    use_environment({"ACDREAM_PROBE_INDOOR_BSP": "1"})
    push_in_the_vestibule()
    assert "[other-cells] primary=0xA9B40164 iter=0xA9B40157 result=Collided" in lines(caplog)
    assert "[other-cells] primary=0xA9B40164 iter=0xA9B40157 result=OK" in lines(caplog)
    assert "[indoor-bsp] cell=0xA9B40164 result=OK" in lines(caplog)
    assert {record.name for record in caplog.records} == {"cellar_door.probe.indoor_bsp"}


def test_without_another_cell_the_probe_prints_no_line(caplog: pytest.LogCaptureFixture) -> None:
    use_environment({"ACDREAM_PROBE_INDOOR_BSP": "1"})
    sim = standing(built(open_rooms), "hall", (2.0, 2.0))
    attach_probes(sim)
    hold(sim, 0.2, FORWARD)
    assert lines(caplog)
    assert not [line for line in lines(caplog) if line.startswith("[other-cells]")]


@pytest.mark.parametrize("environment", [{}, {"ACDREAM_PROBE_INDOOR_BSP": ""}, {"ACDREAM_PROBE_RESOLVE": "0"}])
def test_no_probe_is_attached_unless_requested(environment: dict[str, str], caplog: pytest.LogCaptureFixture) -> None:
    use_environment(environment)
    assert probe_observer() is None
    sim = standing(built(open_rooms), "hall", (4.0, 2.0), 90.0)
    attach_probes(sim)
    assert sim.player.steered.observer is None
    hold(sim, 1.0, FORWARD)
    assert lines(caplog) == []


def test_the_level_of_its_logger_also_turns_a_probe_on(caplog: pytest.LogCaptureFixture) -> None:
    probes.CELL.setLevel(logging.INFO)
    sim = standing(built(open_rooms), "hall", (4.0, 2.0), 90.0)
    attach_probes(sim)
    hall = sim.player.steered.place.cell_id
    hold(sim, 1.5, FORWARD)
    told = lines(caplog)
    assert told[0].startswith(f"[cell] body=0x50000001 from=0x{hall:08X} to=0x")
    assert len(told) == 2  # into the doorway and out of it
    assert told[-1].endswith(f"to=0x{sim.player.steered.place.cell_id:08X}")


def test_each_sweep_is_printed_with_its_path(caplog: pytest.LogCaptureFixture) -> None:
    use_environment({"ACDREAM_PROBE_RESOLVE": "yes"})
    sim = standing(built(open_rooms), "hall", (2.0, 2.0), 90.0)
    attach_probes(sim)
    hold(sim, 0.1, FORWARD)
    cell = f"0x{sim.player.steered.place.cell_id:08X}"
    assert len(lines(caplog)) == 3
    assert lines(caplog)[0] == (
        f"[resolve] body=0x50000001 from={cell} (2, 2, 0.005) to=(2.104, 2, 0.005) end={cell} (2.104, 2, 0.005)"
        " ok=True ground=True normal=none"
    )


def test_each_loaded_cell_is_printed_once(caplog: pytest.LogCaptureFixture) -> None:
    use_environment({"ACDREAM_PROBE_CELL_CACHE": "1"})
    world = built(open_rooms)
    loaded = world.load()
    assert watch_cells(loaded.graph)
    assert watch_cells(loaded.graph)
    loaded.graph.get_visible(world.cell_id("hall"))
    told = lines(caplog)
    assert f"[cell-cache] id=0x{world.cell_id('hall'):08X} added" in told
    assert len(told) == len(set(told)) == len(loaded.graph.all_cells())
    assert not watch_cells_when_off(world.cell_id("hall"))


def watch_cells_when_off(cell_id: int) -> bool:
    probes.CELL_CACHE.setLevel(logging.NOTSET)
    return watch_cells(simulate(built(open_rooms)).graph)


def test_probes_change_nothing() -> None:
    def walked(environment: dict[str, str]) -> bytes:
        use_environment(environment)
        sim = standing(built(open_rooms), "hall", (4.0, 2.0), 80.0)
        attach_probes(sim)
        hold(sim, 2.0, FORWARD)
        return sim.state_hash()

    assert walked({}) == walked(dict.fromkeys(probes.VARIABLES, "1"))


# --- several observers


def test_a_trace_and_the_probes_work_together(caplog: pytest.LogCaptureFixture) -> None:
    use_environment({"ACDREAM_PROBE_RESOLVE": "1"})
    sim = standing(built(open_rooms), "hall", (2.0, 2.0), 90.0)
    recorder = TraceRecorder()
    sim.watch(sim.player.id, recorder)
    attach_probes(sim)
    hold(sim, 0.1, FORWARD)
    assert len(recorder.sweeps) == len(lines(caplog)) == 3
    sim.restore(sim.snapshot())
    hold(sim, 0.1, FORWARD)
    assert len(recorder.sweeps) == len(lines(caplog)) == 6


def test_zero_or_one_observer_needs_no_group() -> None:
    alone = SweepObserver()
    assert together([None, None]) is None
    assert together([None, alone]) is alone
    group = together([alone, SweepObserver()])
    assert isinstance(group, ObserverGroup)


def test_a_group_forwards_every_observer_call() -> None:
    told = {name for name in vars(SweepObserver) if not name.startswith("_")}
    passed_on = {name for name in vars(ObserverGroup) if not name.startswith("_")}
    assert passed_on == told
