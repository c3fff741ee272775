"""Animation hooks: what happens at a frame of an animation (dat-format.md 3.9).

One class per hook type, so that a reader of a hook meets names and not a list of numbers. `direction` is -1 backward,
0 both, 1 forward.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.dat.codec.base import Codec, Entries
from engine.dat.codec.choices import Choice
from engine.dat.codec.forms import HOOK_END, HOOK_PART
from engine.dat.codec.loose import KnownDid
from engine.dat.codec.numbers import DID, F32, I32, U32, VEC3
from engine.dat.codec.record import Record
from engine.dat.records.base import FRAME, RecordFrame, Vec3


@dataclass(slots=True)
class Hook:
    """Base of all hooks; it does not occur in files."""

    direction: int


@dataclass(slots=True)
class NoOpHook(Hook):
    """Type 0."""


@dataclass(slots=True)
class SoundHook(Hook):
    """Type 1."""

    wave_id: int


@dataclass(slots=True)
class SoundTableHook(Hook):
    """Type 2."""

    sound_type: int


@dataclass(slots=True)
class AttackHook(Hook):
    """Type 3."""

    part: int
    left_x: float
    left_y: float
    right_x: float
    right_y: float
    radius: float
    height: float


@dataclass(slots=True)
class AnimationDoneHook(Hook):
    """Type 4."""


@dataclass(slots=True)
class ReplaceObjectHook(Hook):
    """Type 5. Parts have numbers up to 255; see `engine.dat.codec.forms`."""

    part: int
    gfxobj_id: int


@dataclass(slots=True)
class EtherealHook(Hook):
    """Type 6."""

    ethereal: int


@dataclass(slots=True)
class TransparentPartHook(Hook):
    """Type 7."""

    part: int
    start: float
    end: float
    time: float


@dataclass(slots=True)
class LuminousHook(Hook):
    """Type 8."""

    start: float
    end: float
    time: float


@dataclass(slots=True)
class LuminousPartHook(Hook):
    """Type 9."""

    part: int
    start: float
    end: float
    time: float


@dataclass(slots=True)
class DiffuseHook(Hook):
    """Type 10."""

    start: float
    end: float
    time: float


@dataclass(slots=True)
class DiffusePartHook(Hook):
    """Type 11."""

    part: int
    start: float
    end: float
    time: float


@dataclass(slots=True)
class ScaleHook(Hook):
    """Type 12."""

    end: float
    time: float


@dataclass(slots=True)
class CreateParticleHook(Hook):
    """Type 13."""

    emitter_info_id: int
    part: int
    offset: RecordFrame
    emitter_id: int


@dataclass(slots=True)
class DestroyParticleHook(Hook):
    """Type 14."""

    emitter_id: int


@dataclass(slots=True)
class StopParticleHook(Hook):
    """Type 15."""

    emitter_id: int


@dataclass(slots=True)
class NoDrawHook(Hook):
    """Type 16."""

    no_draw: int


@dataclass(slots=True)
class DefaultScriptHook(Hook):
    """Type 17."""


@dataclass(slots=True)
class DefaultScriptPartHook(Hook):
    """Type 18."""

    part: int


@dataclass(slots=True)
class CallPesHook(Hook):
    """Type 19."""

    script_id: int
    pause: float


@dataclass(slots=True)
class TransparentHook(Hook):
    """Type 20."""

    start: float
    end: float
    time: float


@dataclass(slots=True)
class SoundTweakedHook(Hook):
    """Type 21."""

    wave_id: int
    probability: float
    priority: float
    volume: float


@dataclass(slots=True)
class SetOmegaHook(Hook):
    """Type 22."""

    omega: Vec3


@dataclass(slots=True)
class TextureVelocityHook(Hook):
    """Type 23."""

    u_speed: float
    v_speed: float


@dataclass(slots=True)
class TextureVelocityPartHook(Hook):
    """Type 24."""

    part: int
    u_speed: float
    v_speed: float


@dataclass(slots=True)
class SetLightHook(Hook):
    """Type 25."""

    lights_on: int


@dataclass(slots=True)
class CreateBlockingParticleHook(Hook):
    """Type 26. Read and written as type 13, as reader A and the client do; reader B fails on it."""

    emitter_info_id: int
    part: int
    offset: RecordFrame
    emitter_id: int


def _floats(*names: str) -> Entries:
    return [(name, F32) for name in names]


_PART: tuple[str, Codec] = ("part", U32)
_FADE = _floats("start", "end", "time")
_PARTICLE: Entries = [("emitter_info_id", DID), _PART, ("offset", FRAME), ("emitter_id", U32)]

_PAYLOADS: dict[int, tuple[type[Hook], Entries]] = {
    0: (NoOpHook, []),
    1: (SoundHook, [("wave_id", DID)]),
    2: (SoundTableHook, [("sound_type", U32)]),
    3: (AttackHook, [_PART, *_floats("left_x", "left_y", "right_x", "right_y", "radius", "height")]),
    4: (AnimationDoneHook, []),
    5: (ReplaceObjectHook, [("part", HOOK_PART), ("gfxobj_id", KnownDid(0x01000000)), ("", HOOK_END)]),
    6: (EtherealHook, [("ethereal", U32)]),
    7: (TransparentPartHook, [_PART, *_FADE]),
    8: (LuminousHook, [*_FADE]),
    9: (LuminousPartHook, [_PART, *_FADE]),
    10: (DiffuseHook, [*_FADE]),
    11: (DiffusePartHook, [_PART, *_FADE]),
    12: (ScaleHook, [*_floats("end", "time")]),
    13: (CreateParticleHook, [*_PARTICLE]),
    14: (DestroyParticleHook, [("emitter_id", U32)]),
    15: (StopParticleHook, [("emitter_id", U32)]),
    16: (NoDrawHook, [("no_draw", U32)]),
    17: (DefaultScriptHook, []),
    18: (DefaultScriptPartHook, [_PART]),
    19: (CallPesHook, [("script_id", DID), ("pause", F32)]),
    20: (TransparentHook, [*_FADE]),
    21: (SoundTweakedHook, [("wave_id", DID), *_floats("probability", "priority", "volume")]),
    22: (SetOmegaHook, [("omega", VEC3)]),
    23: (TextureVelocityHook, [*_floats("u_speed", "v_speed")]),
    24: (TextureVelocityPartHook, [_PART, *_floats("u_speed", "v_speed")]),
    25: (SetLightHook, [("lights_on", U32)]),
    26: (CreateBlockingParticleHook, [*_PARTICLE]),
}
"""The fields after type and direction, for each hook."""

HOOK = Choice(
    U32,
    "hook type",
    {number: Record(cls, [("direction", I32), *payload]) for number, (cls, payload) in _PAYLOADS.items()},
    {number: cls for number, (cls, _) in _PAYLOADS.items()},
)
