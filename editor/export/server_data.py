"""What an export of server data writes: the changed rows of the open world, and what no row can hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Final

from editor.document.world_diff import NOWHERE, EditableState, EntityState, ThingState, editable_state
from engine.entities.specs import pack_spec, unpack_spec, whole, wholes
from engine.sim.data_files.changes import LeftOut
from engine.sim.errors import SimError
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text, is_env_cell, landblock_id, low_of
from engine.world.entity_spec import ETHEREAL, EntitySpec
from engine.world.faults import WorldError
from engine.world.server.differences import RowDifference
from engine.world.server.entities import ServerEntities
from engine.world.server.model import IID_ACTIVATION_TARGET, Place
from engine.world.server.writing.changes import ABSOLUTE, RELATIVE, ChangedFile, ServerChanges
from engine.world.server.writing.read_back import ReadBack

LISTED: Final = "it comes from entities.json, not from the server's data"
ENCOUNTER: Final = "encounters live at the corner of a land cell; no row places one anywhere else"
OF_WEENIE: Final = "that belongs to its weenie, which everything of its class shares"
NO_CLASS: Final = "no weenie is known for it; choose one"
IS_NOWHERE: Final = "no cell holds it"


@dataclass(frozen=True)
class ServerPlan:
    """The export of one moment: it does not follow later edits."""

    world: str
    files: tuple[ChangedFile, ...]
    left_out: tuple[LeftOut, ...]
    without_class: frozenset[int] = frozenset()
    """The new things that are left out because their weenie is not known."""

    @property
    def is_empty(self) -> bool:
        return not self.files

    @property
    def rows(self) -> list[RowDifference]:
        return [row for file in self.files for row in file.rows]


def server_entities(sim: Simulation) -> ServerEntities | None:
    """The server data of a world."""
    found = sim.world.source.by_block
    return found if isinstance(found, ServerEntities) else None


def time_now() -> str:
    """The time in the form that servers keep."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


def plan_server_export(
    sim: Simulation,
    start: EditableState,
    touched: Collection[int],
    modified: str = "",
    classes: Mapping[int, int] | None = None,
) -> ServerPlan:
    """Plan the export of a world as it stands now. `start` is the state before its edits, `touched` are the ids of what
    they name, `classes` the weenies of new things by their ids.

    Raises a SimError for a world without server data, a WorldError for files that cannot be read or changed.
    """
    entities = server_entities(sim)
    if entities is None:
        raise SimError("has no server data", sim.world.name)
    planning = _Planning(sim, entities, start, touched, ServerChanges(entities.data, modified, _ids(sim, start)))
    planning.collect({} if classes is None else classes)
    files = planning.changes.files()
    planning.read_back(files)
    without_class = frozenset(planning.without_class)
    return ServerPlan(sim.world.name, tuple(files), tuple(planning.left_out), without_class)


def _ids(sim: Simulation, start: EditableState) -> set[int]:
    """What no new instance may be called: whatever has stood in the world, or is listed with it."""
    listed = (spec.guid for spec in sim.world.entities)
    return {*start.entities, *listed, *(entity.id for entity in sim.population.ordered)}


class _Planning:
    def __init__(
        self,
        sim: Simulation,
        entities: ServerEntities,
        start: EditableState,
        touched: Collection[int],
        changes: ServerChanges,
    ) -> None:
        self.sim, self.entities, self.start, self.touched, self.changes = sim, entities, start, touched, changes
        self.now = editable_state(sim)
        self.left_out: list[LeftOut] = []
        self.without_class: set[int] = set()
        self._listed = {spec.guid for spec in sim.world.entities}
        self._as_it_is = ServerEntities(entities.data, sim.world.source, entities.wanted)
        """What the data let stand there now: they may have changed since the world was opened."""
        self._written: dict[int, bool] = {}
        """The things that are to be written, and whether they are new."""

    def collect(self, classes: Mapping[int, int]) -> None:
        for entity_id, entity in self.now.entities.items():
            before = self.start.entities.get(entity_id)
            if before is None:
                self._add(entity_id, entity, classes)
            elif before != entity and entity_id in self.touched:  # what only time has moved starts where it is listed
                self._change(entity_id, before, entity)
        for entity_id, entity in self.start.entities.items():
            spec = unpack_spec(entity.spec)
            if entity_id not in self.now.entities and landblock_id(spec.cell_id) in self.now.joined:
                reason = self._why_not(spec)
                if reason:
                    self._leave_out(spec, "was removed", reason)
                else:
                    self.changes.remove(entity_id, self.entities.block_of(entity_id) >> 16)
                    self._check_row(entity_id)

    def _leave_out(self, spec: EntitySpec, what: str, reason: str) -> None:
        self.left_out.append(LeftOut(spec.guid, f"{spec.name} ({cell_text(spec.guid)}) {what}", reason))

    def _why_not(self, spec: EntitySpec) -> str:
        """Why no row has a thing that was there before the edits."""
        if spec.guid in self._listed or not self.entities.block_of(spec.guid):
            return LISTED
        return ENCOUNTER if spec.extra.get("encounter") is True else ""

    def _check_row(self, entity_id: int) -> None:
        """Refuse to change a row that somebody else has changed meanwhile."""
        opened = self.entities.find(entity_id)
        found = None if opened is None else self._as_it_is.of_block(landblock_id(opened.cell_id))
        same = next((spec for spec in found or () if spec.guid == entity_id), None)
        if opened is None or same is None or pack_spec(same) != pack_spec(opened):
            source = self.entities.source_of(entity_id)
            raise WorldError(
                f"{cell_text(entity_id)} was changed there since it was read; reload the world first", source
            )

    def _change(self, entity_id: int, before: EntityState, entity: EntityState) -> None:
        spec = unpack_spec(entity.spec)
        reason = self._why_not(spec)
        if reason:
            self._leave_out(spec, "was changed", reason)
            return
        for what in _properties(unpack_spec(before.spec), before, spec, entity):
            self._leave_out(spec, what, OF_WEENIE)
        was, is_now = before.place, entity.place
        if is_now.cell_id == NOWHERE:
            self._leave_out(spec, "was moved", IS_NOWHERE)
            return
        at = None if (was.cell_id, was.origin) == (is_now.cell_id, is_now.origin) else (is_now.cell_id, is_now.origin)
        turned = None if was.rotation == is_now.rotation else is_now.rotation
        if (at or turned) and self.changes.move(entity_id, self.entities.block_of(entity_id) >> 16, at, turned):
            self._check_row(entity_id)
            self._written[entity_id] = False

    def _add(self, entity_id: int, entity: EntityState, classes: Mapping[int, int]) -> None:
        spec = unpack_spec(entity.spec)
        wcid = classes.get(entity_id, whole(spec.extra.get("wcid"), 0))
        weenie = self.entities.data.weenie(wcid) if wcid else None
        place = entity.place
        if weenie is None:
            self._leave_out(spec, "is new", f"there is no weenie {wcid}; choose another one" if wcid else NO_CLASS)
            self.without_class.add(entity_id)
            return
        if place.cell_id == NOWHERE:
            self._leave_out(spec, "is new", IS_NOWHERE)
            return
        own = weenie.iids.get(IID_ACTIVATION_TARGET, 0)
        activates = [each for each in wholes(spec.extra.get("activates")) if each != own]
        self.changes.add(entity_id, wcid, Place(place.cell_id, place.origin, place.rotation), activates)
        self._written[entity_id] = True

    # --- reading back

    def read_back(self, files: Collection[ChangedFile]) -> None:
        """Compare what the files would let stand in the world with what stands there now."""
        data = ReadBack(self.entities.data, files)
        again = ServerEntities(data, self.sim.world.source, self.entities.wanted)
        for entity_id, is_new in self._written.items():
            entity = self.now.entities[entity_id]
            guid = self.changes.new_ids.get(entity_id, entity_id)
            found = next(
                (spec for spec in again.of_block(landblock_id(entity.place.cell_id)) if spec.guid == guid), None
            )
            spec = unpack_spec(entity.spec)
            if found is None or not _is_at(found, entity.place):
                reason = f"does not read back as it is shown: {spec.name} ({cell_text(guid)}) would stand elsewhere"
                raise SimError(f"{reason}; nothing was written", self.sim.world.name)
            if is_new:
                for what in _unlike(found, spec, entity):
                    self._leave_out(spec, what, OF_WEENIE)


def _is_at(spec: EntitySpec, place: ThingState) -> bool:
    """Whether a thing stands at a place, as exactly as six digits tell."""
    outdoors = not (is_env_cell(low_of(spec.cell_id)) or is_env_cell(low_of(place.cell_id)))
    same_cell = spec.cell_id >> 16 == place.cell_id >> 16 if outdoors else spec.cell_id == place.cell_id
    frame = spec.frame
    pairs = zip((*frame.origin, *frame.rotation), (*place.origin, *place.rotation), strict=True)
    return same_cell and all(abs(one - other) <= 2 * (RELATIVE * abs(other) + ABSOLUTE) for one, other in pairs)


def _properties(old: EntitySpec, before: EntityState, new: EntitySpec, after: EntityState) -> Iterator[str]:
    """What edits have changed that rows of instances do not have."""
    if old.scale != new.scale:
        yield f"has another scale, {new.scale:g}"
    switched = _bits(before) ^ _bits(after)
    if switched:
        yield f"has other PhysicsState bits, 0x{_bits(after):X}"
    if before.door is not None and after.door is not None:
        if before.door.locked != after.door.locked:
            yield f"was {'locked' if after.door.locked else 'unlocked'}"
        if before.door.interval != after.door.interval:
            yield f"has another reset interval, {after.door.interval:g} s"
        if before.door.is_open != after.door.is_open:
            yield f"stands {'open' if after.door.is_open else 'shut'}"


def _unlike(made: EntitySpec, spec: EntitySpec, entity: EntityState) -> Iterator[str]:
    """In what a new thing differs from what the server will make of its class."""
    if made.setup_id != spec.setup_id:
        yield "has another model than its class"
    if made.scale != spec.scale:
        yield f"has another scale than its class, {spec.scale:g}"
    own = EntityState(b"", ThingState(0, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), made.state), entity.door)
    if _bits(own) != _bits(entity):
        yield f"has other PhysicsState bits than its class, 0x{_bits(entity):X}"
    if entity.door is not None and entity.door.locked != (made.extra.get("locked") is True):
        yield f"is {'locked' if entity.door.locked else 'not locked'}, unlike its class"


def _bits(entity: EntityState) -> int:
    """PhysicsState without the bit that doors switch themselves."""
    state = entity.place.state or 0
    return state if entity.door is None else state & ~ETHEREAL
