"""The source of a world: it makes landblocks and models by id.

`engine.world.loader` has one for data folders, one for golden scenes, one for dumps; all give the same objects. Nothing
here raises for bad content: what cannot be had is None, and why is in `faults`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.world.cells.cell import CellStruct
from engine.world.cells.ids import FIRST_ENV_CELL, LAST_ENV_CELL, low_of
from engine.world.cells.motion import MotionTable
from engine.world.cells.objects import GfxObj, Setup
from engine.world.entity_index import BlockEntities
from engine.world.entity_spec import EntitySpec
from engine.world.faults import Fault
from engine.world.landblock import Landblock
from engine.world.names import NameKey

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.dat.images import JpegDecoder
    from engine.dat.records import DatRecord, UnknownRecord
    from engine.world.block_index import BlockIndex
    from engine.world.scenery import SceneObject


@dataclass(slots=True)
class SurfaceImage:
    """A material as it can be drawn: a picture, or one colour (0xAARRGGBB); `image_id`, `palette_id` are 0 without one.

    `pixels` are RGBA bytes, rows from the top, None for a plain colour. `type_flags` and the three shares are the
    surface record's (dat-format.md 3.6).
    """

    surface_id: int
    type_flags: int
    translucency: float
    luminosity: float
    diffuse: float
    color: int | None = None
    texture_id: int = 0
    image_id: int = 0
    palette_id: int = 0
    format_name: str = ""
    width: int = 0
    height: int = 0
    pixels: NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """The record that one file has under an id; None where it cannot be read."""

    id: int
    file: str
    record: DatRecord | UnknownRecord | None


class WorldSource(ABC):
    """One opened source. `name` is for titles, `kind` says what it is ("data folder", "scene", "dump")."""

    leaves_portals_out: bool = False
    """Its rooms may have been cut out of a world without their portals; one without any counts as having one."""

    def __init__(self, name: str, kind: str) -> None:
        self.name = name
        self.kind = kind
        self.entities: list[EntitySpec] = []
        self.by_block: BlockEntities | None = None
        """More entities, made landblock by landblock: a server's data."""
        self.faults: list[Fault] = []
        self.jpeg: JpegDecoder | None = None
        """Decodes the JPEG pictures among its textures; the engine has no decoder."""
        self.given_names: dict[NameKey, str] = {}
        """The names of its cells, portals and models that come with it."""

    @abstractmethod
    def landblock_ids(self) -> list[int]:
        """The ids 0xXXYYFFFF of all landblocks there are, ascending."""

    def has_place(self, cell_id: int) -> bool:
        """Whether there is a cell of this id, or for one on land or of no number its landblock."""
        block = self.load_landblock(cell_id | 0xFFFF)
        is_room = FIRST_ENV_CELL <= low_of(cell_id) <= LAST_ENV_CELL
        return block is not None and (not is_room or any(cell.id == cell_id for cell in block.env_cells))

    def block_index(self, told: Callable[[float], None] | None = None) -> BlockIndex:
        """Return the landblocks that exist and their numbers of rooms; `told` is called with the progress."""
        from engine.world.block_index import BlockIndex  # numpy is only loaded for those who want to know

        index = BlockIndex()
        for block_id in self.landblock_ids():
            block = self.load_landblock(block_id)
            if block is not None:
                index.add([block_id] * (block.terrain is not None) + [cell.id for cell in block.env_cells])
        return index

    @abstractmethod
    def load_landblock(self, block_id: int) -> Landblock | None:
        """A landblock, made afresh; None when there is none of this id."""

    @abstractmethod
    def cell_struct(self, environment_id: int, index: int) -> CellStruct | None:
        """A structure, the same object at each call."""

    @abstractmethod
    def gfxobj(self, gfxobj_id: int) -> GfxObj | None:
        """A mesh, the same object at each call."""

    @abstractmethod
    def setup(self, model_id: int) -> Setup | None:
        """A model, the same object at each call; a GfxObj's id gives a setup of that one part."""

    @abstractmethod
    def model_ids(self) -> list[int]:
        """The ids of all GfxObjs and Setups there are, ascending."""

    @abstractmethod
    def record_counts(self) -> dict[str, int]:
        """Return the number of records of each kind, for an overview."""

    @abstractmethod
    def model_faults(self) -> Iterator[Fault]:
        """The faults of all models, used or not; slow, because it reads all of them."""

    @abstractmethod
    def shape_faults(self) -> Iterator[Fault]:
        """The faults of the structures and models made so far."""

    def motion_table(self, table_id: int) -> MotionTable | None:
        """A motion table with its animations, the same object at each call; None in scenes and dumps."""
        return None

    @property
    def height_table(self) -> list[float]:
        """The metres of each height index."""
        return [2.0 * index for index in range(256)]

    def record(self, record_id: int) -> object | None:
        """Return the record of an id as `engine.dat.records` has it; None without one, as in scenes and dumps."""
        return None

    def records_of(self, record_id: int) -> list[FoundRecord]:
        """Everything that the files have under an id: the same number means another thing in each."""
        return []

    def has_record(self, record_id: int) -> bool:
        """Whether a file has a record of this id."""
        return False

    def scene_objects(self, scene_id: int) -> Sequence[SceneObject] | None:
        """The kinds of scenery in a scene as its record has them; None without one."""
        return None

    def land_record(self, block_id: int) -> bytes | None:
        """Return the bytes of a landblock's own record, for scans of all landblocks; None without records."""
        return None

    def surface_image(self, surface_id: int) -> SurfaceImage | None:
        """A material with its picture decoded; None in sources without textures."""
        return None

    def texture_image(self, texture_id: int) -> SurfaceImage | None:
        """A picture by the id of its SurfaceTexture, as terrain names them."""
        return None

    def container_faults(self) -> Iterator[Fault]:
        """The faults of the files themselves; slow, because it reads all of them."""
        return iter(())

    @abstractmethod
    def close(self) -> None:
        """Close all files. Landblocks and models made before stay usable."""
