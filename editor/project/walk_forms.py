"""The kept walks in a project's file: the name of each, the number of its blob, and the steps that it was kept with.

The first `steps` steps of the project are those of the walk; `undone` are others that it had, which the project has no
more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from editor.document.undo_stack import Step
from editor.project.project import KeptWalk, ProjectError, shared_steps

MOST: Final = 100
LONGEST: Final = 60
"""Characters of a name."""
MAX_WALK: Final = 8 << 20
"""Bytes of the file of one; ten minutes take 2 MB."""
MAX_WALKS: Final = 32 << 20
"""Bytes of all together."""

Json = dict[str, Any]


def walk_name_problem(name: str) -> str:
    """Why a walk cannot have a name; "" when it can."""
    if not name.strip():
        return "A walk needs a name."
    if len(name) > LONGEST or not name.isprintable():
        return f"The name of a walk has at most {LONGEST} characters, all of them printable."
    return ""


def size_problem(sizes: Sequence[int]) -> str:
    """Why walks of these sizes cannot be kept together; "" when they can."""
    if len(sizes) > MOST:
        return f"has {len(sizes):,} walks; at most {MOST} are kept"
    if max(sizes, default=0) > MAX_WALK:
        return f"has a walk of more than {MAX_WALK >> 20} MB"
    if sum(sizes) > MAX_WALKS:
        return f"has walks of more than {MAX_WALKS >> 20} MB"
    return ""


def walks_form(
    walks: Sequence[KeptWalk], steps: Sequence[Step], blobs: dict[bytes, int], step_form: Callable[[Step], Json]
) -> list[Json]:
    problem = size_problem([len(walk.data) for walk in walks])
    if problem:
        raise ProjectError(f"cannot be saved: {problem}")
    return [_form(walk, steps, blobs, step_form) for walk in walks]


def _form(walk: KeptWalk, steps: Sequence[Step], blobs: dict[bytes, int], step_form: Callable[[Step], Json]) -> Json:
    shared = shared_steps(walk.steps, steps)
    form: Json = {"name": walk.name, "data": blobs.setdefault(walk.data, len(blobs)), "steps": shared}
    undone = [step_form(step) for step in walk.steps[shared:]]
    return {**form, "undone": undone} if undone else form


def undone_steps(value: object) -> list[Any]:
    """The forms of all undone steps, to be counted before anything is made of them."""
    entries = value if isinstance(value, list) else []
    lists = [entry.get("undone") for entry in entries if isinstance(entry, dict)]
    return [step for steps in lists if isinstance(steps, list) for step in steps if isinstance(step, dict)]


def read_walks(
    value: object, steps: Sequence[Step], blobs: Sequence[bytes], read_step: Callable[[Json], Step]
) -> tuple[KeptWalk, ...]:
    """Whether the data are those of a recording or a capture is found out when it is run: a walk that cannot be read is
    told, and spoils nothing else."""
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise ProjectError("'walks' of the project should be a list of objects")
    if len(value) > MOST:
        raise ProjectError(f"has {len(value):,} walks; at most {MOST} are read")
    walks = tuple(_read(entry, steps, blobs, read_step) for entry in value)
    problem = size_problem([len(walk.data) for walk in walks])
    if problem:
        raise ProjectError(problem)
    return walks


def _read(entry: Json, steps: Sequence[Step], blobs: Sequence[bytes], read_step: Callable[[Json], Step]) -> KeptWalk:
    name, data, shared, undone = (entry.get(key) for key in ("name", "data", "steps", "undone"))
    if not isinstance(name, str) or walk_name_problem(name):
        raise ProjectError(f"has {str(name)[:40]!r} for the name of a walk")
    if type(data) is not int or not 0 <= data < len(blobs):
        raise ProjectError(f"has no data for the walk {name!r}")
    if type(shared) is not int or not 0 <= shared <= len(steps):
        raise ProjectError(f"has {len(steps)} steps, and the walk {name!r} with others")
    if undone is not None and not (isinstance(undone, list) and all(isinstance(step, dict) for step in undone)):
        raise ProjectError(f"should have a list of steps that were undone since the walk {name!r}")
    return KeptWalk(name, blobs[data], (*steps[:shared], *(read_step(step) for step in undone or ())))
