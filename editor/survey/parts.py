"""What a survey can do with a landblock, and where the function for each is. Modules load when they are wanted."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import engine
from editor.survey.errors import SurveyError
from engine import __version__
from engine.files.errors import FileError
from engine.files.kinds import OWN
from engine.files.reading import read_file
from engine.findings.finding import Family
from engine.findings.registry import checks

ROOT: Final = Path(engine.__file__).resolve().parent


@dataclass(frozen=True)
class Part:
    """One thing to do. `function` takes a simulation, the landblock's id and the ids of the checks that are switched
    on; of a part that `walks` a maker of worlds, the landblock's id, the settings of a search and the ids."""

    name: str
    module: str
    function: str
    families: tuple[Family, ...]
    sources: tuple[str, ...]
    """The packages and modules of the engine whose change makes a new version of it."""
    batch: int = 1
    """Landblocks that are given out together."""
    walks: bool = False
    keeps: str = ""
    """The class in `engine.survey.view` of what it keeps from landblock to landblock, as its last argument."""
    lists: str = ""
    """The name in its module of the checks that it makes, where they are not all those of its families."""
    sees: bool = False
    """Goes by pictures, so that textures count as content."""

    def is_there(self) -> bool:
        try:
            return importlib.util.find_spec(self.module) is not None
        except ModuleNotFoundError:
            return False

    def load(self) -> Callable[..., Any]:
        """The function; its module puts the checks into their table."""
        if not self.is_there():
            raise SurveyError(f"this installation cannot do {self.name!r}")
        function: Callable[..., Any] = getattr(importlib.import_module(self.module), self.function)
        return function

    def ids(self) -> frozenset[str]:
        """The checks that it makes, whatever other parts are loaded: those that its module lists, else those of its
        families that no other module lists."""
        if self.lists:
            listed: frozenset[str] = getattr(importlib.import_module(self.module), self.lists)
            return listed
        others = [part.ids() for part in PARTS.values() if part.lists]
        return frozenset(check.id for check in checks(self.families)).difference(*others)

    def keeper(self) -> object:
        made: object = getattr(importlib.import_module("engine.survey.view"), self.keeps)()
        return made

    def version(self) -> str:
        """A digest of the program's version and of the part's sources."""
        out = hashlib.blake2b(__version__.encode(), digest_size=8)
        for source in self.sources:
            place = ROOT / source
            files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
            for file in files:
                out.update(_content(file))
        return out.hexdigest()


_EXPLORE: Final = ("findings", "explore")
_CHECKING: Final = ("door_fit", "finds", "fixes", "remedies", "run", "view", "wall_checks")
_LISTED: Final = (
    Part(
        "check",
        "engine.survey.run",
        "check_landblock",
        (Family.GEOMETRY, Family.PHYSICS, Family.ENTITIES),
        ("findings", "survey/checks", "survey/shapes", *(f"survey/{name}" for name in _CHECKING)),
        batch=48,
        keeps="Shapes",
        lists="IDS",
    ),
    Part(
        "stabs", "engine.survey.stabs.run", "check_stabs", (Family.VISIBILITY,), ("findings", "survey/stabs"), batch=12
    ),
    Part("doors", "engine.explore.findings.doors", "check_doors", (Family.DOORS,), _EXPLORE, batch=4),
    Part("explore", "engine.explore.findings.explore", "check_by_walking", (Family.EXPLORE,), _EXPLORE, walks=True),
    Part("rules", "engine.explore.findings.rules_part", "check_rules", (Family.RULES,), _EXPLORE, walks=True),
    Part(
        "render",
        "engine.survey.stabs.render",
        "check_pictures",
        (Family.RENDER,),
        ("findings", "survey/stabs"),
        batch=4,
        sees=True,
    ),
)
PARTS: Final = {part.name: part for part in _LISTED}


def parts_of(text: str) -> tuple[Part, ...]:
    """check,doors: in the order of the table, whatever the order of the words."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in PARTS:
            raise SurveyError(f"--do {word!r}: a survey can do {', '.join(PARTS)}")
    return tuple(part for name, part in PARTS.items() if name in words)


def _content(file: Path) -> bytes:
    try:
        return read_file(file, OWN)
    except FileError:  # installed without sources
        return b""
