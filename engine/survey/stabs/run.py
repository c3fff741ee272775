"""The checks of stab lists and of the flag that the outdoors is seen, for a survey (rendering.md 4.3)."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from engine.dat.records import EnvCell as EnvCellRecord
from engine.dat.records.cells import SEEN_OUTSIDE
from engine.findings.finding import Check, Family, FixForm, Found, Place
from engine.findings.registry import register
from engine.sim.data_files.cell_edits import changed
from engine.sim.tick.simulation import Simulation
from engine.survey.stabs.entries import EntryList, entry_lists
from engine.survey.stabs.eyes import Sight
from engine.survey.stabs.lists import ComputedList, computed_lists
from engine.survey.stabs.question import OUTDOORS
from engine.survey.stabs.wording import chain_text, eye_text, fix_of, ids_text, place_of
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.faults import Severity

MISSING: Final = register(
    Check(
        "stabs.lacks-a-cell-in-sight",
        "A stab list lacks a cell that can be seen",
        Family.VISIBILITY,
        Severity.WARNING,
        "From a place in the room a line leads through portals into a cell that the room's stab list does not name. "
        "The client draws only what the list of the viewer's room names, so where that cell should be, the "
        "background shows. The eye proves it: from there the flood of the picture draws the cell as soon as lists "
        "are ignored. The fix sets the list to what it should be.",
    )
)
SURPLUS: Final = register(
    Check(
        "stabs.holds-a-cell-out-of-sight",
        "A stab list names a cell that nobody can see",
        Family.VISIBILITY,
        Severity.INFO,
        "No line leads from the room through portals into a cell that its stab list names, whatever the eye. The "
        "client loads the cell and keeps a slot for it, and draws the same picture without it: it costs loading and "
        "no more. The rooms of a retail house list all of that house, so there this is usual. Rooms from which a "
        "portal leads to a cell that the world lacks are left out: nobody knows what is behind. The fix takes such "
        "entries out and adds what is in sight.",
    )
)
UNMARKED: Final = register(
    Check(
        "stabs.outdoors-in-sight-unmarked",
        "A room shows the outdoors, and its flags say it does not",
        Family.VISIBILITY,
        Severity.WARNING,
        "From a place in the room an exit portal is in sight, and the flag 0x1 of the room is not set. Without the "
        "flag the client does not keep the landscape loaded for somebody in this room and lights it as a room "
        "without daylight. The eye proves it: from there the flood of the picture looks out of the exit. The fix "
        "sets the flag.",
    )
)
MARKED: Final = register(
    Check(
        "stabs.outdoors-out-of-sight-marked",
        "A room is marked to show the outdoors, and nobody sees it from there",
        Family.VISIBILITY,
        Severity.INFO,
        "The flag 0x1 of the room is set, no line leads from the room through portals to an exit, and no room of "
        "its stab list has one (retail sets the flag of every room of a house). The client keeps the landscape "
        "loaded and lights the room by the sky for nothing. Rooms from which a portal leads to a cell that the "
        "world lacks are left out. The fix clears the flag.",
    )
)
ENTRY: Final = register(
    Check(
        "stabs.entry-lacks-a-cell-in-sight",
        "The stab list of a building's entry lacks a cell that can be seen",
        Family.VISIBILITY,
        Severity.WARNING,
        "From a place outdoors a line leads through an entry of a building into a room that the stab list of that "
        "entry, in the LandBlockInfo, does not name. The client draws only what it names for those who look in from "
        "outdoors. The eye proves it: from there the flood through the entry draws the room as soon as lists are "
        "ignored.",
    )
)
CHECKS: Final = (MISSING, SURPLUS, UNMARKED, MARKED, ENTRY)


def check_stabs(sim: Simulation, block_id: int, enabled: Container[str]) -> Iterator[Found]:
    """What is wrong with the stab lists of a landblock and with the flags that go with them."""
    if not any(check.id in enabled for check in CHECKS):
        return
    if any(check.id in enabled for check in CHECKS if check is not ENTRY):
        for computed in computed_lists(sim.world, block_id):
            for found in _findings(sim, block_id, computed):
                if found.check in enabled:
                    yield found
    if ENTRY.id in enabled:
        for entry in entry_lists(sim.world, block_id):
            yield from _entry_findings(sim, block_id, entry)


def _entry_findings(sim: Simulation, block_id: int, entry: EntryList) -> Iterator[Found]:
    land = entry.building.cell_id
    name = f"entry {entry.index} of the building on {cell_text(land)}"
    for goal, sight in entry.proofs.items():
        other = sim.graph.peek(goal)
        middle = place_of(other, sight.look) if isinstance(other, EnvCell) else sight.look
        seen = f"{eye_text(sight)} sees it from outdoors"
        sentence = f"the stab list of {name} lacks {cell_text(goal)}: {seen}"
        yield _with_eye(ENTRY, block_id, land, (goal, middle), sentence, sight, None, entry.index)


def _findings(sim: Simulation, block_id: int, computed: ComputedList) -> Iterator[Found]:
    room = computed.room
    name = cell_text(room.id)
    marked = _should_be_marked(sim, computed)
    fix = _fix(sim, computed) if computed.differs() or marked != room.seen_outside else None
    for goal in computed.missing:
        sight = computed.proofs[goal]
        other = sim.graph.peek(goal)
        middle = sight.look if not isinstance(other, EnvCell) else place_of(other, sight.look)
        sentence = f"the stab list of {name} lacks {cell_text(goal)}, which {eye_text(sight)} sees {chain_text(sight)}"
        yield _with_eye(MISSING, block_id, room.id, (goal, middle), sentence, sight, fix)
    if computed.surplus and not computed.is_open:
        sentence = f"the stab list of {name} names {ids_text(computed.surplus)}, which no eye in it can see"
        figures = (("entries too many", float(len(computed.surplus))),)
        place = (room.id, place_of(room))
        yield Found(SURPLUS.id, block_id, room.id, place=place, sentence=sentence, figures=figures, fix=fix)
    if marked and not room.seen_outside:
        sight = computed.proofs[OUTDOORS]
        sentence = (
            f"the flags of {name} deny that the outdoors is seen, and {eye_text(sight)} sees it {chain_text(sight)}"
        )
        yield _with_eye(UNMARKED, block_id, room.id, (room.id, sight.eye), sentence, sight, fix)
    if room.seen_outside and not marked:
        sentence = f"the flags of {name} say that the outdoors is seen, and no room that it sees or lists has an exit"
        yield Found(MARKED.id, block_id, room.id, place=(room.id, place_of(room)), sentence=sentence, fix=fix)


def _should_be_marked(sim: Simulation, computed: ComputedList) -> bool:
    """Whether the room's flag should say that the outdoors is seen: as it is, where nobody knows better."""
    room = computed.room
    if not room.seen_outside:
        return OUTDOORS in computed.proofs
    listed = map(sim.graph.peek, room.stab_list)
    return computed.sees_outside or computed.is_open or any(isinstance(c, EnvCell) and c.has_exit() for c in listed)


def _with_eye(
    check: Check,
    block_id: int,
    cell_id: int,
    place: Place,
    sentence: str,
    sight: Sight,
    fix: FixForm | None,
    portal: int = -1,
) -> Found:
    eye = (sight.cell_id, sight.eye)
    figures = (("heading, degrees", sight.heading), ("pitch, degrees", sight.pitch))
    return Found(
        check.id,
        block_id,
        cell_id,
        portal=portal,
        place=place,
        sentence=sentence,
        figures=figures,
        eye=eye,
        path=(eye, (sight.goal if sight.goal != OUTDOORS else cell_id, sight.look)),
        fix=fix,
    )


def _fix(sim: Simulation, computed: ComputedList) -> FixForm | None:
    """One fix for the list and the flag of a room: each replaces its whole record."""
    room, seen = computed.room, _should_be_marked(sim, computed)
    wanted = [cell_id & 0xFFFF for cell_id in computed.wanted()] if computed.differs() else None

    def change(record: EnvCellRecord) -> None:
        record.flags = record.flags | SEEN_OUTSIDE if seen else record.flags & ~SEEN_OUTSIDE
        if wanted is not None:
            record.visible_cells = wanted

    name = cell_text(room.id)
    parts = [] if wanted is None else [f"Set Stab List of {name} to Visible Cells"]
    if seen != room.seen_outside:
        parts.append(f"Mark {name} as {'Seeing' if seen else 'Not Seeing'} the Outdoors")
    return fix_of(" and ".join(parts), lambda: changed(sim, room.id, change))
