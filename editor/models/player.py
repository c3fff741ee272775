"""The player as rows: place, contact, and the result of the last tick (physics.md 7, 11)."""

from __future__ import annotations

from typing import Final

from editor.models.live_table import (
    ACCEPTED,
    ADJUSTED,
    CURRENT,
    DIM,
    FAULT,
    Column,
    Row,
    Value,
    named_rows,
    number,
    under_x,
    vector_text,
)
from editor.models.lost_wording import NO_CELL_HOLDS, lost_sentence
from editor.session.session import Kind, Selection
from engine.entities.human import HEIGHT, RADIUS, RUN_SPEED, STEP_DOWN, STEP_UP, SUNK, WALK_SPEED
from engine.entities.skills import jump_height
from engine.geometry.vec import Vec3, length
from engine.physics.flags import (
    TS_ACTIVE,
    TS_CHECK_ETHEREAL,
    TS_CONTACT,
    TS_ON_WALKABLE,
    TS_SLIDING,
    TS_STATIONARY_FALL,
    TS_STATIONARY_STOP,
    TS_STATIONARY_STUCK,
    TS_WATER_CONTACT,
)
from engine.sim.edits.edit import Edit
from engine.sim.edits.player import SetPlayerNumber, Teleport
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import cell_text, landblock_id

COLUMNS: Final = (Column("Player"), Column("Value", mono=True))
VALUE: Final = 1

NUMBER_LABELS: Final = {
    "radius": "Radius",
    "height": "Height",
    "sunk": "Foot below origin",
    "step_up": "Step up",
    "step_down": "Step down",
    "run_skill": "Run skill",
    "jump_skill": "Jump skill",
    "burden": "Burden",
    "stamina": "Stamina",
    "pk_fight": "PK fight",
}
"""The sizes, skills and heights that `SetPlayerNumber` changes, with their labels."""

BODIES: Final[dict[str, dict[str, float]]] = {
    "The client's human": {
        "radius": RADIUS,
        "height": HEIGHT,
        "sunk": SUNK,
        "step_up": STEP_UP,
        "step_down": STEP_DOWN,
    },
    "Old captures": {"radius": 0.48, "height": 1.2, "sunk": 0.0, "step_up": 0.6, "step_down": 1.5},
}
"""Sizes to choose from: the client's two spheres (physics.md #2), and those of the first captures (12.1), which have
their feet at the origin."""

SAME: Final = 1e-5


def body_now(sim: Simulation) -> str:
    """The name of the sizes that he has; empty when they are his own."""
    for name, numbers in BODIES.items():
        if all(abs(sim.player.number(number) - value) < SAME for number, value in numbers.items()):
            return name
    return ""


def body_edits(sim: Simulation, name: str) -> list[Edit]:
    """The edits that give him one of the sizes; he goes on standing where he stands."""
    edits: list[Edit] = [SetPlayerNumber(number, value) for number, value in BODIES[name].items()]
    place = sim.player.steered.place
    if place.cell_id:
        edits.append(Teleport(place.cell_id, *sim.player.soles(), place.turn.heading()))
    return edits


STATUS_LABELS: Final = {
    "pk": "Player killer",
    "pklite": "PK lite",
    "impenetrable": "Impenetrable",
    "bypass": "Enters houses",
}
"""The player's flags for others (8.7), with their labels."""

TRANSIENT: Final = (
    (TS_CONTACT, "CONTACT"),
    (TS_ON_WALKABLE, "ON_WALKABLE"),
    (TS_SLIDING, "SLIDING"),
    (TS_WATER_CONTACT, "WATER_CONTACT"),
    (TS_STATIONARY_FALL, "STATIONARY_FALL"),
    (TS_STATIONARY_STOP, "STATIONARY_STOP"),
    (TS_STATIONARY_STUCK, "STATIONARY_STUCK"),
    (TS_ACTIVE, "ACTIVE"),
    (TS_CHECK_ETHEREAL, "CHECK_ETHEREAL"),
)


def player_rows(sim: Simulation, last_stop: str = "") -> list[Row]:
    """The body as it is, then the result of the last tick; `last_stop` is what stopped or slid him last, and when."""
    body = sim.player.steered
    place = body.place
    cell = body.cell
    here = None if cell is None else Selection(Kind.CELL, landblock_id(cell.id), cell.id)
    rows = [
        _row("Cell", Value(cell_text(cell.id), tone=CURRENT) if cell else _no_cell(sim), here),
        _row("Position", _vector(place.origin)),
        _row("Heading", Value(f"{under_x(number(place.turn.heading()).text)}°", repr(place.turn.heading()))),
        _row("Velocity", _vector(body.velocity)),
        _row("Footing", _footing(body.transient)),
        _row("Transient", Value(" ".join(name for bit, name in TRANSIENT if body.transient & bit) or "–")),
    ]
    in_contact = bool(body.transient & TS_CONTACT)
    normal, d = body.contact_plane.normal, body.contact_plane.d
    nothing = Value("–", "", DIM)
    rows += [
        _row("Contact plane", _vector(normal) if in_contact else nothing),
        _row("  distance", Value(under_x(number(d).text), repr(d)) if in_contact else nothing),
        _row("  of cell", Value(cell_text(body.contact_plane_cell_id)) if in_contact else nothing),
        _row("Sliding normal", _vector(body.sliding_normal) if body.transient & TS_SLIDING else nothing),
    ]
    rows += _report_rows(sim, sim.last_report)
    rows.append(_row("Last collision", Value(last_stop or "none yet", tone="" if last_stop else DIM)))
    return named_rows(rows, sim.world.names)


def _no_cell(sim: Simulation) -> Value:
    lost = lost_sentence(sim)
    if not lost:
        return Value("nowhere", tone=FAULT)
    return Value(f"■ lost, left {cell_text(sim.player.steered.place.cell_id)}", lost, FAULT, lost)


def touched_by(sim: Simulation, report: TickReport) -> list[str]:
    touched = [name_of(sim, object_id) for object_id in report.collided_objects]
    return [*touched, "walls"] if report.collided_with_environment else touched


def _report_rows(sim: Simulation, report: TickReport | None) -> list[Row]:
    if report is None:
        names = ("Last tick", "  wanted", "  made", "  hit", "  touched", "  cells")
        return [_row(name, Value("no tick yet" if name == "Last tick" else "–", "", DIM)) for name in names]
    hit = _vector(report.collision_normal) if report.collision_normal_valid else Value("–", "", DIM)
    touched = touched_by(sim, report)
    cells = " ".join(cell_text(cell_id) for cell_id in report.cell_array)
    return [
        _row("Last tick", verdict(report)),
        _row("  wanted", _vector(report.wanted)),
        _row("  made", _vector(report.made)),
        _row("  hit", hit),
        _row("  touched", Value(", ".join(touched) or "–", tone="" if touched else DIM)),
        _row("  cells", Value(cells or "–", tone="" if cells else DIM)),
    ]


def verdict(report: TickReport) -> Value:
    """The result of the wish, as a sign and a word."""
    if report.lost:
        return Value("■ lost", tone=FAULT, tip=f"The sweep ended where {NO_CELL_HOLDS}, or began there")
    if report.blocked:
        return Value("■ blocked", tone=FAULT, tip="" if report.ok else "The sweep refused the whole move")
    if not report.ok:
        return Value("■ refused", tone=FAULT)
    if report.slid:
        return Value("↷ slid", tone=ADJUSTED)
    if length(report.made) > 0.0:
        return Value("✓ moved", tone=ACCEPTED)
    return Value("✓ still", tone=DIM)


def name_of(sim: Simulation, object_id: int) -> str:
    """An entity by its name, a static thing by its id."""
    entity = sim.population.find(object_id)
    return f"static {cell_text(object_id & 0xFFFFFFFF)}" if entity is None else entity.name


def number_values(sim: Simulation) -> dict[str, float]:
    """The numbers that the player moves by."""
    return {name: sim.player.number(name) for name in NUMBER_LABELS}


def speed_text(sim: Simulation) -> str:
    """The effect of skills and burden (11.6, 11.7)."""
    skills = sim.player.skills()
    runs = RUN_SPEED * sim.player.steered.interp.run_rate()
    high = jump_height(skills.burden, skills.jump_skill, 1.0)
    return f"walks {WALK_SPEED:.2f} m/s, runs {runs:.2f} m/s, jumps {high:.2f} m high"


def _row(name: str, value: Value, selection: Selection | None = None) -> Row:
    return Row(name, (Value(name, tone=DIM), value), selection)


def _vector(v: Vec3) -> Value:
    return Value(vector_text(v), "\t".join(repr(part) for part in v))


def _footing(transient: int) -> Value:
    if transient & TS_ON_WALKABLE:
        return Value("✓ on the ground", tone=ACCEPTED)
    if transient & TS_CONTACT:
        return Value("↷ on a slope too steep to stand", tone=ADJUSTED)
    return Value("in the air", tone=ADJUSTED)
