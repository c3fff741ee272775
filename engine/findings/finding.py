"""The form of a finding, as values and as JSON.

A finding travels from the process that made it to reports, baselines and the window, so it holds plain values alone:
its fix has the names and values of edits as recordings have them (engine/sim/edits/catalogue.py), its recording the
bytes of a file.
"""

from __future__ import annotations

import base64
import enum
import math
from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, cast

from engine.findings.errors import FindingError
from engine.geometry.vec import Vec3
from engine.physics.errors import PhysicsError
from engine.sim.edits.catalogue import edit_of, name_of, values_of
from engine.sim.edits.edit import Edit, EditValue
from engine.world.faults import Severity

Place = tuple[int, Vec3]
"""A cell id, or the id of a landblock, and a point in the coordinates of that landblock."""

KEY_STEP: Final = 0.5
"""Metres between places that keys tell apart: findings of one check closer than this to each other are one."""
KEY_SLACK: Final = 0.05
"""Metres by which a known finding may have moved, on whichever side of a step it then is."""
MOST_TEXT: Final = 4_000
MOST_VALUES: Final = 100_000
"""Limits of what is read: characters of a text; figures, points of a path or edits of a fix."""


class Family(str, enum.Enum):
    """What a check looks at; docs/reference/checks has a page for each."""

    GEOMETRY = "geometry"
    PHYSICS = "physics"
    VISIBILITY = "visibility"
    ENTITIES = "entities"
    DOORS = "doors"
    EXPLORE = "explore"
    RULES = "rules"
    RENDER = "render"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Check:
    """A kind of finding."""

    id: str
    """Two words or groups of words, as in `portals.sides-do-not-meet`; stable: baselines and settings name it."""
    title: str
    family: Family
    severity: Severity
    about: str
    """One paragraph of plain text: what is wrong, what players see of it, how it is told. docs/reference/checks has it
    word for word."""


@dataclass(frozen=True, slots=True)
class FixForm:
    """A change that removes a finding: its name for people, and edits by their names and values in files."""

    name: str
    steps: tuple[tuple[str, tuple[EditValue, ...]], ...]

    @classmethod
    def of(cls, name: str, edits: Iterable[Edit]) -> FixForm:
        return cls(name, tuple((name_of(edit), values_of(edit)) for edit in edits))

    def edits(self) -> list[Edit]:
        """The edits; raises a FindingError when there is no such edit or its values do not fit."""
        try:
            return [edit_of(name, values) for name, values in self.steps]
        except PhysicsError as error:
            raise FindingError(str(error)) from error


@dataclass(frozen=True, slots=True)
class Found:
    """One finding."""

    check: str
    block: int
    cell: int = 0
    entity: int = 0
    portal: int = -1
    polygon: int = -1
    place: Place | None = None
    sentence: str = ""
    figures: tuple[tuple[str, float], ...] = ()
    """The measured values, by names with their units ("gap, m")."""
    eye: Place | None = None
    """The eye that proves it."""
    path: tuple[Place, ...] = ()
    """The line that shows it in 3D."""
    recording: bytes = b""
    """A recording that shows it, as a file has it (engine.sim.recording_file.recording_bytes); empty for none."""
    fix: FixForm | None = None

    @property
    def key(self) -> str:
        """The same for the same finding in every run and on every machine, whatever its sentence and figures say."""
        parts = [self.check, f"{self.cell or self.block:08X}"]
        if self.entity:
            parts.append(f"e{self.entity:08X}")
        if self.portal >= 0:
            parts.append(f"p{self.portal}")
        if self.polygon >= 0:
            parts.append(f"g{self.polygon}")
        if self.place is not None:
            parts.append(",".join(map(_step, self.place[1])))
        return "/".join(parts)

    def is_known(self, keys: Container[str]) -> bool:
        """Whether its key is among these, or was before it moved a little."""
        if self.key in keys:
            return True
        if self.place is None:
            return False
        cell_id, (x, y, z) = self.place
        near = (-KEY_SLACK, KEY_SLACK)
        moved = ((x + by_x, y + by_y, z + by_z) for by_x, by_y, by_z in product(near, near, near))
        return any(replace(self, place=(cell_id, point)).key in keys for point in moved)

    def to_json(self) -> dict[str, object]:
        """Values that the json module writes; fields at their defaults are left out."""
        form: dict[str, object] = {"check": self.check, "block": self.block}
        numbers = {"cell": self.cell, "entity": self.entity, "portal": self.portal, "polygon": self.polygon}
        form |= {name: number for name, number in numbers.items() if number != _ABSENT[name]}
        if self.sentence:
            form["sentence"] = self.sentence
        if self.figures:
            form["figures"] = [[name, value] for name, value in self.figures]
        if self.place is not None:
            form["place"] = _place_form(self.place)
        if self.eye is not None:
            form["eye"] = _place_form(self.eye)
        if self.path:
            form["path"] = [_place_form(place) for place in self.path]
        if self.recording:
            form["recording"] = base64.b64encode(self.recording).decode("ascii")
        if self.fix is not None:
            steps = [[name, [_value_form(value) for value in values]] for name, values in self.fix.steps]
            form["fix"] = {"name": self.fix.name, "steps": steps}
        return form

    @classmethod
    def from_json(cls, form: object) -> Found:
        """The finding of such values; raises a FindingError when they are not in the form."""
        fields = _as_object(form, "a finding")
        unknown = fields.keys() - _FIELDS
        if unknown:
            raise FindingError(f"a finding has no field {min(unknown)!r:.60}")
        return cls(
            _text(fields.get("check"), "check"),
            _whole(fields.get("block"), "block"),
            _whole(fields.get("cell", 0), "cell"),
            _whole(fields.get("entity", 0), "entity"),
            _whole(fields.get("portal", -1), "portal"),
            _whole(fields.get("polygon", -1), "polygon"),
            _place(fields["place"], "place") if "place" in fields else None,
            _text(fields.get("sentence", ""), "sentence"),
            tuple(_figure(each) for each in _items(fields.get("figures", []), "figures")),
            _place(fields["eye"], "eye") if "eye" in fields else None,
            tuple(_place(each, "path") for each in _items(fields.get("path", []), "path")),
            _bytes(fields.get("recording", ""), "recording"),
            _fix(fields["fix"]) if "fix" in fields else None,
        )


_ABSENT: Final = {"cell": 0, "entity": 0, "portal": -1, "polygon": -1}
_FIELDS: Final = frozenset(Found.__dataclass_fields__)


def _step(value: float) -> str:
    return f"{round(value / KEY_STEP) * KEY_STEP + 0.0:g}" if math.isfinite(value / KEY_STEP) else "?"


def _place_form(place: Place) -> list[object]:
    return [place[0], [*place[1]]]


def _value_form(value: EditValue) -> object:
    return {"base64": base64.b64encode(value).decode("ascii")} if isinstance(value, bytes) else value


# --- reading


def _as_object(form: object, field: str) -> dict[str, object]:
    if not isinstance(form, dict):
        raise FindingError(f"{field} is {form!r:.60}, not an object")
    return cast(dict[str, object], form)  # the json module makes no other keys


def _items(form: object, field: str) -> list[object]:
    if not isinstance(form, list) or len(form) > MOST_VALUES:
        raise FindingError(f"{field} is {form!r:.60}, not a list of at most {MOST_VALUES:,}")
    return form


def _text(form: object, field: str) -> str:
    if not isinstance(form, str) or len(form) > MOST_TEXT:
        raise FindingError(f"{field} is {form!r:.60}, not a text of at most {MOST_TEXT:,} characters")
    return form


def _whole(form: object, field: str) -> int:
    if isinstance(form, bool) or not isinstance(form, int) or not -1 <= form < 1 << 32:
        raise FindingError(f"{field} is {form!r:.60}, not a whole number of 32 bits")
    return form


def _number(form: object, field: str) -> float:
    if isinstance(form, bool) or not isinstance(form, int | float):
        raise FindingError(f"{field} is {form!r:.60}, not a number")
    try:
        return float(form)
    except OverflowError as error:
        raise FindingError(f"{field} has too large a number") from error


def _bytes(form: object, field: str) -> bytes:
    if not isinstance(form, str):
        raise FindingError(f"{field} is {form!r:.60}, not a text")
    try:
        return base64.b64decode(form, validate=True)
    except ValueError as error:
        raise FindingError(f"{field} is not base64: {error}") from error


def _pair(form: object, field: str) -> tuple[object, object]:
    if not isinstance(form, list) or len(form) != 2:
        raise FindingError(f"{field} is {form!r:.60}, not a pair")
    return form[0], form[1]


def _place(form: object, field: str) -> Place:
    cell_id, point = _pair(form, field)
    numbers = [_number(each, field) for each in _items(point, field)]
    if len(numbers) != 3 or not all(map(math.isfinite, numbers)):
        raise FindingError(f"{field} is {form!r:.60}, not a cell and a point")
    return _whole(cell_id, field), (numbers[0], numbers[1], numbers[2])


def _figure(form: object) -> tuple[str, float]:
    name, value = _pair(form, "figures")
    return _text(name, "figures"), _number(value, "figures")


def _fix(form: object) -> FixForm:
    fields = _as_object(form, "fix")
    steps: list[tuple[str, tuple[EditValue, ...]]] = []
    for each in _items(fields.get("steps"), "fix"):
        name, values = _pair(each, "fix")
        steps.append((_text(name, "fix"), tuple(_value(value) for value in _items(values, "fix"))))
    return FixForm(_text(fields.get("name"), "fix"), tuple(steps))


def _value(form: object) -> EditValue:
    if isinstance(form, bool | int | float | str):
        return form
    fields = _as_object(form, "fix")
    return _bytes(fields.get("base64"), "fix")
