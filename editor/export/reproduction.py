"""Makes reproductions: what one would hold is found out by replaying, and checked by replaying what was packed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from editor.process.output_files import output_file
from editor.process.plain_text import counted
from editor.session.background import UNKNOWN
from editor.session.server_choice import ServerChoice
from editor.session.sources import DEMO, open_source
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.files.kinds import MB
from engine.sim.errors import SimError
from engine.sim.reproduction.gathering import Gathered, gather, same_again
from engine.sim.reproduction.moves import Moves, Told
from engine.world.loader.dump_source import Placement
from engine.world.loader.record_file import reads_noted
from engine.world.loader.reproduction.content import RECORDS, Reproduction
from engine.world.loader.reproduction.form import parse_reproduction, reproduction_bytes
from engine.world.loader.reproduction.heading import clean_note, counts_text
from engine.world.loader.reproduction.origin import Origin, origin_of
from engine.world.names import NameKey
from engine.world.world import World

REPRODUCTION_SUFFIX: Final = ".cdrepro"
KB: Final = 1024


@dataclass(frozen=True)
class WorldPlace:
    """The world of the moves: its source or several folders of dumps, and how it is opened."""

    sources: tuple[str, ...]
    scene: str | None = None
    server: ServerChoice | None = None
    ground: float | None = None
    placements: tuple[Placement, ...] = ()

    def origin(self) -> Origin:
        if self.sources == (DEMO,):
            return Origin(RECORDS, DEMO)
        return origin_of(self.sources, self.scene, self.ground, self.placements)


@dataclass(frozen=True)
class ReproductionPlan:
    """What there is to write. `size` and `textures_size` are the bytes of the file, and of the textures in it."""

    moves: Moves
    gathered: Gathered
    size: int
    textures_size: int

    @property
    def content(self) -> Reproduction:
        return self.gathered.content

    @property
    def world(self) -> str:
        return self.content.head.world

    def chosen(self, *, textures: bool, note: str) -> Reproduction:
        made = self.gathered.with_textures() if textures else self.gathered.without_textures()
        return replace(made, head=replace(made.head, note=clean_note(note)))


def plan_reproduction(
    moves_in: Callable[[World], Moves],
    place: WorldPlace,
    told: Told,
    names: Mapping[NameKey, str] | None = None,
    open_place: Callable[[], World] | None = None,
) -> ReproductionPlan:
    """Open the world afresh and replay the moves in it; `moves_in` makes them in the opened world. Raises a SimError or
    a WorldError."""
    told(UNKNOWN, "Opening the world …")
    origin = place.origin()

    def opened() -> World:
        return open_source(place.sources[0], place.scene, place.server)

    with reads_noted(), (open_place or opened)() as world:
        moves = moves_in(world)
        gathered = gather(moves, world, origin, told, names)
    told(UNKNOWN, "Packing …")
    whole = len(reproduction_bytes(gathered.with_textures()))
    bare = len(reproduction_bytes(gathered.without_textures())) if gathered.content.textures else whole
    return ReproductionPlan(moves, gathered, whole, whole - bare)


def write_reproduction(
    plan: ReproductionPlan,
    path: Path,
    read: Collection[str | Path],
    told: Told,
    *,
    textures: bool = True,
    note: str = "",
) -> str:
    """Write the file after it has replayed like the original, as a whole or not at all, and never over a file that was
    read. Returns a sentence about it."""
    output_file(path, read)
    told(UNKNOWN, f"Packing {path.name} …")
    data = reproduction_bytes(plan.chosen(textures=textures, note=note))
    packed = parse_reproduction(data, path.name)
    if packed.moves != plan.moves.data:
        raise SimError("the packed moves are not the ones that were replayed", str(path))
    same_again(packed, path.name, plan.moves, plan.gathered.results, told)
    told(UNKNOWN, f"Writing {path.name} …")
    try:
        write_whole(output_file(path, read), data)
    except DatError as error:
        raise SimError(error.reason, str(path)) from error
    blocks = counted(len(packed.head.landblocks), "landblock")
    return f"Saved {path.name}: {size_text(len(data))}, {blocks} of {plan.world}, replayed with the same results"


def size_text(size: int) -> str:
    return f"{size / MB:.1f} MB" if size >= MB else f"{max(round(size / KB), 1)} KB"


def plan_lines(plan: ReproductionPlan) -> list[str]:
    """What goes in, a line each."""
    head = plan.content.head
    lines = counts_text(head.counts)
    server = "" if plan.content.blocks is None else ", with what a server's data have there"
    return [f"of {head.world}, a {head.kind}{server}", *lines]
