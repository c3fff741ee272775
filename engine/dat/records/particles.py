"""ParticleEmitter: smoke, sparks, snow. The format specification names the type (dat-format.md 1.10) and who makes
emitters (3.9, hook 13), not the layout; this one is what the emulators' readers take [?].

Everything is there always, in this order, without alignment.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.codec.base import Entries
from engine.dat.codec.numbers import DID, F32, F64, I32, U32, VEC3
from engine.dat.codec.record import Record
from engine.dat.records.base import DatRecord, Vec3


@dataclass(slots=True)
class ParticleEmitter(DatRecord):
    """An emitter of particles, all of one mesh.

    `birthrate` is the number of seconds from one birth to the next (metres, for emitters that count those); `total_*` 0
    means without end. A particle starts at a random place across `offset_dir`; `a`, `b` and `c` have the meaning that
    its kind of movement gives them (velocity, acceleration, spin), each times a random number in its range.
    """

    id: int
    unknown: int
    emitter_type: int
    particle_type: int
    gfxobj_id: int
    hw_gfxobj_id: int
    birthrate: float
    max_particles: int
    initial_particles: int
    total_particles: int
    total_seconds: float
    lifespan: float
    lifespan_rand: float
    offset_dir: Vec3
    min_offset: float
    max_offset: float
    a: Vec3
    min_a: float
    max_a: float
    b: Vec3
    min_b: float
    max_b: float
    c: Vec3
    min_c: float
    max_c: float
    start_scale: float
    final_scale: float
    scale_rand: float
    start_trans: float
    final_trans: float
    trans_rand: float
    is_parent_local: int


def _ranged(name: str) -> Entries:
    return [(name, VEC3), (f"min_{name}", F32), (f"max_{name}", F32)]


PARTICLE_EMITTER = Record(
    ParticleEmitter,
    [
        ("id", DID),
        ("unknown", U32),
        ("emitter_type", I32),
        ("particle_type", I32),
        ("gfxobj_id", DID),
        ("hw_gfxobj_id", DID),
        ("birthrate", F64),
        ("max_particles", I32),
        ("initial_particles", I32),
        ("total_particles", I32),
        ("total_seconds", F64),
        ("lifespan", F64),
        ("lifespan_rand", F64),
        ("offset_dir", VEC3),
        ("min_offset", F32),
        ("max_offset", F32),
        *_ranged("a"),
        *_ranged("b"),
        *_ranged("c"),
        *((name, F32) for name in ("start_scale", "final_scale", "scale_rand")),
        *((name, F32) for name in ("start_trans", "final_trans", "trans_rand")),
        ("is_parent_local", I32),
    ],
)
