"""The 48 named rules: what each decides, how the client does it, how ACE's server does, and how that is known.

The rule sets, the rules menu, `--help` and docs/reference/rules.md are made from this table. The order is that of
recordings and saved states: new rules go to the end, with an attribute in `RuleSet`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MEASURED: Final = "recorded scenes"
"""Recorded runs of the server show the `ace` form, outside the golden scenes."""
READ: Final = "source"
"""The `ace` form is read in the server's source; no recorded scene shows it."""
AGREED: Final = "client's code"
"""The client's code has the form that had been taken for the server's alone."""
LIKELY: Final = "client inferred"
"""The sense of one comparison in the client's code was inferred. All other `retail` forms are certain."""


@dataclass(frozen=True)
class Rule:
    """One place where the server departs from the client, or was thought to."""

    name: str
    """As scripts, recordings and `RuleSet` have it."""
    title: str
    retail: str
    """One sentence: what the client does."""
    ace: str
    """One sentence: what the server does. The client's sentence where both turned out to agree."""
    section: str
    """In docs/reference/physics; with # a correction there."""
    shows: str
    """A situation in which the two forms can be told apart, or in which the agreed form can be seen."""
    known: str
    """How the `ace` form is known. Golden scenes: how many of 14,536 ticks and 547 moves the rule changes."""
    holds_cells: bool = False
    """Whether it decides in which cells things are that do not move."""

    @property
    def is_agreed(self) -> bool:
        """Both sets go by the same form, whatever the attribute says. The name stays for recordings and states."""
        return self.retail == self.ace


def _golden(ticks: int, moves: int) -> str:
    return f"golden scenes: {ticks} and {moves}"


def _agreed(name: str, title: str, form: str, section: str, shows: str) -> Rule:
    return Rule(name, title, form, form, section, shows, AGREED)


RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "slide_opposing",
        "Surface that faces the ground",
        "The body stops.",
        "The body slides on, and the normal of the step is overwritten.",
        "4.2",
        "A body wedged between a floor and a ceiling that lean towards each other.",
        MEASURED,
    ),
    Rule(
        "collision_normal_normalised",
        "Length of the collision normal",
        "The collision normal is stored as a unit vector.",
        "The collision normal is stored as it was given.",
        "5.1",
        "A bounce off a sphere, whose normal is not of unit length.",
        _golden(5, 2),
    ),
    Rule(
        "sliding_normal_normalised",
        "Length of the sliding normal",
        "The sliding normal is flattened and normalised again.",
        "The sliding normal is flattened and stays short, so that the slide keeps a part of the push.",
        "5.1",
        "A walk along a slanted wall, a stair edge or a round thing, on the tick after the first contact.",
        _golden(75, 13),
    ),
    Rule(
        "edge_slide_order",
        "Start of an edge slide",
        "The body returns to the place before the step down, then slides along the edge.",
        "The body slides from where the step down ended, and returning then undoes that slide.",
        "5.13",
        "A run along a ledge, or onto a face too steep to walk on.",
        _golden(132, 19),
    ),
    Rule(
        "check_walkable_backup",
        "Backup of the walkable test",
        "The walkable test restores the position from a backup of its own.",
        "It shares one backup slot with the probe around it, which then returns to the wrong place.",
        "5.12",
        "A step down at the edge of a floor, where the walkable test runs inside of a probe.",
        _golden(1, 1),
    ),
    Rule(
        "check_walkables_radius",
        "Radius of the walkable test",
        "The test halves the radius of the stored sphere.",
        "The test halves the radius of a copy, which has no effect.",
        "5.12",
        "A foot less than a radius but more than half of one beyond the edge of a floor.",
        READ,
    ),
    Rule(
        "frame_equality",
        "When two frames are equal",
        "Origin and quaternion are compared component by component.",
        "The origins alone are compared.",
        "1.2, #41",
        "A blocked body that turns on the spot during the tick.",
        READ,
    ),
    _agreed(
        "final_cell_array",
        "Cells at the end of a sweep",
        "The cells that a body touches are not looked up again at the end of its sweep.",
        "5.4, #14",
        "A body that ends its tick just outside of a door: its shadows stay in the cells of the last sub-step.",
    ),
    Rule(
        "max_steps",
        "Number of sub-steps",
        "A sweep takes as many sub-steps as it needs (here up to 5,000).",
        "A sweep of more than 1,000 sub-steps is refused.",
        "5.4, #13",
        "A missile with a radius of millimetres that crosses a room in one tick.",
        MEASURED,
    ),
    _agreed(
        "no_cell_interior",
        "Leaving a room where no cell is",
        "The body keeps the room's id and is in no cell.",
        "5.7, #7",
        "A step through a portal whose neighbour is not loaded.",
    ),
    _agreed(
        "last_known_block_offset",
        "Last contact plane across a landblock border",
        "The distance to a contact plane of another landblock is taken as if it were in the body's own.",
        "5.9, #11",
        "A body blocked on the tick after it crossed the border of a landblock.",
    ),
    Rule(
        "cell_array_cleared",
        "Start of a cell search",
        "Each search for the cells that a body touches begins with none.",
        "Each search begins with the cells of the search before.",
        "6.4",
        "A walk through several rooms in one tick, or within 0.2 mm of a portal.",
        _golden(130, 39),
        True,
    ),
    Rule(
        "sweep_prune",
        "Cells outside of the stab list",
        "A sweep keeps cells that the body's room cannot see.",
        "A sweep drops them, unless a room was picked.",
        "6.4, #40",
        "A doorway to a room that is missing in the stab list.",
        _golden(8, 1),
        True,
    ),
    Rule(
        "neighbour_lookup",
        "Neighbour behind a portal",
        "The neighbour is looked up among all loaded cells.",
        "The neighbour is looked up among the cells of the room's stab list.",
        "6.6",
        "A portal to a room that the stab list leaves out: the body stays in the first room.",
        MEASURED,
        True,
    ),
    _agreed(
        "transit_block_offset",
        "Rooms across a landblock border",
        "Rooms of the next landblock are tested with coordinates of the body's own, so that none is found.",
        "6.6, #12",
        "A building that stands across the border of two landblocks.",
    ),
    Rule(
        "building_parts_side",
        "Part behind a building's portal",
        "A part lies inside when it is on the side that the portal's flag names.",
        "A part lies inside when it is on the other side.",
        "6.7",
        "A barrel that stands half in a doorway: which rooms list it.",
        MEASURED,
        True,
    ),
    Rule(
        "parts_rectangle",
        "Land cells of a thing of parts",
        "One rectangle starts at the first part and spans all landblocks; a billboard counts with its radius.",
        "Each part has a rectangle of its own, within its landblock.",
        "6.8, #20",
        "A long fence across the border of a landblock: which land cells list it.",
        READ,
        True,
    ),
    Rule(
        "shadow_order",
        "Order of the objects in a cell",
        "A body meets the oldest first; when one leaves, the last takes its place.",
        "A body meets the newest first.",
        "6.5, #32",
        "A crowded cell, where the first of two obstacles decides which normal is kept.",
        _golden(16, 2),
    ),
    Rule(
        "placement_ethereal",
        "Appearing inside of an ethereal object",
        "The object's answer counts, and another place is tried.",
        "The object's answer is ignored.",
        "6.5",
        "An arrival inside of a door that is opening.",
        READ,
    ),
    Rule(
        "entry_restriction_once",
        "Barrier of a house",
        "The barrier is asked in every cell and every time.",
        "It is not asked in the cell where the sweep began, nor after one has let the body in.",
        "6.5",
        "A guest between two houses with barriers of different owners.",
        READ,
    ),
    _agreed(
        "occupancy_unit",
        "Cells of a thing",
        "The cells of a thing are found once for all of its shapes, at the size of its model.",
        "8.5, #19",
        "A statue scaled to twice its size, whose arm reaches into the next room.",
    ),
    _agreed(
        "contact_plane_scale",
        "Contact plane on a scaled part",
        "The plane passes through an unscaled point, and its distance is multiplied by the scale.",
        "1.6, #6",
        "A stand on a table scaled to half its size.",
    ),
    Rule(
        "sphere_land_single",
        "Landing without touching the sphere",
        "A falling body of one sphere passes an object's sphere that it does not touch.",
        "The test continues.",
        "4.3",
        "A missile that falls past a round object of its cell.",
        _golden(1, 1),
    ),
    Rule(
        "sphere_land_miss",
        "Landing that misses the sphere",
        "The body stops.",
        "The body continues.",
        "4.3",
        "A falling body grazes a sphere, and its way back misses it.",
        f"{_golden(5, 2)}; {LIKELY}",
    ),
    _agreed(
        "sphere_slide_top",
        "Foot under a sphere too high to climb",
        "The foot has a slide of its own, which stops it right under the sphere.",
        "4.3, #16",
        "A walk below a boulder that hangs at the height of a knee.",
    ),
    Rule(
        "cyl_step_down_cell",
        "Cell of the ground on a cylinder",
        "The contact plane on top of a cylinder gets the body's cell.",
        "It keeps the cell of the ground before.",
        "4.4",
        "A step onto a barrel that stands behind a portal.",
        READ,
    ),
    _agreed(
        "cyl_step_up_normal",
        "Normal of a cylinder too high to climb",
        "The normal is turned by the object's own heading.",
        "4.4, #17",
        "A slide along a low cylinder of a turned object: the direction is off by its heading.",
    ),
    Rule(
        "placement_insert_state",
        "Rounds of pushing out of a solid",
        "Each round starts afresh.",
        "Each round keeps the radius and the polygon of the round before.",
        "3.7",
        "An arrival deep inside of a wall, which takes several rounds to leave.",
        READ,
    ),
    Rule(
        "placement_reset",
        "Next place after one that is taken",
        "Everything found at the place that is taken is forgotten.",
        "Its contact plane and its walls are kept.",
        "5.15",
        "A teleport onto a creature that stands on a slope.",
        READ,
    ),
    Rule(
        "missile_ignore",
        "Meeting a missile",
        "A body passes through a missile.",
        "A missile hits players unless it flies at another target.",
        "8.7",
        "A player who walks into an arrow in flight.",
        MEASURED,
    ),
    Rule(
        "missile_env_clear",
        "Missile that met a wall",
        "It is no longer a missile: it neither faces its path nor stops at it.",
        "It is no longer a missile, but faces its path and stops at it.",
        "11.5",
        "An arrow that falls down along the wall it hit.",
        READ,
    ),
    Rule(
        "inelastic_reports",
        "Report of an inelastic stop",
        "A body that stops dead reports no collision with the environment.",
        "A body that stops dead reports a collision with the environment.",
        "11.5",
        "A missile that sticks in a creature.",
        READ,
    ),
    Rule(
        "max_quantum",
        "Longest step of time",
        "The longest quantum is 0.2 s.",
        "The longest quantum is 0.1 s.",
        "11.1",
        "A tick of 0.15 s, which the server takes in two.",
        READ,
    ),
    Rule(
        "sledding",
        "Fast sled",
        "It hardly brakes where the ground is steeper than 10°, and its weight draws it down the slope.",
        "It hardly brakes where the ground is as good as level, and its weight does not move it.",
        "11.3, #27",
        "A ride down a hill in the sledding state.",
        READ,
    ),
    Rule(
        "run_rate_800",
        "Greatest run rate",
        "A run skill of exactly 800 gives the rate 4.5.",
        "A run skill of 800 or more gives the rate 4.5.",
        "11.7",
        "A run with a skill of 801.",
        READ,
    ),
    _agreed(
        "placement_frame_fallback",
        "Pose of a thing's parts",
        "The parts take the frames of lying (0x65), else of standing (0), else none.",
        "8.3, #21",
        "A model without either set of frames: all of its parts are at its origin.",
    ),
    Rule(
        "steep_ground",
        "Foot in ground too steep to walk on",
        "The ground does not block: the walker finds it below and slides along the contour.",
        "The sub-step is lost, and the walker stands still.",
        "10.4, #1",
        "A run into a steep hillside.",
        READ,
    ),
    Rule(
        "walkable_corner",
        "Foot beyond a corner of the floor",
        "The corner carries the foot while it is within half the radius.",
        "The first edge decides, and the foot falls or slides.",
        "2.5, #3",
        "A stand at the outer corner of a platform.",
        _golden(7, 1),
    ),
    Rule(
        "placement_side",
        "Appearing in the solid space behind a face",
        "The body comes out in front of the face.",
        "The body is pushed deeper.",
        "2.4, #15",
        "A teleport to a point just inside of a wall.",
        READ,
    ),
    Rule(
        "no_cell_commit",
        "Sweep that ends in no cell",
        "The body is lost there, until a placement puts it back.",
        "The move is refused.",
        "7.1, #8",
        "A step out of a dungeon room through a hole in its walls.",
        READ,
    ),
    Rule(
        "skip_origin",
        "Move of 0.2 mm or less",
        "The body stays where it is.",
        "The body moves without a sweep.",
        "7.1, #10",
        "The first tick of a slow animation, whose root motion is tiny.",
        READ,
    ),
    Rule(
        "cyl_slide_head",
        "Head on the cap of a cylinder",
        "The slide goes by the displacement of the head.",
        "The slide goes by the displacement of the foot.",
        "4.4, #18",
        "A jump under a hanging lamp.",
        READ,
    ),
    Rule(
        "neg_poly_cleared",
        "Wall touched from behind in a blocked sub-step",
        "The touch is forgotten.",
        "The next sub-step slides along that wall.",
        "5.6, #23",
        "A run into a corner whose second wall faces away.",
        READ,
    ),
    Rule(
        "clipped_head",
        "Head of a missile",
        "The head is not tested against walls.",
        "A wall that meets the head stops the missile.",
        "3.5, #24",
        "A missile of two spheres that flies below a lintel.",
        READ,
    ),
    Rule(
        "solid_poly_tie",
        "Centre exactly on a splitting plane",
        "The front is searched first.",
        "The back is searched first.",
        "3.3, #25",
        "An arrival with its centre in the plane of a wall: from which side it is pushed out.",
        READ,
    ),
    Rule(
        "turn_blend",
        "Turn during a sweep",
        "The turn is divided among the sub-steps into equal angles.",
        "The turn is divided among the sub-steps along the chord of the quaternions.",
        "1.2, #26",
        "A fast turn while running: the heading at the middle of the tick.",
        READ,
    ),
    Rule(
        "small_quantum",
        "Time under a thirtieth of a second",
        "The time is stepped at once.",
        "The time is kept until there is more of it.",
        "11.1, #22",
        "A client that draws 60 frames a second and ticks with each.",
        READ,
    ),
    Rule(
        "portalless_cell",
        "Point in a room without a portal",
        "The room never contains a point.",
        "The room contains the points inside of its cell tree.",
        "6.3, #33",
        "A sealed room: a teleport into it finds no cell.",
        READ,
        True,
    ),
)

RULE_OF: Final[dict[str, Rule]] = {rule.name: rule for rule in RULES}


def rule_tip(name: str) -> str:
    """A few lines for a tooltip, the last of them an example."""
    rule = RULE_OF[name]
    if rule.is_agreed:
        forms = f"Both: {rule.retail}\nThe client and the server turned out to agree here."
    else:
        forms = f"retail: {rule.retail}\nace: {rule.ace}"
    return f"{rule.name}\n{forms}\nExample: {rule.shows}"


def rules_help() -> str:
    """What `--help` of a command that takes rules ends with."""
    width = max(len(rule.name) for rule in RULES)
    lines = [f"  {rule.name:{width}}  {rule.title}" for rule in RULES if not rule.is_agreed]
    return "rules (docs/reference/rules.md has both forms of each):\n" + "\n".join(lines)
