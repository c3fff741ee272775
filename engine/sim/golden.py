"""Golden scenes: their moves run in our engine, answered in the goldens' own form (spec/physics.md 13.11).

In isolated mode each tick starts from the state that the golden has before it, so a difference points at one rule; in
whole mode a move runs from its start.
"""

from __future__ import annotations

from typing import Any, Final

from engine.geometry.constants import DEFAULT_STATE
from engine.geometry.frame import Frame
from engine.geometry.plane import Plane
from engine.geometry.sphere import Sphere
from engine.geometry.vec import ZERO, Vec3, r24, r24v
from engine.physics.body import Body
from engine.physics.flags import (
    EDGE_SLIDE,
    ENTITY_HAS_WEENIE,
    ENTITY_IS_CREATURE,
    ETHEREAL,
    HAS_PHYSICS_BSP,
    MISSILE,
    OI_IS_PLAYER,
    TS_ACTIVE,
    TS_CONTACT,
    TS_ON_WALKABLE,
    TS_SLIDING,
    TS_WATER_CONTACT,
)
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.shadows import ShadowRegistry, shapes_from_setup
from engine.world.loader.json_form import JsonNode
from engine.world.loader.scene_source import SceneSource
from engine.world.world import World

MOVER_ID: Final = 0x50000001

Json = dict[str, Any]


def vec(values: list[float]) -> Vec3:
    """Three numbers of a scene as the client holds them."""
    return (r24(float(values[0])), r24(float(values[1])), r24(float(values[2])))


class GoldenScene:
    """A scene whose moves can be run one by one, each in the world as the file describes it."""

    def __init__(self, scene: Json, rules: RuleSet, file: str = "scene") -> None:
        self.scene = scene
        self.file = file
        self.rules = rules
        self.world = World(SceneSource(JsonNode(scene, file)))
        self.landblock = int(scene["landblock"]) << 16
        self.world.landblock(self.landblock | 0xFFFF)
        self.registry = ShadowRegistry(self.world.graph, rules)

    def cell_id(self, low: int, block: int | None = None) -> int:
        return (self.landblock if block is None else block << 16) | low

    def reset(self) -> None:
        """The objects as they stand before a move, registered in file order."""
        for cell in self.world.graph.all_cells():
            cell.shadow_objects = []
            cell.object_list = []
        self.registry = ShadowRegistry(self.world.graph, self.rules)
        for entity in self.world.entities:
            setup = self.world.setup(entity.setup_id)
            if setup is None:
                continue
            flags = ENTITY_HAS_WEENIE | (ENTITY_IS_CREATURE if entity.extra.get("creature") else 0)
            self.registry.register_multi_part(
                entity.guid,
                entity.cell_id,
                entity.frame,
                shapes_from_setup(setup, entity.scale, self.rules),
                entity.state,
                flags,
                _scaled(setup.sorting_sphere, entity.scale),
                bool(entity.extra.get("static")),
            )

    def run_whole(self, move: Json) -> list[Json]:
        """The answers of a move run from its start."""
        self.reset()
        body = self._body(move)
        self._start(body, move["start"])
        return [self._tick(body, move, index, offset) for index, offset in enumerate(offsets_of(move))]

    def run_isolated(self, move: Json, golden: list[Json]) -> list[Json]:
        """The answers of a move of which every tick starts from the golden's state before it."""
        self.reset()
        answers: list[Json] = []
        for index, offset in enumerate(offsets_of(move)):
            body = self._body(move)
            self._start(body, move["start"])
            if index > 0:
                self._resume(body, golden[index - 1])
            answers.append(self._tick(body, move, index, offset))
        return answers

    # --- the mover

    def _body(self, move: Json) -> Body:
        mover = move["mover"]
        scale = r24(float(mover.get("scale", 1.0)))
        body = Body(int(mover.get("id", MOVER_ID)), self.world.graph, self.rules)
        body.spheres = [Sphere(vec(sphere["c"]), r24(float(sphere["r"]))) for sphere in mover["spheres"]]
        body.scale = scale
        body.step_up_height = r24(r24(float(mover["step_up"])) * scale)
        body.step_down_height = r24(r24(float(mover["step_down"])) * scale)
        state = int(mover.get("state", DEFAULT_STATE)) & ~EDGE_SLIDE
        if mover.get("edge_slide"):
            state |= EDGE_SLIDE
        if mover.get("missile"):
            state |= MISSILE
        if mover.get("ethereal"):
            state |= ETHEREAL
        if mover.get("parts"):
            state |= HAS_PHYSICS_BSP
        body.state = state
        body.info_flags = OI_IS_PLAYER if mover.get("is_player", True) else 0
        body.registry = self.registry
        return body

    def _start(self, body: Body, start: Json) -> None:
        cell_id = self.cell_id(int(start["cell"]), start.get("block"))
        frame = Frame(ZERO, tuple(r24(float(q)) for q in start["quat"])) if "quat" in start else Frame()  # type: ignore[arg-type]  # four numbers
        body.place = Place(cell_id, vec(start["origin"]), frame)
        body.cell = self.world.graph.get_visible(cell_id)
        body.transient = TS_ACTIVE
        if start.get("contact"):
            body.transient |= TS_CONTACT
        if start.get("on_walkable"):
            body.transient |= TS_ON_WALKABLE
        plane = start.get("contact_plane")
        if plane is not None:
            body.contact_plane = Plane(vec(plane), r24(float(plane[3])))
            body.contact_plane_cell_id = cell_id
        body.velocity = vec(start["velocity"]) if "velocity" in start else ZERO
        body.calc_acceleration()

    def _resume(self, body: Body, before: Json) -> None:
        cell_id = self.cell_id(int(before["cell"]), before.get("block"))
        state = before["state"]
        body.place = Place(cell_id, vec(before["pos"]), body.place.turn)
        body.cell = self.world.graph.get_visible(cell_id)
        body.transient = int(state["ts"])
        body.contact_plane = Plane(vec(state["cp"]), r24(float(state["cp"][3])))
        cell_low = int(state["cp_cell"])
        body.contact_plane_cell_id = (cell_id & 0xFFFF0000) | cell_low if cell_low else 0
        body.sliding_normal = vec(state["sn"])
        body.velocity = vec(before["velocity"]) if "velocity" in before else ZERO
        body.calc_acceleration()

    # --- a tick

    def _tick(self, body: Body, move: Json, index: int, offset: Vec3 | None) -> Json:
        for action in move.get("actions", []):
            if int(action["at"]) == index:
                entity = self.registry.entity(int(action["object"]))
                state = entity.obj.state
                entity.obj.state = state | ETHEREAL if action["ethereal"] else state & ~ETHEREAL
        if index == 0:
            self._register_mover(body, move)
        if offset is None:
            body.step(r24(float(move["dt"])))
            return self._answer(body, index, True, None)
        x, y, z = body.place.origin
        target = r24v((x + offset[0], y + offset[1], z + offset[2]))
        done = body.move_to(Place(body.place.cell_id, target, body.place.turn))
        return self._answer(body, index, done, body)

    def _register_mover(self, body: Body, move: Json) -> None:
        """Only a mover with parts shows in the answers where it is registered."""
        parts = move["mover"].get("parts")
        if not parts:
            return
        thing = {"id": body.id, "cell": 0, "origin": [0, 0, 0], "quat": [1, 0, 0, 0], "parts": parts}
        lone = SceneSource(JsonNode({"name": "mover", "landblock": 0, "cells": [], "objects": [thing]}, self.file))
        setup = lone.setup(lone.entities[0].setup_id)
        if setup is not None:
            self.registry.register_multi_part(
                body.id,
                body.place.cell_id,
                body.place.frame(),
                shapes_from_setup(setup, body.scale, self.rules),
                body.state,
                ENTITY_HAS_WEENIE,
            )

    def _answer(self, body: Body, index: int, done: bool, swept: Body | None) -> Json:
        ts = body.transient
        plane = body.contact_plane
        answer: Json = {
            "i": index,
            "ok": done,
            "pos": list(body.place.origin),
            "cell": body.place.cell_id & 0xFFFF,
            "contact": bool(ts & TS_CONTACT),
            "on_walkable": bool(ts & TS_ON_WALKABLE),
            "sliding": bool(ts & TS_SLIDING),
            "state": {
                "ts": ts,
                "cp": [*plane.normal, plane.d],
                "cp_cell": body.contact_plane_cell_id & 0xFFFF,
                "sn": list(body.sliding_normal),
            },
        }
        if ts & TS_WATER_CONTACT:
            answer["water_contact"] = True
        if body.place.cell_id & 0xFFFF0000 != self.landblock:
            answer["block"] = body.place.cell_id >> 16
        if body.velocity != ZERO:
            answer["velocity"] = list(body.velocity)
        if body.id in self.registry.entities:
            answer["shadow_cells"] = [cell_id & 0xFFFF for cell_id in self.registry.cells_of(body.id)]
        if swept is not None and swept.last_transition is not None:
            self._add_collision_info(answer, swept, done)
        return answer

    def _add_collision_info(self, answer: Json, body: Body, done: bool) -> None:
        tr = body.last_transition
        if tr is None:
            return
        ci = tr.ci
        if not done:
            answer["rejected"] = True
        if ci.contact_plane_valid:
            answer["contact_plane"] = [*ci.contact_plane.normal, ci.contact_plane.d]
            answer["contact_cell"] = ci.contact_plane_cell_id & 0xFFFF
        if ci.collision_normal_valid:
            answer["collision_normal"] = list(ci.collision_normal)
        if ci.sliding_normal_valid:
            answer["sliding_normal"] = list(ci.sliding_normal)
        if ci.collide_objects:
            answer["objects"] = list(ci.collide_objects)
        if ci.collided_with_environment:
            answer["env_collision"] = True
        if done and ci.frames_stationary_fall:
            answer["stationary"] = ci.frames_stationary_fall
        answer["cells"] = [cell_id & 0xFFFF for cell_id in tr.ca.listed()]


def offsets_of(move: Json) -> list[Vec3 | None]:
    """One entry a tick: the offset asked for, None for a tick of the body's own update."""
    if move.get("mode", "transition") == "update":
        return [None] * int(move["n"])
    found: list[Vec3 | None] = []
    for step in move["ticks"]:
        found.extend([vec(step["offset"])] * int(step["repeat"]))
    return found


def _scaled(sphere: Sphere, scale: float) -> Sphere:
    x, y, z = sphere.center
    return Sphere((x * scale, y * scale, z * scale), sphere.radius * scale)
