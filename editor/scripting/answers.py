"""Turns what the engine has into what the library answers with."""

from __future__ import annotations

from collections.abc import Sequence

from editor.scripting.values import (
    NOTHING,
    Cell,
    Entity,
    Event,
    Id,
    Place,
    Player,
    Portal,
    Sample,
    Static,
    Tick,
    Trace,
    TraceStep,
)
from engine.entities.player import player_names
from engine.physics.flags import TS_CONTACT, TS_ON_WALKABLE, TS_WATER_CONTACT
from engine.sim.recording import Sample as EngineSample
from engine.sim.tick.report import TickReport
from engine.sim.tick.simulation import Simulation
from engine.sim.trace.tree import NO_POLYGON, TraceNode, describe
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.ids import landblock_id
from engine.world.cells.portals import OUTSIDE
from engine.world.entity_spec import EntitySpec
from engine.world.world import World


def portal_target(cell_id: int) -> Id | None:
    """None for the outdoors."""
    return None if cell_id == OUTSIDE else Id(cell_id)


def cell_answer(world: World, cell: ObjCell) -> Cell:
    name, block = world.names.of_cell(cell.id), Id(landblock_id(cell.id))
    origin, stab_list = cell.frame.origin, tuple(map(Id, cell.stab_list))
    if not isinstance(cell, EnvCell):
        return Cell(Id(cell.id), name, block, False, origin, cell.seen_outside, stab_list)
    portals = tuple(
        Portal(
            index,
            portal_target(portal.other_cell_id),
            portal.other_portal_id,
            portal.polygon_id,
            portal.flags,
            ()
            if portal.polygon is None
            else tuple(cell.frame.local_to_global(corner) for corner in portal.polygon.vertices),
        )
        for index, portal in enumerate(cell.portals)
    )
    statics = tuple(
        Static(thing.id, Id(thing.model_id), thing.frame.origin, thing.frame.heading()) for thing in cell.static_objects
    )
    shape = cell.structure
    return Cell(
        Id(cell.id),
        name,
        block,
        True,
        origin,
        cell.seen_outside,
        stab_list,
        portals,
        statics,
        tuple(map(Id, cell.surfaces)),
        Id(shape.environment_id),
        len(shape.polygons),
        len(shape.physics_polygons),
    )


def entity_answer(sim: Simulation, spec: EntitySpec | None, entity_id: int) -> Entity:
    """An entity as it stands, or as its specification has it where its landblock has not come in."""
    entity = sim.population.find(entity_id)
    if entity is None:
        assert spec is not None
        frame = spec.frame
        return Entity(
            Id(spec.guid),
            spec.name,
            spec.kind,
            Id(spec.setup_id),
            Id(spec.cell_id),
            frame.origin,
            frame.heading(),
            (0.0, 0.0, 0.0),
            spec.state,
            spec.scale,
            False,
        )
    frame = entity.place_frame()
    registered = entity_id in sim.population.registry.entities
    return Entity(
        Id(entity.id),
        entity.name,
        entity.kind,
        Id(entity.setup.id),
        Id(entity.place_cell()),
        frame.origin,
        frame.heading(),
        (0.0, 0.0, 0.0) if entity.body is None else entity.body.velocity,
        sim.population.state_of(entity_id) if registered else 0,
        entity.scale,
        True,
    )


def player_answer(sim: Simulation) -> Player:
    player = sim.player
    body = player.steered
    heading, bits = body.place.turn.heading(), body.transient
    touches = bits & TS_CONTACT != 0
    return Player(
        Id(player.id),
        NOTHING if body.cell is None else Id(body.cell.id),
        body.place.origin,
        heading,
        body.velocity,
        touches,
        bits & TS_ON_WALKABLE != 0,
        bits & TS_WATER_CONTACT != 0,
        body.contact_plane.normal if touches else None,
        Id(body.contact_plane_cell_id) if touches else NOTHING,
        Place(Id(body.place.cell_id), player.soles(), heading),
        {name: player.number(name) for name in player_names()},
    )


def tick_answer(sim: Simulation, report: TickReport, because: str = "") -> Tick:
    return Tick(
        report.tick,
        Id(report.cell),
        report.origin,
        report.heading,
        report.velocity,
        report.wanted,
        report.made,
        report.blocked,
        report.slid,
        not report.ok,
        report.in_contact,
        report.on_walkable,
        report.in_water,
        report.jumped,
        report.landed,
        report.left_ground,
        report.lost,
        Id(report.cell_before),
        tuple(name_of(sim, object_id) for object_id in report.collided_objects),
        report.collided_with_environment,
        tuple(map(Id, report.cell_array)),
        tuple(
            Event(event.tick, Id(event.entity_id), name_of(sim, event.entity_id), event.what, Id(event.by))
            for event in report.events
        ),
        tuple(report.faults),
        because,
    )


def name_of(sim: Simulation, object_id: int) -> str:
    """An entity's name, or the id of a static thing."""
    entity = sim.population.find(object_id)
    return str(Id(object_id)) if entity is None else entity.name


def sample_answer(sample: EngineSample) -> Sample:
    return Sample(Id(sample.cell), sample.origin, sample.velocity, sample.heading, sample.transient)


def trace_answer(tick: int, outcome: str, sweeps: Sequence[TraceNode]) -> Trace:
    text = "\n".join(line for sweep in sweeps for line in describe(sweep))
    return Trace(tick, outcome, tuple(map(_step, sweeps)), text)


def _step(node: TraceNode) -> TraceStep:
    return TraceStep(
        node.kind,
        node.title,
        node.answer,
        node.detail,
        Id(node.cell_id),
        Id(node.object_id),
        Id(node.gfxobj_id),
        None if node.polygon_id == NO_POLYGON else node.polygon_id,
        node.normal,
        node.before,
        node.after,
        node.latch,
        tuple(map(_step, node.children)),
    )
