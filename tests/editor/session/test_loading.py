"""Opening a source loads it, asks a question, or refuses it, depending on its content, even if that is damaged."""

from __future__ import annotations

import json
import random
import re
from io import StringIO
from pathlib import Path

import pytest

from editor.session.background import CancelledError, Job
from editor.session.loading import (
    Arrival,
    BlockQuestion,
    CaptureArrival,
    Request,
    SceneQuestion,
    WorldQuestion,
    arrive,
    enter,
)
from editor.session.named_sources import whole_name
from editor.session.open_error import failure_of
from editor.session.session import ENGINE_ERRORS
from editor.session.sources import DEMO, Content, look_at
from engine.sim.captures.writer import CaptureWriter
from engine.sim.edits.player import Teleport
from engine.sim.recording import Recorder
from engine.sim.recording_file import recording_bytes, save_recording
from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.faults import WorldError
from engine.world.loader import open_world
from tests.many_landblocks import ROOMS, huts, write_many
from tests.sim.helpers.small_worlds import two_rooms
from tests.world.loader.scenes import two_rooms as scene_of_two_rooms

HALL = 0x00070100


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_rooms().build().write(tmp_path_factory.mktemp("rooms"))


@pytest.fixture(scope="module")
def walk(rooms: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The recording and the capture of a walk into the door."""
    folder = tmp_path_factory.mktemp("walk")
    with open_world(rooms) as world:
        sim = Simulation(world)
        sim.apply_edit(Teleport(HALL, 4.5, 2.0, 0.0, 90.0))
        recorder = Recorder(sim, str(rooms))
        stream = StringIO()
        writer = CaptureWriter(stream, sim.player.steered)

        def count(controls: Controls, report: TickReport) -> None:
            writer.tick = report.tick + 1

        sim.watch(sim.player.id, writer)
        sim.listen_to_ticks(count)
        for _ in range(30):
            sim.tick(Controls(forward=1.0))
        save_recording(recorder.stop(), folder / "walk.cdrec")
        (folder / "walk.jsonl").write_text(stream.getvalue())
    return folder / "walk.cdrec", folder / "walk.jsonl"


def test_the_type_of_a_file_is_detected_from_its_content(rooms: Path, walk: tuple[Path, Path], tmp_path: Path) -> None:
    recording, capture = (tmp_path / "one", tmp_path / "two.txt")
    recording.write_bytes(walk[0].read_bytes())
    capture.write_bytes(walk[1].read_bytes())
    scene = tmp_path / "three"
    scene.write_text(json.dumps(scene_of_two_rooms()))
    assert look_at(str(recording)).content is Content.RECORDING
    assert look_at(str(capture)).content is Content.CAPTURE
    assert look_at(str(scene)).content is Content.WORLD
    assert look_at(str(rooms)).content is Content.WORLD
    assert look_at(str(rooms / "client_cell_1.dat")).source == str(rooms)
    assert look_at(str(rooms / "entities.json")).source == str(rooms)
    outcome = arrive(Request(str(scene)), Job())
    assert isinstance(outcome, Arrival)
    assert outcome.landblock == 0x0101FFFF
    outcome.close()


def test_a_world_starts_in_the_requested_landblock_or_cell(rooms: Path) -> None:
    outcome = arrive(Request(str(rooms), place=HALL + 1), Job())
    assert isinstance(outcome, Arrival)
    assert outcome.sim.player.steered.place.cell_id == HALL + 1
    outcome.close()
    for place in (0xA9B4FFFF, 0x00070123):
        with pytest.raises(WorldError, match="has no"):
            arrive(Request(str(rooms), place=place), Job())


def test_many_landblocks_raise_a_question_if_a_user_can_answer(tmp_path: Path) -> None:
    folder = write_many(tmp_path, 6, 6, 5)
    question = arrive(Request(str(folder)), Job())
    assert isinstance(question, BlockQuestion)
    chosen = huts(6, 6, 5)[2] & 0xFFFF0000 | ROOMS[1]
    entered = enter(question.request, question.source, question.world, question.index, chosen, Job())
    assert entered.sim.player.steered.place.cell_id == chosen
    entered.close()
    unasked = arrive(Request(str(folder), ask=False), Job())
    assert isinstance(unasked, Arrival)
    assert unasked.landblock == huts(6, 6, 5)[0]
    unasked.close()


def test_several_scenes_raise_a_question_and_the_answer_opens_one(tmp_path: Path) -> None:
    room = {"A": {"box": [0, 0, 0, 9, 9, 4], "seen_outside": 0, "stab": [], "portals": []}}
    path = tmp_path / "scenes.json"
    path.write_text(json.dumps({"viewport": [640, 480], "focal": 240, "scenes": {"a": room, "b": room}}))
    question = arrive(Request(str(path)), Job())
    assert isinstance(question, SceneQuestion)
    outcome = arrive(question.answer("b"), Job())
    assert isinstance(outcome, Arrival)
    assert (outcome.scene, outcome.sim.world.name) == ("b", "b")
    outcome.close()


def test_a_recording_is_replayed_to_its_end_with_reports(rooms: Path, walk: tuple[Path, Path]) -> None:
    outcome = arrive(Request(str(walk[0]), named=frozenset({whole_name(str(rooms))})), Job())
    assert isinstance(outcome, Arrival)
    assert outcome.run is not None
    assert outcome.run.divergence is None
    assert outcome.sim.tick_number == 30
    assert any(report.collided_objects for report in outcome.run.reports)
    outcome.close()


def test_a_capture_is_replayed_in_the_open_world_or_asks_for_one(rooms: Path, walk: tuple[Path, Path]) -> None:
    assert isinstance(arrive(Request(str(walk[1])), Job()), WorldQuestion)
    here = arrive(Request(str(walk[1]), here=(str(rooms), None)), Job())
    assert isinstance(here, CaptureArrival)
    assert here.opened is None
    assert len(here.replays) == 30
    assert all(replay.agrees for replay in here.replays)
    here.close()
    named = arrive(Request(str(walk[1]), world=str(rooms)), Job())
    assert isinstance(named, CaptureArrival)
    assert named.opened is not None
    assert named.opened.landblock == HALL | 0xFFFF
    named.close()


def test_a_cancelled_job_opens_nothing(rooms: Path, walk: tuple[Path, Path]) -> None:
    for request in (Request(str(rooms)), Request(str(walk[0])), Request(str(walk[1]), here=(str(rooms), None))):
        job = Job()
        job.cancel()
        with pytest.raises(CancelledError):
            arrive(request, job)


def reason_of_refusal(path: Path, rooms: Path) -> str | None:
    """The engine error's message about a file; None if the file opens."""
    try:
        outcome = arrive(Request(str(path), here=(str(rooms), None)), Job())
    except ENGINE_ERRORS as error:
        return str(error)
    outcome.close()
    return None


@pytest.mark.parametrize("seed", range(3))
def test_mutated_bytes_are_refused_with_a_reason(
    rooms: Path, walk: tuple[Path, Path], tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    refusals = 0
    for number in range(40):
        for original in walk:
            data = bytearray(original.read_bytes())
            for _ in range(chance.choice((1, 1, 4))):
                data[chance.randrange(len(data))] ^= chance.randrange(1, 256)
            if chance.random() < 0.25:
                del data[chance.randrange(len(data)) :]
            path = tmp_path / f"{number}{original.suffix}"
            path.write_bytes(data)
            reason = reason_of_refusal(path, rooms)
            assert reason is None or len(reason) > len(path.name), f"{path.name}, seed {seed}: {reason!r}"
            refusals += reason is not None
    assert refusals > 20, "most damage is noticed"


def test_a_capture_with_senseless_numbers_is_replayed_or_refused(
    rooms: Path, walk: tuple[Path, Path], tmp_path: Path
) -> None:
    chance = random.Random(5)
    senseless = ("1e38", "-1e38", "0", "-0", "1e-38", "4294967295", "1e400", "NaN", "-1", "0.5", "117440768")
    lines = walk[1].read_text().splitlines()
    opened = 0
    for number in range(300):
        line = chance.choice(lines)
        for found in chance.sample(list(re.finditer(r"-?\d[\d.E+-]*", line)), 2)[:1]:
            line = line[: found.start()] + chance.choice(senseless) + line[found.end() :]
        path = tmp_path / f"{number}.jsonl"
        path.write_text(line + "\n")
        opened += reason_of_refusal(path, rooms) is None
    assert 30 < opened < 300


def test_a_recording_can_be_saved_while_it_continues(rooms: Path) -> None:
    with open_world(rooms) as world:
        sim = Simulation(world)
        sim.apply_edit(Teleport(HALL, 3.0, 2.0, 0.0, 90.0))
        recorder = Recorder(sim, str(rooms))
        for _ in range(10):
            sim.tick(Controls(forward=1.0))
        kept = recorder.so_far()
        for _ in range(10):
            sim.tick(Controls(forward=-1.0))
        assert (len(kept), len(recorder.recording)) == (10, 20)
        kept.know_world(world, recorder.landblocks)
        whole = recorder.stop()
        assert kept.identity == whole.identity
        assert recording_bytes(kept)


def test_a_reason_that_lacks_a_subject_gets_one(tmp_path: Path) -> None:
    cut = tmp_path / "cut.json"
    cut.write_text('{"cells": "', encoding="utf-8")
    with pytest.raises(WorldError) as caught:
        open_world([cut])
    sentence = failure_of(str(cut), caught.value).sentence
    assert sentence == "cut.json cannot be opened: it is not JSON: Unterminated string starting at line 1, column 11"


def test_the_demo_is_not_called_by_the_folder_of_its_cache() -> None:
    with pytest.raises(WorldError) as caught:
        arrive(Request(DEMO, place=0x1234FFFF), Job())
    sentence = failure_of(DEMO, caught.value).sentence
    assert sentence == "the demo world cannot be opened: it has no landblock 0x1234FFFF; it has 10 others"
