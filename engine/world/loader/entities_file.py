"""`entities.json` beside the .dat files: the entities of a world (engine.world.entity_spec), read and written.

    {"version": 1, "entities": [
      {"guid": "0x7C95B001", "name": "Front door", "kind": "door", "setup": "0x02000010", "cell": "0xC95B0029",
       "frame": {"origin": [132.6, 17.1, 94.1], "rotation": [1, 0, 0, 0]}, "state": "0x00010008",
       "scale": 1, "extra": {}}]}

Ids and states are texts as shown or plain numbers; `rotation` is w, x, y, z; `rotation`, `state`, `scale`, `extra` and
`name` may be left out. An entry that is wrong, or beyond the limits of `engine.world.entity_limits`, is left out and
named in a fault; the others load.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from engine.dat.atomic import write_whole
from engine.geometry.frame import Frame
from engine.geometry.quat import IDENTITY
from engine.world.cells.ids import cell_text, parse_id
from engine.world.entity_limits import flaw_of, shown_name
from engine.world.entity_spec import HAS_PHYSICS_BSP, REPORT_COLLISIONS, EntitySpec
from engine.world.faults import ENTITY, Fault, Severity, WorldError
from engine.world.loader.json_form import JsonNode, read_json

FILE_NAME: Final = "entities.json"
VERSION: Final = 1

DEFAULT_STATE: Final = HAS_PHYSICS_BSP | REPORT_COLLISIONS
MAX_WRONG: Final = 1000
"""The number of faults that are reported one by one; a file with more was not written with care."""
KEYS: Final = frozenset({"guid", "name", "kind", "setup", "cell", "frame", "state", "scale", "extra"})


def read_entities(path: Path) -> tuple[list[EntitySpec], list[Fault]]:
    """Return the entities of the file in its order, and its faults; both empty when there is no file."""
    if not path.exists():
        return [], []
    try:
        root = read_json(path)
        version = root.field("version").integer(0, 2**31)
        if version != VERSION:
            raise root.field("version").error(f"is {version}; this program reads version {VERSION}")
        entries = list(root.field("entities").items())
    except WorldError as error:
        return [], [Fault(0, ENTITY, f"{error}; no entity is loaded")]
    entities: list[EntitySpec] = []
    faults: list[Fault] = []
    noted: list[Fault] = []
    seen: set[int] = set()
    for index, entry in enumerate(entries):
        try:
            entity = _entity(entry)
            flaw = flaw_of(entity)
            if not flaw and entity.guid in seen:
                flaw = f"has the id {cell_text(entity.guid)} of another entity before it"
            if flaw:
                raise entry.error(f"{shown_name(entity)} {flaw}")
        except WorldError as error:
            faults.append(Fault(0, ENTITY, f"{error}; left out", index=index))
            if len(faults) == MAX_WRONG:
                reason = f"{MAX_WRONG:,} entities are wrong; the {len(entries) - index - 1:,} behind them are not read"
                faults.append(Fault(0, ENTITY, f"{path}: {reason}"))
                break
            continue
        unknown = [key for key in entry.mapping() if key not in KEYS]
        if unknown and len(noted) < MAX_WRONG:
            others = f" and {len(unknown) - 1:,} more keys" if len(unknown) > 1 else ""
            reason = str(entry.error(f"has {unknown[0][:80]!r}{others}, which is not used"))
            noted.append(Fault(0, ENTITY, reason, Severity.INFO, index))
        seen.add(entity.guid)
        entities.append(entity)
    return entities, [*faults, *noted]


def _entity(entry: JsonNode) -> EntitySpec:
    cell_id = _id(entry.field("cell"))
    frame = _frame(entry.field("frame"))
    name, state, scale, extra = (entry.optional(key) for key in ("name", "state", "scale", "extra"))
    kind = entry.field("kind").text()
    return EntitySpec(
        guid=_id(entry.field("guid")),
        name=kind if name is None else name.text(),
        kind=kind,
        setup_id=_id(entry.field("setup")),
        cell_id=cell_id,
        frame=frame,
        state=DEFAULT_STATE if state is None else _id(state),
        scale=1.0 if scale is None else scale.number(),
        extra={} if extra is None else dict(extra.mapping()),
    )


def _frame(node: JsonNode) -> Frame:
    rotation = node.optional("rotation")
    return Frame(node.field("origin").vec3(), IDENTITY if rotation is None else rotation.quat())


def _id(node: JsonNode) -> int:
    if isinstance(node.value, str):
        try:
            return parse_id(node.value)
        except WorldError as error:
            raise node.error(error.reason) from error
    return node.integer(0, 0xFFFFFFFF)


def write_entities(path: Path, entities: Iterable[EntitySpec]) -> None:
    """Replace the file atomically, so that readers always see a whole file."""
    text = json.dumps({"version": VERSION, "entities": [_entry(entity) for entity in entities]}, indent=1)
    write_whole(path, text.encode() + b"\n")


def _entry(entity: EntitySpec) -> dict[str, object]:
    return {
        "guid": f"0x{entity.guid:08X}",
        "name": entity.name,
        "kind": entity.kind,
        "setup": f"0x{entity.setup_id:08X}",
        "cell": f"0x{entity.cell_id:08X}",
        "frame": {"origin": list(entity.frame.origin), "rotation": list(entity.frame.rotation)},
        "state": f"0x{entity.state:08X}",
        "scale": entity.scale,
        "extra": entity.extra,
    }
