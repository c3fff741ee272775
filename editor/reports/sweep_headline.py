"""What decided in a tick of the player in one line, for the Sweep dock and `walk --trace`."""

from __future__ import annotations

from dataclasses import replace

from editor.process.plain_text import counted
from editor.reports.contact_wording import contact_text, contacts_text, thing_name
from editor.reports.sweep_outcome import (
    Outcome,
    Path,
    Verdict,
    causes_of,
    has_moved,
    is_edge,
    outcome_of,
    risen,
    slides_on,
    steps_of,
)
from engine.geometry.constants import EPSILON, FLOOR_Z
from engine.geometry.vec import length, sub
from engine.physics.sweep.trace import BUILDING, CLIFF_SLIDE, PROBE_NAMES, SURROUNDINGS_NAMES, TERRAIN
from engine.sim.tick.contacts import EDGE, STEEP, SweepContacts
from engine.sim.tick.simulation import Simulation
from engine.sim.trace import tree as nodes
from engine.sim.trace.cell_search import KEPT, START
from engine.sim.trace.tree import TraceNode, vec_text
from engine.world.cells.position import into_block


def steps_text(sweeps: list[TraceNode]) -> str:
    """The number of sub-steps, if there are several."""
    count = len(steps_of(sweeps))
    return f", {counted(count, 'sub-step')}" if count > 1 else ""


def outcome_text(sim: Simulation, sweeps: list[TraceNode], contacts: SweepContacts | None = None) -> str:
    """What decided, and the cells and the ground that were found or lost. `contacts` are those of the same tick: they
    know of earlier ones."""
    outcome = outcome_of(sweeps)
    said = [_verdict_text(sim, sweeps, outcome, contacts)]
    if outcome.verdict is not Verdict.LOST:
        said += [f"entered {entry_text(sim, step)}" for step in outcome.changes]
    footing = outcome.footing
    if footing is not None and footing.after is not None and outcome.verdict is not Verdict.LANDED:
        said.append("found ground to stand on" if footing.after.on_walkable else "left the ground")
    if outcome.verdict is Verdict.FREE and len(said) > 1:
        first, *more = said[1:]
        return "; ".join((f"✓ {first[:1].upper()}{first[1:]}", *more))
    return "; ".join(said)


def entry_text(sim: Simulation, step: TraceNode) -> str:
    """The cell that a sub-step entered, and the portal that it was found by."""
    cell_id = 0 if step.after is None else step.after.accepted_cell
    name = sim.world.names.cell(cell_id)
    candidate = None if step.search is None else step.search.find(cell_id)
    if candidate is None or candidate.entry.how in (START, KEPT):
        return name
    if candidate.entry.portal < 0:
        return f"{name} over the land"
    return f"{name} through {replace(candidate.entry, note='').text}"


def _verdict_text(sim: Simulation, sweeps: list[TraceNode], outcome: Outcome, contacts: SweepContacts | None) -> str:
    step, path = outcome.step, outcome.path
    if outcome.verdict is Verdict.LOST:
        what = "Lost: it ends in" if sim.rules.no_cell_commit else "Refused: it leads into"
        return f"■ {what} no cell{f' ({path[-1].title})' if path else ''}"
    if step is None or outcome.verdict is Verdict.FREE:
        return "✓ Nothing in the way"
    if outcome.verdict is Verdict.BLOCKED:
        way = travelled(sweeps)
        after = f" after {way:.3f} m" if way > EPSILON and has_moved(sweeps[-1]) else ""
        return f"■ Blocked{after} by {_causes(sim, sweeps, outcome, step, contacts)}"
    if outcome.verdict is Verdict.SLID:
        return f"↷ Slid along {_causes(sim, sweeps, outcome, step, contacts)}"
    if outcome.verdict is Verdict.LANDED:
        return f"✓ Landed on {_thing(sim, step, path)}"
    if outcome.verdict is Verdict.STEPPED_UP:
        return f"↷ Stepped up {risen(step):.3f} m onto {_thing(sim, step, path)}"
    if outcome.verdict is Verdict.STEPPED_DOWN:
        return f"↷ Stepped down {-risen(step):.3f} m onto {_thing(sim, step, path)}"
    if outcome.verdict is Verdict.PUSHED_OUT and path:
        return f"↷ Pushed out of {_thing(sim, step, path)}"
    if outcome.verdict is Verdict.PUSHED_OUT and step.latch is not None:
        ground = None if contacts is None else contacts.pushed_by
        what = "the contact plane" if ground is None else contact_text(sim, ground)
        return f"↷ Pushed {step.latch.pushed:.3f} m up out of {what}"
    return f"■ Refused: {step.answer}"


def travelled(sweeps: list[TraceNode]) -> float:
    """Metres between the ends of a tick's sweeps; 0 where one of them is in no cell."""
    before, after = sweeps[0].before, sweeps[-1].after
    if before is None or after is None or not before.accepted_cell or not after.accepted_cell:
        return 0.0
    return length(sub(into_block(before.accepted_cell, after.accepted_cell, after.accepted), before.accepted))


def _causes(
    sim: Simulation, sweeps: list[TraceNode], outcome: Outcome, step: TraceNode, contacts: SweepContacts | None
) -> str:
    """What stopped the player or made him slide. The trace does not have what left a sliding normal in an earlier tick,
    nor of what an edge is: the contacts do."""
    if contacts is not None and not outcome.path:
        if step is steps_of(sweeps)[0] and contacts.held_by:
            return f"{contacts_text(sim, contacts.held_by)} (met in an earlier tick)"
        met = contacts.slid_along[::-1] or ([] if contacts.steep is None else [contacts.steep])
        if met:
            return contacts_text(sim, met)
    if contacts is not None and outcome.path:
        met, steep = [*contacts.stopped_by, *contacts.slid_along], contacts.steep
        if is_edge(outcome.path):
            met = [each for each in met if each.how in (EDGE, STEEP)]
        elif met or steep is None or steep.polygon_id != outcome.path[-1].polygon_id:
            met = []
        else:
            met = [steep]
        if met:
            return contacts_text(sim, met)
    return " and ".join(dict.fromkeys(_thing(sim, step, way) for way in causes_of(outcome)))


def _thing(sim: Simulation, step: TraceNode, path: Path) -> str:
    """An object with part and polygon, or the land, a room or a building; else the kind of edge."""
    if path and path[-1].kind == nodes.POLYGON:
        probes = [place for place, node in enumerate(path) if node.kind == nodes.PROBE]
        path = path[max(probes, default=-1) + 1 :]  # around the probe is what the body wanted to pass
    polygon = next((node for node in path if node.kind == nodes.POLYGON), None)
    row = next((node for node in path if node.kind == nodes.ROW), None)
    thing = next((node for node in path if node.kind == nodes.OBJECT), None)
    around = next((node for node in path if node.kind == nodes.SURROUNDINGS), None)
    cell = next((node for node in path if node.kind == nodes.CELL), None)
    last = "" if polygon is None else f", {polygon.title.partition(', N(')[0]}"
    if thing is not None:
        part = f", part {row.part}" if row is not None and row.gfxobj_id else ""
        return f"{thing_name(sim, thing.object_id)}{part}{last}"
    if around is not None and cell is not None:
        return f"{_surface(around, polygon)} {sim.world.names.cell(cell.cell_id)}{last}"
    if any(node.title.startswith(PROBE_NAMES[CLIFF_SLIDE]) for node in path):
        return "the line between two slopes"
    if path:
        return "the edge of the floor"
    return _carried_over(step)


def _surface(around: TraceNode, polygon: TraceNode | None) -> str:
    """Land, or which side of a room or of a building's shell; the words are those of the Timeline's events."""
    if around.title == SURROUNDINGS_NAMES[TERRAIN]:
        return "the land of"
    if around.title not in SURROUNDINGS_NAMES:
        return f"the {around.title} of"
    height = 0.0 if polygon is None or polygon.normal is None else polygon.normal[2]
    side = "the floor" if height >= FLOOR_Z else "the ceiling" if height <= -FLOOR_Z else "a wall"
    return f"{side} of the building on" if around.title == SURROUNDINGS_NAMES[BUILDING] else f"{side} of"


def _carried_over(step: TraceNode) -> str:
    """The plane that the sub-step began with: its polygon was met in an earlier one."""
    before = step.before
    if slides_on(step) and before is not None and before.sliding_normal is not None:
        return f"the sliding normal of an earlier contact, N{vec_text(before.sliding_normal)}"
    if before is not None and before.contact_plane is not None:
        return f"the ground it was on, N{vec_text(before.contact_plane.normal)}"
    return "the contact plane"
