"""The whole description of a world, and its conversion to records, to files, and to a loaded world.

    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4))
    study = world.room("study", rect(6.2, 0, 4, 4))
    world.door(hall, study, width=1.0)
    loaded = world.build().load()

Rooms outside of other landblocks go into a dungeon, 0x0007 by default.
"""

from __future__ import annotations

from engine.build.assemble import Assembly
from engine.build.built import BuiltWorld
from engine.build.errors import BuildError
from engine.build.ground import GroundVertices
from engine.build.interiors import Interior
from engine.build.landblocks import Landblock
from engine.build.materials import DEFAULT_MATERIALS, Finish, Material, TextureProvider
from engine.build.region import RegionPlan, Strewn
from engine.geometry.frame import Frame

DEFAULT_BLOCK = 0x0007
DEFAULT_HEIGHT = 20.0
DEFAULT_HEIGHT_STEP = 2.0
"""The default height table: twice the byte (dat-format.md 4.1)."""


class WorldBuilder:
    """A world being described.

    textures      gives the pictures of textures by name; without it, and for names it does not know, colours are used
    block         the dungeon that `room`, `doorway`, `door`, ... of the builder itself build in
    height_step   metres between two heights of the height table
    """

    region: RegionPlan
    materials: dict[str, Material]
    landblocks: dict[int, Landblock]
    rooms: Interior

    def __init__(
        self,
        *,
        textures: TextureProvider | None = None,
        block: int = DEFAULT_BLOCK,
        height_step: float = DEFAULT_HEIGHT_STEP,
        finish: Finish | None = None,
    ) -> None:
        self.textures = textures
        self.region = RegionPlan()
        self.materials = {material.name: material for material in DEFAULT_MATERIALS}
        self.landblocks = {}
        self.ground = GroundVertices(height_step)
        self.has_human = False
        self._finish = finish or Finish()
        self._own_block = block
        self.rooms = Interior("rooms", Frame(), self._finish)
        # the calls of the interior of the builder's own, so that a small world needs no other words
        self.room = self.rooms.room
        self.piece = self.rooms.piece
        self.place = self.rooms.place
        self.doorway = self.rooms.doorway
        self.open_wall = self.rooms.open_wall
        self.hatch = self.rooms.hatch
        self.window = self.rooms.window
        self.door = self.rooms.door
        self.hang_door = self.rooms.hang_door
        self.entity = self.rooms.entity

    def define(self, *materials: Material) -> None:
        """Add materials, or replace known ones of the same name."""
        for material in materials:
            self.materials[material.name] = material

    def landblock(self, number: int, *, height: float = DEFAULT_HEIGHT) -> Landblock:
        """Begin an outdoor landblock, 0xXXYY.

        It and its eight neighbours are flat at `height` until its ground is shaped.
        """
        block = self._add(Landblock(number, self.ground, self._finish))
        if block.ground is not None:
            block.ground.shape(lambda _x, _y: height)
        return block

    def dungeon(self, number: int) -> Landblock:
        """Begin a dungeon landblock: no ground, no buildings, interiors only."""
        return self._add(Landblock(number, None, self._finish))

    def human(self) -> None:
        """Let the data have the client's human setup with its motions: players have that body and walk by its
        animations. Without it they have the same sizes and speeds, and move a little in every tick."""
        self.has_human = True

    def scenery(self, kind: int, index: int, *scenes: tuple[Strewn, ...]) -> None:
        """The scenes on ground of a terrain type where `ground.plant` has set the scenery index: one of them is
        placed."""
        if not (0 <= kind < 32 and 0 <= index < 32):
            raise BuildError("scenery", f"terrain type {kind} and index {index} must be in 0..31")
        self.region.scenes[(kind, index)] = list(scenes)

    def build(self) -> BuiltWorld:
        """The records of everything described so far."""
        blocks = dict(self.landblocks)
        if self.rooms.cells:
            own = blocks.get(self._own_block)
            if own is not None:
                raise BuildError(
                    f"landblock 0x{self._own_block:04X}",
                    "it is described, and the builder's own rooms go there as well",
                )
            own = Landblock(self._own_block, None, self._finish)
            own.interiors.append(self.rooms)
            blocks[self._own_block] = own
        return Assembly(self.materials, self.textures, self.region, self.ground, human=self.has_human).world(blocks)

    def _add(self, block: Landblock) -> Landblock:
        if block.number in self.landblocks:
            raise BuildError(f"landblock 0x{block.number:04X}", "it has been begun before")
        self.landblocks[block.number] = block
        return block
