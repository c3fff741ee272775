"""A frame taken apart, without a window: the draw list, what became of every portal, and why a cell is drawn or not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from editor.models.live_table import Row
from editor.models.pview.explanation import why, why_building
from editor.models.pview.frame_rows import (
    BUILDING_VIEW,
    GOT,
    SIGNS,
    PortalFilter,
    PortalResult,
    considered,
    draw_rows,
    numbers_of,
    portal_rows,
    summary,
)
from editor.models.pview.screen import Role, ScreenShape, screen_picture
from engine.build import OUTDOORS, WorldBuilder, rect, walls
from engine.build.built import BuiltWorld
from engine.geometry.vec import Vec3
from engine.render.overlays.flood import SIGNS as OVERLAY_SIGNS
from engine.visibility import records
from engine.visibility.camera import focal_of_screen, looking
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameResult
from engine.visibility.world_view import WorldView
from engine.world.cells.cell import EnvCell
from engine.world.cells.ids import cell_text
from engine.world.cells.landdefs import get_outside_cell_id
from engine.world.world import World

EAST, WEST, NORTH = 90.0, 270.0, 0.0
EYE: Vec3 = (3.0, 2.0, 1.5)


class Rooms:
    """A row of three rooms with doorways, west to east, a closet off the third to its north, and one eye."""

    def __init__(self) -> None:
        builder = WorldBuilder()
        hall = builder.room("hall", rect(0, 0, 6, 4))
        study = builder.room("study", rect(6.2, 0, 4, 4))
        attic = builder.room("attic", rect(10.4, 0, 4, 4))
        closet = builder.room("closet", rect(10.4, 4.2, 4, 4))
        builder.room("vault", rect(40, 0, 4, 4))
        builder.doorway(hall, study, width=1.3)
        builder.doorway(study, attic, width=1.3)
        builder.doorway(attic, closet, width=1.3)
        self.built: BuiltWorld = builder.build()
        self.world: World = self.built.load()
        self.visibility = Visibility(self.world.graph)
        self.driver = FrameDriver(WorldView(self.world), self.visibility)

    def id_of(self, name: str) -> int:
        return self.built.cell_id(name)

    def between(self, one: str, other: str) -> int:
        """The doorway of two rooms: a cell of its own, as thick as the wall."""
        a, b = self.room(one), self.room(other)
        return next(p.other_cell_id for p in a.portals if p.other_cell_id in [q.other_cell_id for q in b.portals])

    def room(self, name: str) -> EnvCell:
        cell = self.world.graph.get_visible(self.id_of(name))
        assert isinstance(cell, EnvCell)
        return cell

    def look(self, heading: float, eye: Vec3 = EYE, root: str = "hall") -> FrameResult:
        width, height = 1280.0, 800.0
        self.world.graph.get_visible(self.id_of(root))
        camera = looking(self.id_of(root), eye, heading, 0.0, width, height, focal_of_screen(width, height))
        return self.driver.frame_events(camera, self.id_of(root))

    def why(self, frame: FrameResult, name: str) -> str:
        return why(self.world, frame, self.id_of(name)).sentence


@pytest.fixture
def rooms() -> Iterator[Rooms]:
    made = Rooms()
    yield made
    made.visibility.close()
    made.world.close()


def texts(rows: list[Row], column: int) -> list[str]:
    return [row.values[column].text for row in rows]


def test_the_draw_list_says_by_which_portal_each_room_came_in(rooms: Rooms) -> None:
    frame = rooms.look(EAST)
    rows = draw_rows(frame, rooms.id_of("study"))
    way = [rooms.id_of("hall"), rooms.between("hall", "study"), rooms.id_of("study"), rooms.between("study", "attic")]
    assert texts(rows, 0) == ["1", "2", "▶ 3", "4", "5"]
    assert texts(rows, 1) == [cell_text(cell_id) for cell_id in (*way, rooms.id_of("attic"))]
    assert texts(rows, 2)[0] == "root"
    assert all(text.startswith(cell_text(came)) for text, came in zip(texts(rows, 2)[1:], way, strict=True))
    assert texts(rows, 4)[0] == "100.0 %"
    assert rows[2].selection is not None
    assert rows[2].selection.key == rooms.id_of("study")


def test_every_status_has_a_sign_with_icon_and_word_and_a_place_in_the_order() -> None:
    assert set(SIGNS) == set(OVERLAY_SIGNS) == set(GOT)
    assert all(sign.icon and sign.word for sign in SIGNS.values())
    assert {sign.result for sign in SIGNS.values()} == set(PortalResult)


def test_portals_are_listed_by_fate_and_by_cell(rooms: Rooms) -> None:
    portals = considered(rooms.look(EAST))
    study = rooms.id_of("study")
    followed = [portal for portal in portals if PortalFilter(PortalResult.FOLLOWED).lets_through(portal)]
    assert {portal.status for portal in followed} == {records.OPEN}
    of_study = [portal for portal in portals if PortalFilter(None, study).lets_through(portal)]
    assert all(study in (portal.owner, portal.other_id) for portal in of_study)
    assert 0 < len(of_study) < len(portals)
    rows = portal_rows(rooms.look(EAST), followed, rooms.world)
    assert rows[0].values[0].text == "✓ followed"


def test_a_drawn_room_names_the_portal_that_it_is_seen_through(rooms: Rooms) -> None:
    frame = rooms.look(EAST)
    doorway, attic = rooms.between("study", "attic"), cell_text(rooms.id_of("attic"))
    reason = why(rooms.world, frame, rooms.id_of("attic"))
    assert reason.drawn
    assert reason.sentence.startswith(f"{attic}: drawn, 5 of 5, through portal ")
    assert reason.sentence.endswith(f" of {cell_text(doorway)}")
    assert reason.portal is not None
    assert reason.portal.status == records.OPEN
    assert "the root of the flood" in reason.more[0]
    assert rooms.why(frame, "hall").endswith("drawn, 1 of 5, the root of the flood")


def test_a_room_behind_the_eye_is_not_drawn_because_its_portal_is_clipped(rooms: Rooms) -> None:
    doorway = rooms.between("hall", "study")
    reason = why(rooms.world, rooms.look(WEST), doorway)
    assert not reason.drawn
    hall = cell_text(rooms.id_of("hall"))
    assert reason.sentence == f"{cell_text(doorway)}: not drawn: portal 0 of {hall} clipped away"
    assert reason.portal is not None
    assert reason.portal.sign.result is PortalResult.CLIPPED


def test_a_room_the_flood_never_reached_is_explained_by_where_its_path_ends(rooms: Rooms) -> None:
    reason = why(rooms.world, rooms.look(WEST), rooms.id_of("closet"))
    doorway = cell_text(rooms.between("hall", "study"))
    assert f"the way to it ends before {doorway}: portal 0 of" in reason.sentence
    assert reason.more[0].startswith(f"the way: portal 0 of {cell_text(rooms.id_of('hall'))} → {doorway} → ")
    assert reason.more[0].endswith(f"→ {cell_text(rooms.id_of('closet'))}")


def test_a_room_out_of_the_root_s_stab_list_says_so(rooms: Rooms) -> None:
    hall, study = rooms.room("hall"), rooms.id_of("study")
    hall.stab_set.discard(study)
    reason = why(rooms.world, rooms.look(EAST), study)
    assert reason.sentence.startswith(f"{cell_text(study)}: not drawn: portal ")
    assert reason.sentence.endswith("leads to it, but it is not in the stab list")
    assert reason.portal is not None
    assert reason.portal.status == records.NO_SLOT
    assert any("not in the stab list of the root" in line for line in why(rooms.world, rooms.look(WEST), study).more)


def test_a_room_without_portals_and_one_that_is_not_there_say_so(rooms: Rooms) -> None:
    frame = rooms.look(EAST)
    assert rooms.why(frame, "vault").endswith("not drawn: no portal leads to it")
    assert why(rooms.world, frame, rooms.id_of("hall") + 0x50).sentence.endswith("not drawn: it is not loaded")
    assert "no exit is in view" in why(rooms.world, frame, (rooms.id_of("hall") & 0xFFFF0000) | 0x1).sentence


def test_a_frame_without_a_root_says_so(rooms: Rooms) -> None:
    camera = rooms.look(EAST).camera
    frame = rooms.driver.frame_events(camera, records.NO_CELL)
    assert "no root cell" in rooms.why(frame, "hall")
    assert "no root cell" in summary(frame, None)
    assert draw_rows(frame, 0) == []


def test_the_summary_names_root_figures_and_guards(rooms: Rooms) -> None:
    words = summary(rooms.look(EAST), None)
    assert words.startswith(f"root {cell_text(rooms.id_of('hall'))} · 5 cells · 0 outside views · reach ")
    assert words.endswith("guards 0")


# --- from outdoors


def test_an_opening_of_a_building_is_considered_and_explains_the_room_behind_it() -> None:
    builder = WorldBuilder()
    land = builder.landblock(0x1234, height=20)
    house = land.building("hut", (108, 108), 0, shell=walls(rect(-4, -3, 8, 6), 0, 3, "brick"))
    hut = house.room("room", rect(-3.8, -2.8, 7.6, 5.6), height=2.6)
    house.doorway(hut, OUTDOORS, at=(0, -3), width=1.3)
    built = builder.build()
    world = built.load()
    visibility = Visibility(world.graph)
    driver = FrameDriver(WorldView(world), visibility)
    block = world.landblock(0x1234FFFF)
    assert block is not None
    room = next(cell.id for cell in block.env_cells if len(cell.portals) == 1)
    root = get_outside_cell_id(block.id, (108.0, 95.0, 0.0))

    def look(heading: float) -> FrameResult:
        camera = looking(root, (108.0, 95.0, 21.5), heading, 0.0, 640.0, 400.0, focal_of_screen(640.0, 400.0))
        return driver.frame_events(camera, root)

    seen, unseen = look(NORTH), look(180.0)
    openings = [portal for portal in considered(seen) if portal.flood == BUILDING_VIEW]
    assert [portal.status for portal in openings] == [records.OPEN]
    assert why(world, seen, room).drawn
    assert why(world, seen, root).drawn or "ground" in why(world, seen, root).sentence
    reason = why(world, unseen, room)
    assert not reason.drawn
    assert "building on" in reason.sentence or "no opening in view" in reason.sentence
    assert "1 look-in" in summary(seen, None)
    hut_as_a_whole = block.buildings[0]
    assert why_building(considered(seen), hut_as_a_whole).sentence.endswith("1 of 1 openings looked into")
    turned_away = why_building(considered(unseen), hut_as_a_whole)
    assert not turned_away.drawn
    assert "0 of 1 openings" in turned_away.sentence or "out of view" in turned_away.sentence
    visibility.close()
    world.close()


# --- the small screen


def test_the_small_screen_has_every_view_and_answers_which_cell_is_on_top(rooms: Rooms) -> None:
    frame = rooms.look(EAST)
    picture = screen_picture(frame, None, rooms.world.graph)
    assert picture.cell_at(640.0, 400.0) == rooms.id_of("attic")
    assert picture.cell_at(5.0, 5.0) == rooms.id_of("hall")
    assert picture.cell_at(-5.0, 5.0) == 0
    assert {shape.number for shape in picture.shapes} == set(numbers_of(frame).values())


def test_a_chosen_portal_shows_what_is_seen_of_it_and_where_it_would_be(rooms: Rooms) -> None:
    for heading, roles in ((EAST, [Role.OPENING, Role.PIECE]), (WEST, []), (30.0, [Role.OPENING])):
        frame = rooms.look(heading)
        chosen = next(portal for portal in considered(frame) if portal.owner == rooms.id_of("hall"))
        shapes = screen_picture(frame, chosen, rooms.world.graph).shapes
        assert [shape.role for shape in shapes if shape.role in (Role.OPENING, Role.PIECE)] == roles


def test_a_shape_knows_its_inside_whichever_way_round_it_goes() -> None:
    ring = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0))
    for points in (ring, tuple(reversed(ring))):
        shape = ScreenShape(Role.CELL, points)
        assert shape.contains(9.0, 5.0)
        assert not shape.contains(2.0, 5.0)
        assert shape.area == 50.0
