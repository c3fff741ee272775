"""One cell as rows: its head, its portals, its stab list beside the cells that can be seen, and its statics (physics.md
6.2, rendering.md 3-4)."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final

from editor.models.live_table import (
    ACCEPTED,
    CURRENT,
    DIM,
    FAULT,
    Column,
    Row,
    Value,
    number,
    under_x,
    vector,
    vector_text,
)
from editor.session.session import Kind, Selection
from engine.sim.tick.simulation import Simulation
from engine.world.cells.cell import EnvCell, LandCell, ObjCell
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.cells.portals import EXACT_MATCH, LEADS_OUTSIDE, SIDE, CellPortal
from engine.world.names import Names

HEAD_COLUMNS: Final = (Column("Cell"), Column("", mono=True))
PORTAL_COLUMNS: Final = (
    Column("", mono=True, tip="The portal's number in the record, and its name"),
    Column("Leads to", mono=True),
    Column("Opposite", mono=True, right=True, tip="Number of the matching portal on the other side"),
    Column("Polygon", mono=True, right=True),
    Column("Flags", mono=True),
    Column("Other side", sample="✓ leads back"),
)
STAB_COLUMNS: Final = (
    Column("Cell", mono=True),
    Column("Stab list", sample="✓ listed"),
    Column("Ever seen", sample="✓ seen", tip="Whether some straight line through portals reaches it"),
    Column("Drawn now", sample="▶ drawn", tip="Whether the 3D view's frame draws it; ▶ is the player's cell"),
)
STATIC_COLUMNS: Final = (
    Column("Model", mono=True),
    Column("x", mono=True, right=True),
    Column("y", mono=True, right=True),
    Column("z", mono=True, right=True),
    Column("°", mono=True, right=True),
)

PORTAL_FLAGS: Final = ((EXACT_MATCH, "EXACT_MATCH"), (SIDE, "PORTAL_SIDE"), (LEADS_OUTSIDE, "LEADS_OUTSIDE"))
"""The bits of a portal's flags that have a meaning (dat-format.md 2.5); PORTAL_SIDE is stored inverted."""


def head_rows(sim: Simulation, cell: ObjCell) -> list[Row]:
    origin, name = cell.frame.origin, sim.world.names.of_cell(cell.id)
    rows = [
        _fact("Name", Value(name) if name else Value("–", "", DIM)),
        _fact("Id", Value(cell_text(cell.id), tone=CURRENT if cell.id == sim.graph.current_id else "")),
        _fact("Kind", Value("room" if cell.is_interior else "land")),
        _fact("Seen outside", Value("☀ yes", "yes") if cell.seen_outside else Value("no", tone=DIM)),
        _fact("Origin", Value(vector_text(origin), "\t".join(map(repr, origin)))),
    ]
    if isinstance(cell, EnvCell):
        shape = cell.structure
        rows += [
            _fact("Heading", _degrees(cell.frame.heading())),
            _fact("Flags", Value(f"0x{cell.flags:X}")),
            _fact("Structure", Value(f"0x{shape.environment_id:08X} / {shape.index}")),
            _fact("Physics tree", _tree(cell.physics_tree, f"{len(shape.physics_polygons)} polygons")),
            _fact("Cell tree", _tree(cell.cell_tree, "there")),
            _fact("Drawing tree", _tree(shape.has_drawing_tree or None, f"{len(shape.polygons)} polygons")),
        ]
    if isinstance(cell, LandCell):
        rows.append(_fact("Water", Value(("none", "part", "all")[min(max(cell.water_type, 0), 2)])))
    edited = sim.rooms.records_of(cell.id) is not None
    rows += [
        _fact("Objects", Value(str(len(cell.object_list)))),
        _fact("Shadow objects", Value(str(len(cell.shadow_objects)))),
        _fact("Faults", Value(str(len(cell.faults)), tone=FAULT) if cell.faults else Value("✓ none", tone=DIM)),
        _fact("Edited", Value("yes", tone=CURRENT) if edited else Value("no", tone=DIM)),
    ]
    return rows


def _degrees(angle: float) -> Value:
    return Value(f"{under_x(number(angle).text)}°", repr(angle))


def _tree(tree: object | None, words: str) -> Value:
    return Value("■ missing", tone=FAULT) if tree is None else Value(words)


def _fact(name: str, value: Value) -> Row:
    return Row(name, (Value(name, tone=DIM), value))


def portal_rows(sim: Simulation, cell: EnvCell) -> list[Row]:
    return [_portal_row(sim, cell, index, portal) for index, portal in enumerate(cell.portals)]


def _portal_row(sim: Simulation, cell: EnvCell, index: int, portal: CellPortal) -> Row:
    outside, names = portal.leads_outside, sim.world.names
    other = None if outside else sim.graph.get_visible(portal.other_cell_id)
    selection = None if other is None else Selection(Kind.CELL, landblock_id(other.id), other.id)
    flags = [name for bit, name in PORTAL_FLAGS if portal.flags & bit]
    side = "inside is behind its polygon" if portal.portal_side else "inside is in front of its polygon"
    values = (
        Value(f"{index} {names.of_portal(cell.id, index)}".strip(), tone=DIM),
        Value("outdoors →", "outdoors") if outside else _cell_value(portal.other_cell_id, names),
        Value("–", "", DIM) if portal.other_portal_id < 0 else Value(str(portal.other_portal_id)),
        Value(str(portal.polygon_id), tone=FAULT if portal.polygon is None else ""),
        Value(f"0x{portal.flags:X}", tip=" ".join([*flags, f"({side})"])),
        _other_side(cell, portal, other, outside),
    )
    return Row((cell.id, index), values, selection)


def _cell_value(cell_id: int, names: Names) -> Value:
    """The id with its name; the id alone is copied."""
    return Value(names.cell_field(cell_id), cell_text(cell_id))


def _other_side(cell: EnvCell, portal: CellPortal, other: ObjCell | None, outside: bool) -> Value:
    if outside:
        return Value("open air", tone=DIM)
    if not isinstance(other, EnvCell):
        return Value("■ missing", tone=FAULT)
    number_ = portal.other_portal_id
    if not 0 <= number_ < len(other.portals):
        return Value("■ no such portal", tone=FAULT)
    back = other.portals[number_].other_cell_id
    return (
        Value("✓ leads back", tone=ACCEPTED) if back == cell.id else Value(f"■ leads to {cell_text(back)}", tone=FAULT)
    )


def stab_rows(
    sim: Simulation, cell: EnvCell, computed: Sequence[int] | None, drawn: Container[int] | None = None
) -> list[Row]:
    """Every cell that is listed or visible; `computed` is None until the search has finished, `drawn` while no frame is
    on the screen."""
    listed = cell.stab_list
    more = [] if computed is None else [other for other in computed if other not in cell.stab_set]
    return [_stab_row(sim, cell, other, computed, drawn) for other in sorted({*listed, *more})]


def _stab_row(
    sim: Simulation, cell: EnvCell, other: int, computed: Sequence[int] | None, drawn: Container[int] | None
) -> Row:
    listed = other in cell.stab_set
    there = sim.graph.get_visible(other)
    if computed is None:
        seen = Value("…", "", DIM)
    elif other in computed:
        seen = Value("✓ seen", tone=ACCEPTED) if listed else Value("■ seen, not listed", tone=FAULT)
    else:
        seen = Value("never seen", tone=DIM)
    now = _drawn_value(other, drawn, is_current=other == sim.graph.current_id)
    values = (
        Value(sim.world.names.cell_field(other), cell_text(other), tone=FAULT if there is None else ""),
        Value("✓ listed", tone=ACCEPTED) if listed else Value("–", "not listed", DIM),
        Value("■ missing", tone=FAULT) if there is None else seen,
        now,
    )
    return Row(other, values, None if there is None else Selection(Kind.CELL, landblock_id(other), other))


def _drawn_value(cell_id: int, drawn: Container[int] | None, *, is_current: bool) -> Value:
    """Whether the frame on the screen draws a cell; the player's cell has its mark either way."""
    if drawn is None:
        word, tip = "–", "The 3D view is not on the screen"
    else:
        word, tip = ("drawn", "") if cell_id in drawn else ("no", "")
    if is_current:
        return Value(f"▶ {word}", word, CURRENT, tip or "The player is in this cell")
    return Value("✓ drawn", word, ACCEPTED) if word == "drawn" else Value(word, word, DIM, tip)


def static_rows(cell: ObjCell, names: Names) -> list[Row]:
    return [
        Row(
            thing.id,
            (
                Value(names.model_field(thing.model_id), cell_text(thing.model_id)),
                *vector(thing.frame.origin),
                number(thing.frame.heading(), 1),
            ),
            Selection(Kind.STATIC, landblock_id(cell.id), thing.id),
        )
        for thing in cell.static_objects
    ]


def stab_summary(cell: EnvCell, computed: Sequence[int] | None) -> str:
    """A sentence that compares the list with the visible cells."""
    if computed is None:
        return f"{len(cell.stab_list)} listed"
    missing = len([other for other in computed if other not in cell.stab_set])
    spare = len([other for other in cell.stab_list if other not in computed])
    if not missing and not spare:
        return f"✓ {len(cell.stab_list)} listed, exactly the visible cells"
    parts = [f"■ {missing} seen but not listed"] if missing else []
    parts += [f"{spare} listed but never seen"] if spare else []
    return f"{len(cell.stab_list)} listed: {', '.join(parts)}"
