"""The changing state of a simulation between two ticks, packed and restored bit by bit."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from engine.entities.state_io import OLDEST_STATE_VERSION, STATE_VERSION, StateIO, StateNamer, StateReader, StateWriter
from engine.physics.errors import PhysicsError
from engine.physics.rules import ACE, RETAIL, RULE_NAMES

if TYPE_CHECKING:
    from engine.sim.tick.simulation import Simulation

_STATE_MAGIC: Final = 0x43445354
_RULES_OF_3: Final = 36
"""States of version 3 have the first so many rules; the others were as `ace` has them then."""


def visit_state(sim: Simulation, io: StateIO) -> None:
    """Everything that changes, in a fixed order."""
    io.section("simulation")
    magic = io.integer("magic", _STATE_MAGIC)
    io.version = io.integer("version", io.version)
    _check_form(magic, io.version)
    sim.tick_number = io.integer("tick", sim.tick_number)
    sim.time_of_day = io.real("time_of_day", sim.time_of_day)
    stored = len(RULE_NAMES) if io.version >= 4 else _RULES_OF_3
    for number, rule in enumerate(RULE_NAMES):
        retail = number < stored and io.flag(rule, sim.rules.form(rule) == RETAIL)
        if io.reading:
            sim.rules.set_form(rule, RETAIL if retail else ACE)
    sim.surroundings.visit(io)
    sim.rooms.visit(io)
    sim.population.visit(io)
    io.section("simulation")
    current = io.integer("current_cell", sim.graph.current_id)
    if io.reading:
        sim.graph.set_current(current)


def packed_state(sim: Simulation, version: int) -> bytes:
    """The state in the form of a version."""
    writer = StateWriter()
    writer.version = version
    visit_state(sim, writer)
    return writer.packed()


def restore_state(sim: Simulation, snapshot: bytes) -> None:
    reader = StateReader(snapshot)
    visit_state(sim, reader)
    reader.check_end()


def hash_of_state(sim: Simulation, version: int) -> bytes:
    """16 bytes that differ when any of the state does."""
    writer = StateWriter(True)
    writer.version = version
    visit_state(sim, writer)
    return hashlib.blake2b(writer.packed(), digest_size=16).digest()


def named_values(sim: Simulation) -> list[tuple[str, str]]:
    """The state as names and values."""
    namer = StateNamer()
    visit_state(sim, namer)
    return namer.values


def snapshot_version(snapshot: bytes) -> int:
    """The version of its form; a PhysicsError for one that this program does not read."""
    reader = StateReader(snapshot)
    magic = reader.integer("magic", 0)
    version = reader.integer("version", 0)
    _check_form(magic, version)
    return version


def _check_form(magic: int, version: int) -> None:
    if magic == _STATE_MAGIC and version > STATE_VERSION:
        raise PhysicsError(f"the state is of version {version} of the simulation; this program knows {STATE_VERSION}")
    if magic != _STATE_MAGIC or version < OLDEST_STATE_VERSION:
        raise PhysicsError("this is not a saved state of this version of the simulation")


def snapshot_tick(snapshot: bytes) -> int:
    """The tick that comes next in a snapshot."""
    reader = StateReader(snapshot)
    reader.integer("magic", 0)
    reader.integer("version", 0)
    return reader.integer("tick", 0)
