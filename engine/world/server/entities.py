"""A server's instances as entities of the world: where they stand, what they look like, how they behave.

Data with flaws loads all the same where a server would load it: without a rotation a thing is not turned, and outdoors
the land cell follows from where it stands. Each such flaw is a fault with its file and line.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.geometry.frame import Frame
from engine.geometry.quat import IDENTITY, Quat, normalize, quat_length
from engine.geometry.vec import r24v
from engine.world.cells.ids import block_text, cell_in_range, cell_text, low_of
from engine.world.cells.landdefs import adjust_to_outside
from engine.world.entity_index import BlockEntities
from engine.world.entity_limits import flaw_of
from engine.world.entity_spec import EntitySpec
from engine.world.faults import ENTITY, Fault, Severity
from engine.world.server import model
from engine.world.server.appearance import door_extra, hidden, kind_of, state_of
from engine.world.server.model import BlockContent, Instance, Link, ServerData, Weenie
from engine.world.source import WorldSource

ROTATION_SLACK: Final = 0.01
"""Rotations are written with six digits; one that is farther from length 1 was never one."""
LAST_OF_LAND: Final = 191.5
FIRST_OF_LAND: Final = 0.5
LAND_CELL: Final = 24.0
"""An encounter lives at the south-west corner of its land cell, but not on the edge of its landblock."""
DYNAMIC: Final = 0x80000000
"""Servers give what they make themselves ids from here on."""
HIGH_GUID: Final = 0x7


@dataclass(frozen=True)
class Wanted:
    """What is asked for: the types of weenies that are left out, and whether encounters live on the land."""

    left_out: frozenset[int] = frozenset({model.HOOK})
    encounters: bool = False


@dataclass(slots=True)
class _Block:
    specs: list[EntitySpec]
    faults: list[Fault]
    sources: dict[int, str]


class ServerEntities(BlockEntities):
    """The entities of a server's data in a world whose models `source` has."""

    def __init__(self, data: ServerData, source: WorldSource, wanted: Wanted | None = None) -> None:
        self.data = data
        self.wanted = Wanted() if wanted is None else wanted
        self._source = source
        self._blocks: dict[int, _Block] = {}

    def landblocks(self) -> list[int]:
        return self.data.landblocks()

    def of_block(self, block_id: int) -> list[EntitySpec]:
        return self._block(block_id).specs

    def is_made(self, block_id: int) -> bool:
        return block_id in self._blocks

    def find(self, entity_id: int) -> EntitySpec | None:
        for block in self._blocks.values():
            if entity_id in block.sources:
                return next((spec for spec in block.specs if spec.guid == entity_id), None)
        high = HIGH_GUID if entity_id >> 28 == HIGH_GUID else DYNAMIC >> 28
        block_id = (entity_id >> 12 & 0xFFFF) << 16 | 0xFFFF
        if entity_id >> 28 != high or block_id in self._blocks:
            return None
        return next((spec for spec in self.of_block(block_id) if spec.guid == entity_id), None)

    def block_of(self, entity_id: int) -> int:
        """The landblock whose rows have an entity, whatever cell that is in; 0 for others."""
        return next((block_id for block_id, block in self._blocks.items() if entity_id in block.sources), 0)

    def source_of(self, entity_id: int) -> str:
        return next((block.sources[entity_id] for block in self._blocks.values() if entity_id in block.sources), "")

    def faults(self) -> list[Fault]:
        """What the index found in a landblock's file is told once, though reading the landblock tells it too."""
        made = (fault for block in self._blocks.values() for fault in block.faults)
        return list(dict.fromkeys((*self.data.all_faults(), *made)))

    def block_faults(self, block_id: int) -> list[Fault]:
        return self._blocks[block_id].faults if block_id in self._blocks else []

    def overview(self) -> dict[str, object]:
        return {"name": self.data.name, **self.data.counts()}

    def forget(self, block_id: int) -> None:
        self._blocks.pop(block_id, None)

    def close(self) -> None:
        self.data.close()

    def _block(self, block_id: int) -> _Block:
        if block_id not in self._blocks:
            self._blocks[block_id] = _Making(self.data, self._source, self.wanted, block_id).block()
        return self._blocks[block_id]


class _Making:
    """The making of one landblock's entities."""

    def __init__(self, data: ServerData, source: WorldSource, wanted: Wanted, block_id: int) -> None:
        self._data = data
        self._source = source
        self._wanted = wanted
        self._block_id = block_id
        self._made = _Block([], [], {})

    def block(self) -> _Block:
        content = self._data.block(self._block_id)
        self._made.faults.extend(content.faults)
        self._data.prepare({instance.wcid for instance in content.instances})
        weenies = {instance.guid: self._data.weenie(instance.wcid) for instance in content.instances}
        activated = self._activated(content, weenies)
        for instance in content.instances:
            weenie = weenies[instance.guid]
            if weenie is not None and weenie.type in self._wanted.left_out:
                continue
            self._place(instance, weenie, activated.get(instance.guid, []))
        if self._wanted.encounters:
            self._add_encounters()
        return self._made

    def _fault(self, guid: int, source: str, reason: str, severity: Severity = Severity.WARNING) -> None:
        self._made.faults.append(Fault(guid, ENTITY, f"{source}: {reason}", severity))

    # --- links

    def _activated(self, content: BlockContent, weenies: dict[int, Weenie | None]) -> dict[int, list[int]]:
        """The ids of what each thing activates when it is used or stepped on: the parents of its links, and the target
        that its weenie names."""
        found: dict[int, list[int]] = {}
        for link in content.links:
            self._check_link(link, weenies)
            child = weenies.get(link.child)
            if child is not None and child.type in ACTIVATING and _is_activated(weenies.get(link.parent)):
                found.setdefault(link.child, []).append(link.parent)
        for instance in content.instances:
            weenie = weenies[instance.guid]
            target = 0 if weenie is None else weenie.iids.get(model.IID_ACTIVATION_TARGET, 0)
            if target and target not in found.get(instance.guid, []):
                found.setdefault(instance.guid, []).append(target)
        return found

    def _check_link(self, link: Link, weenies: dict[int, Weenie | None]) -> None:
        for end, guid in (("from", link.parent), ("to", link.child)):
            if guid not in weenies:
                reason = f"a link leads {end} {cell_text(guid)}, which does not stand in {block_text(self._block_id)}"
                self._fault(link.parent, link.source, reason)

    # --- one instance

    def _place(self, instance: Instance, weenie: Weenie | None, activates: list[int]) -> None:
        name = f"weenie {instance.wcid}" if weenie is None else weenie.name
        shown = f"{name} {cell_text(instance.guid)}"
        if weenie is None:
            self._fault(instance.guid, instance.source, f"{shown}: there is no weenie {instance.wcid}", Severity.ERROR)
        frame = Frame(r24v(instance.place.origin), self._rotation(instance, shown))
        cell_id, frame = self._cell(instance, frame, shown)
        spec = self._spec(instance.guid, weenie, name, cell_id, frame, activates)
        spec.extra["wcid"] = instance.wcid
        self._add(spec, instance.source)

    def _rotation(self, instance: Instance, shown: str) -> Quat:
        rotation = instance.place.rotation
        length = quat_length(rotation)
        if length == 0.0:
            self._fault(instance.guid, instance.source, f"{shown}: its rotation is 0, 0, 0, 0; it is not turned")
            return IDENTITY
        if abs(length - 1.0) > ROTATION_SLACK:
            reason = f"{shown}: its rotation has the length {length:.6g}; it is taken as 1"
            self._fault(instance.guid, instance.source, reason)
        return normalize(rotation)

    def _cell(self, instance: Instance, frame: Frame, shown: str) -> tuple[int, Frame]:
        """The cell as a server finds it: outdoors it follows from where the thing stands."""
        cell_id = instance.place.cell_id
        low = low_of(cell_id)
        is_named = low != 0 and cell_in_range(low)
        if is_named:
            return cell_id, frame
        ok, under, origin = adjust_to_outside(cell_id | 0xFFFF, frame.origin)
        if low != 0:
            reason = f"{shown}: {cell_text(cell_id)} names no cell"
            self._fault(instance.guid, instance.source, f"{reason}; it is {cell_text(under) if ok else 'left out'}")
        elif ok and under >> 16 != cell_id >> 16:
            reason = f"{shown}: it stands outside of its landblock, in {cell_text(under)}"
            self._fault(instance.guid, instance.source, reason)
        return (under, Frame(r24v(origin), frame.rotation)) if ok else (cell_id, frame)

    def _spec(
        self, guid: int, weenie: Weenie | None, name: str, cell_id: int, frame: Frame, activates: list[int]
    ) -> EntitySpec:
        if weenie is None:
            return EntitySpec(guid, name, "object", 0, cell_id, frame, 0)
        shown = self._stands_for(weenie)
        setup_id = shown.dids.get(model.DID_SETUP, 0)
        setup = self._source.setup(setup_id) if setup_id else None
        extra: dict[str, object] = {}
        table_id = shown.dids.get(model.DID_MOTION_TABLE, 0)
        if table_id:
            extra["motion_table"] = table_id
        if model.FLOAT_USE_RADIUS in shown.floats:
            extra["use_radius"] = shown.floats[model.FLOAT_USE_RADIUS]
        if shown.type in (model.VENDOR, model.COW):
            extra["creature"] = True
        if shown.type == model.DOOR:
            extra |= door_extra(shown)
        if activates:
            extra["activates"] = activates
        destination = shown.positions.get(model.POSITION_DESTINATION)
        if destination is not None:
            x, y, z = destination.origin
            leads_to = destination.cell_id
            if low_of(leads_to) == 0:
                ok, under, _ = adjust_to_outside(leads_to | 0xFFFF, destination.origin)
                leads_to = under if ok else leads_to
            extra["destination"] = {
                "cell": cell_text(leads_to),
                "origin": [x, y, z],
                "rotation": list(destination.rotation),
            }
        if weenie.generates:
            extra["generates"] = self._names_of(weenie.generates)
        if shown is not weenie:
            extra["generator"] = weenie.name
        state = state_of(shown, setup is not None and setup.has_physics_bsp())
        scale = shown.floats.get(model.FLOAT_SCALE, 1.0)
        return EntitySpec(guid, shown.name, kind_of(shown), setup_id, cell_id, frame, state, scale, extra)

    def _stands_for(self, weenie: Weenie) -> Weenie:
        """What players see where a thing stands: a generator that they do not see stands for what it makes."""
        if hidden(weenie):
            for wcid in weenie.generates:
                made = self._data.weenie(wcid)
                if made is not None and made.dids.get(model.DID_SETUP) and not hidden(made):
                    return made
        return weenie

    def _names_of(self, wcids: Iterable[int]) -> list[str]:
        found = dict.fromkeys(wcids)
        weenies = [(wcid, self._data.weenie(wcid)) for wcid in list(found)[:MAX_NAMED]]
        return [f"weenie {wcid}" if weenie is None else weenie.name for wcid, weenie in weenies]

    def _add(self, spec: EntitySpec, source: str) -> None:
        flaw = flaw_of(spec)
        if not flaw and spec.guid in self._made.sources:
            flaw = f"has the id {cell_text(spec.guid)} of another instance before it"
        if flaw:
            self._fault(spec.guid, source, f"{spec.name[:80]} {flaw}; left out", Severity.ERROR)
            return
        self._made.sources[spec.guid] = source
        self._made.specs.append(spec)

    # --- encounters

    def _add_encounters(self) -> None:
        """What lives on the land, at the corner of its cell and on the ground; nothing where a building stands."""
        encounters = self._data.encounters(self._block_id)
        block = self._source.load_landblock(self._block_id) if encounters else None
        if block is None or block.terrain is None:
            return
        built = set(block.building_cells)
        for number, encounter in enumerate(encounters):
            x, y = (
                min(max(part * LAND_CELL, FIRST_OF_LAND), LAST_OF_LAND) for part in (encounter.cell_x, encounter.cell_y)
            )
            height = block.terrain.height_at(x, y)
            ok, cell_id, origin = adjust_to_outside(self._block_id, (x, y, height or 0.0))
            if height is None or not ok or low_of(cell_id) in built:
                continue
            weenie = self._data.weenie(encounter.wcid)
            guid = DYNAMIC | (self._block_id >> 16) << 12 | number & 0xFFF
            if weenie is None:
                self._fault(guid, encounter.source, f"there is no weenie {encounter.wcid}", Severity.ERROR)
                continue
            frame = Frame(r24v(origin), IDENTITY)
            spec = self._spec(guid, weenie, weenie.name, cell_id, frame, [])
            spec.extra |= {"wcid": encounter.wcid, "encounter": True}
            self._add(spec, encounter.source)


ACTIVATING: Final = frozenset({model.DOOR, model.PRESSURE_PLATE, model.SWITCH})
MAX_NAMED: Final = 50
"""Names of what a generator makes."""


def _is_activated(parent: Weenie | None) -> bool:
    """Whether a link means that its child activates the parent, instead of being placed or owned by it."""
    return parent is not None and parent.type in (*ACTIVATING, model.PORTAL, model.CHEST)
