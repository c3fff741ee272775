"""What a server's world database holds, as far as it stands somewhere: instances, links, encounters, weenies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.geometry.quat import Quat
from engine.geometry.vec import Vec3
from engine.world.faults import Fault

# --- types of weenies (weenie.type)
GENERIC: Final = 1
PORTAL: Final = 7
CREATURE: Final = 10
VENDOR: Final = 12
COW: Final = 14
DOOR: Final = 19
CHEST: Final = 20
PRESSURE_PLATE: Final = 24
LIFE_STONE: Final = 25
SWITCH: Final = 26
HOUSE: Final = 53
SLUMLORD: Final = 55
HOOK: Final = 56
STORAGE: Final = 57
HOUSE_PORTAL: Final = 59

# --- properties that something here depends on
INT_PHYSICS_STATE: Final = 93
INT_RESIST_LOCKPICK: Final = 38
BOOL_OPEN: Final = 2
BOOL_LOCKED: Final = 3
BOOL_IGNORE_COLLISIONS: Final = 11
BOOL_REPORT_COLLISIONS: Final = 12
BOOL_ETHEREAL: Final = 13
BOOL_GRAVITY: Final = 14
BOOL_HIDDEN: Final = 18
"""The server calls it Visibility; players are not told of the thing."""
BOOL_DEFAULT_OPEN: Final = 34
BOOL_DEFAULT_LOCKED: Final = 35
BOOL_NO_DRAW: Final = 71
FLOAT_RESET_INTERVAL: Final = 11
FLOAT_SCALE: Final = 39
FLOAT_USE_RADIUS: Final = 54
STRING_NAME: Final = 1
STRING_LOCK_CODE: Final = 12
DID_SETUP: Final = 1
DID_MOTION_TABLE: Final = 2
IID_ACTIVATION_TARGET: Final = 16
POSITION_DESTINATION: Final = 2

INTS: Final = frozenset({16, INT_RESIST_LOCKPICK, INT_PHYSICS_STATE, 119})
BOOLS: Final = frozenset(
    {
        BOOL_OPEN,
        BOOL_LOCKED,
        BOOL_IGNORE_COLLISIONS,
        BOOL_REPORT_COLLISIONS,
        BOOL_ETHEREAL,
        BOOL_GRAVITY,
        BOOL_HIDDEN,
        BOOL_DEFAULT_OPEN,
        BOOL_DEFAULT_LOCKED,
        BOOL_NO_DRAW,
    }
)
FLOATS: Final = frozenset({FLOAT_RESET_INTERVAL, FLOAT_SCALE, FLOAT_USE_RADIUS})
STRINGS: Final = frozenset({STRING_NAME, STRING_LOCK_CODE})
DIDS: Final = frozenset({DID_SETUP, DID_MOTION_TABLE})
IIDS: Final = frozenset({IID_ACTIVATION_TARGET})
POSITIONS: Final = frozenset({POSITION_DESTINATION})
"""The types of properties that are kept of each table; the rest only matters to a running server."""


@dataclass(slots=True)
class Place:
    """A cell with a point and a rotation (w, x, y, z), as written."""

    cell_id: int
    origin: Vec3
    rotation: Quat


@dataclass(slots=True)
class Instance:
    """A thing that stands in a landblock. `source` says where it is read from: a file with a line, or a row."""

    guid: int
    wcid: int
    place: Place
    is_link_child: bool
    source: str


@dataclass(slots=True)
class Link:
    """What happens to the child concerns the parent: a switch and its door, a generator and what it makes."""

    parent: int
    child: int
    source: str


@dataclass(slots=True)
class Encounter:
    """What a server lets live in a land cell, at its south-west corner."""

    wcid: int
    cell_x: int
    cell_y: int
    source: str


@dataclass(slots=True)
class Weenie:
    """A class of things, with the properties that are kept."""

    wcid: int
    class_name: str
    type: int
    source: str
    ints: dict[int, int] = field(default_factory=dict)
    bools: dict[int, bool] = field(default_factory=dict)
    floats: dict[int, float] = field(default_factory=dict)
    strings: dict[int, str] = field(default_factory=dict)
    dids: dict[int, int] = field(default_factory=dict)
    iids: dict[int, int] = field(default_factory=dict)
    positions: dict[int, Place] = field(default_factory=dict)
    generates: list[int] = field(default_factory=list)
    """The classes that it makes when it is a generator."""

    @property
    def name(self) -> str:
        return self.strings.get(STRING_NAME) or self.class_name or f"weenie {self.wcid}"


@dataclass(slots=True)
class BlockContent:
    """What stands in one landblock, in the order of the data, with what is wrong there."""

    block_id: int
    instances: list[Instance] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


Told = Callable[[float, str], None]
"""Called with a share and a sentence while something long runs; it may raise to cancel."""


class ServerData(ABC):
    """One opened source of server data. Nothing here raises for bad content: what cannot be read is left out, and why
    is in the faults."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.faults: list[Fault] = []
        """What is wrong with the source as a whole, and with its weenies so far."""

    def all_faults(self) -> list[Fault]:
        """The same, of every place that the source is read from."""
        return self.faults

    @abstractmethod
    def landblocks(self) -> list[int]:
        """The ids 0xXXYYFFFF of the landblocks with instances, ascending."""

    def has_block(self, block_id: int) -> bool:
        """Whether it has a landblock of its own, be it empty: strays into it do not count."""
        return block_id in self.landblocks()

    @abstractmethod
    def block(self, block_id: int) -> BlockContent:
        """What stands in a landblock; read at each call."""

    def own_block(self, block_id: int) -> BlockContent:
        """The same without the strays of other landblocks' files."""
        return self.block(block_id)

    def strays_into(self, block_id: int) -> dict[int, list[Instance]]:
        """What stands in a landblock, but is written in the file of another: by the id of that one."""
        return {}

    @abstractmethod
    def weenie(self, wcid: int) -> Weenie | None:
        """A weenie, the same object at each call; None when there is none."""

    def prepare(self, wcids: Collection[int]) -> None:
        """Read these weenies at once where that is quicker than one by one; `weenie` then has them."""
        return

    @abstractmethod
    def encounters(self, block_id: int) -> list[Encounter]:
        """The encounters on the land of a landblock."""

    def has_encounters(self, block_id: int) -> bool:
        """Whether it says which encounters a landblock has, be it none."""
        return bool(self.encounters(block_id))

    @abstractmethod
    def counts(self) -> dict[str, int]:
        """What there is, for an overview."""

    @abstractmethod
    def block_file(self, block_id: int) -> Path | None:
        """The file that has a landblock's rows, where they are in one."""

    def weenie_file(self, wcid: int) -> Path | None:
        """The file that has a weenie, where it is in one."""
        return None

    @abstractmethod
    def weenies(self) -> list[int]:
        """The numbers of all weenies, ascending."""

    @abstractmethod
    def encounter_blocks(self) -> list[int]:
        """The ids of the landblocks with encounters, ascending."""

    def close(self) -> None:
        """Close all files. What was read before stays usable."""
        return
