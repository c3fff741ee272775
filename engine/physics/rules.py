"""The two rule sets, which go by the 48 named rules of engine.physics.rule_table (physics.md 17.1).

Each rule is a declared attribute, True for its `retail` form: the compiled sweep pays one load and one test for it.
"""

from __future__ import annotations

from typing import Final

from engine.physics.errors import PhysicsError
from engine.physics.rule_table import RULES

RETAIL: Final = "retail"
ACE: Final = "ace"

RULE_NAMES: Final[tuple[str, ...]] = tuple(rule.name for rule in RULES)

AGREED_RULES: Final[tuple[str, ...]] = tuple(rule.name for rule in RULES if rule.is_agreed)
"""Rules whose second form turned out to be the client's as well: both sets go by it, whatever the attribute says. Their
names stay, for recordings and saved states have them."""

CELL_RULES: Final[tuple[str, ...]] = tuple(rule.name for rule in RULES if rule.holds_cells)
"""Rules that decide in which cells things are that do not move."""


class RuleSet:
    """Which form of each rule holds: True is `retail`, False is `ace`."""

    slide_opposing: bool
    collision_normal_normalised: bool
    sliding_normal_normalised: bool
    edge_slide_order: bool
    check_walkable_backup: bool
    check_walkables_radius: bool
    frame_equality: bool
    final_cell_array: bool
    max_steps: bool
    no_cell_interior: bool
    last_known_block_offset: bool
    cell_array_cleared: bool
    sweep_prune: bool
    neighbour_lookup: bool
    transit_block_offset: bool
    building_parts_side: bool
    parts_rectangle: bool
    shadow_order: bool
    placement_ethereal: bool
    entry_restriction_once: bool
    occupancy_unit: bool
    contact_plane_scale: bool
    sphere_land_single: bool
    sphere_land_miss: bool
    sphere_slide_top: bool
    cyl_step_down_cell: bool
    cyl_step_up_normal: bool
    placement_insert_state: bool
    placement_reset: bool
    missile_ignore: bool
    missile_env_clear: bool
    inelastic_reports: bool
    max_quantum: bool
    sledding: bool
    run_rate_800: bool
    placement_frame_fallback: bool
    steep_ground: bool
    walkable_corner: bool
    placement_side: bool
    no_cell_commit: bool
    skip_origin: bool
    cyl_slide_head: bool
    neg_poly_cleared: bool
    clipped_head: bool
    solid_poly_tie: bool
    turn_blend: bool
    small_quantum: bool
    portalless_cell: bool

    def __init__(self, retail: bool = True) -> None:
        self.slide_opposing = retail
        self.collision_normal_normalised = retail
        self.sliding_normal_normalised = retail
        self.edge_slide_order = retail
        self.check_walkable_backup = retail
        self.check_walkables_radius = retail
        self.frame_equality = retail
        self.final_cell_array = retail
        self.max_steps = retail
        self.no_cell_interior = retail
        self.last_known_block_offset = retail
        self.cell_array_cleared = retail
        self.sweep_prune = retail
        self.neighbour_lookup = retail
        self.transit_block_offset = retail
        self.building_parts_side = retail
        self.parts_rectangle = retail
        self.shadow_order = retail
        self.placement_ethereal = retail
        self.entry_restriction_once = retail
        self.occupancy_unit = retail
        self.contact_plane_scale = retail
        self.sphere_land_single = retail
        self.sphere_land_miss = retail
        self.sphere_slide_top = retail
        self.cyl_step_down_cell = retail
        self.cyl_step_up_normal = retail
        self.placement_insert_state = retail
        self.placement_reset = retail
        self.missile_ignore = retail
        self.missile_env_clear = retail
        self.inelastic_reports = retail
        self.max_quantum = retail
        self.sledding = retail
        self.run_rate_800 = retail
        self.placement_frame_fallback = retail
        self.steep_ground = retail
        self.walkable_corner = retail
        self.placement_side = retail
        self.no_cell_commit = retail
        self.skip_origin = retail
        self.cyl_slide_head = retail
        self.neg_poly_cleared = retail
        self.clipped_head = retail
        self.solid_poly_tie = retail
        self.turn_blend = retail
        self.small_quantum = retail
        self.portalless_cell = retail

    def form(self, rule: str) -> str:
        """`retail` or `ace`, as the rule stands in this set."""
        if rule not in RULE_NAMES:
            raise PhysicsError(f"there is no rule {rule!r}")
        return RETAIL if getattr(self, rule) else ACE

    def set_form(self, rule: str, form: str) -> None:
        """Flip one rule; the next sweep uses it."""
        if rule not in RULE_NAMES:
            raise PhysicsError(f"there is no rule {rule!r}")
        if form != RETAIL and form != ACE:
            raise PhysicsError(f"a rule has the forms retail and ace, not {form!r}")
        setattr(self, rule, form == RETAIL)

    def copy(self) -> RuleSet:
        result = RuleSet()
        for rule in RULE_NAMES:
            result.set_form(rule, self.form(rule))
        return result


def rule_set(name: str) -> RuleSet:
    """The rule set of that name."""
    if name == RETAIL:
        return RuleSet(True)
    if name == ACE:
        return RuleSet(False)
    raise PhysicsError(f"the rule sets are retail and ace, not {name!r}")
