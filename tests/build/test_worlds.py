"""Rules of every built world, as the reader returns it (dat-format.md 2.5, 7.2, 7.4)."""

from __future__ import annotations

import math
import random

import pytest

from engine.build.built import BuiltWorld
from engine.dat.ids import DatKind
from engine.dat.records.catalogue import decode, write_record
from engine.geometry.vec import add, distance, scale
from engine.world.cells.cell import EnvCell
from engine.world.cells.portals import CellPortal
from tests.build.worlds import (
    WORLDS,
    built,
    directions,
    inner_points,
    loaded,
    nearest_hit,
    placed_points,
    rooms_of,
)

every_world = pytest.mark.parametrize("name", sorted(WORLDS))


def _portal_polygons(cell: EnvCell) -> list[tuple[CellPortal, int]]:
    return [(portal, index) for index, portal in enumerate(cell.portals)]


@every_world
def test_a_built_world_loads_without_a_fault(name: str) -> None:
    assert [str(fault) for fault in loaded(name).faults()] == []


@every_world
def test_points_of_a_cell_are_inside_it_and_inside_no_other(name: str) -> None:
    rng = random.Random(1)
    rooms = rooms_of(name)
    for cell in rooms:
        for point in inner_points(cell, rng, 20):
            assert [other.id for other in rooms if other.point_in_cell(point)] == [cell.id]


@every_world
def test_both_sides_of_a_portal_coincide_and_name_each_other(name: str) -> None:
    graph = loaded(name).graph
    for cell in rooms_of(name):
        for index, portal in enumerate(cell.portals):
            if portal.leads_outside:
                continue
            other = graph.get_visible(portal.other_cell_id)
            assert isinstance(other, EnvCell)
            back = other.portals[portal.other_portal_id]
            assert (back.other_cell_id, back.other_portal_id) == (cell.id, index)
            assert portal.polygon is not None
            assert back.polygon is not None
            mine, theirs = placed_points(cell, portal.polygon), placed_points(other, back.polygon)
            assert len(mine) == len(theirs)
            assert all(min(distance(p, q) for q in theirs) < 1e-6 for p in mine)


@every_world
def test_portals_face_into_their_cell_as_their_flags_state(name: str) -> None:
    for cell in rooms_of(name):
        for portal in cell.portals:
            assert portal.flags == (7 if portal.leads_outside else 3)
            assert portal.polygon is not None
            corners = [p for polygon in cell.structure.polygons.values() for p in polygon.vertices]
            assert all(portal.polygon.plane.dist(p) > -1e-5 for p in corners)


@every_world
def test_portal_polygons_are_bare_and_in_the_order_of_the_portals(name: str) -> None:
    for cell in rooms_of(name):
        assert cell.structure.portal_ids == [portal.polygon_id for portal in cell.portals]
        record = cell.structure.record
        polygons = getattr(record, "polygons")  # noqa: B009  # the structure keeps its record as a plain object
        for key in cell.structure.portal_ids:
            assert polygons[key].stippling == 4
            assert polygons[key].neg_surface == -1


@every_world
def test_every_ray_from_inside_a_cell_ends_at_a_wall_or_leaves_through_a_portal(name: str) -> None:
    rng = random.Random(2)
    for cell in rooms_of(name):
        solid = list(cell.structure.physics_polygons.values())
        ways = [portal.polygon for portal in cell.portals if portal.polygon is not None]
        middle = next(inner_points(cell, rng, 1))
        for direction in directions(rng, 200):
            assert nearest_hit(cell, [*solid, *ways], middle, direction) < math.inf


@every_world
def test_a_step_through_a_portal_leads_into_its_named_cell(name: str) -> None:
    graph = loaded(name).graph
    for cell in rooms_of(name):
        for portal in cell.portals:
            assert portal.polygon is not None
            corners = placed_points(cell, portal.polygon)
            middle = scale(
                (sum(p[0] for p in corners), sum(p[1] for p in corners), sum(p[2] for p in corners)), 1 / len(corners)
            )
            onwards = scale(cell.frame.local_to_global_vec(portal.polygon.normal), -0.01)
            beyond = add(middle, onwards)
            assert not cell.point_in_cell(beyond)
            if portal.leads_outside:
                assert not any(other.point_in_cell(beyond) for other in rooms_of(name))
            else:
                other = graph.get_visible(portal.other_cell_id)
                assert other is not None
                assert other.point_in_cell(beyond)


@every_world
def test_rays_pass_through_openings_but_not_walls(name: str) -> None:
    rng = random.Random(3)
    for cell in rooms_of(name):
        solid = list(cell.structure.physics_polygons.values())
        inner = [
            p
            for p in solid
            if any(p.plane.dist(v) < -1e-3 for q in cell.structure.polygons.values() for v in q.vertices)
        ]
        hull = [p for p in solid if p not in inner]
        middle = next(inner_points(cell, rng, 1))
        for direction in directions(rng, 200):
            through = [
                portal
                for portal in cell.portals
                if portal.polygon is not None and nearest_hit(cell, [portal.polygon], middle, direction) < math.inf
            ]
            closed = nearest_hit(cell, hull, middle, direction) < math.inf
            assert closed != bool(through) or any(_is_closed(cell, portal) for portal in through)


def _is_closed(cell: EnvCell, portal: CellPortal) -> bool:
    """A window: the portal has a solid twin."""
    assert portal.polygon is not None
    return any(
        sorted(polygon.vertices) == sorted(portal.polygon.vertices)
        for polygon in cell.structure.physics_polygons.values()
    )


@every_world
def test_neighbours_are_in_each_others_stab_lists(name: str) -> None:
    for cell in rooms_of(name):
        assert cell.id not in cell.stab_set
        assert cell.stab_list == sorted(cell.stab_list)
        assert all(portal.leads_outside or portal.other_cell_id in cell.stab_set for portal in cell.portals)


@every_world
def test_records_survive_reading_and_writing_byte_by_byte(name: str) -> None:
    world = built(name)
    for kind, records in ((DatKind.PORTAL, world.portal), (DatKind.CELL, world.cell)):
        for record_id, data in records.items():
            assert write_record(decode(record_id, data, "memory", kind)) == data


@every_world
def test_the_same_description_gives_the_same_bytes(name: str) -> None:
    again: BuiltWorld = WORLDS[name]().build()
    assert again.portal == built(name).portal
    assert again.cell == built(name).cell
    assert again.cells == built(name).cells
