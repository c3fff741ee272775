"""Cellar Door as a library: worlds, runs, traces, comparisons, edits, exports, pictures (docs/scripting.md).

    import cellar_door

    with cellar_door.open_world("demo") as world:
        run = world.simulation(at="cottage_outside_front_door")
        run.doors["Front Door"].use()
        run.walk("forward 2s")
        print(run.player.cell)

The command `cellar-door` is in this package too: it is above `ui`, `editor` and `engine`, and starts the requested
part. Names are imported when they are first used, so that neither pays for the other.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from cellar_door import own_packages

own_packages.serve(*own_packages.LIBRARY)

if TYPE_CHECKING:
    from editor.scripting.comparing import CallDifference as CallDifference
    from editor.scripting.comparing import Cause as Cause
    from editor.scripting.comparing import Comparison as Comparison
    from editor.scripting.comparing import Correction as Correction
    from editor.scripting.comparing import Gap as Gap
    from editor.scripting.comparing import Parting as Parting
    from editor.scripting.comparing import compare as compare
    from editor.scripting.comparing import compare_capture as compare_capture
    from editor.scripting.errors import ClosedError as ClosedError
    from editor.scripting.errors import Error as Error
    from editor.scripting.errors import OpenError as OpenError
    from editor.scripting.errors import RefusedError as RefusedError
    from editor.scripting.recordings import Capture as Capture
    from editor.scripting.recordings import Move as Move
    from editor.scripting.recordings import RecordedEdit as RecordedEdit
    from editor.scripting.recordings import Recording as Recording
    from editor.scripting.recordings import open_capture as open_capture
    from editor.scripting.recordings import open_recording as open_recording
    from editor.scripting.runs import Run as Run
    from editor.scripting.runs import Snapshot as Snapshot
    from editor.scripting.stage import Stage as Stage
    from editor.scripting.things import Door as Door
    from editor.scripting.things import Things as Things
    from editor.scripting.values import Cell as Cell
    from editor.scripting.values import Difference as Difference
    from editor.scripting.values import Entity as Entity
    from editor.scripting.values import Event as Event
    from editor.scripting.values import Exported as Exported
    from editor.scripting.values import Id as Id
    from editor.scripting.values import Passage as Passage
    from editor.scripting.values import Place as Place
    from editor.scripting.values import Player as Player
    from editor.scripting.values import Portal as Portal
    from editor.scripting.values import PortalSeen as PortalSeen
    from editor.scripting.values import Problem as Problem
    from editor.scripting.values import Sample as Sample
    from editor.scripting.values import Static as Static
    from editor.scripting.values import Tick as Tick
    from editor.scripting.values import Trace as Trace
    from editor.scripting.values import TraceStep as TraceStep
    from editor.scripting.values import View as View
    from editor.scripting.worlds import World as World
    from editor.scripting.worlds import open_world as open_world

_MODULES = {
    "comparing": "CallDifference Cause Comparison Correction Gap Parting compare compare_capture",
    "errors": "ClosedError Error OpenError RefusedError",
    "recordings": "Capture Move RecordedEdit Recording open_capture open_recording",
    "runs": "Run Snapshot",
    "stage": "Stage",
    "things": "Door Things",
    "values": "Cell Difference Entity Event Exported Id Passage Place Player Portal PortalSeen Problem Sample Static "
    "Tick Trace TraceStep View",
    "worlds": "World open_world",
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "CallDifference",
    "Capture",
    "Cause",
    "Cell",
    "ClosedError",
    "Comparison",
    "Correction",
    "Difference",
    "Door",
    "Entity",
    "Error",
    "Event",
    "Exported",
    "Gap",
    "Id",
    "Move",
    "OpenError",
    "Parting",
    "Passage",
    "Place",
    "Player",
    "Portal",
    "PortalSeen",
    "Problem",
    "RecordedEdit",
    "Recording",
    "RefusedError",
    "Run",
    "Sample",
    "Snapshot",
    "Stage",
    "Static",
    "Things",
    "Tick",
    "Trace",
    "TraceStep",
    "View",
    "World",
    "compare",
    "compare_capture",
    "open_capture",
    "open_recording",
    "open_world",
]


def __getattr__(name: str) -> object:
    module = _WHERE.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"editor.scripting.{module}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
