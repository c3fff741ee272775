"""Captures for the tests of following: walks of our own, as lines, and records altered."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Iterable
from pathlib import Path

from engine.build.built import BuiltWorld
from engine.sim.captures.form import CaptureRecord, parse_capture, record_text
from engine.sim.captures.live.follower import Follower, Turn
from engine.sim.captures.writer import CaptureWriter
from engine.sim.tick.controls import Controls
from engine.sim.tick.simulation import Simulation
from tests.sim.helpers.small_worlds import FORWARD, built, hold, open_rooms, standing


def walked(sim: Simulation, *legs: tuple[float, Controls]) -> list[CaptureRecord]:
    stream = io.StringIO()
    writer = CaptureWriter(stream, sim.player.steered)
    sim.watch(sim.player.id, writer)
    for seconds, controls in legs:
        hold(sim, seconds, controls)
    sim.unwatch(sim.player.id, writer)
    return list(parse_capture(stream.getvalue().encode(), "capture"))


def rooms() -> tuple[BuiltWorld, list[CaptureRecord]]:
    """Two rooms, and a walk of 30 records through them."""
    world = built(open_rooms)
    return world, walked(standing(world, "hall", (4.0, 2.0), 90.0), (1.0, FORWARD))


def line(record: CaptureRecord) -> bytes:
    return record_text(record).encode() + b"\n"


def lines(records: Iterable[CaptureRecord]) -> bytes:
    return b"".join(map(line, records))


def ended_elsewhere(record: CaptureRecord) -> CaptureRecord:
    """The record with another end than our engine finds."""
    x, y, z = record.result.position
    return dataclasses.replace(record, result=dataclasses.replace(record.result, position=(x - 0.5, y, z)))


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as stream:
        stream.write(data)


def follow_all(follower: Follower) -> Turn:
    """Everything that is there."""
    whole = Turn()
    for _ in range(100_000):
        turn = follower.turn()
        whole.records += turn.records
        whole.told += turn.told
        whole.sessions += turn.sessions
        if turn.is_idle and not turn:
            return whole
    raise AssertionError("the file has no end")
