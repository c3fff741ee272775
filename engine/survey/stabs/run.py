"""The checks of stab lists and of the flag that the outdoors is seen, for a survey (rendering.md 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Final

from engine.dat.errors import DatError
from engine.findings.finding import Check, Family, FixForm, Found, Place
from engine.findings.registry import register
from engine.physics.errors import PhysicsError
from engine.sim.data_files.cell_edits import set_seen_outside, set_stab_list
from engine.sim.edits.edit import Edit
from engine.sim.tick.simulation import Simulation
from engine.survey.stabs.eyes import Sight, mean
from engine.survey.stabs.lists import ComputedList, computed_lists
from engine.survey.stabs.question import OUTDOORS
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.faults import Severity, WorldError

MISSING: Final = register(
    Check(
        "stabs.lacks-a-cell-in-sight",
        "A stab list lacks a cell that can be seen",
        Family.VISIBILITY,
        Severity.WARNING,
        "From a place in the room a line leads through portals into a cell that the room's stab list does not "
        "name. The client draws only what the list of the viewer's room names, so where that cell should be, the "
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
        "client loads the cell and keeps a slot for it, and draws the same picture without it. Rooms from which a "
        "portal leads to a cell that the world lacks are left out: nobody knows what is behind. The fix takes "
        "such entries out and adds what is in sight.",
    )
)
UNMARKED: Final = register(
    Check(
        "stabs.outdoors-in-sight-unmarked",
        "A room shows the outdoors, and its flags say it does not",
        Family.VISIBILITY,
        Severity.WARNING,
        "From a place in the room an exit portal is in sight, and the flag 0x1 of the room is not set. Without "
        "the flag the client does not keep the landscape loaded for somebody in this room and lights it as a room "
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
        "The flag 0x1 of the room is set, and no line leads from the room through portals to an exit. The client "
        "keeps the landscape loaded and lights the room by the sky for nothing. Rooms from which a portal leads "
        "to a cell that the world lacks are left out. The fix clears the flag.",
    )
)
CHECKS: Final = (MISSING, SURPLUS, UNMARKED, MARKED)


def check_stabs(sim: Simulation, block_id: int, enabled: Container[str]) -> Iterator[Found]:
    """What is wrong with the stab lists of a landblock and with the flags that go with them."""
    if not any(check.id in enabled for check in CHECKS):
        return
    for computed in computed_lists(sim.world, block_id):
        for found in _findings(sim, block_id, computed):
            if found.check in enabled:
                yield found


def _findings(sim: Simulation, block_id: int, computed: ComputedList) -> Iterator[Found]:
    room = computed.room
    name = cell_text(room.id)
    list_fix = _list_fix(sim, computed) if computed.missing or computed.surplus else None
    for goal in computed.missing:
        sight = computed.proofs[goal]
        other = sim.graph.peek(goal)
        middle = sight.look if not isinstance(other, EnvCell) else middle_of(other, sight.look)
        sentence = f"the stab list of {name} lacks {cell_text(goal)}, which {eye_text(sight)} sees {chain_text(sight)}"
        yield _with_eye(MISSING, block_id, room.id, (goal, middle), sentence, sight, list_fix)
    if computed.surplus and not computed.is_open:
        sentence = f"the stab list of {name} names {ids_text(computed.surplus)}, which no eye in it can see"
        figures = (("entries too many", float(len(computed.surplus))),)
        place = (room.id, middle_of(room))
        yield Found(SURPLUS.id, block_id, room.id, place=place, sentence=sentence, figures=figures, fix=list_fix)
    if computed.sees_outside and not room.seen_outside and OUTDOORS in computed.proofs:
        sight = computed.proofs[OUTDOORS]
        sentence = (
            f"the flags of {name} deny that the outdoors is seen, and {eye_text(sight)} sees it {chain_text(sight)}"
        )
        fix = _flag_fix(sim, room.id, True)
        yield _with_eye(UNMARKED, block_id, room.id, (room.id, sight.eye), sentence, sight, fix)
    if room.seen_outside and not computed.should_see_outside:
        sentence = f"the flags of {name} say that the outdoors is seen, and from no place in it an exit is"
        fix = _flag_fix(sim, room.id, False)
        yield Found(MARKED.id, block_id, room.id, place=(room.id, middle_of(room)), sentence=sentence, fix=fix)


def _with_eye(
    check: Check, block_id: int, cell_id: int, place: Place, sentence: str, sight: Sight, fix: FixForm | None
) -> Found:
    eye = (cell_id, sight.eye)
    figures = (("heading, degrees", sight.heading), ("pitch, degrees", sight.pitch))
    return Found(
        check.id,
        block_id,
        cell_id,
        place=place,
        sentence=sentence,
        figures=figures,
        eye=eye,
        path=(eye, (sight.goal if sight.goal != OUTDOORS else cell_id, sight.look)),
        fix=fix,
    )


# --- wording


def eye_text(sight: Sight) -> str:
    x, y, z = sight.eye
    return f"an eye at ({x:.2f}, {y:.2f}, {z:.2f}), heading {sight.heading:.0f}°"


def chain_text(sight: Sight) -> str:
    """The portals from the nearest on; of a long chain the first and the last."""
    named = [f"{number} of {cell_text(cell_id)}" for cell_id, number in sight.chain]
    if len(named) > 3:
        return f"through {len(named)} portals, from portal {named[0]} to portal {named[-1]}"
    return f"through portal{'s' if len(named) > 1 else ''} {', '.join(named)}" if named else "from within"


def ids_text(ids: Sequence[int]) -> str:
    more = f" and {len(ids) - 4} more" if len(ids) > 4 else ""
    return ", ".join(map(cell_text, ids[:4])) + more


def middle_of(room: EnvCell, otherwise: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> tuple[float, float, float]:
    """The middle of a room's corners; those of a damaged one may be nowhere."""
    corners = room.structure.vertices
    return room.frame.local_to_global(mean(corners)) if corners else otherwise


# --- fixes


def _list_fix(sim: Simulation, computed: ComputedList) -> FixForm | None:
    cell_id = computed.room.id
    name = f"Set Stab List of {cell_text(cell_id)} to Visible Cells"
    return _fix(name, lambda: set_stab_list(sim, cell_id, computed.wanted()))


def _flag_fix(sim: Simulation, cell_id: int, seen: bool) -> FixForm | None:
    name = f"Mark {cell_text(cell_id)} as {'Seeing' if seen else 'Not Seeing'} the Outdoors"
    return _fix(name, lambda: set_seen_outside(sim, cell_id, seen))


def _fix(name: str, edits: Callable[[], list[Edit]]) -> FixForm | None:
    """None for a room that no record can describe."""
    try:
        return FixForm.of(name, edits())
    except (PhysicsError, WorldError, DatError):
        return None
