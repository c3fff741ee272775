"""Names of cells, portals and models in a project's file: those that hold now, and those that a step changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from editor.project.project import ProjectError
from engine.world.faults import WorldError
from engine.world.loader.json_form import JsonNode
from engine.world.loader.names_file import entry_forms, read_entries
from engine.world.names import NameChange, NameKey


def names_form(names: Mapping[NameKey, str]) -> list[dict[str, object]]:
    return entry_forms(names)


def read_names(value: object) -> dict[NameKey, str]:
    """The names of a list as `names_form` makes it; raises a ProjectError."""
    try:
        return read_entries(JsonNode(value, "", "names"))
    except WorldError as error:
        raise ProjectError(f"has {error.key or 'names'}, which {error.reason}") from error


def changes_form(changes: Iterable[NameChange]) -> list[list[dict[str, object]]]:
    """Two lists: the names before and after."""
    made = list(changes)
    before, after = ({change.key: text for change, text in zip(made, texts, strict=True)} for texts in _texts(made))
    return [names_form(before), names_form(after)]


def _texts(changes: list[NameChange]) -> tuple[list[str], list[str]]:
    return [change.before for change in changes], [change.after for change in changes]


def read_changes(value: Any) -> tuple[NameChange, ...]:
    if not isinstance(value, list) or len(value) != 2:
        raise ProjectError("has a step whose names are not two lists")
    before, after = (read_names(entry) for entry in value)
    if before.keys() != after.keys():
        raise ProjectError("has a step whose two lists of names are of different things")
    return tuple(NameChange(key, name, after[key]) for key, name in before.items())
