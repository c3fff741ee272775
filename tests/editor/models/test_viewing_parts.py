"""What the 3D view tells the rest of the window, without a window: picks as selections, framing, words, doors ahead."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from editor.models.doors_ahead import door_ahead
from editor.session.session import Kind, Selection
from editor.view3d.framing import Focus, best_sight, focus_of
from editor.view3d.picked_selection import cell_selection_of, selection_of, words_of
from engine.build.demo import DUNGEON, SPOTS, VILLAGE, ensure_demo
from engine.geometry.vec import Vec3, distance
from engine.render.picking.hits import Hit, HitKind
from engine.render.scene import Scene
from engine.render.viewer.rig import direction
from engine.sim.edits.player import FacePlayer, Teleport
from engine.sim.tick.simulation import Simulation
from engine.visibility import records
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.loader import open_world

BLOCK = (VILLAGE << 16) | 0xFFFF
HALF_VIEW = math.sin(math.radians(67.5) / 2.0)


@pytest.fixture(scope="module")
def sim() -> Iterator[Simulation]:
    world = open_world(ensure_demo())
    made = Simulation(world)
    spot = SPOTS["cottage_inside_front_door"]
    made.apply_edit(Teleport(spot.cell_id, *spot.origin, spot.heading))
    yield made
    made.close()
    world.close()


@pytest.fixture(scope="module")
def scene(sim: Simulation) -> Scene:
    return Scene(sim.world, sim)


def hit(kind: HitKind, cell_id: int, **more: object) -> Hit:
    return Hit(kind, BLOCK, cell_id, 2.5, (1.0, 2.0, 3.0), (0.0, 0.0, 1.0), **more)  # type: ignore[arg-type]  # by name


def room_of(sim: Simulation, place: str) -> EnvCell:
    cell = sim.graph.get_visible(SPOTS[place].cell_id)
    assert isinstance(cell, EnvCell)
    return cell


# --- picks


def test_a_wall_selects_its_cell_and_the_ground_its_landblock(sim: Simulation) -> None:
    parlour = SPOTS["cottage_parlour"].cell_id
    assert selection_of(hit(HitKind.POLYGON, parlour), sim) == Selection(Kind.CELL, BLOCK, parlour)
    ground = hit(HitKind.TERRAIN, (VILLAGE << 16) | 0x15)
    assert selection_of(ground, sim) == Selection(Kind.LANDBLOCK, BLOCK, BLOCK)
    assert selection_of(None, sim) is None


def test_a_part_selects_its_entity_or_its_static_object(sim: Simulation, scene: Scene) -> None:
    door = sim.population.doors[0]
    part = scene.parts_of(door.id)[0]
    found = selection_of(hit(HitKind.PART, part.home, object_id=door.id, drawn=part), sim)
    assert found is not None
    assert (found.kind, found.key) == (Kind.ENTITY, door.id)
    parlour = SPOTS["cottage_parlour"].cell_id
    chair = next(part for part in scene.parts_in(parlour) if part.object_id > 0xFFFFFFFF)
    found = selection_of(hit(HitKind.PART, parlour, object_id=chair.object_id, drawn=chair), sim)
    assert found == Selection(Kind.STATIC, BLOCK, chair.object_id)


def test_a_shell_and_its_opening_select_the_building(sim: Simulation) -> None:
    block = sim.world.landblock(BLOCK)
    assert block is not None
    inn = block.buildings[1]
    for kind in (HitKind.BUILDING, HitKind.PORTAL):
        found = selection_of(hit(kind, inn.cell_id, object_id=inn.id, portal_index=0), sim)
        assert found == Selection(Kind.BUILDING, BLOCK, 1)


def test_the_cell_of_a_thing_can_be_asked_for_instead(sim: Simulation) -> None:
    parlour = SPOTS["cottage_parlour"].cell_id
    assert cell_selection_of(hit(HitKind.PART, parlour, object_id=7)) == Selection(Kind.CELL, BLOCK, parlour)


def test_words_name_the_thing_the_point_and_the_distance(sim: Simulation, scene: Scene) -> None:
    parlour = SPOTS["cottage_parlour"].cell_id
    wall = words_of(hit(HitKind.POLYGON, parlour, polygon_id=7, surface_id=0x08000001), sim)
    place = "x 1.000  y 2.000  z 3.000  ·  2.50 m"
    assert wall == f"cell Parlour 0x{parlour:08X}, polygon 7, surface 0x08000001  ·  {place}"
    door = next(door for door in sim.population.doors if door.name == "Front Door")
    part = scene.parts_of(door.id)[0]
    words = words_of(hit(HitKind.PART, part.home, object_id=door.id, part=0, polygon_id=3, drawn=part), sim)
    assert words.startswith("Front Door, part 0, polygon 3")
    dropped = hit(HitKind.PORTAL, parlour, portal_index=1, other_cell_id=parlour + 1, status=records.NO_SLOT)
    assert "■ not in the stab list" in words_of(dropped, sim)
    assert words_of(None, sim) == ""


# --- framing


def eye_of(focus: Focus, world_view: WorldView, heading: float, pitch: float = 0.0) -> Vec3:
    sight = best_sight(focus, world_view, heading, pitch, HALF_VIEW)
    look = direction(heading + sight.turn, pitch + sight.tilt)
    return (
        focus.target[0] - look[0] * sight.away,
        focus.target[1] - look[1] * sight.away,
        focus.target[2] - look[2] * sight.away,
    )


def test_a_room_is_looked_at_from_within(sim: Simulation, scene: Scene) -> None:
    cell = room_of(sim, "cottage_parlour")
    focus = focus_of(Selection(Kind.CELL, BLOCK, cell.id), sim.world, scene)
    assert focus is not None
    for heading in range(0, 360, 45):
        assert cell.point_in_cell(eye_of(focus, WorldView(sim.world), float(heading)))


def test_a_door_in_its_doorway_is_seen_whole_from_one_of_its_sides(sim: Simulation, scene: Scene) -> None:
    door = next(door for door in sim.population.doors if door.name == "Front Door")
    focus = focus_of(Selection(Kind.ENTITY, BLOCK, door.id), sim.world, scene)
    assert focus is not None
    for heading in range(0, 360, 30):
        eye = eye_of(focus, WorldView(sim.world), float(heading))
        assert distance(eye, focus.target) >= focus.radius


def test_a_building_is_framed_from_above_and_wholly_in_view(sim: Simulation, scene: Scene) -> None:
    focus = focus_of(Selection(Kind.BUILDING, BLOCK, 1), sim.world, scene)
    assert focus is not None
    assert focus.radius > 8.0
    sight = best_sight(focus, WorldView(sim.world), 0.0, 30.0, HALF_VIEW)
    assert sight.away == pytest.approx(focus.radius / HALF_VIEW)
    assert 30.0 + sight.tilt < 0.0


def test_of_a_dungeon_the_largest_room_is_shown(sim: Simulation, scene: Scene) -> None:
    dungeon = (DUNGEON << 16) | 0xFFFF
    focus = focus_of(Selection(Kind.LANDBLOCK, dungeon, dungeon), sim.world, scene)
    assert focus is not None
    assert focus.room is not None


def test_a_landblock_is_framed_by_its_houses_and_what_is_gone_is_not_framed(sim: Simulation, scene: Scene) -> None:
    focus = focus_of(Selection(Kind.LANDBLOCK, BLOCK, BLOCK), sim.world, scene)
    assert focus is not None
    assert 20.0 < focus.radius < 100.0
    assert focus_of(Selection(Kind.ENTITY, BLOCK, 0x7FFFFFFF), sim.world, scene) is None
    assert focus_of(Selection(Kind.CELL, BLOCK, (VILLAGE << 16) | 0x3FF), sim.world, scene) is None


# --- the door in front


def test_the_door_in_front_is_the_one_he_looks_at(sim: Simulation) -> None:
    door = door_ahead(sim)
    assert door is not None
    assert door.name == "Front Door"
    sim.apply_edit(FacePlayer(SPOTS["cottage_inside_front_door"].heading + 180.0))
    assert door_ahead(sim) is None
    sim.apply_edit(FacePlayer(SPOTS["cottage_inside_front_door"].heading))
