"""The steps of a frame as text, for following how it is drawn (rendering.md 23, "Draw order")."""

from __future__ import annotations

from engine.visibility.events import (
    AlphaFlush,
    BuildingShell,
    DefaultView,
    DrawInside,
    FrameEvent,
    Land,
    Objects,
    Punch,
    Seal,
    Shell,
    Sky,
    Stamp,
    Sun,
    Weather,
    ZClear,
)
from engine.visibility.frame import FrameResult
from engine.world.cells.ids import cell_text


def steps_line(frame: FrameResult, steps: int) -> str:
    """The event at which a frame is stopped: "12 of 48: Shell 0xC95B0101"."""
    count = len(frame.events)
    last = min(steps, count)
    return f"{last} of {count}: {event_words(frame.events[last - 1]) if last > 0 else 'nothing yet'}"


def event_words(event: FrameEvent) -> str:
    """The action of an event, and its object."""
    if isinstance(event, DrawInside | Objects):
        return f"{_NAMES[type(event)]} {cell_text(event.cell_id)}"
    if isinstance(event, Shell):
        return f"Shell {cell_text(event.visible.cell_id)}"
    if isinstance(event, Seal):
        return f"Seal {cell_text(event.cell_id)} portal {event.portal_index}"
    if isinstance(event, Punch):
        return f"Punch {cell_text(event.building.cell_id)} portal {event.portal_index}"
    if isinstance(event, BuildingShell):
        return f"Building {cell_text(event.building.cell_id)}"
    if isinstance(event, Land):
        return f"Land, {len(event.cells)} of ground"
    if isinstance(event, Sun):
        return "Sun on" if event.on else "Sun off"
    if isinstance(event, AlphaFlush) and event.level > 0.0:
        return f"Alpha flush if {event.level:.0%} full"
    return _NAMES[type(event)]


_NAMES: dict[type[FrameEvent], str] = {
    DefaultView: "Whole screen",
    DrawInside: "Draw inside",
    Objects: "Objects",
    Sky: "Sky",
    Weather: "Weather",
    Stamp: "New stamp",
    ZClear: "Clear depth",
    AlphaFlush: "Alpha flush",
}
