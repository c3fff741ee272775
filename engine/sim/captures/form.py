"""The capture form: one resolve call a line, with the body before and after it (physics.md 12.1).

Numbers are 32-bit floats in the shortest form that says which, as in captures made by the client of that project; read
and written again, a record has the same text. Whatever is not as the form says raises a WorldError with the line and
the key.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from engine.files.cancelling import check_cancelled
from engine.files.errors import FileError
from engine.files.json_text import json_value
from engine.files.kinds import CAPTURE
from engine.files.reading import read_file
from engine.geometry.plane import Plane
from engine.geometry.quat import IDENTITY, Quat
from engine.geometry.vec import ZERO, Vec3
from engine.physics.sweep.collision_info import NO_PLANE
from engine.world.faults import WorldError
from engine.world.loader.json_form import JsonNode

NUMBER: Final = 2**53
"""Ticks and times stay below it: a double tells whole numbers apart up to here."""

MAX_CORNERS: Final = 255
MAX_LINE: Final = 1 << 18
"""Bytes of one record; one with all the corners that it may have takes 20,000."""
_LINES: Final = re.compile(rb"\S[^\r\n]*")
"""Skip blanks at the start of a line."""

MAX_DIGITS: Final = 9
"""Enough behind the point to name any 32-bit float."""
MAX_SPHERES: Final = 2
PLAIN_FROM: Final = -4
PLAIN_UPTO: Final = 15
"""The powers of ten that are written out."""


@dataclass(frozen=True, slots=True)
class CaptureInput:
    """The arguments of a resolve call. Positions are the body's feet, in the capture's own frame."""

    current: Vec3
    target: Vec3
    cell_id: int
    sphere_radius: float
    sphere_height: float
    step_up_height: float
    step_down_height: float
    is_on_ground: bool
    mover_flags: int
    moving_entity_id: int
    spheres: tuple[tuple[Vec3, float], ...] = ()
    """Centres and radii, where radius and height do not say them; no client's capture has any, those we write do."""


@dataclass(frozen=True, slots=True)
class CaptureBody:
    """A body's state. `contact_plane` and `walkable` are None where they are not valid."""

    position: Vec3
    orientation: Quat = IDENTITY
    velocity: Vec3 = ZERO
    acceleration: Vec3 = ZERO
    omega: Vec3 = ZERO
    ground_normal: Vec3 = (0.0, 0.0, 1.0)
    sliding_normal: Vec3 = ZERO
    contact_plane_valid: bool = False
    contact_plane: Plane = NO_PLANE
    contact_plane_cell_id: int = 0
    contact_plane_is_water: bool = False
    walkable_valid: bool = False
    walkable_plane: Plane = NO_PLANE
    walkable_vertices: tuple[Vec3, ...] | None = None
    walkable_up: Vec3 = (0.0, 0.0, 1.0)
    elasticity: float = 0.0
    friction: float = 0.0
    state: int = 0
    transient_state: int = 0
    last_update_time: float = 0.0


@dataclass(frozen=True, slots=True)
class CaptureResult:
    """The answer of the call. The normal is meaningful only when it is valid."""

    position: Vec3
    cell_id: int
    is_on_ground: bool
    collision_normal_valid: bool
    collision_normal: Vec3


@dataclass(frozen=True, slots=True)
class CaptureRecord:
    """One line of a capture; `where` is "FILE:LINE"."""

    tick: int
    timestamp_ms: float
    input: CaptureInput
    before: CaptureBody | None
    result: CaptureResult
    after: CaptureBody | None
    where: str = ""


# --- reading


def read_capture(path: Path) -> list[CaptureRecord]:
    """All records of a capture file, in the order of the file."""
    try:
        data = read_file(path, CAPTURE)
    except FileError as error:
        raise WorldError(error.reason, str(path)) from error
    return capture_of(data, str(path))


def capture_of(data: bytes, file: str) -> list[CaptureRecord]:
    """All records of a capture whose bytes were read."""
    records = list(parse_capture(data, file))
    if not records:
        raise WorldError("is not a capture: it has no records", file)
    return records


def parse_capture(data: bytes, file: str) -> Iterator[CaptureRecord]:
    """The records of the lines, empty ones left aside."""
    number, counted = 1, 0
    for line in _LINES.finditer(data):
        check_cancelled()
        start, end = line.span()
        number += data.count(b"\n", counted, start) + data.count(b"\r", counted, start)
        number -= data.count(b"\r\n", counted, start)
        counted = start
        if end - start > MAX_LINE:
            reason = f"has {end - start:,} bytes in one line; a record has at most {MAX_LINE:,}"
            raise WorldError(reason, f"{file}:{number}")
        yield parse_record(data[start:end], f"{file}:{number}")


def parse_record(line: bytes, where: str) -> CaptureRecord:
    try:
        # JSON's -0 is a whole number to Python and would lose its sign, which is meant.
        value = json_value(line, where, parse_int=lambda text: -0.0 if text == "-0" else int(text))
    except FileError as error:
        raise WorldError(error.reason.replace(" at line 1, column", " at column"), where) from error
    root = JsonNode(value, where)
    return CaptureRecord(
        root.field("tick").integer(0, NUMBER),
        _double(root.field("timestampMs")),
        _read_input(root.field("input")),
        _read_body(root.field("bodyBefore")),
        _read_result(root.field("result")),
        _read_body(root.field("bodyAfter")),
        where,
    )


def _read_input(node: JsonNode) -> CaptureInput:
    return CaptureInput(
        _vector(node.field("currentPos")),
        _vector(node.field("targetPos")),
        _id(node.field("cellId")),
        node.field("sphereRadius").number(1e-4),
        node.field("sphereHeight").number(0.0),
        node.field("stepUpHeight").number(),
        node.field("stepDownHeight").number(),
        node.field("isOnGround").boolean(),
        _id(node.field("moverFlags")),
        _id(node.field("movingEntityId")),
        _read_spheres(node.optional("spheres")),
    )


def _read_spheres(node: JsonNode | None) -> tuple[tuple[Vec3, float], ...]:
    if node is None:
        return ()
    entries = list(node.items())
    if not 1 <= len(entries) <= MAX_SPHERES:
        raise node.error(f"has {len(entries)} spheres; a body is swept by one or two")
    return tuple((_vector(entry.field("center")), entry.field("radius").number(1e-4)) for entry in entries)


def _read_result(node: JsonNode) -> CaptureResult:
    return CaptureResult(
        _vector(node.field("position")),
        _id(node.field("cellId")),
        node.field("isOnGround").boolean(),
        node.field("collisionNormalValid").boolean(),
        _vector(node.field("collisionNormal")),
    )


def _read_body(node: JsonNode) -> CaptureBody | None:
    if node.value is None:
        return None
    corners = node.field("walkableVertices")
    return CaptureBody(
        _vector(node.field("position")),
        _quaternion(node.field("orientation")),
        _vector(node.field("velocity")),
        _vector(node.field("acceleration")),
        _vector(node.field("omega")),
        _vector(node.field("groundNormal")),
        _vector(node.field("slidingNormal")),
        node.field("contactPlaneValid").boolean(),
        _plane(node.field("contactPlane")),
        _id(node.field("contactPlaneCellId")),
        node.field("contactPlaneIsWater").boolean(),
        node.field("walkablePolygonValid").boolean(),
        _plane(node.field("walkablePlane")),
        None if corners.value is None else _corners(corners),
        _vector(node.field("walkableUp")),
        node.field("elasticity").number(),
        node.field("friction").number(),
        _id(node.field("state")),
        _id(node.field("transientState")),
        _double(node.field("lastUpdateTime")),
    )


def _corners(node: JsonNode) -> tuple[Vec3, ...]:
    corners = tuple(_vector(entry) for entry in node.items())
    if not 3 <= len(corners) <= MAX_CORNERS:
        raise node.error(f"a polygon has 3 to {MAX_CORNERS} corners, this one {len(corners)}")
    return corners


def _id(node: JsonNode) -> int:
    return node.integer(0, 0xFFFFFFFF)


def _double(node: JsonNode) -> float:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float) or not abs(node.value) <= NUMBER:
        raise node.error("should be a number that is not too large")
    return float(node.value)


def _vector(node: JsonNode) -> Vec3:
    return node.field("x").number(), node.field("y").number(), node.field("z").number()


def _quaternion(node: JsonNode) -> Quat:
    x, y, z = _vector(node)
    return node.field("w").number(), x, y, z


def _plane(node: JsonNode) -> Plane:
    return Plane(_vector(node.field("normal")), node.field("d").number())


# --- writing


def record_text(record: CaptureRecord) -> str:
    """The record as its line, without the line's end."""
    return _text(
        {
            "tick": record.tick,
            "timestampMs": _Raw(_double_text(record.timestamp_ms)),
            "input": _input_form(record.input),
            "bodyBefore": _body_form(record.before),
            "result": _result_form(record.result),
            "bodyAfter": _body_form(record.after),
        }
    )


def single_text(value: float) -> str:
    """The fewest digits that name the nearest 32-bit float: 94, 132.36032, 6.285598E-08, -0."""
    single: float = struct.unpack("<f", struct.pack("<f", value))[0]
    if single == 0.0:
        return "-0" if math.copysign(1.0, single) < 0.0 else "0"
    text = next(text for text in (f"{single:.{digits}e}" for digits in range(MAX_DIGITS)) if digits_name(text, single))
    digits, _, exponent = text.partition("e")
    if PLAIN_FROM <= int(exponent) < PLAIN_UPTO:
        return format(Decimal(text), "f")
    return f"{digits}E{exponent}"


def digits_name(text: str, single: float) -> bool:
    try:
        return bool(struct.unpack("<f", struct.pack("<f", float(text)))[0] == single)
    except OverflowError:  # fewer digits name a number beyond the largest float
        return False


class _Raw(str):
    """Text that stands as it is in the line."""

    __slots__ = ()


def _double_text(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _text(value: Any) -> str:
    if isinstance(value, _Raw):
        return value
    if isinstance(value, dict):
        return "{" + ",".join(f'"{name}":{_text(entry)}' for name, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_text, value)) + "]"
    if isinstance(value, float):
        return single_text(value)
    return json.dumps(value)


def _input_form(given: CaptureInput) -> dict[str, Any]:
    spheres = [{"center": _vector_form(center), "radius": radius} for center, radius in given.spheres]
    return {
        "currentPos": _vector_form(given.current),
        "targetPos": _vector_form(given.target),
        "cellId": given.cell_id,
        "sphereRadius": given.sphere_radius,
        "sphereHeight": given.sphere_height,
        "stepUpHeight": given.step_up_height,
        "stepDownHeight": given.step_down_height,
        "isOnGround": given.is_on_ground,
        "moverFlags": given.mover_flags,
        "movingEntityId": given.moving_entity_id,
        **({"spheres": spheres} if spheres else {}),
    }


def _result_form(result: CaptureResult) -> dict[str, Any]:
    return {
        "position": _vector_form(result.position),
        "cellId": result.cell_id,
        "isOnGround": result.is_on_ground,
        "collisionNormalValid": result.collision_normal_valid,
        "collisionNormal": _vector_form(result.collision_normal),
    }


def _body_form(body: CaptureBody | None) -> dict[str, Any] | None:
    if body is None:
        return None
    w, x, y, z = body.orientation
    corners = body.walkable_vertices
    return {
        "position": _vector_form(body.position),
        "orientation": {"isIdentity": body.orientation == IDENTITY, "x": x, "y": y, "z": z, "w": w},
        "velocity": _vector_form(body.velocity),
        "acceleration": _vector_form(body.acceleration),
        "omega": _vector_form(body.omega),
        "groundNormal": _vector_form(body.ground_normal),
        "slidingNormal": _vector_form(body.sliding_normal),
        "contactPlaneValid": body.contact_plane_valid,
        "contactPlane": _plane_form(body.contact_plane),
        "contactPlaneCellId": body.contact_plane_cell_id,
        "contactPlaneIsWater": body.contact_plane_is_water,
        "walkablePolygonValid": body.walkable_valid,
        "walkablePlane": _plane_form(body.walkable_plane),
        "walkableVertices": None if corners is None else [_vector_form(corner) for corner in corners],
        "walkableUp": _vector_form(body.walkable_up),
        "elasticity": body.elasticity,
        "friction": body.friction,
        "state": body.state,
        "transientState": body.transient_state,
        "lastUpdateTime": _Raw(_double_text(body.last_update_time)),
    }


def _vector_form(v: Vec3) -> dict[str, Any]:
    return {"x": v[0], "y": v[1], "z": v[2]}


def _plane_form(plane: Plane) -> dict[str, Any]:
    return {"normal": _vector_form(plane.normal), "d": plane.d}
