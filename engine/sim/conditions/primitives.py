"""The primitives of conditions: one table of forms, needs and meanings, which the documentation repeats."""

from __future__ import annotations

from typing import Final

from engine.sim.conditions.words import Need, Primitive, Slot

PRIMITIVES: Final = (
    # where he is
    Primitive(
        "cell_changes",
        ("cell changes",),
        Need.SAMPLES,
        "after which another cell holds the player than before, or none, or one again",
    ),
    Primitive(
        "cell_changes_without_portal",
        ("cell changes without crossing a portal",),
        Need.TICK,
        "in which the cell changes, and no portal led to the new cell: over the land, or by the search",
    ),
    Primitive("in_cell", ("in cell", Slot.CELL), Need.SAMPLES, "after which X holds the player"),
    Primitive(
        "enters_cell", ("enters cell", Slot.CELL), Need.SAMPLES, "after which X holds the player and did not before"
    ),
    Primitive(
        "leaves_cell", ("leaves cell", Slot.CELL), Need.SAMPLES, "before which X held the player and does not after"
    ),
    Primitive("in_any_cell", ("in any cell",), Need.SAMPLES, "after which a cell holds the player"),
    Primitive("indoors", ("indoors",), Need.SAMPLES, "after which a room holds the player"),
    Primitive("outdoors", ("outdoors",), Need.SAMPLES, "after which a land cell holds the player"),
    # how he moves
    Primitive(
        "moved_more",
        ("moved more than", Slot.NUMBER, ("m",), ("in a tick",)),
        Need.SAMPLES,
        "at whose end the player is more than N metres from where he was",
    ),
    Primitive(
        "moved_less",
        ("moved less than", Slot.NUMBER, ("m",), ("in a tick",)),
        Need.SAMPLES,
        "at whose end the player is less than N metres from where he was",
    ),
    Primitive(
        "z_falls",
        ("z falls by more than", Slot.NUMBER, ("m",)),
        Need.SAMPLES,
        "at whose end the player is more than N metres lower",
    ),
    Primitive(
        "z_rises",
        ("z rises by more than", Slot.NUMBER, ("m",)),
        Need.SAMPLES,
        "at whose end the player is more than N metres higher",
    ),
    Primitive("z_over", ("z over", Slot.NUMBER, ("m",)), Need.SAMPLES, "after which z is more than N metres"),
    Primitive("z_under", ("z under", Slot.NUMBER, ("m",)), Need.SAMPLES, "after which z is less than N metres"),
    Primitive(
        "speed_over",
        ("speed over", Slot.NUMBER, ("m/s",)),
        Need.SAMPLES,
        "whose way, times 30, is more than N metres: the Timeline's speed",
    ),
    Primitive(
        "speed_under", ("speed under", Slot.NUMBER, ("m/s",)), Need.SAMPLES, "whose way, times 30, is under N metres"
    ),
    # what he stands on
    Primitive("in_contact", ("in contact",), Need.SAMPLES, "after which the player is in contact with ground"),
    Primitive("contact_lost", ("contact lost",), Need.SAMPLES, "before which he was in contact and is not after"),
    Primitive("contact_gained", ("contact gained",), Need.SAMPLES, "before which he was not in contact and is after"),
    Primitive("on_ground", ("on the ground",), Need.SAMPLES, "after which he stands on ground that he can walk on"),
    Primitive("lands", ("lands",), Need.SAMPLES, "after which he stands on such ground and did not before"),
    Primitive(
        "leaves_ground", ("leaves the ground",), Need.SAMPLES, "before which he stood on such ground and does not after"
    ),
    Primitive("in_water", ("in water",), Need.SAMPLES, "after which the ground in contact is under water"),
    Primitive("jumps", ("jumps",), Need.TICK, "in which he takes off by the jump key"),
    # what is in his way
    Primitive(
        "blocked",
        ("blocked",),
        Need.TICK,
        "that the Timeline lists as a stop: the sweep fell short, and a sub-step was rolled back or he did not move",
    ),
    Primitive("blocked_by", ("blocked by", Slot.THING), Need.TICK, "in which he is blocked, and X is among the causes"),
    Primitive("slides", ("slides",), Need.TICK, "that the Timeline lists as a slide"),
    Primitive("slides_along", ("slides along", Slot.THING), Need.TICK, "in which he slides, and X is among the causes"),
    Primitive("touches", ("touches", Slot.THING), Need.TICK, "in which his sweep collides with the object X"),
    Primitive(
        "pushed",
        ("pushed",),
        Need.TICK,
        "in which ground lifts him out of itself by more than 1 cm, or a body runs into him",
    ),
    Primitive("pushed_by", ("pushed by", Slot.THING), Need.TICK, "in which X is that ground or that body"),
    Primitive("refused", ("move refused",), Need.TICK, "whose move the sweep refuses as a whole"),
    # doors and others
    Primitive("door_opens", ("door", Slot.DOOR, "opens"), Need.TICK, "before which X was closed and is open after"),
    Primitive("door_closes", ("door", Slot.DOOR, "closes"), Need.TICK, "before which X was open and is closed after"),
    Primitive(
        "door_changes",
        ("door", Slot.DOOR, "changes"),
        Need.TICK,
        "after which X is not as before: open, locked, moving, or held by a body",
    ),
    Primitive("any_door_opens", ("any door opens",), Need.TICK, "before which a door was closed and is open after"),
    Primitive("any_door_closes", ("any door closes",), Need.TICK, "before which a door was open and is closed after"),
    Primitive("any_door_changes", ("any door changes",), Need.TICK, "after which a door is not as before"),
    Primitive("door_is_open", ("door", Slot.DOOR, "is open"), Need.TICK, "after which X is open"),
    Primitive("door_is_closed", ("door", Slot.DOOR, "is closed"), Need.TICK, "after which X is closed"),
    Primitive("door_is_locked", ("door", Slot.DOOR, "is locked"), Need.TICK, "after which X is locked"),
    Primitive("door_is_moving", ("door", Slot.DOOR, "is moving"), Need.TICK, "after which X is opening or closing"),
    Primitive("thing_moves", ("entity", Slot.THING, "moves"), Need.TICK, "in which the body of X moves or turns"),
    # the run as a whole
    Primitive("fault", ("fault",), Need.TICK, "whose report has a fault"),
    Primitive(
        "rules_disagree",
        ("rules disagree",),
        Need.RULES,
        "that ends in another cell or place, or with another velocity or footing, under retail than under ace, "
        "begun from the same state",
    ),
)
