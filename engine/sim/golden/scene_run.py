"""Golden scenes: their moves run in our engine, answered in the goldens' own form (physics.md 13.11).

In isolated mode each tick starts from the state that the golden has before it, so a difference points at one rule; in
whole mode a move runs from its start.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from engine.geometry.frame import Frame
from engine.geometry.vec import ZERO, Vec3, r24v
from engine.physics.body import Body
from engine.physics.flags import (
    ENTITY_HAS_WEENIE,
    ENTITY_IS_CREATURE,
    ETHEREAL,
    OI_IS_PLAYER,
    TS_CONTACT,
    TS_ON_WALKABLE,
    TS_SLIDING,
    TS_WATER_CONTACT,
)
from engine.physics.objects.physics_object import PhysicsObj
from engine.physics.objects.shadows import ShadowRegistry
from engine.physics.objects.shapes import occupancy_sphere, shapes_from_setup
from engine.physics.place import Place
from engine.physics.rules import RuleSet
from engine.physics.sweep.transition import Transition
from engine.sim.golden.form import NO_SETUP, Move, Query, Start, read_moves, read_queries
from engine.world.entity_spec import EntitySpec
from engine.world.faults import WorldError
from engine.world.loader.json_form import JsonNode, read_json
from engine.world.loader.scene_source import SceneSource
from engine.world.world import World

Json = dict[str, Any]

SECOND_OF_AN_ID: Final = 1 << 40
"""Added to the registry's key, not to the object's id, of an object whose id is taken: ids need not be unique."""


class GoldenScene:
    """A scene whose moves can be run one by one, each in the world as the file describes it."""

    def __init__(self, root: JsonNode, rules: RuleSet) -> None:
        self.rules = rules
        source = SceneSource(root)
        self.world = World(source)
        self.name = source.name
        self.landblock = source.records.block_id & 0xFFFF0000
        self.moves: list[Move] = read_moves(root, source.records)
        self.queries: list[Query] = read_queries(root, self.landblock >> 16)
        self.registry = ShadowRegistry(self.world.graph, rules)
        self.objects: dict[int, PhysicsObj] = {}
        """By id; the first of those that share one."""
        self.world.landblock(self.landblock | 0xFFFF)
        self._check(root)

    @staticmethod
    def open(path: Path, rules: RuleSet) -> GoldenScene:
        return GoldenScene(read_json(path), rules)

    def _check(self, root: JsonNode) -> None:
        """Moves act only on objects that the scene has."""
        known = {entity.guid for entity in self.world.source.entities}
        for number, move in enumerate(self.moves):
            for index, action in enumerate(move.actions):
                if action.object_id not in known:
                    key = f"moves[{number}].actions[{index}].object"
                    raise WorldError(f"there is no object {action.object_id}", root.file, key)

    # --- runs

    def reset(self, mover_id: int) -> None:
        """The objects as they stand before a move of that body, registered in file order."""
        for cell in self.world.graph.all_cells():
            cell.shadow_objects = []
            cell.object_list = []
        self.registry = ShadowRegistry(self.world.graph, self.rules)
        self.objects = {}
        for entity in self.world.source.entities:
            self._register(entity, mover_id)

    def _register(self, entity: EntitySpec, mover_id: int) -> None:
        setup = self.world.setup(entity.setup_id)
        if setup is None:
            return
        key = entity.guid
        while key in self.registry.entities or key == mover_id:
            key += SECOND_OF_AN_ID
        obj = self.registry.register_multi_part(
            key,
            entity.cell_id,
            entity.frame,
            shapes_from_setup(setup, entity.scale),
            entity.state,
            ENTITY_HAS_WEENIE | (ENTITY_IS_CREATURE if entity.extra.get("creature") else 0),
            occupancy_sphere(setup),
            bool(entity.extra.get("static")),
        )
        obj.object_id = entity.guid
        self.objects.setdefault(entity.guid, obj)

    def run_whole(self, move: Move) -> list[Json]:
        """The answers of a move run from its start."""
        run = MoveRun(self, move)
        return [run.tick() for _ in move.offsets]

    def run_isolated(self, move: Move, before: Sequence[Start]) -> list[Json]:
        """Return the answers of a move in which every tick n after the first starts from `before[n - 1]`.

        The body is the same throughout: what no golden holds (a missile that is none any more, being in touch with the
        environment, the cells of a body with parts, the landblock of a contact plane's cell) it carries along.
        """
        run = MoveRun(self, move)
        answers: list[Json] = []
        for index in range(len(move.offsets)):
            if index > 0:
                run.resume(before[index - 1])
            answers.append(run.tick())
        return answers


class MoveRun:
    """One move under way: its body, and the number of the tick that comes next."""

    def __init__(self, scene: GoldenScene, move: Move) -> None:
        """Puts the scene's objects back to where they stand before a move."""
        scene.reset(move.mover.id)
        self.scene = scene
        self.move = move
        self.index = 0
        self.body = self._new_body()
        self._stand(move.start)
        self.body.place.turn = Frame(ZERO, move.start.rotation)
        self._register_body()

    def _new_body(self) -> Body:
        mover = self.move.mover
        body = Body(mover.id, self.scene.world.graph, self.scene.rules)
        body.spheres = [sphere.copy() for sphere in mover.spheres]
        body.scale = mover.scale
        body.step_up_height = mover.step_up
        body.step_down_height = mover.step_down
        body.state = mover.state
        body.info_flags = OI_IS_PLAYER if mover.is_player else 0
        body.registry = self.scene.registry
        return body

    def _register_body(self) -> None:
        """Only a body with parts shows in the answers where it is registered."""
        mover = self.move.mover
        setup = None if mover.setup_id == NO_SETUP else self.scene.world.setup(mover.setup_id)
        if setup is None:
            return
        body = self.body
        self.scene.registry.register_multi_part(
            body.id,
            body.place.cell_id,
            body.place.frame(),
            shapes_from_setup(setup, body.scale),
            body.state,
            ENTITY_HAS_WEENIE,
        )

    def resume(self, start: Start) -> None:
        """Continue from a state of a golden; the orientation stays."""
        kept = self.body.contact_plane_cell_id
        self._stand(start)
        if kept & 0xFFFF == start.contact_plane_cell:
            self.body.contact_plane_cell_id = kept

    def _stand(self, start: Start) -> None:
        body = self.body
        low = start.contact_plane_cell
        body.place = Place(start.cell_id, start.origin, body.place.turn)
        body.cell = self.scene.world.graph.get_visible(start.cell_id)
        body.transient = start.transient
        body.contact_plane = start.contact_plane
        body.contact_plane_cell_id = (start.cell_id & 0xFFFF0000) | low if low else 0
        body.sliding_normal = start.sliding_normal
        body.velocity = start.velocity
        body.calc_acceleration()

    # --- a tick

    def act(self) -> None:
        """The actions that come before the next tick."""
        for action in self.move.actions:
            if action.at == self.index:
                obj = self.scene.objects[action.object_id]
                obj.state = obj.state | ETHEREAL if action.ethereal else obj.state & ~ETHEREAL

    def target(self, offset: Vec3) -> Place:
        """Return the place that a tick requests."""
        x, y, z = self.body.place.origin
        place = self.body.place.copy()
        place.origin = r24v((x + offset[0], y + offset[1], z + offset[2]))
        return place

    def tick(self) -> Json:
        """Run the next tick and tell its answer."""
        self.act()
        body = self.body
        offset = self.move.offsets[self.index]
        if offset is None:
            body.step(self.move.quantum)
            answer = self._answer(True)
        else:
            answer = self._answer(body.move_to(self.target(offset)))
            if body.last_transition is not None:
                _add_collision_info(answer, body.last_transition)
        self.index += 1
        return answer

    def _answer(self, done: bool) -> Json:
        """Describe the body after a tick."""
        body = self.body
        ts = body.transient
        plane = body.contact_plane
        answer: Json = {
            "i": self.index,
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
        if body.place.cell_id & 0xFFFF0000 != self.scene.landblock:
            answer["block"] = body.place.cell_id >> 16
        if body.velocity != ZERO:
            answer["velocity"] = list(body.velocity)
        if self.move.mover.setup_id != NO_SETUP:
            answer["shadow_cells"] = [cell_id & 0xFFFF for cell_id in self.scene.registry.cells_of(body.id)]
        return answer


def _add_collision_info(answer: Json, tr: Transition) -> None:
    """Describe a transition."""
    ci = tr.ci
    if not tr.found:
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
    if tr.found and ci.frames_stationary_fall:
        answer["stationary"] = ci.frames_stationary_fall
    answer["cells"] = [cell_id & 0xFFFF for cell_id in tr.ca.listed()]
