"""The content of the Region record: ground types and their textures, scenery, sky and calendar.

Spec: dat-format.md 3.11, 3.12, 5.5, chapter 6. By default a world gets flat-coloured ground, no scenery and a plain
day.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.build.materials import Colour
from engine.build.models import Mesh, Model

ROAD: Final = 32
"""The ground "type" whose texture the roads have."""


@dataclass(frozen=True)
class GroundType:
    """The look of a terrain type: `tiling` repeats of the texture along a land cell of 24 m. `detail` is the texture of
    its detail, None: its own once more."""

    name: str
    colour: Colour
    texture: str | None = None
    tiling: int = 1
    detail: str | None = None
    detail_tiling: int = 1


@dataclass(frozen=True)
class Strewn:
    """One kind of thing in a scene: how often it stands at a vertex, and how it is moved, turned and scaled.

    `slope` are the least and the greatest z of the ground's normal that it stands on.
    """

    model: Mesh | Model
    frequency: float = 0.5
    displacement: tuple[float, float] = (12.0, 12.0)
    scale: tuple[float, float] = (0.8, 1.2)
    rotation: float = 360.0
    slope: tuple[float, float] = (0.7, 1.0)
    aligned: bool = False


@dataclass(frozen=True)
class LightOfDay:
    """Light and fog from `begin` (0..1 of the day) on; colours are 0xAARRGGBB, angles degrees.

    Until the next one `glow` gives things in the sky, by their place in its list, another luminosity, above 0, and
    `fade` a transparency from 0 to 1.
    """

    begin: float
    sun: float
    sun_heading: float
    sun_pitch: float
    sun_colour: int
    ambient: float
    ambient_colour: int
    fog: tuple[float, float]
    fog_colour: int
    glow: tuple[tuple[int, float], ...] = ()
    fade: tuple[tuple[int, float], ...] = ()

    def towards(self, other: LightOfDay, begin: float) -> LightOfDay:
        """The light that there is anyway at a time on the way to another; without any glow or fade."""
        part = (begin - self.begin) / (other.begin - self.begin)

        def mixed(first: float, second: float) -> float:
            return first + (second - first) * part

        def blend(first: int, second: int) -> int:
            return sum(round(mixed(first >> at & 0xFF, second >> at & 0xFF)) << at for at in (0, 8, 16, 24))

        return LightOfDay(
            begin,
            mixed(self.sun, other.sun),
            mixed(self.sun_heading, other.sun_heading),
            mixed(self.sun_pitch, other.sun_pitch),
            blend(self.sun_colour, other.sun_colour),
            mixed(self.ambient, other.ambient),
            blend(self.ambient_colour, other.ambient_colour),
            (mixed(self.fog[0], other.fog[0]), mixed(self.fog[1], other.fog[1])),
            blend(self.fog_colour, other.fog_colour),
        )


@dataclass(frozen=True)
class InTheSky:
    """Something that crosses the sky, or is the sky: shown from `begin` to `end` of the day, from angle to angle.

    `begin` equal to `end` means always. `drift` moves its texture.
    """

    mesh: Mesh
    begin: float = 0.0
    end: float = 0.0
    angles: tuple[float, float] = (0.0, 0.0)
    drift: tuple[float, float] = (0.0, 0.0)
    properties: int = 0


@dataclass
class SkyPlan:
    """One kind of day."""

    light: tuple[LightOfDay, ...]
    objects: tuple[InTheSky, ...] = ()
    name: str = "Sunny"


@dataclass(frozen=True)
class BlendMask:
    """A blending mask of the ground, by the provider's texture name; None: a soft one made here."""

    code: int
    texture: str | None = None


@dataclass
class RegionPlan:
    """Everything of the Region that an author may choose.

    scenes[(type, index)] are the scenes among which a vertex of that terrain type and scenery index chooses; index 0 is
    best left empty, because it is what unmarked ground has.
    """

    name: str = "Dereth"
    ground: dict[int, GroundType] = field(default_factory=lambda: dict(DEFAULT_GROUND))
    scenes: dict[tuple[int, int], list[tuple[Strewn, ...]]] = field(default_factory=dict)
    corner_masks: tuple[BlendMask, ...] = (BlendMask(8),)
    side_masks: tuple[BlendMask, ...] = (BlendMask(9),)
    road_masks: tuple[BlendMask, ...] = (BlendMask(8), BlendMask(9), BlendMask(10))
    sky: SkyPlan = field(default_factory=lambda: SkyPlan(DEFAULT_LIGHT))
    day_length: float = 7620.0


DEFAULT_GROUND: dict[int, GroundType] = {
    kind: GroundType(name, colour)
    for kind, (name, colour) in enumerate(
        (
            ("BarrenRock", (118, 112, 104)),
            ("Grassland", (92, 128, 64)),
            ("Ice", (206, 222, 232)),
            ("LushGrass", (70, 122, 50)),
            ("MarshSparseSwamp", (86, 96, 60)),
            ("MudRichDirt", (98, 76, 54)),
            ("ObsidianPlain", (52, 50, 56)),
            ("PackedDirt", (138, 112, 80)),
            ("PatchyDirt", (126, 110, 74)),
            ("PatchyGrassland", (118, 130, 74)),
            ("SandYellow", (204, 184, 126)),
            ("SandGrey", (172, 166, 150)),
            ("SandRockStrewn", (168, 150, 116)),
            ("SedimentaryRock", (146, 128, 104)),
            ("SemiBarrenRock", (130, 122, 102)),
            ("Snow", (238, 240, 244)),
            ("WaterRunning", (58, 98, 130)),
            ("WaterStandingFresh", (54, 92, 118)),
            ("WaterShallowSea", (64, 122, 142)),
            ("WaterShallowStillSea", (60, 112, 136)),
            ("WaterDeepSea", (32, 62, 96)),
            ("ForestFloor", (82, 84, 46)),
            ("FauxWaterRunning", (58, 98, 130)),
            ("SeaSlime", (70, 108, 84)),
            ("Argila", (156, 96, 70)),
            ("Volcano1", (74, 58, 52)),
            ("Volcano2", (96, 56, 44)),
            ("BlueIce", (160, 200, 226)),
            ("Moss", (88, 116, 66)),
            ("DarkMoss", (60, 86, 50)),
            ("Olthoi", (92, 82, 96)),
            ("DesolateLands", (110, 98, 84)),
            ("Road", (150, 138, 118)),
        )
    )
}
"""The names of dat-format.md A.6; 32 is the road."""

DEFAULT_LIGHT: tuple[LightOfDay, ...] = (
    LightOfDay(0.0, 0.15, 90.0, 50.0, 0xFF8090C0, 0.25, 0xFF6070A0, (100.0, 900.0), 0xFF202838),
    LightOfDay(0.25, 0.8, 90.0, 20.0, 0xFFFFD0A0, 0.4, 0xFFA8A0A8, (100.0, 1200.0), 0xFFC8B0A0),
    LightOfDay(0.4, 1.1, 180.0, 70.0, 0xFFFFF6E0, 0.45, 0xFFB0B8C8, (150.0, 1800.0), 0xFFA8C0DC),
    LightOfDay(0.75, 0.8, 270.0, 20.0, 0xFFFFB080, 0.4, 0xFFA098A0, (100.0, 1200.0), 0xFFD0A080),
    LightOfDay(0.85, 0.15, 270.0, 50.0, 0xFF8090C0, 0.25, 0xFF6070A0, (100.0, 900.0), 0xFF202838),
)
"""Night, dawn, noon, dusk, night."""
