"""Floods the demo world, random floor plans and nonsense, and prints a digest of every answer, bit for bit.

`test_flood_bits` runs `python -m tests.visibility.helpers.flood_bits` under both cores and compares the digests.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator

from engine.build.demo import ensure_demo
from engine.visibility.flood import Visibility, flood_interior
from engine.visibility.options import FloodOptions, retail
from engine.visibility.records import FloodResult
from engine.visibility.view import full_screen
from engine.world.loader import open_world
from tests.visibility.helpers.eyes import awkward_eyes, eye_in, rooms_of, turned_at_random
from tests.visibility.helpers.floor_plans import random_plan
from tests.visibility.helpers.small_scenes import SmallScene, endless, eye_at

PLANS = 60


def lines_of(result: FloodResult) -> Iterator[str]:
    """The flood's whole result, down to the sign of a zero."""
    yield f"{result.rejected} {result.guards} {result.clips} {result.views} {result.drops} {result.fix_events}"
    for view in result.outside:
        yield f"out {[x.hex() for x in view.xs]} {[y.hex() for y in view.ys]}"
    for visible in result.cells:
        yield f"{visible} {visible.max_indist.hex()} {visible.found} {visible.parent_id} {visible.parent_portal}"
        for view in visible.views:
            yield f"{[x.hex() for x in view.xs]} {[y.hex() for y in view.ys]}"
        for record in visible.portals:
            yield f"{record} {record.side}"
            for piece in record.pieces:
                points = [(p.x.hex(), p.y.hex(), p.z.hex(), p.w.hex()) for p in piece.points]
                yield f"{piece.view_index} {piece.status} {points}"
    if result.punch is not None:
        yield f"punch {[(p.x.hex(), p.y.hex(), p.z.hex(), p.w.hex()) for p in result.punch.points]}"


def digest(results: Iterator[FloodResult]) -> str:
    told = hashlib.sha256()
    for result in results:
        told.update("\n".join(lines_of(result)).encode())
    return told.hexdigest()


def demo_rooms(options: FloodOptions) -> Iterator[FloodResult]:
    with open_world(ensure_demo()) as world:
        chance = random.Random(11)
        rooms = rooms_of(world)
        visibility = Visibility(world.graph, options)
        for cell in rooms:
            eye = eye_in(cell, chance)
            assert eye is not None
            for place in (eye, *awkward_eyes(cell, chance)):
                yield visibility.flood_interior(cell.id, turned_at_random(cell, place, chance))


def demo_buildings() -> Iterator[FloodResult]:
    with open_world(ensure_demo()) as world:
        chance = random.Random(12)
        visibility = Visibility(world.graph)
        for cell in rooms_of(world):
            eye = eye_in(cell, chance)
            assert eye is not None
            camera = turned_at_random(cell, (eye[0] + 12.0, eye[1], eye[2]), chance)
            block = world.landblock(cell.id)
            assert block is not None
            for building in block.buildings:
                for index in range(len(building.portals)):
                    yield visibility.flood_building(building, block.id, index, camera, full_screen(camera))


def plans() -> Iterator[FloodResult]:
    for seed in range(PLANS):
        plan = random_plan(seed, 640.0, 480.0, 240.0, exact=False)
        yield flood_interior(plan.graph, plan.root_id, plan.camera)


def nonsense() -> Iterator[FloodResult]:
    for heading in range(0, 360, 30):
        for options in (retail(), FloodOptions()):
            yield SmallScene(endless()).flood("A", eye_at(5.0, 5.0, 1.5, float(heading)), options)


def main() -> None:
    for name, results in (
        ("demo", demo_rooms(FloodOptions())),
        ("demo retail", demo_rooms(retail())),
        ("demo whole graph", demo_rooms(FloodOptions(ignore_stab_list=True, clip_landscape=False))),
        ("buildings", demo_buildings()),
        ("plans", plans()),
        ("nonsense", nonsense()),
    ):
        print(name, digest(results))


if __name__ == "__main__":
    main()
