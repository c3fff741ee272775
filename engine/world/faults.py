"""Faults of loaded content, recorded instead of raised (ARCHITECTURE.md, promise 7).

A record that cannot be used leaves a `Fault` on the cell, building, landblock or world it belongs to; everything else
loads. `WorldError` is for the one case in which nothing can be opened at all.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final


class WorldError(Exception):
    """A world could not be opened, or a request made no sense.

    `file` and `key` say where in the input (`key` is a path like `cells[3].portals[0].poly`), `reason` what is wrong.
    """

    def __init__(self, reason: str, file: str | None = None, key: str | None = None) -> None:
        self.reason = reason
        self.file = file
        self.key = key
        super().__init__(": ".join(part for part in (file, key, reason) if part))


class Severity(enum.IntEnum):
    """The severity of a fault: INFO only surprises, a WARNING is worked round, with an ERROR something is missing."""

    INFO = 0
    WARNING = 1
    ERROR = 2


# The values of Fault.what: the part of the content that is at fault, short and stable, so that lists can group by it.
CELL: Final = "cell"
CELL_TREE: Final = "cell tree"
PHYSICS_TREE: Final = "physics tree"
DRAWING_TREE: Final = "drawing tree"
ENVIRONMENT: Final = "environment"
STRUCTURE: Final = "structure"
POLYGON: Final = "polygon"
PORTAL: Final = "portal"
NO_PORTALS: Final = "portals"
PORTAL_LINK: Final = "portal link"
PORTAL_POLYGON: Final = "portal polygon"
PORTAL_SIDE: Final = "portal side"
PORTAL_ORDER: Final = "portal order"
STAB_LIST: Final = "stab list"
SEEN_OUTSIDE: Final = "seen outside"
FRAME: Final = "frame"
SURFACE: Final = "surface"
BUILDING: Final = "building"
BUILDING_PORTAL: Final = "building portal"
BUILDING_LINK: Final = "building link"
STATIC_OBJECT: Final = "static object"
MODEL: Final = "model"
MOTION: Final = "motion"
TERRAIN: Final = "terrain"
TERRAIN_EDGE: Final = "terrain edge"
SCENERY: Final = "scenery"
RECORD: Final = "record"
REGION: Final = "region"
ENTITY: Final = "entity"
CONTAINER: Final = "container"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: `where` is the id of the cell, landblock or record (0: the world as a whole), `what` the
    part of it, `index` the number of the portal, polygon or entry when there is one, `reason` a sentence for people."""

    where: int
    what: str
    reason: str
    severity: Severity = Severity.ERROR
    index: int = -1

    def __str__(self) -> str:
        place = f"0x{self.where:08X} " if self.where else ""
        number = f" {self.index}" if self.index >= 0 else ""
        return f"{self.severity.name.lower()}: {place}{self.what}{number}: {self.reason}"


def worst(faults: Iterable[Fault]) -> Severity | None:
    """The highest severity among the faults, None when there are none."""
    return max((fault.severity for fault in faults), default=None)
