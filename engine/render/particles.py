"""Particles: the live particles of objects' emitters at a time (rendering.md 13.3).

Nothing is simulated: a particle's position follows from its number and the time alone, by hashes. So a picture of one
moment is always the same, and time may jump. An emitter without an end has always been running; when its object moves,
its live particles move along.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.dat.records import ParticleEmitter, PhysicsScript
from engine.dat.records.hooks import CreateParticleHook
from engine.geometry.frame import Frame, combine
from engine.geometry.sphere import Sphere
from engine.geometry.vec import Vec3
from engine.render.draws import ParticleDraw
from engine.render.levels import Shown
from engine.render.parts import Shapes
from engine.world.cells.ids import landblock_id
from engine.world.cells.objects import Setup
from engine.world.world import World

Array = NDArray[np.float64]

PER_SECOND: Final = 1
"""Emitter type: births by time. The other kind, by the way that the object has gone, has none while it stands."""

LOCAL_VELOCITY: Final = (2, 3, 4, 8, 9)
GLOBAL_VELOCITY: Final = (10, 11, 12)
LOCAL_ACCELERATION: Final = (8, 9)
GLOBAL_ACCELERATION: Final = (3, 4, 10, 11)
"""Particle types by what their `a` and `b` mean; those of the others (still, swarms, explosions) stay where they are
born."""

WHOLE_OBJECT: Final = 0xFFFFFFFF
"""A hook's part when it means the object."""

MOST: Final = 256
"""Particles of one emitter at a time, ours: no record should ask for more."""

LIFE, SIZE, TRANSPARENCY, VELOCITY, ACCELERATION, DISTANCE, OFFSET = range(7)
USES: Final = OFFSET + 3
"""The uses of a particle's random numbers; three give the direction of its offset."""

_USE_NUMBERS: Final = np.arange(USES, dtype=np.uint64)
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2: Final = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True)
class Emitter:
    """One emitter of a model: `frame` places it on the object, or on one of its parts."""

    number: int
    record: ParticleEmitter
    part: int | None
    frame: Frame
    shown: Shown


@dataclass(frozen=True)
class EmitterHost:
    """An object with emitters where it stands now: they are listed in its one cell, not in all that it reaches into
    (rendering.md C14)."""

    object_id: int
    setup: Setup
    frame: Frame
    scale: float
    pose: Sequence[Frame]
    home: int
    cell_id: int


class Emitters:
    """The emitters that models bring along, by the script that they start with."""

    def __init__(self, world: World, shapes: Shapes) -> None:
        self._world = world
        self._shapes = shapes
        self._by_script: dict[int, tuple[Emitter, ...]] = {}

    def of_script(self, script_id: int) -> tuple[Emitter, ...]:
        """The emitters that a physics script creates, in its order; none for script 0."""
        known = self._by_script.get(script_id)
        if known is None:
            known = tuple(self._read(script_id)) if script_id else ()
            self._by_script[script_id] = known
        return known

    def _read(self, script_id: int) -> Iterator[Emitter]:
        script = self._world.record(script_id)
        for number, entry in enumerate(script.entries if isinstance(script, PhysicsScript) else []):
            hook = entry.hook
            record = self._world.record(hook.emitter_info_id) if isinstance(hook, CreateParticleHook) else None
            if not isinstance(hook, CreateParticleHook) or not isinstance(record, ParticleEmitter):
                continue
            gfxobj = self._world.gfxobj(record.hw_gfxobj_id) or self._world.gfxobj(record.gfxobj_id)
            shown = None if gfxobj is None else self._shapes.shown(gfxobj)
            frame = Frame(hook.offset.origin, hook.offset.rotation)
            if shown is not None and frame.is_valid() and record.emitter_type == PER_SECOND:
                yield Emitter(number, record, None if hook.part == WHOLE_OBJECT else hook.part, frame, shown)


def particle_draw(emitter: Emitter, place: EmitterHost, seconds: float) -> ParticleDraw | None:
    """The live particles of an emitter, or None."""
    record = emitter.record
    numbers = _in_the_air(record, seconds)
    chance = _chances(place.object_id * 31 + emitter.number, numbers)
    life = np.maximum(record.lifespan + record.lifespan_rand * (2.0 * chance[:, LIFE] - 1.0), 1e-3)
    age = np.asarray(seconds - numbers * record.birthrate, np.float64)
    alive = (age >= 0.0) & (age < life)
    if not alive.any():
        return None
    age, gone, chance = age[alive], (age / life)[alive], chance[alive]
    frame = combine(place.frame, _on_part(emitter, place), place.scale)
    origins = np.array(frame.origin) + _paths(record, frame, chance, age) * place.scale
    scales = record.start_scale + (record.final_scale - record.start_scale) * gone
    scales = np.maximum(scales + record.scale_rand * (2.0 * chance[:, SIZE] - 1.0), 0.0) * place.scale
    trans = record.start_trans + (record.final_trans - record.start_trans) * gone
    trans = trans + record.trans_rand * (2.0 * chance[:, TRANSPARENCY] - 1.0)
    sphere = _around(origins, scales, emitter.shown)
    return ParticleDraw(
        (place.object_id, emitter.number),
        place.object_id,
        (place.cell_id,),
        landblock_id(place.home),
        emitter.shown.mesh,
        emitter.shown.materials,
        emitter.shown.billboard,
        origins,
        scales.astype(np.float32),
        np.clip(1.0 - trans, 0.0, 1.0).astype(np.float32),
        sphere,
        sphere.center,
    )


class Air:
    """The live particles, computed for the requested cells."""

    def __init__(self, emitters: Emitters) -> None:
        self._emitters = emitters
        self._version = -1
        self._seconds = 0.0
        self._all: list[tuple[Emitter, EmitterHost]] = []
        self._by_cell: dict[int, list[tuple[Emitter, EmitterHost]]] = {}
        self._drawn: dict[tuple[int, int], ParticleDraw | None] = {}

    def in_cell(
        self, cell_id: int, seconds: float, version: int, places: Callable[[], list[EmitterHost]]
    ) -> list[ParticleDraw]:
        """The particles of a cell's emitters. `places` is called again when the scene's version changes."""
        self._keep_up(seconds, version, places)
        return self._draw(self._by_cell.get(cell_id, []))

    def cells(self, seconds: float, version: int, places: Callable[[], list[EmitterHost]]) -> Container[int]:
        """The cells that list an emitter."""
        self._keep_up(seconds, version, places)
        return self._by_cell

    def everywhere(self, seconds: float, version: int, places: Callable[[], list[EmitterHost]]) -> list[ParticleDraw]:
        """The particles of all emitters."""
        self._keep_up(seconds, version, places)
        return self._draw(self._all)

    def _keep_up(self, seconds: float, version: int, places: Callable[[], list[EmitterHost]]) -> None:
        if version != self._version:
            self._version = version
            self._drawn.clear()
            self._by_cell.clear()
            self._all = [
                (emitter, place)
                for place in places()
                for emitter in self._emitters.of_script(place.setup.default_script)
            ]
            for emitter, place in self._all:
                self._by_cell.setdefault(place.cell_id, []).append((emitter, place))
        if seconds != self._seconds:
            self._seconds = seconds
            self._drawn.clear()

    def _draw(self, listed: list[tuple[Emitter, EmitterHost]]) -> list[ParticleDraw]:
        found: list[ParticleDraw] = []
        for emitter, place in listed:
            key = (place.object_id, emitter.number)
            if key not in self._drawn:
                self._drawn[key] = particle_draw(emitter, place, seconds=self._seconds)
            drawn = self._drawn[key]
            if drawn is not None:
                found.append(drawn)
        return found


def _on_part(emitter: Emitter, place: EmitterHost) -> Frame:
    if emitter.part is None or not 0 <= emitter.part < len(place.pose):
        return emitter.frame
    return combine(place.pose[emitter.part], emitter.frame)


def _in_the_air(record: ParticleEmitter, seconds: float) -> NDArray[np.int64]:
    """The numbers of the particles that may still live: one every `birthrate` seconds, number 0 at time zero."""
    longest = record.lifespan + abs(record.lifespan_rand)
    step = record.birthrate
    if not (step > 0.0 and 0.0 < longest < math.inf):
        return np.zeros(0, np.int64)
    most = min(record.max_particles if record.max_particles > 0 else MOST, MOST)
    last = math.floor(seconds / step)
    first = max(math.floor((seconds - longest) / step), last - most + 1)
    if record.total_particles > 0 or record.total_seconds > 0.0:
        first = max(first, 0)
    if record.total_particles > 0:
        last = min(last, record.total_particles - 1)
    if record.total_seconds > 0.0:
        last = min(last, math.floor(record.total_seconds / step))
    return np.arange(first, last + 1, dtype=np.int64)


def _paths(record: ParticleEmitter, frame: Frame, chance: Array, age: Array) -> Array:
    """The way of particles of an age from their emitter, in the landblock's axes."""
    turn = np.array([frame.row_x, frame.row_y, frame.row_z])
    way = _offsets(record, chance) @ turn.T
    kind = record.particle_type
    if kind in LOCAL_VELOCITY or kind in GLOBAL_VELOCITY:
        a = np.array(record.a) * _within(record.min_a, record.max_a, chance[:, VELOCITY])
        way = way + (a @ turn.T if kind in LOCAL_VELOCITY else a) * age[:, None]
    if kind in LOCAL_ACCELERATION or kind in GLOBAL_ACCELERATION:
        b = np.array(record.b) * _within(record.min_b, record.max_b, chance[:, ACCELERATION])
        way = way + (b @ turn.T if kind in LOCAL_ACCELERATION else b) * (0.5 * age * age)[:, None]
    return np.asarray(way, np.float64)


def _offsets(record: ParticleEmitter, chance: Array) -> Array:
    """Random places round the emitter, across its direction, between the two distances."""
    random = 2.0 * chance[:, OFFSET : OFFSET + 3] - 1.0
    along = np.array(record.offset_dir)
    size = math.dist(record.offset_dir, (0.0, 0.0, 0.0))
    if size > 0.0:
        along = along / size
        random = random - (random @ along)[:, None] * along
    lengths = np.sqrt((random * random).sum(axis=1, keepdims=True))
    unit = np.divide(random, lengths, out=np.zeros_like(random), where=lengths > 1e-9)
    return np.asarray(unit * _within(record.min_offset, record.max_offset, chance[:, DISTANCE]), np.float64)


def _within(low: float, high: float, chance: Array) -> Array:
    return np.asarray(low + (high - low) * chance[:, None], np.float64)


def _chances(seed: int, numbers: NDArray[np.int64]) -> Array:
    """(n, USES): random numbers in [0, 1), always the same for one particle and one use (splitmix64)."""
    base = np.uint64(seed * 0x2545F4914F6CDD1D & 0xFFFFFFFFFFFFFFFF)
    bits = ((numbers.astype(np.uint64)[:, None] * np.uint64(USES) + _USE_NUMBERS) ^ base) * _GOLDEN
    bits = (bits ^ (bits >> np.uint64(30))) * _MIX_1
    bits = (bits ^ (bits >> np.uint64(27))) * _MIX_2
    bits ^= bits >> np.uint64(31)
    return np.asarray((bits >> np.uint64(11)).astype(np.float64) * 2.0**-53, np.float64)


def _around(origins: Array, scales: Array, shown: Shown) -> Sphere:
    """A ball round all particles, however they are turned."""
    center = (origins.min(axis=0) + origins.max(axis=0)) / 2.0
    own = shown.mesh.sphere
    reach = math.dist(own.center, (0.0, 0.0, 0.0)) + own.radius
    away = origins - center
    radius = float((np.sqrt((away * away).sum(axis=1)) + scales * reach).max())
    at: Vec3 = (float(center[0]), float(center[1]), float(center[2]))
    return Sphere(at, radius)
