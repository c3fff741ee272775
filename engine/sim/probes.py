"""The client's probe lines, through `logging` (physics.md 12.6).

Each probe is a logger below `cellar_door.probe`, silent until somebody asks for it: by the level of the logger (INFO),
or by the client's own environment variables and `use_environment`. A probe nobody listens to has no observer and costs
nothing.

    ACDREAM_PROBE_INDOOR_BSP    cellar_door.probe.indoor_bsp    a line for each question to a room's tree, and for
                                                                each cell that is asked beside the primary one
    ACDREAM_PROBE_CELL          cellar_door.probe.cell          a line when a body changes cells
    ACDREAM_PROBE_CELL_CACHE    cellar_door.probe.cell_cache    a line for each cell that is loaded or replaced
    ACDREAM_PROBE_RESOLVE       cellar_door.probe.resolve       a line for each sweep
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from typing import Final

from engine.physics.flags import STATE_NAMES
from engine.physics.sweep.trace import WALLS, SweepObserver
from engine.physics.sweep.transition import Transition
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.tree import place_text, vec_text
from engine.world.cells.cell import ObjCell
from engine.world.cells.ids import cell_text
from engine.world.graph.graph import ADDED, REPLACED, CellGraph, GraphChange

ROOT: Final = "cellar_door.probe"
INDOOR_BSP: Final = logging.getLogger(f"{ROOT}.indoor_bsp")
CELL: Final = logging.getLogger(f"{ROOT}.cell")
CELL_CACHE: Final = logging.getLogger(f"{ROOT}.cell_cache")
RESOLVE: Final = logging.getLogger(f"{ROOT}.resolve")

VARIABLES: Final = {
    "ACDREAM_PROBE_INDOOR_BSP": INDOOR_BSP,
    "ACDREAM_PROBE_CELL": CELL,
    "ACDREAM_PROBE_CELL_CACHE": CELL_CACHE,
    "ACDREAM_PROBE_RESOLVE": RESOLVE,
}

OFF: Final = ("", "0")


def use_environment(environment: Mapping[str, str] = os.environ) -> None:
    """Turn on the probes whose variable is set to anything but 0; their lines go to the standard error output unless
    logging has been set up otherwise."""
    wanted = [logger for name, logger in VARIABLES.items() if environment.get(name, "").strip() not in OFF]
    for logger in wanted:
        logger.setLevel(logging.INFO)
    root = logging.getLogger(ROOT)
    if wanted and not root.hasHandlers():
        root.addHandler(logging.StreamHandler())


def attach_probes(sim: Simulation) -> None:
    """Let the player's sweeps and the world's cells write the lines that are asked for now."""
    watch_cells(sim.graph)
    observer = probe_observer()
    if observer is not None:
        sim.watch(sim.player.id, observer)


def probe_observer() -> ProbeObserver | None:
    """An observer for the sweeps of a body that writes the lines asked for now; None when none are."""
    if any(logger.isEnabledFor(logging.INFO) for logger in (INDOOR_BSP, CELL, RESOLVE)):
        return ProbeObserver()
    return None


def watch_cells(graph: CellGraph) -> bool:
    """Write a line for each cell that the graph loads from now on, if that was asked for."""
    if not CELL_CACHE.isEnabledFor(logging.INFO):
        return False
    graph.unobserve(_cells_cached)
    graph.observe(_cells_cached)
    return True


def _cells_cached(change: GraphChange) -> None:
    if change.kind in (ADDED, REPLACED):
        for cell_id in change.cell_ids:
            CELL_CACHE.info("[cell-cache] id=%s %s", cell_text(cell_id), change.kind)


class ProbeObserver(SweepObserver):
    """Writes the lines; which of them is settled when it is made."""

    def __init__(self) -> None:
        self._indoor = INDOOR_BSP.isEnabledFor(logging.INFO)
        self._cell = CELL.isEnabledFor(logging.INFO)
        self._resolve = RESOLVE.isEnabledFor(logging.INFO)

    def surroundings_ends(self, tr: Transition, cell: ObjCell, what: int, state: int) -> None:
        if self._indoor and what == WALLS:
            INDOOR_BSP.info("[indoor-bsp] cell=%s result=%s", cell_text(cell.id), STATE_NAMES[state])

    def cell_ends(self, tr: Transition, cell: ObjCell, primary: ObjCell | None, state: int) -> None:
        if self._indoor and cell is not primary:
            asked = 0 if primary is None else primary.id
            INDOOR_BSP.info(
                "[other-cells] primary=%s iter=%s result=%s", cell_text(asked), cell_text(cell.id), STATE_NAMES[state]
            )

    def cell_changed(self, body_id: int, old_id: int, new_id: int) -> None:
        if self._cell:
            CELL.info("[cell] body=%s from=%s to=%s", cell_text(body_id), cell_text(old_id), cell_text(new_id))

    def sweep_ends(self, tr: Transition, found: bool) -> None:
        if not self._resolve:
            return
        sp, ci = tr.sp, tr.ci
        begin = sp.curr if sp.begin is None else sp.begin
        normal = vec_text(ci.collision_normal) if ci.collision_normal_valid else "none"
        RESOLVE.info(
            "[resolve] body=%s from=%s to=%s end=%s ok=%s ground=%s normal=%s",
            cell_text(tr.oi.mover_id),
            place_text(begin.cell_id, begin.origin),
            vec_text(sp.end.origin),
            place_text(0 if sp.curr_cell is None else sp.curr.cell_id, sp.curr.origin),
            found,
            ci.contact_plane_valid,
            normal,
        )
