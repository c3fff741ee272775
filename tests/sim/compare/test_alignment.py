"""The sweeps of a tick on both sides, and how a server would take the moves."""

from __future__ import annotations

import pytest

from engine.physics.rules import RuleSet, rule_set
from engine.sim.compare.alignment import align, aligned_sweeps
from engine.sim.compare.causes import cause_of
from engine.sim.compare.comparison import Comparison
from engine.sim.compare.corrections import CORRECTS, REFUSES, corrections
from engine.sim.compare.sides import Side, rule_changes
from engine.sim.edits.rules import SetRuleSet
from engine.sim.playback import Playback
from engine.sim.recording import Recorder, Recording
from engine.sim.tick.simulation import Simulation
from engine.sim.trace import tree as nodes
from engine.sim.trace.recorder import TraceRecorder
from engine.sim.trace.tree import TraceNode
from tests.sim.compare.arena import arena_world, random_run
from tests.sim.compare.situations import a_walk_in_a_guarded_room

ACE = rule_changes(RuleSet(), rule_set("ace"))


def traced(recording: Recording, ticks: int) -> list[TraceNode]:
    sim = Simulation(arena_world(), player_id=recording.player_id)
    playback = Playback(sim, recording)
    playback.start()
    recorder = TraceRecorder()
    sim.watch(sim.player.id, recorder)
    for _ in range(ticks):
        playback.step()
    sim.close()
    return recorder.sweeps


def test_traces_of_the_same_ticks_do_not_part() -> None:
    run = random_run(3, 20)
    assert not align(traced(run, 20), traced(run, 20)).part


def test_traces_part_where_one_ends() -> None:
    run = random_run(3, 20)
    one, two = traced(run, 20), traced(run, 19)
    found = align(one, two)
    assert found.part
    assert found.first_path[0] in one
    assert found.second_path == ()


def test_an_answer_that_differs_at_a_leaf_is_found_there() -> None:
    run = random_run(1, 20)
    one, two = traced(run, 20), traced(run, 20)
    leaf = next(node for sweep in two for node in sweep.walk() if node.kind == nodes.TREE and not node.children)
    leaf.answer = "otherwise"
    found = align(one, two)
    assert found.second_path[-1] is leaf
    assert found.first_path[-1].title == leaf.title
    assert found.step > 0
    assert not found.is_asked
    assert found.cell_id in (0, *(row.cell_id for row in found.second_path))


def test_all_rows_before_the_parting_ones_are_the_same() -> None:
    for seed in (1104, 1106, 1121):
        run = random_run(seed)
        one = Side("retail", arena_world(), run)
        with Comparison(one, one.with_changes(ACE)) as comparison:
            comparison.run()
            parting = comparison.seen
            if parting is None:
                continue
            found = aligned_sweeps(comparison, parting, cause_of(comparison, parting))
            if found.part:
                before, other = (
                    lines_before(found.first, found.first_path),
                    lines_before(found.second, found.second_path),
                )
                assert before == other


def lines_before(sweeps: list[TraceNode], path: tuple[TraceNode, ...]) -> list[tuple[str, int, int]]:
    """The rows that were over before the one at the path's end began."""
    rows: list[tuple[str, int, int]] = []
    for sweep in sweeps:
        for row in sweep.walk():
            if path and row is path[-1]:
                return rows
            if all(row is not above for above in path):
                rows.append((row.line, row.object_id, row.polygon_id))
    return rows


def by_ace(recording: Recording) -> Recording:
    """The same keys by ace rules throughout."""
    sim = Simulation(arena_world(), player_id=recording.player_id)
    Playback(sim, recording).start()
    sim.apply_edit(SetRuleSet("ace"))
    sim.restore(sim.snapshot())
    recorder = Recorder(sim)
    for keys in recording.controls:
        sim.tick(keys)
    made = recorder.stop()
    sim.close()
    return made


@pytest.mark.unwatched
def test_a_server_takes_every_move_made_by_its_own_rules() -> None:
    for seed in range(4):
        assert list(corrections(Side("ace", arena_world(), by_ace(random_run(seed))))) == []


def test_a_server_refuses_where_it_stands_still_and_the_client_walks() -> None:
    """Along the edge of a floor, where the two rule sets slide in another order."""
    found = list(corrections(Side("retail", arena_world(), random_run(1104))))
    refused = [each for each in found if each.verdict == REFUSES]
    assert [each.index for each in refused] == [12, 14]
    assert [each.distance for each in refused] == pytest.approx([0.021, 0.048], abs=0.001)


def test_a_server_that_lets_the_client_pass_a_barrier_corrects_it() -> None:
    place, run = a_walk_in_a_guarded_room(rule_set("retail"))
    found = list(corrections(Side("retail", place.world, run)))
    assert [each.verdict for each in found] == [CORRECTS] * len(found)
    assert len(found) >= 9
