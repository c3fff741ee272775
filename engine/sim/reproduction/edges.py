"""Says when a run comes near the edge of a reproduction, where the original world goes on."""

from __future__ import annotations

from engine.sim.tick.controls import Controls
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.world.cells.ids import block_text, landblock_id
from engine.world.faults import CONTAINER, Fault, Severity
from engine.world.landblock import neighbour_ids
from engine.world.loader.reproduction.source import PackedRecords


def watch_edge(sim: Simulation) -> None:
    """Let a tick's report tell, once for each landblock, that the player is where a landblock that was not packed would
    have come near; does nothing in a whole world."""
    source = sim.world.source
    if not isinstance(source, PackedRecords):
        return
    beyond = source.beyond
    told: set[int] = set()

    def hear(controls: Controls, report: TickReport) -> None:
        cell = sim.graph.current
        here = landblock_id(report.cell)
        if cell is None or not cell.seen_outside or here in told:
            return
        told.add(here)
        lacking = [block_text(near) for near in neighbour_ids(here) if near in beyond]
        if lacking:
            reason = f"{', '.join(lacking)} not packed here; near them this is not the original world"
            sim.population.faults.append(Fault(here, CONTAINER, reason, Severity.WARNING))

    sim.listen_to_ticks(hear)
