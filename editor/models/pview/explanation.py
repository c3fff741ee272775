"""Explains why a cell is drawn or not: the deciding portal, in a sentence (rendering.md 4.3, 7, 12.5).

A room that the flood reached is explained by the portals that lead to it; a room that it never reached by the place
where the shortest path from the drawn rooms breaks off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from editor.models.pview.frame_rows import GOT, Considered, PortalResult, considered, numbers_of, share_of
from editor.process.plain_text import counted
from engine.visibility import records
from engine.visibility.events import Land
from engine.visibility.frame import FrameResult
from engine.visibility.records import FloodResult, VisibleCell
from engine.world.cells.cell import Building, EnvCell
from engine.world.cells.ids import block_of, cell_text, is_env_cell
from engine.world.world import World

FARTHEST: Final = 300
"""The longest path, in portals, that is worth explaining."""


@dataclass(frozen=True)
class Reason:
    """The answer: `sentence` in one line, `more` with details, and the deciding portal, if there is one."""

    drawn: bool
    sentence: str
    more: tuple[str, ...] = ()
    portal: Considered | None = None


def why(world: World, frame: FrameResult, cell_id: int, portals: Sequence[Considered] | None = None) -> Reason:
    """Explain why a cell is drawn or not. `portals` are the frame's, if the caller has them already."""
    name = cell_text(cell_id)
    known = considered(frame) if portals is None else portals
    if frame.root_id == records.NO_CELL:
        return Reason(False, f"{name}: not drawn: {frame.message or 'there is no root cell'}")
    if not is_env_cell(cell_id):
        return _why_land(frame, cell_id)
    found = [(flood, flood.by_id[cell_id]) for flood in frame.floods() if cell_id in flood.by_id]
    if found:
        return _why_drawn(frame, found, known)
    if world.graph.peek(cell_id) is None:
        return Reason(False, f"{name}: not drawn: it is not loaded")
    return _why_not(world, frame, cell_id, known)


def why_building(portals: Sequence[Considered], building: Building) -> Reason:
    """The openings of a building that the frame considered, grouped by their results."""
    name = f"building on {cell_text(building.cell_id)}"
    openings = [portal for portal in portals if portal.building is building]
    if not openings:
        has = "none of its openings was considered: it is out of view" if building.portals else "it has no openings"
        return Reason(False, f"{name}: not looked into: {has}")
    followed = {portal.index for portal in openings if portal.status == records.OPEN}
    considered_ones = {portal.index for portal in openings}
    more = tuple(f"{portal.name}: {portal.sign.word}, {portal.sign.why}" for portal in openings)
    sentence = f"{name}: {len(followed)} of {len(considered_ones)} openings looked into"
    best = max(openings, key=lambda portal: GOT.index(portal.status))
    return Reason(bool(followed), sentence, more, best)


def _why_land(frame: FrameResult, cell_id: int) -> Reason:
    name = cell_text(cell_id)
    if not frame.landscape_views:
        return Reason(False, f"{name}: not drawn: no exit is in view, so nothing of the landscape is drawn")
    block, low = block_of(cell_id), cell_id & 0xFFFF
    visits = [visit for event in frame.events if isinstance(event, Land) for visit in event.cells]
    if any(visit.low == low and block_of(visit.block_id) == block for visit in visits):
        count = len(frame.landscape_views)
        return Reason(True, f"{name}: drawn with the landscape, through {counted(count, 'view')}")
    return Reason(False, f"{name}: not drawn: the ground of this land cell is outside of every view of the landscape")


# --- what is drawn


def _why_drawn(
    frame: FrameResult, found: Sequence[tuple[FloodResult, VisibleCell]], known: Sequence[Considered]
) -> Reason:
    flood, visible = found[0]
    numbers = numbers_of(frame)
    name, number = cell_text(visible.cell_id), numbers[visible.cell_id]
    head = f"{name}: drawn, {number} of {len(numbers)},"
    more = [_region(visible, frame)]
    more += [f"also {_start(other)}, {_region(seen, frame)}" for other, seen in found[1:]]
    if visible.parent_portal == records.NO_PORTAL:
        opening = None if flood.building is None else _opening_of(flood, known)
        return Reason(True, f"{head} {_start(flood)}", tuple(more), opening)
    way = _way_in(flood, visible)
    by = next(
        (p for p in known if p.building is None and (p.owner, p.index) == (visible.parent_id, visible.parent_portal)),
        None,
    )
    if len(way) > 1:
        more.insert(0, f"the way: {' ← '.join(way)} ← {_start(flood)}")
    return Reason(
        True, f"{head} through portal {visible.parent_portal} of {cell_text(visible.parent_id)}", tuple(more), by
    )


def _start(flood: FloodResult) -> str:
    if flood.building is None:
        return "the root of the flood"
    return f"through portal {flood.portal_index} of the building on {cell_text(flood.building.cell_id)}"


def _opening_of(flood: FloodResult, known: Sequence[Considered]) -> Considered | None:
    return next(
        (
            portal
            for portal in known
            if portal.building is flood.building
            and (portal.index, portal.view_index) == (flood.portal_index, flood.view_index)
        ),
        None,
    )


def _way_in(flood: FloodResult, visible: VisibleCell) -> list[str]:
    """The portals from a cell back to where its flood began."""
    way: list[str] = []
    met: set[int] = set()
    here: VisibleCell | None = visible
    while here is not None and here.parent_portal != records.NO_PORTAL and here.cell_id not in met:
        met.add(here.cell_id)
        way.append(f"portal {here.parent_portal} of {cell_text(here.parent_id)}")
        here = flood.visible(here.parent_id)
    return way


def _region(visible: VisibleCell, frame: FrameResult) -> str:
    count = len(visible.views)
    share = 100.0 * share_of(visible.views, frame.camera.width * frame.camera.height)
    late = f", {visible.late_views} of them late" if visible.late_views else ""
    return f"{counted(count, 'view polygon')}{late}, {share:.1f} % of the screen"


# --- what is not


def _why_not(world: World, frame: FrameResult, cell_id: int, known: Sequence[Considered]) -> Reason:
    name = cell_text(cell_id)
    failed = _by_target(known)
    direct = failed.get(cell_id, [])
    stab = _stab_lines(world, frame, cell_id)
    if direct:
        best = direct[0]
        others = [f"{portal.name}: {portal.sign.word}, {portal.sign.why}" for portal in direct[1:]]
        more = [f"{best.name}: {best.sign.why}", *others]
        more += stab if best.sign.result is not PortalResult.NOT_IN_STAB else []
        return Reason(False, f"{name}: not drawn: {best.name} {_verdict(best)}", tuple(more), best)
    way = _way_to(world, cell_id, set(failed) - set(numbers_of(frame)))
    if not way:
        return Reason(False, f"{name}: not drawn: {_no_way(world, frame, cell_id)}", tuple(stab))
    best = failed[way[0]][0]
    steps = " → ".join(cell_text(each) for each in way)
    sentence = f"{name}: not drawn: the way to it ends before {cell_text(way[0])}: {best.name} {_verdict(best)}"
    return Reason(False, sentence, (f"the way: {best.name} → {steps}", f"{best.name}: {best.sign.why}", *stab), best)


def _verdict(portal: Considered) -> str:
    """A phrase such as "portal 2 of 0xC95B0101 clipped away"."""
    word = portal.sign.word
    if portal.sign.result is PortalResult.NOT_IN_STAB:
        return f"leads to it, but it is {word}"
    return f"is {word}" if portal.sign.result is PortalResult.BEHIND else word


def _by_target(known: Sequence[Considered]) -> dict[int, list[Considered]]:
    """The dropped portals by the cell they lead to, the one that got farthest first."""
    found: dict[int, list[Considered]] = {}
    for portal in known:
        if portal.status != records.ENTRY and is_env_cell(portal.other_id):
            found.setdefault(portal.other_id, []).append(portal)
    for portals in found.values():
        portals.sort(key=lambda portal: -GOT.index(portal.status))
    return found


def _stab_lines(world: World, frame: FrameResult, cell_id: int) -> list[str]:
    root = world.graph.peek(frame.root_id)
    if not isinstance(root, EnvCell) or cell_id == root.id or cell_id in root.stab_set:
        return []
    return [f"it is not in the stab list of the root {cell_text(root.id)}: from there it is never drawn"]


def _way_to(world: World, cell_id: int, met: set[int]) -> list[int]:
    """The shortest path through rooms that are not drawn, from one of `met` to a cell; empty when there is none."""
    into = _neighbours_into(world, cell_id)
    came: dict[int, int] = {cell_id: 0}
    edge = [cell_id]
    for _ in range(FARTHEST):
        following: list[int] = []
        for here in edge:
            for before in into.get(here, []):
                if before in came:
                    continue
                came[before] = here
                if before in met:
                    return _unrolled(came, before)
                following.append(before)
        if not following:
            break
        edge = following
    return []


def _unrolled(came: dict[int, int], start: int) -> list[int]:
    way, here = [start], came[start]
    while here:
        way.append(here)
        here = came[here]
    return way


def _neighbours_into(world: World, cell_id: int) -> dict[int, list[int]]:
    """For every room of a landblock, the rooms with a portal into it."""
    into: dict[int, list[int]] = {}
    for cell in world.graph.cells_of(cell_id):
        if isinstance(cell, EnvCell):
            for portal in cell.portals:
                if not portal.leads_outside:
                    into.setdefault(portal.other_cell_id, []).append(cell.id)
    return into


def _no_way(world: World, frame: FrameResult, cell_id: int) -> str:
    """Explain a room that no considered portal leads to."""
    block = world.landblock(cell_id)
    openings = [portal for each in ([] if block is None else block.buildings) for portal in each.portals]
    if not _neighbours_into(world, cell_id).get(cell_id) and not any(p.other_cell_id == cell_id for p in openings):
        return "no portal leads to it"
    if block_of(cell_id) != block_of(frame.root_id) and is_env_cell(frame.root_id) and not frame.landscape_views:
        return "it is in another landblock, and no exit is in view"
    if is_env_cell(frame.root_id) and not frame.landscape_views:
        return f"no way leads to it from the root {cell_text(frame.root_id)}, and no exit is in view"
    return "no opening in view leads to it"
