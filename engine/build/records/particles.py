"""Emitters and billboards as records (dat-format.md 3.5.1, 3.9; `engine.dat.records.particles`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.build.models import Emitter, Mesh
from engine.build.records.numbering import PortalRecords
from engine.dat.records import (
    Degrade,
    GfxObjDegradeInfo,
    ParticleEmitter,
    PhysicsScript,
    RecordFrame,
    ScriptEntry,
)
from engine.dat.records.hooks import CreateParticleHook
from engine.geometry.vec import UP, length, r24, r24v

FACES_VIEWER: Final = 2
"""Degrade mode (rendering.md 18.5)."""

SIGHT: Final = 10000.0
"""Metres up to which a billboard is drawn."""

PER_SECOND: Final = 1
PARABOLIC: Final = 10
"""Emitter type, and a particle type: velocity and acceleration in the axes of the world."""

WHOLE_OBJECT: Final = 0xFFFFFFFF
BOTH_WAYS: Final = 0


def billboard(gfxobj_id: int, records: PortalRecords) -> int:
    """The degrade table that has a mesh turn to the viewer."""
    record_id = records.next_id(0x11000000)
    levels = [Degrade(gfxobj_id, FACES_VIEWER, 0.0, r24(SIGHT), r24(SIGHT))]
    return records.put(record_id, GfxObjDegradeInfo(record_id, levels))


def script(emitters: Sequence[Emitter], mesh_id: Callable[[Mesh], int], records: PortalRecords) -> int:
    """The physics script that starts a model's emitters."""
    entries: list[ScriptEntry] = []
    for number, emitter in enumerate(emitters, start=1):
        record_id = records.next_id(0x32000000)
        records.put(record_id, _emitter(record_id, emitter, mesh_id(emitter.mesh)))
        place = RecordFrame(r24v(emitter.origin))
        entries.append(ScriptEntry(0.0, CreateParticleHook(BOTH_WAYS, record_id, WHOLE_OBJECT, place, number)))
    script_id = records.next_id(0x33000000)
    return records.put(script_id, PhysicsScript(script_id, entries))


def _emitter(record_id: int, emitter: Emitter, mesh: int) -> ParticleEmitter:
    speed = length(emitter.velocity)
    return ParticleEmitter(
        id=record_id,
        unknown=0,
        emitter_type=PER_SECOND,
        particle_type=PARABOLIC,
        gfxobj_id=mesh,
        hw_gfxobj_id=mesh,
        birthrate=emitter.every,
        max_particles=int(emitter.life * 1.5 / emitter.every) + 1,
        initial_particles=0,
        total_particles=0,
        total_seconds=0.0,
        lifespan=emitter.life,
        lifespan_rand=emitter.life * 0.2,
        offset_dir=r24v(emitter.velocity) if speed > 0.0 else UP,
        min_offset=0.0,
        max_offset=r24(emitter.spread),
        a=r24v(emitter.velocity),
        min_a=r24(1.0 - emitter.unevenness),
        max_a=r24(1.0 + emitter.unevenness),
        b=r24v(emitter.acceleration),
        min_b=1.0,
        max_b=1.0,
        c=(0.0, 0.0, 0.0),
        min_c=0.0,
        max_c=0.0,
        start_scale=r24(emitter.size[0]),
        final_scale=r24(emitter.size[1]),
        scale_rand=r24(0.1 * emitter.size[0]),
        start_trans=r24(emitter.transparency[0]),
        final_trans=r24(emitter.transparency[1]),
        trans_rand=0.0,
        is_parent_local=0,
    )
