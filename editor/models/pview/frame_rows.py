"""A frame as rows: the draw list, and every considered portal with its result (rendering.md 7.5, 12.5, 23)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from editor.models.live_table import ACCEPTED, ADJUSTED, CURRENT, DIM, FAULT, Column, Row, Value
from editor.process.plain_text import counted
from editor.reports.visible_cells import side_text
from editor.session.session import Kind, Selection
from engine.render.picking.hits import Hit, HitKind
from engine.render.viewer.viewer import Viewer
from engine.visibility import records
from engine.visibility.frame import FrameResult
from engine.visibility.records import FloodResult, PortalPiece, VisibleCell
from engine.visibility.view import ViewPoly
from engine.world.cells.cell import Building
from engine.world.cells.ids import cell_text, is_env_cell, landblock_id
from engine.world.cells.portals import OUTSIDE
from engine.world.landblock import Landblock
from engine.world.world import World

VISIBLE: Final = "visible"
ENTRANCE: Final = "accent"
OPEN_AIR: Final = "exit_portal"

BUILDING_VIEW: Final = -1
"""In place of a flood's number: the portal of a building, through which a flood may begin."""


class PortalResult(Enum):
    """The results of a portal, as the user reads them."""

    FOLLOWED = "followed"
    WAY_IN = "entry"
    BEHIND = "behind"
    CLIPPED = "clipped away"
    NOT_IN_STAB = "not in the stab list"
    SEEN_BEFORE = "seen before"
    NOT_LOADED = "not loaded"
    CUT_OFF = "cut off"


@dataclass(frozen=True, slots=True)
class ResultSign:
    """The display of a flood's status: its result, a sign and a word, and the reason."""

    result: PortalResult
    icon: str
    word: str
    tone: str
    why: str

    @property
    def text(self) -> str:
        return f"{self.icon} {self.word}"


SIGNS: Final[dict[str, ResultSign]] = {
    records.OPEN: ResultSign(
        PortalResult.FOLLOWED, "✓", "followed", ACCEPTED, "the cell behind it is drawn through it"
    ),
    records.ENTRY: ResultSign(
        PortalResult.WAY_IN, "⇤", "entry", ENTRANCE, "the flood entered here, and does not go back"
    ),
    records.EXIT_OPEN: ResultSign(
        PortalResult.FOLLOWED, "☀", "outdoors", OPEN_AIR, "the landscape is drawn through it"
    ),
    records.WRONG_SIDE: ResultSign(PortalResult.BEHIND, "◁", "behind", DIM, "the eye is on its back side"),
    records.IN_PLANE: ResultSign(PortalResult.BEHIND, "◁", "edge on", DIM, "the eye is in its plane"),
    records.CLIPPED: ResultSign(
        PortalResult.CLIPPED, "×", "clipped away", ADJUSTED, "it lies outside of every view of its cell"
    ),
    records.OTHER_CLIP: ResultSign(
        PortalResult.CLIPPED, "×", "clipped by its other side", ADJUSTED, "the neighbour's polygon leaves nothing of it"
    ),
    records.SLIVER: ResultSign(
        PortalResult.CLIPPED, "×", "under a pixel", ADJUSTED, "its visible part is less than a pixel"
    ),
    records.EXIT: ResultSign(
        PortalResult.CLIPPED, "×", "outdoors, not seen", ADJUSTED, "nothing of this exit is in view"
    ),
    records.NO_SLOT: ResultSign(
        PortalResult.NOT_IN_STAB, "■", "not in the stab list", FAULT, "the stab list does not have the cell behind it"
    ),
    records.CONTAINED: ResultSign(
        PortalResult.SEEN_BEFORE, "↪", "seen before", VISIBLE, "the cell behind it has that part of the screen already"
    ),
    records.NOT_LOADED: ResultSign(PortalResult.NOT_LOADED, "∅", "not loaded", FAULT, "the cell behind it is missing"),
    records.NO_POLYGON: ResultSign(PortalResult.CUT_OFF, "■", "no polygon", FAULT, "it has no polygon to look through"),
    records.CAPPED: ResultSign(
        PortalResult.CUT_OFF, "■", "cut off by a guard", FAULT, "a cap of the flood ended it here"
    ),
}

GOT: Final = (
    records.NO_POLYGON,
    records.WRONG_SIDE,
    records.ENTRY,
    records.IN_PLANE,
    records.CLIPPED,
    records.EXIT,
    records.OTHER_CLIP,
    records.SLIVER,
    records.NOT_LOADED,
    records.NO_SLOT,
    records.CAPPED,
    records.CONTAINED,
    records.OPEN,
    records.EXIT_OPEN,
)
"""How far a portal got; of several, the last in this order explains best why nothing is seen."""

DRAW_COLUMNS: Final = (
    Column("#", mono=True, right=True, tip="The nearest is 1; drawn from the last to the first", sample="▶ 99"),
    Column("Cell", mono=True, sample="0x00000000"),
    Column("Came in by", mono=True, tip="The portal through which the flood found it", sample="0x00000000 · 9"),
    Column("Views", mono=True, right=True, tip="View polygons: the pieces of the screen that it is seen through"),
    Column("Screen", mono=True, right=True, tip="How much of the screen its view polygons are", sample="100.0 %"),
    Column("Reach", mono=True, right=True, tip="max_indist: how far its farthest entry is, which orders the list"),
    Column("Depth", mono=True, right=True, tip="How many portals lie between it and the root"),
)

PORTAL_COLUMNS: Final = (
    Column("Result", sample="■ not in the stab list"),
    Column("Portal", mono=True, sample="0x00000000 · 9"),
    Column("Leads to", mono=True, sample="0x00000000"),
    Column("Pieces", mono=True, right=True, tip="Views of its cell that left something of it"),
    Column("Screen", mono=True, right=True, tip="How much of the screen is seen through it"),
    Column("Eye", tip="On which side of its polygon the eye is"),
    Column("Why"),
)


@dataclass(frozen=True, slots=True)
class Considered:
    """A portal that the frame considered. `flood` is the number of the flood in the frame, or BUILDING_VIEW for an
    opening of a `building`; `owner` is the cell that has it, then the building's land cell."""

    flood: int
    owner: int
    index: int
    other_id: int
    status: str
    side: int | None
    pieces: tuple[PortalPiece, ...]
    building: Building | None = None
    view_index: int = 0

    @property
    def key(self) -> tuple[int, int, int, int, int]:
        return (self.flood, self.owner, 0 if self.building is None else self.building.id, self.index, self.view_index)

    @property
    def sign(self) -> ResultSign:
        return SIGNS[self.status]

    @property
    def name(self) -> str:
        """The displayed name."""
        what = cell_text(self.owner)
        return f"portal {self.index} of {what if self.building is None else f'the building on {what}'}"

    def matches(self, hit: Hit) -> bool:
        """It is the portal that was picked."""
        building = 0 if self.building is None else self.building.id
        return (
            hit.kind is HitKind.PORTAL
            and hit.portal_index == self.index
            and hit.object_id == building
            and (bool(building) or hit.cell_id == self.owner)
        )

    def hit(self) -> Hit:
        """The selection that picking it in the picture would make."""
        return Hit(
            HitKind.PORTAL,
            landblock_id(self.owner),
            self.owner,
            0.0,
            (0.0, 0.0, 0.0),
            (0.0, 0.0, 1.0),
            object_id=0 if self.building is None else self.building.id,
            portal_index=self.index,
            other_cell_id=self.other_id,
            status=self.status,
        )


def considered(frame: FrameResult) -> list[Considered]:
    """Every portal, in the order of the floods and of their draw lists: a building's opening before the rooms behind
    it, and openings that led nowhere at the end."""
    found: list[Considered] = []
    for number, flood in enumerate(frame.floods()):
        if flood.building is not None:
            found.append(_opening(flood, flood.building))
        for visible in flood.cells:
            for record in visible.portals:
                pieces = tuple(record.pieces)
                found.append(
                    Considered(
                        number, record.cell_id, record.index, record.other_cell_id, record.status, record.side, pieces
                    )
                )
    found += [_opening(flood, flood.building) for flood in frame.rejected if flood.building is not None]
    return found


def _opening(flood: FloodResult, building: Building) -> Considered:
    pieces = () if flood.punch is None else (flood.punch,)
    status = flood.rejected or records.OPEN
    return Considered(
        BUILDING_VIEW,
        building.cell_id,
        flood.portal_index,
        flood.root_id,
        status,
        None,
        pieces,
        building,
        flood.view_index,
    )


def numbers_of(frame: FrameResult) -> dict[int, int]:
    """The rooms of a frame, numbered from 1 in the order of the floods, the nearest first."""
    numbers: dict[int, int] = {}
    for flood in frame.floods():
        for visible in flood.cells:
            numbers.setdefault(visible.cell_id, len(numbers) + 1)
    return numbers


# --- the draw list


def draw_rows(frame: FrameResult, current_id: int) -> list[Row]:
    """A row for each room of each flood, the nearest first; `current_id` is the player's cell."""
    numbers, screen = numbers_of(frame), _screen(frame)
    return [
        _draw_row(place, flood, visible, numbers[visible.cell_id], screen, visible.cell_id == current_id)
        for place, flood in enumerate(frame.floods())
        for visible in flood.cells
    ]


def _draw_row(
    place: int, flood: FloodResult, visible: VisibleCell, number: int, screen: float, is_current: bool
) -> Row:
    late = f"; {visible.late_views} came when it had been dealt with" if visible.late_views else ""
    tone = CURRENT if is_current else ""
    values = (
        Value(f"▶ {number}" if is_current else str(number), str(number), CURRENT if is_current else VISIBLE),
        Value(cell_text(visible.cell_id), tone=tone),
        Value(came_in_by(flood, visible), tone=DIM if visible.parent_portal == records.NO_PORTAL else ""),
        Value(
            f"{len(visible.views)}{' ↷' if visible.late_views else ''}",
            str(len(visible.views)),
            ADJUSTED if visible.late_views else "",
            f"{len(visible.views)} view polygons{late}",
        ),
        share_value(visible.views, screen),
        Value(f"{math.sqrt(visible.max_indist):.2f} m", repr(math.sqrt(visible.max_indist))),
        Value(str(visible.depth)),
    )
    return Row((place, visible.cell_id), values, cell_selection(visible.cell_id))


def came_in_by(flood: FloodResult, visible: VisibleCell) -> str:
    """The portal by which the flood entered a cell, or where it began."""
    if visible.parent_portal != records.NO_PORTAL:
        return f"{cell_text(visible.parent_id)} · {visible.parent_portal}"
    return "root" if flood.building is None else f"{cell_text(flood.building.cell_id)} · {flood.portal_index}"


def cell_selection(cell_id: int) -> Selection:
    return Selection(Kind.CELL, landblock_id(cell_id), cell_id)


def cell_of_static(static_id: int) -> int:
    """The room that owns a static thing (`static_object_id`); 0 for one of the land."""
    owner = (static_id >> 16) & 0xFFFFFFFF
    return owner if is_env_cell(owner) else 0


def _screen(frame: FrameResult) -> float:
    return frame.camera.width * frame.camera.height


def share_of(views: Iterable[ViewPoly], screen: float) -> float:
    """The part of the screen that some view polygons cover; the polygons do not overlap."""
    return min(sum(view.area() for view in views) / screen, 1.0)


def share_value(views: Sequence[ViewPoly], screen: float) -> Value:
    if not views:
        return Value("–", "", DIM)
    share = 100.0 * share_of(views, screen)
    shown = f"{share:.1f} %" if share >= 0.05 else "< 0.1 %"
    return Value(shown, repr(share))


# --- portals


@dataclass(frozen=True, slots=True)
class PortalFilter:
    """The filter of portals: those of one result, and those of a cell or into it. None and 0 match everything."""

    result: PortalResult | None = None
    cell_id: int = 0

    def lets_through(self, portal: Considered) -> bool:
        if self.result is not None and portal.sign.result is not self.result:
            return False
        return not self.cell_id or self.cell_id in (portal.owner, portal.other_id)


def portal_rows(frame: FrameResult, portals: Sequence[Considered], world: World | None) -> list[Row]:
    screen = _screen(frame)
    return [_portal_row(portal, screen, world) for portal in portals]


def _portal_row(portal: Considered, screen: float, world: World | None) -> Row:
    sign = portal.sign
    seen = [piece.view for piece in portal.pieces if piece.view is not None and piece.status == portal.status]
    out = portal.other_id == OUTSIDE
    building = "" if portal.building is None else f"an opening of the building on {cell_text(portal.owner)}"
    values = (
        Value(sign.text, sign.word, sign.tone, f"{portal.status}: {sign.why}"),
        Value(f"{cell_text(portal.owner)} · {portal.index}", tone="building_portal" if building else "", tip=building),
        Value("outdoors →", "outdoors", DIM) if out else Value(cell_text(portal.other_id)),
        Value(str(len(portal.pieces)), tone="" if portal.pieces else DIM),
        share_value(seen, screen),
        Value("–", "", DIM) if portal.side is None else Value(side_text(portal.side)),
        Value(sign.why, tone=DIM),
    )
    return Row(portal.key, values, selection_of(portal, world))


def selection_of(portal: Considered, world: World | None) -> Selection | None:
    """The cell that owns a portal, or the building."""
    if portal.building is None:
        return cell_selection(portal.owner)
    block: Landblock | None = None if world is None else world.landblock(portal.owner)
    for number, building in enumerate([] if block is None else block.buildings):
        if building is portal.building:
            return Selection(Kind.BUILDING, landblock_id(portal.owner), number)
    return None


# --- one line


def summary(frame: FrameResult, viewer: Viewer | None) -> str:
    """Root and figures of a frame."""
    choice = None if viewer is None else viewer.choice
    if frame.root_id == records.NO_CELL:
        return frame.message
    frozen = viewer is not None and viewer.frozen is frame
    mode = "frozen" if frozen else "" if choice is None else choice.source
    floods = frame.floods()
    cells = len(numbers_of(frame))
    parts = [f"root {cell_text(frame.root_id)}{f' ({mode})' if mode else ''}"]
    parts.append(counted(cells, "cell"))
    if frame.flood is not None:
        count = len(frame.flood.outside)
        parts.append(counted(count, "outside view"))
    if frame.look_ins:
        parts.append(counted(len(frame.look_ins), "look-in"))
    reach = max((visible.max_indist for flood in floods for visible in flood.cells), default=0.0)
    parts.append(f"reach {math.sqrt(reach):.1f} m")
    guards = [guard for flood in floods for guard in flood.guards]
    parts.append(f"■ guards: {', '.join(guards)}" if guards else "guards 0")
    if viewer is not None and viewer.visibility.options.ignore_stab_list:
        parts.append("■ stab lists ignored")
    if frame.message:
        parts.append(f"■ {frame.message}")
    left_id = records.NO_CELL if viewer is None else viewer.player().left_id
    if left_id != records.NO_CELL:
        parts.append(f"■ the player is lost, he left {cell_text(left_id)}")
    return " · ".join(parts)


def figures(frame: FrameResult) -> str:
    """The amount of work of the floods."""
    floods = frame.floods()
    clips, views = sum(flood.clips for flood in floods), sum(flood.views for flood in floods)
    fixes, drops = sum(flood.fixes for flood in floods), sum(flood.drops for flood in floods)
    lines = [
        f"{clips:,} clips made {views:,} views",
        f"{drops:,} views dropped that another view of their cell contains",
        f"{fixes:,} times a cell gained views late",
        "picture: exact" if frame.exact else "picture: as the client draws",
    ]
    return "\n".join(lines)
