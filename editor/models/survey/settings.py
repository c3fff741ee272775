"""How to explore a landblock: from where, with which doors, keys and body, and what to look for.

Plain values: they go to the worker process and into projects as JSON.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, fields, replace
from enum import Enum
from typing import Any, Final


class Start(str, Enum):
    """Kinds of places to begin at; the values are their names in files."""

    DOORS = "doors"
    PORTALS = "portals"
    SPOTS = "spots"
    GROUND = "ground"
    FLOORS = "floors"
    PLAYER = "player"


class Doors(str, Enum):
    """How doors are; the values are their names in files."""

    AS_THEY_ARE = "as they are"
    OPEN = "open"
    USED = "used"


START_TITLES: Final = {
    Start.DOORS: "Doors, both sides of each",
    Start.PORTALS: "Doorways and other portals",
    Start.SPOTS: "Spots where things stand",
    Start.GROUND: "The ground outdoors",
    Start.FLOORS: "Every floor of the rooms",
    Start.PLAYER: "The player",
}
DOOR_TITLES: Final = {
    Doors.AS_THEY_ARE: "As they are now",
    Doors.OPEN: "All open",
    Doors.USED: "Used on the way",
}
RULE_SETS: Final = ("retail", "ace")

SCALES: Final = (0.1, 4.0)
"""Of the body's radius and height."""
SKILLS: Final = (0.0, 2000.0)


@dataclass(frozen=True)
class SurveySettings:
    """One choice. `skill`s of 0 are the player's own; `rules` "" are those of the document."""

    starts: tuple[str, ...] = (Start.DOORS.value, Start.PORTALS.value, Start.GROUND.value)
    doors: str = Doors.AS_THEY_ARE.value
    runs: bool = True
    jumps: bool = True
    radius_scale: float = 1.0
    height_scale: float = 1.0
    run_skill: float = 0.0
    jump_skill: float = 0.0
    rules: str = ""
    strip: bool = False
    """The neighbours' strip along the border is searched as well."""
    left_out: tuple[str, ...] = ()
    """Ids of checks that are switched off."""

    def form(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @property
    def problem(self) -> str:
        """Why nothing can be searched like this; "" when it can."""
        return "" if self.starts else "Choose at least one kind of place to begin at."

    def with_start(self, start: Start, *, on: bool) -> SurveySettings:
        wanted = {*self.starts, start.value} if on else {*self.starts} - {start.value}
        return replace(self, starts=tuple(each.value for each in Start if each.value in wanted))

    def with_check(self, check: str, *, on: bool) -> SurveySettings:
        wanted = {*self.left_out} - {check} if on else {*self.left_out, check}
        return replace(self, left_out=tuple(sorted(wanted)))


def read_settings(form: object) -> SurveySettings:
    """The settings of a form; what is missing or out of range is as at first, for a later version may know more."""
    values: dict[str, Any] = {}
    given = form if isinstance(form, dict) else {}
    for field in fields(SurveySettings):
        value = given.get(field.name)
        default = field.default
        if isinstance(default, tuple):
            if isinstance(value, list) and all(isinstance(each, str) for each in value):
                values[field.name] = tuple(value)
        elif isinstance(default, bool | str):
            if type(value) is type(default):
                values[field.name] = value
        elif isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max:
            low, high = SCALES if field.name.endswith("_scale") else SKILLS
            values[field.name] = min(max(float(value), low), high)
    known = {each.value for each in Start}
    if "starts" in values:
        values["starts"] = tuple(each for each in values["starts"] if each in known)
    if values.get("doors") not in {each.value for each in Doors}:
        values.pop("doors", None)
    if values.get("rules") not in {"", *RULE_SETS}:
        values.pop("rules", None)
    return SurveySettings(**values)
