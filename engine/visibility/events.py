"""The draw events of a frame in the client's order (rendering.md 11.2, 12, 24.7).

The frame driver (`engine.visibility.frame`) emits them; the picture and the tests consume the same ones. An event
states what to draw and under which views, never how: the consumer decides whether to clip pixels to the views (14).

Every event has a name, which is the first word of its line in a transcript. `line` takes a mapping from cells to names;
a cell without a name shows its id.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import mypyc_attr

from engine.visibility.records import PortalPiece, VisibleCell
from engine.visibility.view import ViewPoly
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.terrain import SQUARES

DEFAULT_VIEW: Final = "DEFAULT_VIEW"
DRAW_INSIDE: Final = "DRAW_INSIDE"
SUN: Final = "SUN"
SKY: Final = "SKY"
LAND: Final = "LAND"
PUNCH: Final = "PUNCH"
SEAL: Final = "SEAL"
STAMP: Final = "STAMP"
ZCLEAR: Final = "ZCLEAR"
SHELL: Final = "SHELL"
OBJECTS: Final = "OBJECTS"
BUILDING_SHELL: Final = "BUILDING_SHELL"
ALPHA_FLUSH: Final = "ALPHA_FLUSH"
WEATHER: Final = "WEATHER"

FULL_ENOUGH: Final = 0.75
"""The fill of one alpha list above which the end of a landcell flushes both (13.4)."""


def name_of(cell_id: int, names: dict[int, str]) -> str:
    """The name of a cell in a transcript."""
    name = names.get(cell_id)
    return cell_text(cell_id) if name is None else name


@mypyc_attr(allow_interpreted_subclasses=True)
class FrameEvent:
    """One step of a frame."""

    name: str

    def __init__(self, name: str) -> None:
        self.name = name

    def line(self, names: dict[int, str]) -> str:
        """The event's line in a transcript."""
        return self.name

    def __repr__(self) -> str:
        no_names: dict[int, str] = {}
        return self.line(no_names)


class DefaultView(FrameEvent):
    """An outdoor frame begins: the active view list is the whole screen."""

    view: ViewPoly

    def __init__(self, view: ViewPoly) -> None:
        super().__init__(DEFAULT_VIEW)
        self.view = view


class DrawInside(FrameEvent):
    """An indoor frame begins; `cell_id` is the root that the flood started from."""

    cell_id: int

    def __init__(self, cell_id: int) -> None:
        super().__init__(DRAW_INSIDE)
        self.cell_id = cell_id

    def line(self, names: dict[int, str]) -> str:
        return f"{DRAW_INSIDE} {name_of(self.cell_id, names)}"


class Sun(FrameEvent):
    """`useSunlightSet`: whether what comes now is lit by the sun or by the lights of the rooms (20.4)."""

    on: bool

    def __init__(self, on: bool) -> None:
        super().__init__(SUN)
        self.on = on

    def line(self, names: dict[int, str]) -> str:
        return f"{SUN} {1 if self.on else 0}"


class Sky(FrameEvent):
    """The celestial part of the sky: over the whole viewport, no depth test and no depth writes. `views` are the
    landscape's, for who confines pixels to them."""

    views: list[ViewPoly]

    def __init__(self, views: list[ViewPoly]) -> None:
        super().__init__(SKY)
        self.views = views


class Weather(FrameEvent):
    """The sky's part that comes after the landscape, unless the player is in a room."""

    views: list[ViewPoly]

    def __init__(self, views: list[ViewPoly]) -> None:
        super().__init__(WEATHER)
        self.views = views


class LandCellVisit:
    """A landcell: `block_id` 0xXXYYFFFF, `low` 1..64. Shared by all frames, so it holds nothing that changes.

    Or a square of `across` landcells each way, of which this is the south-western one; `number` counts the squares of
    the landblock from column to column (rendering.md M2).
    """

    block_id: int
    low: int
    across: int
    number: int

    def __init__(self, block_id: int, low: int, across: int = 1) -> None:
        self.block_id = block_id
        self.low = low
        self.across = across
        self.number = low - 1
        if across > 1:
            column = (low - 1) // SQUARES // across
            self.number = column * (SQUARES // across) + (low - 1) % SQUARES // across

    @property
    def cell_id(self) -> int:
        return (self.block_id & 0xFFFF0000) | self.low

    def __repr__(self) -> str:
        return cell_text(self.cell_id)


class Land(FrameEvent):
    """The landscape between two buildings with visible openings, both lists far to near (14.5 "Batching").

    First comes the terrain of `cells`, which are those in view, then the contents of `objects`, the landcells of all
    blocks in view; each object is culled by its own sphere against `views`. Terrain and objects of one landcell may be
    in different events because a building stands between them: terrain, building, objects. Shells without a visible
    opening, whose order among opaque objects is free, follow as events of their own.
    """

    views: list[ViewPoly]
    cells: list[LandCellVisit]
    objects: list[LandCellVisit]

    def __init__(self, views: list[ViewPoly], cells: list[LandCellVisit], objects: list[LandCellVisit]) -> None:
        super().__init__(LAND)
        self.views = views
        self.cells = cells
        self.objects = objects

    def line(self, names: dict[int, str]) -> str:
        return f"{LAND} (views = {len(self.views)}, terrain of {len(self.cells)}, objects of {len(self.objects)})"


class Punch(FrameEvent):
    """An opening of a building is set to the far depth, whatever was there (12.5, 14.3). Draw `piece.points`."""

    building: Building
    block_id: int
    portal_index: int
    view_index: int
    piece: PortalPiece

    def __init__(
        self, building: Building, block_id: int, portal_index: int, view_index: int, piece: PortalPiece
    ) -> None:
        super().__init__(PUNCH)
        self.building = building
        self.block_id = block_id
        self.portal_index = portal_index
        self.view_index = view_index
        self.piece = piece

    def line(self, names: dict[int, str]) -> str:
        building = name_of(self.building.cell_id, names)
        return f"{PUNCH} {building}.{self.portal_index} view {self.view_index}"


class Seal(FrameEvent):
    """Seals a visible exit at the depth of its own plane, so that rooms beyond it cannot cover the landscape (11.2)."""

    cell_id: int
    portal_index: int
    view_index: int
    piece: PortalPiece

    def __init__(self, cell_id: int, portal_index: int, view_index: int, piece: PortalPiece) -> None:
        super().__init__(SEAL)
        self.cell_id = cell_id
        self.portal_index = portal_index
        self.view_index = view_index
        self.piece = piece

    def line(self, names: dict[int, str]) -> str:
        return f"{SEAL} {name_of(self.cell_id, names)}.{self.portal_index} view {self.view_index}"


class Stamp(FrameEvent):
    """A new frame stamp: everything that is drawn once per stamp may be drawn again."""

    def __init__(self) -> None:
        super().__init__(STAMP)


class ZClear(FrameEvent):
    """The whole depth buffer to 1.0; colour stays."""

    def __init__(self) -> None:
        super().__init__(ZCLEAR)


class Shell(FrameEvent):
    """The walls of a visible room, all of them.

    `look_in` is the number of the look-in, an index of the frame's `look_ins`, that the room belongs to; −1 for the
    rooms of the indoor flood. In a retail frame a shell comes at most once between stamps (11.4). In an exact frame,
    whose shells are confined to their views, it comes again with the views of every opening that shows it; what feeds
    the seals between rooms (14.5) is in `visible.portals`.
    """

    visible: VisibleCell
    look_in: int

    def __init__(self, visible: VisibleCell, look_in: int) -> None:
        super().__init__(SHELL)
        self.visible = visible
        self.look_in = look_in

    @property
    def cell(self) -> EnvCell:
        return self.visible.cell

    def line(self, names: dict[int, str]) -> str:
        return f"{SHELL} {name_of(self.visible.cell_id, names)}"


class Objects(FrameEvent):
    """Draws the contents of a visible room, each object culled by its own sphere against `views`, drawn whole and once
    per stamp (13.2)."""

    cell_id: int
    views: list[ViewPoly]
    visible: VisibleCell
    look_in: int

    def __init__(self, visible: VisibleCell, look_in: int) -> None:
        super().__init__(OBJECTS)
        self.cell_id = visible.cell_id
        self.views = visible.views
        self.visible = visible
        self.look_in = look_in

    def line(self, names: dict[int, str]) -> str:
        return f"{OBJECTS} {name_of(self.cell_id, names)}"


class BuildingShell(FrameEvent):
    """The outer shell of a building, sphere-culled against `views` like any part; `block_id` is its landblock."""

    building: Building
    block_id: int
    views: list[ViewPoly]

    def __init__(self, building: Building, block_id: int, views: list[ViewPoly]) -> None:
        super().__init__(BUILDING_SHELL)
        self.building = building
        self.block_id = block_id
        self.views = views

    def line(self, names: dict[int, str]) -> str:
        return f"{BUILDING_SHELL} {name_of(self.building.cell_id, names)}"


class AlphaFlush(FrameEvent):
    """Draw what waits in the alpha lists if one of them holds `level` of what it can hold; 0 always does."""

    level: float

    def __init__(self, level: float = 0.0) -> None:
        super().__init__(ALPHA_FLUSH)
        self.level = level

    def line(self, names: dict[int, str]) -> str:
        return ALPHA_FLUSH if self.level == 0.0 else f"{ALPHA_FLUSH} if {round(self.level * 100.0)}% full"


def transcript(events: list[FrameEvent], names: dict[int, str]) -> list[str]:
    """The events as 24.7 writes them, a line each. `names` shortens the cells that have one."""
    return [event.line(names) for event in events]
