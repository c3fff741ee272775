"""A cottage with a server's data, edited and exported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from editor.document.step_application import ids_of
from editor.document.world_diff import editable_state
from editor.export.server_data import ServerPlan, plan_server_export
from editor.export.write_server_data import WrittenServerData, write_server_data
from engine.geometry.vec import Vec3
from engine.sim.edits.edit import Edit
from engine.sim.edits.placing import PlaceEntity
from engine.sim.edits.world import OpenLandblock
from engine.sim.tick.simulation import Simulation
from engine.world.server import model
from engine.world.server.model import Place as RowPlace
from engine.world.server.writing.layout import InstanceRow, LinkRow, landblock_text
from tests.world.server.furnished import Place

THEN = "2021-11-29 06:19:28"
NOW = "2024-05-26 19:09:10"
DOOR, LEVER, CREATURE = 412, 286, 5


def furnish(place: Place) -> None:
    """A door with a lever that opens it, another door, and a rat on the land."""
    place.weenie(DOOR, model.DOOR, "Door", int={93: 8}, float={11: 300})
    place.weenie(LEVER, model.SWITCH, "Lever")
    place.weenie(CREATURE, model.CREATURE, "Rat")
    place.folder.joinpath("landblocks").mkdir(parents=True)
    file_of(place).write_text(source_text(place), encoding="utf-8")


def file_of(place: Place) -> Path:
    return place.folder / "landblocks" / f"{place.block_id >> 16:04X}.sql"


def source_text(place: Place) -> str:
    return landblock_text(
        place.block_id >> 16,
        [
            row(place, 0, DOOR, "Door"),
            row(place, 3, LEVER, "Lever", (2.0, 2.0, 0.5), is_child=True),
            row(place, 5, DOOR, "Door", (1.0, 3.0, 0.0)),
            row(place, 7, CREATURE, "Rat", (30.0, 40.0, 0.0), low=0),
        ],
        [LinkRow(place.guid(0), place.guid(3), THEN, "Lever", LEVER)],
    )


def row(
    place: Place,
    number: int,
    wcid: int,
    name: str,
    origin: Vec3 | None = None,
    *,
    low: int | None = None,
    is_child: bool = False,
    time: str = THEN,
) -> InstanceRow:
    cell_id = place.door.cell_id if low is None else place.block_id & 0xFFFF0000 | low
    frame = place.door.frame
    at = RowPlace(cell_id, frame.origin if origin is None else origin, frame.rotation)
    return InstanceRow(place.guid(number), wcid, at, is_child, time, name)


def opened(place: Place) -> Simulation:
    world, _ = place.load()
    sim = Simulation(world)
    for block_id in (place.block_id, place.block_id + 0x01000000):
        sim.apply_edit(OpenLandblock(block_id))
    return sim


def plan_of(sim: Simulation, edits: Iterable[Edit], classes: Mapping[int, int] | None = None) -> ServerPlan:
    """Apply edits and plan the export of the result."""
    start, made = editable_state(sim), list(edits)
    for edit in made:
        sim.apply_edit(edit)
    return plan_server_export(sim, start, frozenset(ids_of(made)), NOW, classes)


def moved(sim: Simulation, guid: int, by: Vec3 = (0.25, 0.0, 0.0), cell_id: int = 0) -> PlaceEntity:
    entity = sim.population.entity(guid)
    frame = entity.place_frame()
    x, y, z = (one + other for one, other in zip(frame.origin, by, strict=True))
    return PlaceEntity(guid, cell_id or entity.place_cell(), x, y, z, *frame.rotation)


def written(plan: ServerPlan, folder: Path, *read: Path) -> WrittenServerData:
    return write_server_data(plan, folder, read, lambda fraction, sentence: None)


def differing(before: str, after: str) -> list[tuple[str, str]]:
    """The lines that differ, of texts with as many."""
    pairs = zip(before.splitlines(keepends=True), after.splitlines(keepends=True), strict=True)
    return [(one, other) for one, other in pairs if one != other]
