"""The named rules in words: what each decides, how the client does it, how ACE's server does, and how that is known.

The window's menu of rules and docs/reference/rules.md have them from here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.physics.rules import AGREED_RULES, RULE_NAMES

CERTAIN: Final = "certain"
LIKELY: Final = "likely"


class RuleText(NamedTuple):
    """`section` is of spec/physics.md, "#" a correction of spec/physics-client.md. `evidence` is how sure the client's
    form is, from reading its code."""

    decides: str
    retail: str
    ace: str
    section: str
    evidence: str = CERTAIN


RULE_TEXTS: Final[dict[str, RuleText]] = {
    "slide_opposing": RuleText(
        "A body slides along a surface that faces the ground it stands on.",
        "it is stopped",
        "it goes on, and the normal of its step is overwritten",
        "4.2",
    ),
    "collision_normal_normalised": RuleText(
        "The normal of what a body met is kept …", "as a unit vector", "as it was given", "5.1"
    ),
    "sliding_normal_normalised": RuleText(
        "The normal that the next tick slides along is flattened …",
        "and made a unit vector again",
        "and left short, so that the slide keeps a part of the push",
        "5.1",
    ),
    "edge_slide_order": RuleText(
        "At an edge a body slides along it …",
        "from the place before the ground was looked for",
        "from the place where it was looked for, and that slide is undone",
        "5.13",
    ),
    "check_walkable_backup": RuleText(
        "The test whether a surface carries a body remembers where it came from …",
        "for itself",
        "in the same slot as the probe around it, which returns to the wrong place",
        "5.12",
    ),
    "check_walkables_radius": RuleText(
        "That test halves the radius …", "of the sphere that is remembered", "of a copy", "5.12"
    ),
    "frame_equality": RuleText(
        "A tick that changes nothing is told by comparing frames …",
        "origin and quaternion, component by component",
        "the origin alone",
        "1.2, #41",
    ),
    "final_cell_array": RuleText(
        "The cells of a body that has moved are looked up once more at the end of its sweep.", "no", "no", "5.4, #14"
    ),
    "max_steps": RuleText(
        "A sweep is cut into sub-steps of a radius at most.",
        "as many as it takes (here up to 5,000)",
        "1,000; a longer one is refused",
        "5.4, #13",
    ),
    "no_cell_interior": RuleText(
        "A body in a room moves to where no cell holds it.",
        "it keeps the room's id and is in no cell",
        "it keeps the room's id and is in no cell",
        "5.7, #7",
    ),
    "last_known_block_offset": RuleText(
        "A blocked body asks how far it is from the ground that it stood on in another landblock …",
        "as if that were in its own",
        "as if that were in its own",
        "5.9, #11",
    ),
    "cell_array_cleared": RuleText(
        "Each search for the cells that a body touches begins …", "with none", "with those of the search before", "6.4"
    ),
    "sweep_prune": RuleText(
        "Cells that the body's room can not see are left out of its sweep …",
        "never",
        "unless a room was picked",
        "6.4, #40",
    ),
    "neighbour_lookup": RuleText(
        "What lies behind a portal is found among …", "all loaded cells", "the cells that this one can see", "6.6"
    ),
    "transit_block_offset": RuleText(
        "Rooms across the border of a landblock are tested with coordinates …",
        "of the body's own landblock, so that none is found",
        "of the body's own landblock, so that none is found",
        "6.6, #12",
    ),
    "building_parts_side": RuleText(
        "A thing's part lies behind the door of a house.",
        "on the side that the portal's flag says",
        "on the other side",
        "6.7",
    ),
    "parts_rectangle": RuleText(
        "The land cells that a thing of parts reaches are a rectangle around its boxes …",
        "around the first part, in all landblocks; parts that always face the camera count with their radius",
        "one around each part, in its own landblock",
        "6.8, #20",
    ),
    "shadow_order": RuleText(
        "The things in a cell are met …",
        "oldest first; when one leaves, the last takes its place",
        "newest first",
        "6.5, #32",
    ),
    "placement_ethereal": RuleText(
        "A soft thing stands where a body is to be put.", "its answer counts", "its answer is ignored", "6.5"
    ),
    "entry_restriction_once": RuleText(
        "A house's barrier is asked for leave …",
        "in every cell and every time",
        "until one has let the body in, and not in the cell where it began",
        "6.5",
    ),
    "occupancy_unit": RuleText(
        "The cells of a thing are found …",
        "once for all of it, as large as its model",
        "once for all of it, as large as its model",
        "8.5, #19",
    ),
    "contact_plane_scale": RuleText(
        "The ground on a part of another size is a plane …",
        "of a point that is not scaled, its distance times the scale",
        "of a point that is not scaled, its distance times the scale",
        "1.6, #6",
    ),
    "sphere_land_single": RuleText(
        "A falling body of one sphere does not touch a ball of its cell.",
        "the ball is nothing to it",
        "the test goes on all the same",
        "4.3",
    ),
    "sphere_land_miss": RuleText(
        "The way back of a falling body misses the ball that it touched.",
        "it is stopped",
        "it goes on",
        "4.3",
        LIKELY,
    ),
    "sphere_slide_top": RuleText(
        "A foot meets a ball too high to climb.",
        "a slide of its own, which stops a foot right under the ball",
        "a slide of its own, which stops a foot right under the ball",
        "4.3, #16",
    ),
    "cyl_step_down_cell": RuleText(
        "The cell of the ground on top of a cylinder is …", "the body's", "that of the ground before", "4.4"
    ),
    "cyl_step_up_normal": RuleText(
        "The normal of a cylinder that could not be climbed is turned by the thing's own heading.",
        "yes",
        "yes",
        "4.4, #17",
    ),
    "placement_insert_state": RuleText(
        "A body that appears inside of something solid is pushed out in rounds.",
        "each looks afresh",
        "radius and polygon of the round before stay",
        "3.7",
    ),
    "placement_reset": RuleText(
        "A place that is taken is forgotten before the next is tried.",
        "with all that was found there",
        "but for its ground and its walls",
        "5.15",
    ),
    "missile_ignore": RuleText(
        "A body meets a missile.",
        "it goes through",
        "players are hit by one that does not fly at somebody else",
        "8.7",
    ),
    "missile_env_clear": RuleText(
        "A missile that met a wall is none any more.",
        "nor does it face its path or stop at it",
        "but faces its path and stops at it",
        "11.5",
    ),
    "inelastic_reports": RuleText("A body that stops dead reports a collision with a wall.", "no", "yes", "11.5"),
    "max_quantum": RuleText("The longest time that is stepped at once is …", "0.2 s", "0.1 s", "11.1"),
    "sledding": RuleText(
        "A fast sled hardly brakes …",
        "where it is steeper than 10°; and it is drawn down the slope",
        "where it is as good as level; and its own weight does not move it",
        "11.3, #27",
    ),
    "run_rate_800": RuleText(
        "The greatest run rate of 4.5 is for a skill …", "of 800 exactly", "of 800 and more", "11.7"
    ),
    "placement_frame_fallback": RuleText(
        "A thing's parts are put together by the frames of …",
        "lying (0x65) or else standing (0), or not at all",
        "lying (0x65) or else standing (0), or not at all",
        "8.3, #21",
    ),
    "steep_ground": RuleText(
        "A walker's foot is in ground too steep to walk on.",
        "that stops nobody: he finds it under him and slides along the contour",
        "the sub-step is lost, and he stands still",
        "10.4, #1",
    ),
    "walkable_corner": RuleText(
        "A foot is beyond two edges of the floor it stands on.",
        "the corner carries it while it is within half the radius",
        "the first edge decides, and it falls or slides",
        "2.5, #3",
    ),
    "placement_side": RuleText(
        "A body appears in solid space behind a face.",
        "it comes out in front",
        "it is pushed deeper",
        "2.4, #15",
    ),
    "no_cell_commit": RuleText(
        "A sweep ends where no cell holds the body.",
        "the body is lost there, and is put back by a placement",
        "the move is refused",
        "7.1, #8",
    ),
    "skip_origin": RuleText(
        "A body is asked to move by 0.2 mm or less.", "it stays", "it moves without a sweep", "7.1, #10"
    ),
    "cyl_slide_head": RuleText(
        "A head slides on a cylinder above or below it, by the way …", "of the head", "of the foot", "4.4, #18"
    ),
    "neg_poly_cleared": RuleText(
        "A sub-step that was stopped had also touched a wall from behind.",
        "that is forgotten",
        "the next sub-step slides along it",
        "5.6, #23",
    ),
    "clipped_head": RuleText(
        "The head of a missile meets a wall.", "it is not tested", "it stops the missile", "3.5, #24"
    ),
    "solid_poly_tie": RuleText(
        "A body appears with its centre exactly in a splitting plane; the side that is searched first is …",
        "the front",
        "the back",
        "3.3, #25",
    ),
    "turn_blend": RuleText(
        "A turn is divided among the sub-steps …", "into equal angles", "along the chord", "1.2, #26"
    ),
    "small_quantum": RuleText(
        "A time shorter than a thirtieth of a second passes.", "it is stepped", "it waits for more", "11.1, #22"
    ),
    "portalless_cell": RuleText(
        "A room without a portal holds a point.", "never", "where its tree says so", "6.3, #33"
    ),
}


def rule_tip(rule: str) -> str:
    """A few lines for a tooltip."""
    text = RULE_TEXTS[rule]
    if rule in AGREED_RULES:
        return f"{text.decides}\nBoth: {text.retail}.\nClient and server turned out to go the same way here."
    return f"{text.decides}\nretail: {text.retail}.\nace: {text.ace}."


def rules_table() -> list[str]:
    """The table of docs/reference/rules.md, line by line."""
    lines = ["| rule | what it decides | `retail` | `ace` | section | evidence |", "|---|---|---|---|---|---|"]
    for rule in RULE_NAMES:
        text = RULE_TEXTS[rule]
        ace = "the same" if rule in AGREED_RULES else text.ace
        lines.append(f"| `{rule}` | {text.decides} | {text.retail} | {ace} | {text.section} | {text.evidence} |")
    return lines
