"""How a recording knows its world: by what stands in records. An earlier form is compared where that can be done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.build.demo import ensure_demo
from engine.geometry.vec import r24
from engine.sim.errors import SimError
from engine.sim.playback import check_world
from engine.sim.recording import Recording
from engine.sim.walks.same_world import SameWorld
from engine.sim.world_identity import NOTHING, RECORDS, KnownParts, compare_world, differing_parts, world_identity
from engine.world.loader import open_world
from engine.world.scenery import SceneObject
from engine.world.world import World
from tests.sim.helpers.small_worlds import built, house, two_rooms

VILLAGE = "0xC95BFFFF"
BLOCK = 0xC95BFFFF


@pytest.fixture
def demo() -> Iterator[World]:
    with open_world(str(ensure_demo())) as world:
        yield world


def earlier(world: World, *blocks: str) -> dict[str, str]:
    """The identity in the form that recordings had before."""
    return KnownParts(world).now(dict.fromkeys([*blocks, "entities", "player"], "0" * 32))


def recording_of(identity: dict[str, str]) -> Recording:
    recording = Recording(0, bytes(16), 1, "demo", "demo")
    recording.identity = identity
    return recording


def turned(world: World, max_rotation: float) -> None:
    """Let the record of every scene say something else."""
    source = world.source
    of_record = source.scene_objects

    def scene_objects(scene_id: int) -> list[SceneObject]:
        return [replace(kind, max_rotation=max_rotation) for kind in of_record(scene_id) or ()]

    source.scene_objects = scene_objects  # type: ignore[method-assign]


def test_every_part_is_known_by_its_records(demo: World) -> None:
    identity = world_identity(demo, [BLOCK])
    assert list(identity) == [VILLAGE, "entities", "player"]
    assert all(digest.startswith(RECORDS) for digest in identity.values())
    assert differing_parts(demo, identity) == []


def test_what_a_scene_says_of_its_kinds_counts(demo: World) -> None:
    identity = world_identity(demo, [BLOCK])
    turned(demo, 17.0)
    assert differing_parts(demo, identity) == [VILLAGE]


def test_where_a_plant_came_to_stand_by_sines_does_not_count(demo: World) -> None:
    """The identity is the same where the places differ in their last bits, as those of another C library did."""
    identity, before = world_identity(demo, [BLOCK]), earlier(demo, VILLAGE)
    block = demo.source.load_landblock(BLOCK)
    assert block is not None
    for number, plant in enumerate(block.scenery):
        w, x, y, z = plant.frame.rotation
        frame = plant.frame.with_rotation((w * (1.0 + 2.0**-52), x, y, z))
        block.scenery[number] = replace(plant, frame=frame, scale=plant.scale * (1.0 + 2.0**-52))
    assert len(block.scenery) > 10
    demo.source.load_landblock = lambda block_id: block  # type: ignore[method-assign]
    assert differing_parts(demo, identity) == []
    assert earlier(demo, VILLAGE)[VILLAGE] != before[VILLAGE]


def test_a_place_beside_the_singles_counts(demo: World) -> None:
    """Worlds of descriptions may have numbers that no data file can hold; they are not taken for the nearest one."""
    world = built(two_rooms).load()
    spec = world.entities[0]
    assert r24(spec.scale) == spec.scale
    identity = world_identity(world, [])
    world.entities[0] = replace(spec, scale=spec.scale * (1.0 + 2.0**-40))
    assert differing_parts(world, identity) == ["entities"]


# --- recordings of earlier versions


def test_the_earlier_form_is_compared_in_its_own_form(demo: World) -> None:
    identity = earlier(demo, VILLAGE)
    assert not any(digest.startswith(RECORDS) for digest in identity.values())
    assert compare_world(demo, identity).untold == compare_world(demo, identity).differing == []
    assert check_world(demo, recording_of(identity)) == ""


def test_of_scenery_that_differs_an_earlier_recording_cannot_tell(demo: World) -> None:
    recording = recording_of({**earlier(demo, VILLAGE), VILLAGE: "0" * 32})
    said = check_world(demo, recording)
    assert said.startswith("It was recorded by an earlier version, by which it cannot be told whether 0xC95BFFFF")
    assert SameWorld(demo).differing(recording) == []


def test_without_scenery_an_earlier_recording_still_refuses() -> None:
    world = built(house).load()
    with pytest.raises(SimError, match="0xC95BFFFF differ"):
        check_world(world, recording_of({**earlier(world, VILLAGE), VILLAGE: "0" * 32}))


def test_other_entities_are_told_by_an_earlier_recording(demo: World) -> None:
    with pytest.raises(SimError, match="entities differ"):
        check_world(demo, recording_of({**earlier(demo, VILLAGE), "entities": "0" * 32}))


def test_a_landblock_that_was_not_there_is_nothing_in_both_forms(demo: World) -> None:
    missing = "0x0101FFFF"
    assert earlier(demo, missing)[missing] == world_identity(demo, [0x0101FFFF])[missing] == NOTHING
    assert differing_parts(demo, {missing: NOTHING}) == []
    assert differing_parts(demo, {VILLAGE: NOTHING}) == [VILLAGE]
