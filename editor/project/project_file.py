"""Projects as files: JSON that can be read and compared line by line, with a version and a checksum.

    {
    "cellar_door_project": 1,
    "source": "demo",
    ...
    "steps": [
    {"name": "Open Front Door", "edits": [["open_door", "0x7C95B001"]], "back": [["close_door", "0x7C95B001"]]}
    ],
    "now": [ ... ],
    "blobs": [ ... ],
    "checksum": "..."
    }

An edit is its name and its values (`engine/sim/edits/catalogue.py`). Bytes are a number into
`blobs`, which are compressed and written in base64, each once. The checksum is the BLAKE2b of all lines before its own,
with line ends as in Unix. Nothing of a damaged file is used: the checksum is verified first, and what passes
is checked as if anybody could have written it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from stat import S_ISDIR
from typing import Any, Final

from editor.document.step import Step
from editor.project.condition_forms import conditions_form, read_conditions
from editor.project.eye import eye_form, read_eye
from editor.project.name_forms import changes_form, names_form, read_changes, read_names
from editor.project.project import NEVER_KEPT, Project, ProjectError
from editor.project.survey_forms import read_survey, survey_form
from editor.project.walk_forms import read_walks, undone_steps, walks_form
from engine.dat.atomic import write_whole
from engine.dat.errors import DatError
from engine.files.errors import FileError
from engine.files.json_text import json_value
from engine.files.kinds import PROJECT
from engine.files.reading import RegularFile, open_regular, read_opened
from engine.files.unpacking import Unpacking, allowance
from engine.sim.edits.catalogue import EDITS, FIELDS, edit_of, name_of, values_of
from engine.sim.edits.edit import Edit, EditValue
from engine.sim.world_identity import ENTITIES, PLAYER
from engine.world.server.place import ServerPlace, read_server_place

MARK: Final = "cellar_door_project"
VERSION: Final = 1
CHECKSUM: Final = 16
_LAST: Final = b'\n"checksum": "'
_END: Final = b'"\n}\n'

MAX_STEPS: Final = 100_000
MAX_EDITS: Final = 200_000
"""In all steps together, inverse edits included."""
MAX_BLOB: Final = 1 << 25
MAX_TICK: Final = 1 << 40
_INTEGERS: Final = 1 << 63
SHORT: Final = 0xFFFF
"""Larger numbers are ids or bits, and are written in hexadecimal."""

_LANDBLOCK: Final = re.compile("0x[0-9A-F]{4}FFFF")
_ID: Final = re.compile("0x[0-9A-F]{8}")
_HEX: Final = re.compile("0x[0-9A-F]{1,16}")

Json = dict[str, Any]
Stamp = tuple[int, int, int]


# --- writing


def save_project(project: Project, path: Path, *, private: bool = False) -> int:
    """Write the file as a whole or not at all, readable by the user alone if it is `private`; returns its size in
    bytes. Raises a ProjectError."""
    data = project_bytes(project.beside(path.parent))
    try:
        write_whole(path, data, private=private)
    except DatError as error:
        raise ProjectError(error.reason, str(path)) from error
    return len(data)


def stamp_of(path: Path | None) -> Stamp | None:
    """Identifies a version of a file: it changes with every save. None when there is no such file."""
    try:
        found = None if path is None else path.stat()
    except OSError:
        return None
    return None if found is None or S_ISDIR(found.st_mode) else (found.st_ino, found.st_mtime_ns, found.st_size)


def project_bytes(project: Project) -> bytes:
    blobs: dict[bytes, int] = {}
    steps = [_line(_step_form(step, blobs)) for step in project.steps]
    now = [_line(_edit_form(edit, blobs)) for edit in project.now]
    walks = [
        _line(form) for form in walks_form(project.walks, project.steps, blobs, lambda step: _step_form(step, blobs))
    ]
    survey = None if project.survey is None else _line(survey_form(project.survey, len(steps), blobs))
    if max(map(len, blobs), default=0) > MAX_BLOB:
        raise ProjectError(f"cannot be saved: a room or a walk has more than {MAX_BLOB >> 20} MB")
    data = _whole_bytes(project, steps, now, walks, survey, [zlib.compress(blob, 9) for blob in blobs])
    if sum(map(len, blobs)) > allowance(len(data)):  # compressed so well that the reader would refuse to unpack it
        data = _whole_bytes(project, steps, now, walks, survey, [zlib.compress(blob, 0) for blob in blobs])
    if len(data) > PROJECT.most:
        raise ProjectError(f"cannot be saved: it has more than {PROJECT.most >> 20} MB")
    return data + _LAST + _checksum(data) + _END


def _whole_bytes(
    project: Project, steps: list[str], now: list[str], walks: list[str], survey: str | None, blobs: list[bytes]
) -> bytes:
    """All but the checksum's line."""
    names = [_listed("names", [_line(form) for form in names_form(project.names)])] if project.names else []
    packed = [_line(base64.b64encode(blob).decode()) for blob in blobs]
    parts = [f'"{name}": {_line(value)}' for name, value in _head(project).items()]
    kept = [_listed("walks", walks)] if walks else []
    kept += [] if survey is None else [f'"survey": {survey}']
    parts += [*names, _listed("steps", steps), _listed("now", now), *kept, _listed("blobs", packed)]
    return ("{\n" + ",\n".join(parts) + ",").encode()


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM).hexdigest().encode()


def _line(value: object) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError as error:
        raise ProjectError(f"cannot be saved: {error}") from error


def _listed(name: str, lines: list[str]) -> str:
    return f'"{name}": [' + "".join(f"\n{line}," for line in lines)[:-1] + ("\n]" if lines else "]")


def _head(project: Project) -> Json:
    head: Json = {
        MARK: VERSION,
        "program": project.program,
        "saved": project.saved,
        "source": project.source,
        "world": project.world,
        "scene": project.scene,
        "place": _id_text(project.place),
        "landblock": None if project.landblock is None else _id_text(project.landblock),
        "tick": project.tick,
        "identity": project.identity,
        "joined": [_id_text(block_id) for block_id in project.joined],
    }
    if project.within:
        head["within"] = project.within
    if project.server is not None:
        head["server"] = project.server.form()
    if project.eye is not None:
        head["eye"] = eye_form(project.eye)
    if project.conditions:
        head["conditions"] = conditions_form(project.conditions)
    if project.unsaved or project.file:
        head |= {"unsaved": project.unsaved, "file": project.file}
    return head


def _id_text(value: int) -> str:
    return f"0x{value:08X}"


def _step_form(step: Step, blobs: dict[bytes, int]) -> Json:
    form: Json = {
        "name": step.name,
        "edits": [_edit_form(edit, blobs) for edit in step.edits],
        "back": [_edit_form(edit, blobs) for edit in step.inverse],
    }
    return {**form, "names": changes_form(step.names)} if step.names else form


def _edit_form(edit: Edit, blobs: dict[bytes, int]) -> list[object]:
    return [name_of(edit), *(_argument_form(value, blobs) for value in values_of(edit))]


def _argument_form(value: EditValue, blobs: dict[bytes, int]) -> object:
    if isinstance(value, bytes):
        return blobs.setdefault(value, len(blobs))
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) >= _INTEGERS:
            raise ProjectError(f"cannot be saved: {value} is too large a number for an edit")
        return _id_text(value) if value > SHORT else value
    return value


# --- reading


def load_project(path: Path) -> Project:
    """Load a project; raises a ProjectError with file and reason when it cannot be used."""
    return load_opened(open_project(path))


def open_project(path: Path) -> RegularFile:
    """Open the file once, so that checks and reading see the same file."""
    try:
        return open_regular(path)
    except FileError as error:
        raise ProjectError(error.reason, str(path)) from error


def load_opened(opened: RegularFile) -> Project:
    try:
        data = read_opened(opened, PROJECT)
    except FileError as error:
        raise ProjectError(error.reason, opened.file) from error
    return parse_project(data, opened.file)


def parse_project(data: bytes, file: str) -> Project:
    try:
        return _parse(data)
    except (FileError, ProjectError) as error:
        raise ProjectError(error.reason, file) from error


def _parse(data: bytes) -> Project:
    unpacking = Unpacking("", len(data))
    value = json_value(_checked(data.replace(b"\r\n", b"\n")), "", parse_constant=_no_constant)
    form = _Checked("the project", value)
    blobs = _read_blobs(form.list_of("blobs", str), unpacking)
    listed, kept = form.list_of("steps", dict), form.value.get("walks", [])
    every = [*listed, *undone_steps(kept)]
    if len(every) > MAX_STEPS:
        raise ProjectError(f"has {len(every):,} steps; at most {MAX_STEPS:,} are read")
    _check_edits([entry for step in every for entry in (step.get("edits"), step.get("back"))], form.value.get("now"))
    steps = tuple(_read_step(_Checked("a step", step), blobs) for step in listed)
    return Project(
        form.text("source"),
        form.text("world"),
        form.text_or_nothing("scene"),
        form.id("place"),
        form.landblock("landblock"),
        form.integer("tick", 0, MAX_TICK),
        form.identity("identity"),
        tuple(_read_landblock(entry) for entry in form.list_of("joined", str)),
        steps,
        tuple(_read_edits(form.list_of("now", list), blobs)),
        form.text("program"),
        form.text("saved"),
        form.integer("unsaved", 0, MAX_STEPS) if "unsaved" in form.value else 0,
        form.text("file") if "file" in form.value else "",
        read_names(form.value["names"]) if "names" in form.value else {},
        form.text("within") if "within" in form.value else "",
        read_eye(form.value.get("eye")),
        read_conditions(form.value.get("conditions", [])),
        _read_server(form.value.get("server")),
        read_walks(kept, steps, blobs, lambda step: _read_step(_Checked("a step", step), blobs)),
        read_survey(form.value.get("survey"), len(steps), blobs),
    )


def _checked(data: bytes) -> bytes:
    """The data, after every check that concerns the file as a whole."""
    begin = b'{\n"%s": ' % MARK.encode()
    if not data.startswith(begin):
        raise ProjectError("is not a project file")
    version = data[len(begin) : len(begin) + 12].split(b",")[0]
    if version != b"%d" % VERSION:
        shown = version.decode("ascii", "replace")
        raise ProjectError(f"is a project of version {shown}; this program reads version {VERSION}")
    at = data.rfind(_LAST)
    if at < 0 or not data.endswith(_END):
        raise ProjectError("is cut off: its last line is missing")
    if data[at + len(_LAST) : -len(_END)] != _checksum(data[:at]):
        raise ProjectError("is damaged: its checksum does not fit")
    return data


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _read_blobs(texts: Iterable[str], unpacking: Unpacking) -> list[bytes]:
    blobs = []
    for text in texts:
        try:
            packed = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            raise ProjectError(f"has bytes that cannot be read: {error}") from error
        blobs.append(unpacking.keep("a room or a walk", packed, MAX_BLOB))
    return blobs


def _check_edits(lists: list[Any], now: Any) -> None:
    """Check the number of edits before any is constructed."""
    count = sum(len(entries) for entries in (*lists, now) if isinstance(entries, list))
    if count > MAX_EDITS:
        raise ProjectError(f"has {count:,} edits; at most {MAX_EDITS:,} are read")


def _read_step(form: _Checked, blobs: list[bytes]) -> Step:
    edits = tuple(_read_edits(form.list_of("edits", list), blobs))
    names = read_changes(form.value["names"]) if "names" in form.value else ()
    return Step(form.text("name"), edits, tuple(_read_edits(form.list_of("back", list), blobs)), names=names)


def _read_edits(entries: list[Any], blobs: list[bytes]) -> Iterator[Edit]:
    for entry in entries:
        name = entry[0] if entry else None
        if not isinstance(name, str) or name not in EDITS or EDITS[name] is NEVER_KEPT:
            raise ProjectError(f"has the edit {str(name)[:40]!r}, which this program does not know")
        taken = FIELDS[name]
        if len(entry) - 1 != len(taken):
            raise ProjectError(f"has {name} with {len(entry) - 1} values; it takes {len(taken)}")
        pairs = zip(taken, entry[1:], strict=True)
        yield edit_of(name, [_read_argument(name, kind, value, blobs) for (_, kind), value in pairs])


def _read_argument(name: str, kind: str, value: object, blobs: list[bytes]) -> EditValue:
    if kind == "int" and isinstance(value, str) and _HEX.fullmatch(value):
        value = int(value, 16)
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) < _INTEGERS
    if kind == "bytes":
        if whole and isinstance(value, int) and 0 <= value < len(blobs):
            return blobs[value]
    elif kind == "bool":
        if isinstance(value, bool):
            return value
    elif kind == "str":
        if isinstance(value, str) and _is_text(value):
            return value
    elif isinstance(value, int):
        if whole:
            return value
    elif kind == "float" and isinstance(value, float) and math.isfinite(value):
        return value
    raise ProjectError(f"has {name} with the value {str(value)[:40]!r}, which it does not take")


def _read_server(form: object) -> ServerPlace | None:
    try:
        return read_server_place(form)
    except ValueError as error:
        raise ProjectError(str(error)) from error


def _read_landblock(text: str) -> int:
    if not _LANDBLOCK.fullmatch(text):
        raise ProjectError(f"has {text[:40]!r} for a landblock's id")
    return int(text, 16)


class _Checked:
    """A JSON object whose values are requested by type."""

    def __init__(self, what: str, value: object) -> None:
        if not isinstance(value, dict):
            raise ProjectError(f"{what} is not a JSON object")
        self.what = what
        self.value: Json = value

    def _get(self, name: str, fits: Callable[[Any], bool], wanted: str) -> Any:
        value = self.value.get(name)
        if not fits(value):
            raise ProjectError(f"{name!r} of {self.what} should be {wanted}")
        return value

    def integer(self, name: str, low: int, high: int) -> int:
        found: int = self._get(
            name, lambda v: isinstance(v, int) and not isinstance(v, bool) and low <= v <= high, f"{low} to {high}"
        )
        return found

    def text(self, name: str) -> str:
        found: str = self._get(name, _is_text, "a text")
        return found

    def text_or_nothing(self, name: str) -> str | None:
        return None if self.value.get(name) is None else self.text(name)

    def id(self, name: str) -> int:
        found = self._get(name, lambda v: isinstance(v, str) and _ID.fullmatch(v) is not None, "an id")
        return int(found, 16)

    def list_of(self, name: str, kind: type) -> list[Any]:
        def fits(value: object) -> bool:
            return isinstance(value, list) and all(isinstance(entry, kind) for entry in value)

        found: list[Any] = self._get(name, fits, f"a list of {kind.__name__}")
        return found

    def landblock(self, name: str) -> int | None:
        text = self._get(name, lambda v: v is None or isinstance(v, str), "a landblock's id or nothing")
        return None if text is None else _read_landblock(text)

    def identity(self, name: str) -> dict[str, str]:
        found: dict[str, str] = self._get(name, _is_identity, "digests by landblock")
        return found


def _is_text(value: object) -> bool:
    """A text that every system can write: no lone surrogate, and no NUL, which ends a file's name."""
    return isinstance(value, str) and not any("\ud800" <= sign <= "\udfff" or sign == "\0" for sign in value)


def _is_identity(value: object) -> bool:
    if not isinstance(value, dict) or not all(map(_is_text, value.values())):
        return False
    return all(name in (ENTITIES, PLAYER) or _LANDBLOCK.fullmatch(name) for name in value)
