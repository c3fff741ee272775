"""Figures that pages state for constants in code equal those in the code.

A figure is a page, a piece of one of its sentences with {} in place of the number, and the number from the code. After
changing a constant, these tests name the pages to change; after rewording a page, reword the piece here.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks.physics import REPEATS, WARM_UPS
from benchmarks.world_size.world import RECORDS, SIDE
from editor.document.clock import TICKS_PER_SECOND
from editor.project.autosave import DELAY_MS
from editor.view3d import manipulation
from engine.entities import commands, door, footing, human, motion_interp, skills
from engine.geometry import constants
from engine.geometry.vec import r24
from engine.physics import flags, kinematics, set_position
from engine.physics.collision import bsp
from engine.physics.objects import physics_object, shadows
from engine.physics.rule_table import RULES
from engine.physics.rules import AGREED_RULES, RULE_NAMES
from engine.physics.sweep import placement, stepping, transition
from engine.render import light, sky
from engine.render import terrain as render_terrain
from engine.render.gl import alpha, screen
from engine.render.gl.uniforms import FLOAT_BYTES
from engine.render.gl.uploads import placed
from engine.render.gl.uploads.tables import PLACE_FLOATS
from engine.render.viewer import following
from engine.render.viewer.player_pose import PIVOT_HEIGHT
from engine.render.viewer.viewer_sweep import VIEWER_RADIUS
from engine.sim.recording import SPACING
from engine.sim.tick.simulation import ASLEEP_BEYOND
from engine.visibility import camera, options, view
from engine.visibility.events import FULL_ENOUGH
from engine.visibility.pview import CONTAINMENT_SLACK
from engine.world.cells import portals, terrain
from tests.conformance.test_goldens import SCENES

ROOT = Path(__file__).resolve().parents[1]
PHYSICS = "docs/reference/physics/"
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def written(value: float | str) -> str:
    """In the form that pages use: 5,000, 0.25, −0.65."""
    if isinstance(value, str):
        return value
    return (f"{value:,}" if isinstance(value, int) else f"{value:g}").replace("-", "−")


def word(value: float) -> str:
    return WORDS[int(value)]


class Figure(NamedTuple):
    page: str
    piece: str
    value: float | str

    @property
    def text(self) -> str:
        return self.piece.format(written(self.value))


@cache
def numbers_of(module: str) -> dict[str, float]:
    """The numbers that a module assigns, read without importing its dependencies."""
    found: dict[str, float] = {}
    for node in ast.parse((ROOT / module).read_text(encoding="utf-8")).body:
        pairs: list[tuple[ast.expr, ast.expr | None]] = []
        if isinstance(node, ast.AnnAssign):
            pairs = [(node.target, node.value)]
        elif isinstance(node, ast.Assign):
            target, values = node.targets[0], node.value
            if isinstance(target, ast.Tuple) and isinstance(values, ast.Tuple):
                pairs = list(zip(target.elts, values.elts, strict=True))
            else:
                pairs = [(target, values)]
        for name, number in pairs:
            if (
                isinstance(name, ast.Name)
                and isinstance(number, ast.Constant)
                and isinstance(number.value, int | float)
            ):
                found[name.id] = number.value
    return found


def limit(module: str, name: str) -> str:
    return f"{numbers_of(f'benchmarks/{module}.py')[name]:g}"


GOLDEN_TICKS, GOLDEN_MOVES, GOLDEN_QUERIES = (sum(counts) for counts in zip(*SCENES.values(), strict=True))

STATED = [
    Figure("docs/engine.md", "Every {} ticks it has a snapshot", SPACING),
    Figure("docs/engine.md", "*named rule*, {} in all", len(RULE_NAMES)),
    Figure("docs/engine.md", "the {} named rules", len(RULE_NAMES)),
    Figure("docs/engine.md", "On {} of them both turned out to agree", word(len(AGREED_RULES))),
    Figure("docs/engine.md", "more than {} sub-steps is refused", transition.MAX_STEPS),
    Figure("docs/engine.md", "costs {} bytes", PLACE_FLOATS * FLOAT_BYTES),
    Figure("docs/engine.md", "a tick of 1/{} s", TICKS_PER_SECOND),
    Figure("docs/engine.md", "{} ticks, ", GOLDEN_TICKS),
    Figure("docs/engine.md", "{} moves and ", GOLDEN_MOVES),
    Figure("docs/engine.md", "{} queries of ", GOLDEN_QUERIES),
    Figure("docs/engine.md", "setup {}", f"0x{human.HUMAN_SETUP:08X}"),
    Figure("docs/performance.md", "the median of {} repeats", REPEATS["compiled"]),
    Figure("docs/performance.md", "after {} warm-ups", WARM_UPS["compiled"]),
    Figure("docs/performance.md", "the quickest of {} and", limit("picture", "FRAMES")),
    Figure("docs/performance.md", "| {} us; interpreted", limit("physics", "SEVEN_CELLS")),
    Figure("docs/performance.md", "tick in the inn, {} creatures", limit("physics", "CREATURES")),
    Figure("docs/performance.md", "| {} us |", limit("physics", "INN_TICK")),
    Figure("docs/performance.md", "promised for inn and street | | {} |", limit("picture", "SUBMIT_LIMIT")),
    Figure("docs/performance.md", "| {} | | 1.5 x retail |", limit("picture", "FRAME_LIMIT")),
    Figure("docs/performance.md", "| {} x retail |", limit("picture", "EXACT_RATIO")),
    Figure("docs/performance.md", "| landblock to first picture | 242 | {} |", limit("picture", "FIRST_LIMIT")),
    Figure("docs/performance.md", "flood from {} eyes in the dungeon", limit("view", "EYES")),
    Figure("docs/performance.md", "| 0.008, 0.021 | {}, ", limit("view", "MEDIAN_LIMIT")),
    Figure("docs/performance.md", "| 0.008, 0.021 | 0.5, {} |", limit("view", "P95_LIMIT")),
    Figure("docs/performance.md", "longest {} |", limit("flight", "TURN_LIMIT")),
    Figure("docs/performance.md", "The world has {} landblocks", SIDE * SIDE),
    Figure("docs/performance.md", "of land and {} records in all", RECORDS),
    Figure("docs/performance.md", "drag of {} cells in the graph", limit("ui", "CELLS")),
    Figure("docs/performance.md", "| 1.4, 1.7 ms | 1.4, 1.7 ms | {} ms |", limit("ui", "FRAME_LIMIT")),
    Figure("docs/performance.md", "| {} % |", limit("ui_session", "SHARE_LIMIT")),
    Figure("docs/performance.md", "20, 23 ms | {} ms |", limit("ui_session", "SELECTION_LIMIT")),
    Figure("docs/performance.md", "36, 43 ms | {} ms |", limit("ui_session", "SCRUB_LIMIT")),
    Figure("docs/performance.md", "23, 21 ms | {} ms |", limit("ui_session", "STALL_LIMIT")),
    Figure("docs/window.md", "{} seconds after an edit", word(DELAY_MS / 1000).capitalize()),
    Figure("docs/docks/3d-view.md", "by {} m or 5°", manipulation.NUDGE),
    Figure("docs/docks/3d-view.md", "by 0.1 m or {}°", manipulation.TURN_NUDGE),
    Figure("docs/docks/3d-view.md", "with `Shift` {} m or 1°", manipulation.FINE_NUDGE),
    Figure("docs/docks/3d-view.md", "or {}°, with `Ctrl`", manipulation.FINE_TURN_NUDGE),
    Figure("docs/docks/3d-view.md", "with `Ctrl` {} m or 15°", manipulation.COARSE_NUDGE),
    Figure("docs/docks/3d-view.md", "with `Ctrl` 0.25 m or {}°", manipulation.COARSE_TURN_NUDGE),
    Figure("docs/docks/player.md", "within {} metres", word(placement._SEARCH_RADIUS)),
    Figure("docs/docks/player.md", "radius {}, ", human.RADIUS),
    Figure("docs/docks/player.md", "centres {} and ", human.FOOT),
    Figure("docs/docks/player.md", f"centres {human.FOOT} and {{}} m up", human.HEAD),
    Figure("docs/docks/player.md", "{} seconds after an attack", skills.PK_FIGHT),
]

CHAPTERS = [
    Figure("00-reading.md", "EPS is {}", f"{constants.EPSILON:.4f}"),
    Figure("03-bsp.md", "Up to {} rounds", bsp._PLACEMENT_ROUNDS),
    Figure("05-transition.md", "`ace` refuses more than {} steps", str(transition.MAX_STEPS_ACE)),
    Figure("05-transition.md", "refuses more than {} under `retail`", transition.MAX_STEPS),
    Figure("05-transition.md", "`state = validate_transition(transitional_insert({}))`", transition._ATTEMPTS),
    Figure("05-transition.md", "Insert with {} attempts", word(stepping._PROBE_ATTEMPTS)),
    Figure("05-transition.md", "search radius `R = {} m`", placement._SEARCH_RADIUS),
    Figure("05-transition.md", "({} m when the sphere's radius is below", placement._TINY_SEARCH_RADIUS),
    Figure("05-transition.md", "radius is below {} m", placement._TINY_SPHERE),
    Figure("05-transition.md", "counts as at least {} m", placement._USUAL_SPHERE),
    Figure("06-cells.md", "**at most {}**", shadows.MAX_CYLINDERS),
    Figure("06-cells.md", "{} EXACT_MATCH", f"0x{portals.EXACT_MATCH:X}"),
    Figure("06-cells.md", "{} marks an **exit portal**", f"0x{portals.LEADS_OUTSIDE:X}"),
    Figure("07-placing.md", "`d.x < {}`", set_position._PLACED_NEARBY),
    Figure("07-placing.md", "| sphere 0 (foot) | (0, 0, {})", human.FOOT),
    Figure("07-placing.md", "| sphere 1 (head) | (0, 0, {})", human.HEAD),
    Figure("07-placing.md", "Step up {}", human.STEP_UP),
    Figure("07-placing.md", "step down {}", human.STEP_DOWN),
    Figure("08-shadows.md", "({} to 0x5FFFFFFF)", f"0x{physics_object.FIRST_PLAYER_ID:08X}"),
    Figure("08-shadows.md", "to {})", f"0x{physics_object.LAST_PLAYER_ID:08X}"),
    Figure("09-doors.md", "reset interval, {} s by default", door.RESET_INTERVAL),
    Figure("10-terrain.md", "Terrain types {} to", f"0x{terrain.FIRST_WATER_TYPE:X}"),
    Figure("10-terrain.md", "to {} are water", f"0x{terrain.LAST_WATER_TYPE:X}"),
    Figure("10-terrain.md", "| entirely | {} m |", terrain.DEEP_WATER),
    Figure("10-terrain.md", "{} m for water, else", terrain.SHALLOW_WATER),
    Figure("10-terrain.md", "for water, else {} m", terrain.SHORE),
    Figure("10-terrain.md", "| landblock not known | {} m |", terrain.UNKNOWN_WATER),
    Figure("11-body.md", "Farther than {} m from the player", ASLEEP_BEYOND),
    Figure("11-body.md", "`a >= {}`", kinematics._LEAVING),
    Figure("11-body.md", "`m2 − {} < EPS`", kinematics._SMALL_SPEED_SQUARED),
    Figure("11-body.md", "`m2 < {}`", kinematics._SLED_SLOW),
    Figure("11-body.md", "`m2 >= {}`", kinematics._SLED_FAST),
    Figure("11-body.md", "`N.z < {}`", f"{kinematics._SLED_SLOPE}"),
    Figure("11-body.md", "`N.z > {}`", f"{kinematics._SLED_SLOPE_ACE}"),
    Figure("11-body.md", "WalkForward times {}", motion_interp.BACKWARD_FACTOR),
    Figure("11-body.md", "= {}. With the run key", motion_interp.SIDE_STEP_FACTOR),
    Figure("11-body.md", "TurnRight by {};", motion_interp.RUN_TURN_FACTOR),
    Figure("11-body.md", "clamped to ±{}", motion_interp.MAX_SIDE_STEP),
    Figure("11-body.md", "x {} times the side step's", human.SIDE_STEP_SPEED),
    Figure("11-body.md", "y {} times the walk's", human.WALK_SPEED),
    Figure("11-body.md", "or {} times the run's", f"{human.RUN_SPEED:.1f}"),
    Figure("11-body.md", "at least {}, `power`", skills.MIN_JUMP_HEIGHT),
    Figure("11-body.md", "{} without a weenie", skills.JUMP_V_Z_UNKNOWN),
    Figure("11-body.md", "within **{} s of the last such attack**", skills.PK_FIGHT),
    Figure("11-body.md", "fall freely for {} cm", 100 * footing.REACH),
    Figure("13-conformance.md", "{} isolated ticks, ", GOLDEN_TICKS),
    Figure("13-conformance.md", "{} whole moves and ", GOLDEN_MOVES),
    Figure("13-conformance.md", "{} queries, all agree", GOLDEN_QUERIES),
    Figure("17-rules.md", "The engine has {} named rules", len(RULE_NAMES)),
    Figure("17-rules.md", "*{} of them are agreed*", word(len(AGREED_RULES)).capitalize()),
    Figure("corrections.md", "one sphere of radius {} at the origin", VIEWER_RADIUS),
]

PICTURE = [
    Figure("visibility/02-conventions.md", "| EPS | {} |", f"{constants.EPSILON:.4f}"),
    Figure("visibility/02-conventions.md", "| most view vertices | {} |", view.MAX_VERTICES),
    Figure("visibility/02-conventions.md", "| znear | {} m |", camera.ZNEAR),
    Figure("visibility/02-conventions.md", "| zfar | {} m |", str(int(camera.ZFAR))),
    Figure("visibility/02-conventions.md", "the sky pass uses {} m", str(int(camera.SKY_FAR))),
    Figure("visibility/02-conventions.md", "| punch depth | {} |", str(screen.FAR_PUNCH)),
    Figure("visibility/02-conventions.md", "| terrain sink | {} m |", render_terrain.SINK),
    Figure("visibility/02-conventions.md", "| viewer sphere | {} m |", VIEWER_RADIUS),
    Figure("visibility/02-conventions.md", "| camera pivot | {} m |", PIVOT_HEIGHT),
    Figure("visibility/10-guards.md", "lie within {} px", CONTAINMENT_SLACK),
    Figure("visibility/10-guards.md", "{} views of a cell", options.MAX_CELL_VIEWS),
    Figure("visibility/10-guards.md", "{} cells, ", options.MAX_CELLS),
    Figure("visibility/10-guards.md", "{} clips", options.MAX_CLIPS),
    Figure("visibility/10-guards.md", "recursion depth {} in", options.MAX_FIX_DEPTH),
    Figure("visibility/10-guards.md", "{} moves", options.MAX_MOVES),
    Figure("picture/13-things.md", "within {} m horizontally", placed.PART_WISE),
    Figure("picture/13-things.md", "more than {} m away", placed.CELL_WISE),
    Figure("picture/13-things.md", "t x {} entries", str(alpha.CAPACITY)),
    Figure("picture/13-things.md", "{} % full", 100 * FULL_ENOUGH),
    Figure("picture/20-sky-and-light.md", "ambient {}, white", sky.NO_AMBIENT),
    Figure("picture/20-sky-and-light.md", "z = {},", f"{sky.WEATHER_HEIGHT:g}"),
    Figure("picture/20-sky-and-light.md", "intensity {}, 2 m above", light.VIEWER_INTENSITY),
    Figure("picture/21-cameras.md", "(stiffness {})", following.STIFFNESS),
    Figure("picture/21-cameras.md", "default offset is {}", "(0, {1:g}, {2:g})".format(*following.DEFAULT_OFFSET)),
    Figure("picture/21-cameras.md", "closer than {} m to the pivot", following.FADE_BEGINS),
    Figure("picture/21-cameras.md", "gone below {} m", following.FADE_ENDS),
    Figure("picture/21-cameras.md", "a sphere of {} m from start", VIEWER_RADIUS),
]

FIGURES = [
    *STATED,
    *(figure._replace(page=PHYSICS + figure.page) for figure in CHAPTERS),
    *(figure._replace(page=f"docs/reference/{figure.page}") for figure in PICTURE),
]


@cache
def text_of(page: str) -> str:
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    "figure",
    FIGURES,
    ids=lambda f: f"{f.page}: {f.text}",
)
def test_a_figure_on_a_page_is_that_of_the_code(figure: Figure) -> None:
    assert figure.text in text_of(figure.page)


def section_of(page: str, section: str) -> str:
    text = (ROOT / PHYSICS / page).read_text(encoding="utf-8")
    return text.split(f"\n## {section} ")[1].split("\n## ")[0]


def rows_of(page: str, section: str) -> list[list[str]]:
    """The cells of the tables in a section."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section_of(page, section).splitlines()
        if line.startswith("|")
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EPS", constants.EPSILON),
        ("gravity", constants.GRAVITY),
        ("FloorZ", constants.FLOOR_Z),
        ("LandingZ", constants.LANDING_Z),
        ("MaxVelocity", constants.MAX_VELOCITY),
        ("SmallVelocity", constants.SMALL_VELOCITY),
        ("MaxElasticity", constants.MAX_ELASTICITY),
        ("DefaultStepHeight", constants.DEFAULT_STEP_HEIGHT),
        ("UnwalkableStep", constants.UNWALKABLE_STEP),
        ("MaxQuantum", constants.MAX_QUANTUM),
        ("HugeQuantum", constants.HUGE_QUANTUM),
        ("default state", constants.DEFAULT_STATE),
        ("LandLength", constants.LAND_LENGTH),
        ("VertexDim", constants.VERTEX_DIM),
    ],
)
def test_a_constant_of_the_physics_is_that_of_the_code(name: str, value: float) -> None:
    stated = next(row[1] for row in rows_of("01-frames.md", "1.1") if row[0] == name).split()[0].replace("−", "-")
    assert (int(stated, 16) if stated.startswith("0x") else r24(float(stated))) == value


def test_friction_lengths_and_the_shortest_quantum_are_those_of_the_code() -> None:
    rows = {row[0]: row[1] for row in rows_of("01-frames.md", "1.1")}
    friction, elasticity = (r24(float(number)) for number in rows["friction, elasticity"].split(", "))
    assert (friction, elasticity) == (constants.DEFAULT_FRICTION, constants.DEFAULT_ELASTICITY)
    assert rows["MinQuantum"] == "1/30 s"
    assert r24(1.0 / 30.0) == constants.MIN_QUANTUM
    lengths = [float(number) for number in re.findall(r"(\d+) m", rows["block, cell, half a square"])]
    assert lengths == [constants.BLOCK_LENGTH, constants.CELL_LENGTH, constants.HALF_SQUARE]


@pytest.mark.parametrize(
    ("page", "section", "prefix", "count"), [("05-transition.md", "5.1", "OI_", 13), ("08-shadows.md", "8.7", "", 23)]
)
def test_the_bits_of_a_table_are_those_of_the_code(page: str, section: str, prefix: str, count: int) -> None:
    stated = {row[1]: int(row[0], 16) for row in rows_of(page, section) if row[0].startswith("0x")}
    assert len(stated) == count
    assert stated == {name: getattr(flags, prefix + name) for name in stated}


def test_states_and_transient_bits_are_those_of_the_code() -> None:
    states = {row[1]: int(row[0]) for row in rows_of("00-reading.md", "0.3") if row[0].isdecimal()}
    assert states == {name: getattr(flags, name) for name in ("INVALID", "OK", "COLLIDED", "ADJUSTED", "SLID")}
    bits = dict(re.findall(r"([A-Z_]+)\s+(0x[0-9a-f]+)", section_of("11-body.md", "11.4")))
    assert len(bits) == 9
    assert {name: int(bit, 16) for name, bit in bits.items()} == {name: getattr(flags, f"TS_{name}") for name in bits}


def test_the_flags_and_answers_of_a_placement_are_those_of_the_code() -> None:
    rows = [row for row in rows_of("07-placing.md", "7.4") if len(row) == 5]
    placed = {row[0]: int(row[1], 16) for row in rows if hasattr(set_position, f"SP_{row[0]}")}
    assert len(placed) == 6
    assert placed == {name: getattr(set_position, f"SP_{name}") for name in placed}
    answers = {row[3]: int(row[4]) for row in rows if row[4].isdecimal()}
    assert answers == {name: getattr(set_position, f"SP_{name}") for name in answers}
    assert len(answers) == 5


def test_the_rules_that_change_golden_scenes_are_those_of_the_table() -> None:
    stated = {row[0].strip("`"): f"golden scenes: {row[1]} and {row[2]}" for row in rows_of("17-rules.md", "17.1")[2:]}
    known = {rule.name: rule.known.split(";")[0] for rule in RULES}
    assert stated == {name: how for name, how in known.items() if how.startswith("golden scenes")}


def test_the_commands_are_those_of_the_code() -> None:
    section = section_of("11-body.md", "11.6")
    for name, value in (("Ready", commands.READY), ("RunForward", commands.RUN_FORWARD), ("Falling", commands.FALLING)):
        assert f"| {name} | 0x{value:08X} |" in section
    for value in (commands.WALK_BACKWARD, commands.TURN_LEFT, commands.SIDE_STEP_LEFT, commands.OFF, commands.SLEEPING):
        assert f"0x{value:08X}" in section
