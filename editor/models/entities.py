"""The entities of the running world as rows, the shadow entries of each, and its PhysicsState by bit (physics.md
8.3-8.7)."""

from __future__ import annotations

from typing import Final

from editor.models.live_table import CURRENT, DIM, FAULT, Column, Row, Value, number, vector, vector_text
from editor.places.place_text import read_place
from editor.process.plain_text import counted
from editor.session.session import Kind, Selection
from engine.entities.entity import Entity
from engine.entities.specs import unpack_spec
from engine.geometry.quat import Quat
from engine.geometry.vec import Vec3
from engine.physics import flags as physics_flags
from engine.physics.objects.physics_object import COLLISION_TYPE_NAMES
from engine.physics.objects.shadows import BY_CYLINDERS, BY_PARTS, MAX_CYLINDERS, Registration
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text, landblock_id
from engine.world.entity_spec import EntitySpec
from engine.world.faults import WorldError
from engine.world.names import Names

ENTITY_COLUMNS: Final = (
    Column("Entity"),
    Column("Kind"),
    Column("Cell", mono=True, sample="0xC95B0101"),
    Column("x", mono=True, right=True, sample="-100.000"),
    Column("y", mono=True, right=True, sample="-100.000"),
    Column("z", mono=True, right=True, sample="-100.000"),
    Column("°", mono=True, right=True, tip="Compass heading", sample="360.0"),
    Column("State", mono=True, tip="PhysicsState", sample="0x00010008"),
    Column("Rows", mono=True, right=True, tip="Shadow entries in each of its cells"),
    Column("In cells", mono=True, sample="0100 0101 0102"),
    Column("Id", mono=True),
)
NAME, KIND, CELL, X, Y, Z, HEADING, STATE, ROWS, IN_CELLS, ID = range(11)

SHADOW_COLUMNS: Final = (
    Column("", mono=True, right=True),
    Column("Shape"),
    Column("Part", mono=True, tip="The GfxObj that owns the physics tree"),
    Column("Local", mono=True, tip="Position in the entity: x y z; the rotation is in the tooltip"),
    Column("World", mono=True, tip="Position in the landblock: x y z; the rotation is in the tooltip"),
    Column("Radius", mono=True, right=True),
    Column("Height", mono=True, right=True),
    Column("Scale", mono=True, right=True),
)

BITS: Final = (
    "STATIC",
    "ETHEREAL",
    "REPORT_COLLISIONS",
    "IGNORE_COLLISIONS",
    "NODRAW",
    "MISSILE",
    "PUSHABLE",
    "ALIGN_PATH",
    "PATH_CLIPPED",
    "GRAVITY",
    "LIGHTING_ON",
    "PARTICLE_EMITTER",
    "HIDDEN",
    "SCRIPTED_COLLISION",
    "HAS_PHYSICS_BSP",
    "INELASTIC",
    "HAS_DEFAULT_ANIM",
    "HAS_DEFAULT_SCRIPT",
    "CLOAKED",
    "REPORT_AS_ENVIRONMENT",
    "EDGE_SLIDE",
    "SLEDDING",
    "FROZEN",
)
"""PhysicsState (8.7), by ascending bit."""

BIT_COLUMNS: Final = (Column("PhysicsState"), Column("Bit", mono=True, right=True))


def bit_of(name: str) -> int:
    return int(getattr(physics_flags, name))


def entity_rows(sim: Simulation) -> list[Row]:
    """The player first, then all others by id."""
    return [_entity_row(sim, entity) for entity in (sim.player, *sim.population.ordered)]


def _entity_row(sim: Simulation, entity: Entity) -> Row:
    cell_id, frame = entity.place_cell(), entity.place_frame()
    entry = sim.population.registry.entities.get(entity.id)
    cells = [] if entry is None else entry.cell_ids
    state = 0 if entry is None else entry.obj.state
    if entity is sim.player:
        state = sim.player.steered.state
    return Row(
        entity.id,
        (
            Value(f"▶ {entity.name}", entity.name, CURRENT) if entity is sim.player else Value(entity.name),
            Value(entity.kind, tone=DIM),
            _cell_value(entity, cell_id, sim.world.names),
            *vector(frame.origin),
            number(frame.heading(), 1),
            Value(f"0x{state:08X}", tip=state_text(state)),
            Value(str(0 if entry is None else len(entry.obj.rows))),
            Value(" ".join(cell_text(cell) for cell in cells), tip=_cells_tip(entity, entry, sim.world.names)),
            Value(cell_text(entity.id)),
        ),
        Selection(Kind.ENTITY, landblock_id(cell_id), entity.id) if cell_id else None,
    )


def _cells_tip(entity: Entity, entry: Registration | None, names: Names) -> str:
    """Its cells by their names, and how they were found."""
    if entry is None:
        return ""
    return "\n".join([*map(names.cell_field, entry.cell_ids), found_text(entity, entry)])


def found_text(entity: Entity, entry: Registration) -> str:
    """The shapes that an entity's cells were searched with; none of them follows its scale (physics.md #19, #44)."""
    found_by = entry.found_by()
    body = entity.body
    if found_by != BY_PARTS and body is not None and body.last_transition is not None:
        return "The cells that its last sweep went through. Nothing collides with it in other cells."
    if found_by == BY_PARTS:
        what = f"the boxes of its {len(entry.parts)} parts" if len(entry.parts) != 1 else "the box of its only part"
    elif found_by == BY_CYLINDERS:
        count = min(len(entry.cylinders()), MAX_CYLINDERS)
        what = f"{count} cylinders" if count != 1 else "its cylinder"
    else:
        what = f"its sorting sphere of {entry.sorting_sphere.radius:.3g} m"
    return f"Found by {what}, as large as in the model whatever its scale. Nothing collides with it in other cells."


def _cell_value(entity: Entity, cell_id: int, names: Names) -> Value:
    if entity.body is not None and entity.body.is_lost:
        return Value(f"■ left {names.cell(cell_id)}", cell_text(cell_id), FAULT, "Lost: no cell holds its centre")
    return Value(names.cell_field(cell_id), cell_text(cell_id)) if cell_id else Value("nowhere", tone=DIM)


def not_open(sim: Simulation, kind: str = "") -> str:
    """A sentence about the entities, of one kind or of all, in landblocks that have not come in; empty when there are
    none."""
    index, has = sim.world.entity_index, sim.surroundings.has
    blocks = [block_id for block_id in index.landblocks() if not has(block_id)]
    unknown = sum(not index.is_known(block_id) for block_id in blocks)
    if unknown:
        return f"More may be in {counted(unknown, 'landblock')} of the server's data, not open"
    counts = [sum(not kind or spec.kind == kind for spec in index.of_block(block_id)) for block_id in blocks]
    closed, count = sum(map(bool, counts)), sum(counts)
    if not count:
        return ""
    where = "1 landblock that is" if closed == 1 else f"{closed:,} landblocks that are"
    return f"{count:,} more in {where} not open"


def destination_of(entity: Entity) -> str:
    """Where a portal leads, as a place is written; empty when it leads nowhere, or is none."""
    if not entity.spec:
        return ""
    found = unpack_spec(entity.spec).extra.get("destination")
    if not isinstance(found, dict):
        return ""
    origin, rotation = found.get("origin"), found.get("rotation")
    if not isinstance(origin, list):
        return ""
    numbers = [*origin, *(rotation if isinstance(rotation, list) else [])]
    try:
        return read_place(f"{found.get('cell')} {' '.join(str(number) for number in numbers)}").text
    except WorldError:
        return ""


def state_text(state: int) -> str:
    """The names of the bits."""
    names = [name for name in BITS if state & bit_of(name)]
    rest = state & ~sum(bit_of(name) for name in BITS)
    return ", ".join([*names, *([f"0x{rest:X}"] if rest else [])]) or "no bits"


def shadow_rows(sim: Simulation, entity_id: int) -> list[Row]:
    """The rows of an entity's shadow entries in every cell it is in."""
    entry = sim.population.registry.entities.get(entity_id)
    rows = [] if entry is None else entry.obj.rows
    found = []
    for index, shadow in enumerate(rows):
        shape = shadow.shape
        kind = COLLISION_TYPE_NAMES[shape.collision_type]
        part = "–" if shape.gfxobj is None else f"0x{shape.gfxobj.id:08X}"
        values = (
            Value(str(index), tone=DIM),
            Value(kind),
            Value(part),
            _pose(shape.local_position, shape.local_rotation),
            _pose(shadow.frame.origin, shadow.frame.rotation),
            number(shape.radius),
            number(shape.cyl_height),
            number(shape.scale),
        )
        found.append(Row((entity_id, index), values))
    return found


def _pose(at: Vec3, turned: Quat) -> Value:
    """The position; the rotation is in the tooltip and in the copied text."""
    w, x, y, z = turned
    full = " ".join(repr(part) for part in (*at, *turned))
    return Value(vector_text(at), full, tip=f"Turned by w {w:.4f}  x {x:.4f}  y {y:.4f}  z {z:.4f}")


def bit_rows(sim: Simulation, entity_id: int) -> list[Row]:
    """The state bits of an entity or the player, each with a check box."""
    if sim.population.registry.entities.get(entity_id) is None:
        return []
    state = sim.population.state_of(entity_id)
    return [
        Row(name, (Value(name), Value(f"0x{bit_of(name):X}", tone=DIM)), None, bool(state & bit_of(name)))
        for name in BITS
    ]


def specs_now(sim: Simulation, block_id: int) -> list[EntitySpec]:
    """The entities in a landblock, with the specifications of where and how they are now. Until it has come in, they
    are those of the world's list."""
    found = [] if sim.surroundings.has(block_id) else list(sim.world.entities_of(block_id))
    for entity in sim.population.ordered:
        if entity.place_cell() >> 16 != block_id >> 16:
            continue
        spec = unpack_spec(entity.spec)
        spec.cell_id, spec.frame = entity.place_cell(), entity.place_frame()
        spec.state = sim.population.state_of(entity.id)
        found.append(spec)
    return found
