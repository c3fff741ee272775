"""The moves and queries of a golden scene, and the answers of a golden, read from their JSON form (goldens/README,
physics.md 13.11).

Whatever is not as the form says raises a WorldError with the file and the key path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.geometry.constants import DEFAULT_STATE
from engine.geometry.plane import Plane
from engine.geometry.quat import IDENTITY, Quat, quat_is_valid
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, Vec3, r24
from engine.physics.flags import (
    EDGE_SLIDE,
    ETHEREAL,
    HAS_PHYSICS_BSP,
    MISSILE,
    TS_ACTIVE,
    TS_CONTACT,
    TS_ON_WALKABLE,
)
from engine.world.loader.json_form import JsonNode, read_json
from engine.world.loader.scene_records import SceneRecords, add_body_parts

MOVER_ID: Final = 0x50000001
NO_SETUP: Final = 0
MAX_TICKS: Final = 1_000_000
MAX_SPHERES: Final = 16
SMALLEST_RADIUS: Final = 1e-4
"""A move is divided by the radius of the first sphere; none is this small."""
MAX_QUANTUM: Final = 2.0
QUERIES: Final = ("point_in_cell", "sphere_in_cell", "sphere_poly", "sphere_solid", "find_walkable", "find_cells")


@dataclass(frozen=True, slots=True)
class Mover:
    """The body of a move as it is before the move; lengths are scaled already where the engine expects them so."""

    id: int
    spheres: list[Sphere]
    scale: float
    step_up: float
    step_down: float
    state: int
    is_player: bool
    setup_id: int
    """The setup of its parts, NO_SETUP for a body of spheres alone."""


@dataclass(frozen=True, slots=True)
class Start:
    """The state a tick begins with: a move's `start`, or a golden's answer to the tick before."""

    cell_id: int
    origin: Vec3
    rotation: Quat
    transient: int
    contact_plane: Plane
    contact_plane_cell: int
    """Low half of the cell id, 0 for none; the landblock is the position's (13.11)."""
    sliding_normal: Vec3
    velocity: Vec3


@dataclass(frozen=True, slots=True)
class Action:
    """Before tick `at` an object becomes ethereal, or solid again."""

    at: int
    object_id: int
    ethereal: bool


@dataclass(frozen=True, slots=True)
class Move:
    """`offsets` holds one entry a tick: the requested offset, or None for the body's own update by `quantum`."""

    name: str
    mover: Mover
    start: Start
    mode: str
    offsets: list[Vec3 | None]
    quantum: float
    actions: list[Action]


@dataclass(frozen=True, slots=True)
class Query:
    """One geometry question. `asks_solid_centre` and `prunes` are those of sphere_solid and find_cells."""

    op: str
    cell_id: int
    center: Vec3
    radius: float = 0.0
    move: Vec3 = ZERO
    asks_solid_centre: bool = False
    prunes: bool = False


@dataclass(frozen=True, slots=True)
class GoldenAnswers:
    """The golden as it is in the file; `resumes` are its moves' ticks as states to go on from."""

    name: str
    moves: list[JsonNode]
    queries: list[object]
    resumes: list[list[Start]] = field(default_factory=list)

    def ticks(self, number: int) -> list[Mapping[str, object]]:
        """The answers of one move as they are in the file."""
        return [tick.mapping() for tick in self.moves[number].field("ticks").items()]


def read_moves(root: JsonNode, records: SceneRecords) -> list[Move]:
    """Every move of the scene. The parts of movers become setups of the scene."""
    block = records.block_id >> 16
    return [_read_move(node, block, records) for node in root.list_of("moves")]


def _read_move(node: JsonNode, block: int, records: SceneRecords) -> Move:
    mode = _optional_text(node, "mode", "transition")
    if mode not in ("transition", "update"):
        raise node.field("mode").error(f"should be transition or update, is {mode!r}")
    return Move(
        node.field("name").text(),
        _read_mover(node.field("mover"), records),
        _read_start(node.field("start"), block),
        mode,
        _updates(node) if mode == "update" else _offsets(node),
        node.field("dt").number(0.0, MAX_QUANTUM) if mode == "update" else 0.0,
        [
            Action(
                entry.field("at").integer(0, MAX_TICKS),
                entry.field("object").integer(0, 0xFFFFFFFF),
                entry.field("ethereal").boolean(),
            )
            for entry in node.list_of("actions")
        ],
    )


def _updates(node: JsonNode) -> list[Vec3 | None]:
    return [None] * node.field("n").integer(0, MAX_TICKS)


def _offsets(node: JsonNode) -> list[Vec3 | None]:
    found: list[Vec3 | None] = []
    for entry in node.field("ticks").items():
        repeat = _optional_integer(entry, "repeat", 1, 0, MAX_TICKS)
        if len(found) + repeat > MAX_TICKS:
            raise entry.error(f"makes the move longer than {MAX_TICKS} ticks")
        found.extend([entry.field("offset").vec3()] * repeat)
    return found


def _read_mover(node: JsonNode, records: SceneRecords) -> Mover:
    spheres = [
        Sphere(entry.field("c").vec3(), entry.field("r").number(SMALLEST_RADIUS)) for entry in node.list_of("spheres")
    ]
    if len(spheres) > MAX_SPHERES:
        raise node.field("spheres").error(f"has {len(spheres)} entries, more than {MAX_SPHERES}")
    scale = _optional_number(node, "scale", 1.0, 0.001, 1000.0)
    state = _optional_integer(node, "state", DEFAULT_STATE, 0, 0xFFFFFFFF) & ~EDGE_SLIDE
    parts = node.optional("parts")
    has_parts = parts is not None and bool(list(parts.items()))
    for name, bit in (("edge_slide", EDGE_SLIDE), ("missile", MISSILE), ("ethereal", ETHEREAL)):
        if _flag(node, name):
            state |= bit
    return Mover(
        _optional_integer(node, "id", MOVER_ID, 0, 0xFFFFFFFF),
        spheres,
        scale,
        r24(node.field("step_up").number() * scale),
        r24(node.field("step_down").number() * scale),
        state | HAS_PHYSICS_BSP if has_parts else state,
        _flag(node, "is_player", True),
        add_body_parts(node, records) if has_parts else NO_SETUP,
    )


def _read_start(node: JsonNode, scene_block: int) -> Start:
    transient = TS_ACTIVE
    if _flag(node, "contact"):
        transient |= TS_CONTACT
    if _flag(node, "on_walkable"):
        transient |= TS_ON_WALKABLE
    plane = node.optional("contact_plane")
    has_plane = plane is not None and plane.value is not None
    turned = node.optional("quat")
    rotation = IDENTITY if turned is None else turned.quat()
    if turned is not None and not quat_is_valid(rotation):
        raise turned.error("is not of length 1")
    return Start(
        _cell_id(node, scene_block),
        node.field("origin").vec3(),
        rotation,
        transient,
        _plane(plane) if plane is not None and has_plane else Plane(ZERO, 0.0),
        node.field("cell").integer(0, 0xFFFF) if has_plane else 0,
        ZERO,
        _optional_vec3(node, "velocity"),
    )


# --- queries


def read_queries(root: JsonNode, block: int) -> list[Query]:
    return [_read_query(node, block) for node in root.list_of("queries")]


def _read_query(node: JsonNode, block: int) -> Query:
    op = node.field("op").text()
    if op not in QUERIES:
        raise node.field("op").error(f"should be one of {', '.join(QUERIES)}, is {op!r}")
    return Query(
        op,
        _cell_id(node, block),
        node.field("c").vec3(),
        node.field("r").number(0.0) if op != "point_in_cell" else 0.0,
        node.field("move").vec3() if op in ("sphere_poly", "find_walkable") else ZERO,
        op == "sphere_solid" and node.field("center").boolean(),
        op == "find_cells" and not node.field("load").boolean(),
    )


# --- goldens


def read_golden(path: Path, block: int) -> GoldenAnswers:
    """The answers of a golden file."""
    return golden_answers(read_json(path), block)


def golden_answers(root: JsonNode, block: int) -> GoldenAnswers:
    golden = GoldenAnswers(
        _optional_text(root, "scene", ""),
        list(root.field("moves").items()),
        [entry.value for entry in root.list_of("queries")],
    )
    for move in golden.moves:
        move.field("name").text()
        golden.resumes.append([_read_resume(tick, block) for tick in move.field("ticks").items()])
    return golden


def _read_resume(node: JsonNode, scene_block: int) -> Start:
    """Convert an answer to the next tick's state. Only whole numbers and flags are checked: they are the golden's."""
    state = node.field("state")
    return Start(
        _cell_id(node, scene_block),
        node.field("pos").vec3(),
        IDENTITY,  # no answer names the orientation: it is constant within a move
        state.field("ts").integer(0, 0xFFFFFFFF),
        _plane(state.field("cp")),
        state.field("cp_cell").integer(0, 0xFFFF),
        state.field("sn").vec3(),
        _optional_vec3(node, "velocity"),
    )


# --- small forms


def _cell_id(node: JsonNode, scene_block: int) -> int:
    block = _optional_integer(node, "block", scene_block, 0, 0xFFFF)
    return (block << 16) | node.field("cell").integer(0, 0xFFFF)


def _plane(node: JsonNode) -> Plane:
    x, y, z, d = (entry.number() for entry in node.exactly(4))
    return Plane((x, y, z), d)


def _flag(node: JsonNode, name: str, absent: bool = False) -> bool:
    found = node.optional(name)
    return absent if found is None else found.boolean()


def _optional_integer(node: JsonNode, name: str, absent: int, low: int, high: int) -> int:
    found = node.optional(name)
    return absent if found is None else found.integer(low, high)


def _optional_number(node: JsonNode, name: str, absent: float, low: float, high: float) -> float:
    found = node.optional(name)
    return absent if found is None else found.number(low, high)


def _optional_text(node: JsonNode, name: str, absent: str) -> str:
    found = node.optional(name)
    return absent if found is None else found.text()


def _optional_vec3(node: JsonNode, name: str) -> Vec3:
    found = node.optional(name)
    return ZERO if found is None or found.value is None else found.vec3()
