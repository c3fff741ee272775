"""Models and static things (physics.md 8.3, dat-format.md 3.5.2)."""

from __future__ import annotations

from engine.geometry.box import Box
from engine.geometry.bsp import PhysicsLeaf, PhysicsTree
from engine.geometry.frame import Frame
from engine.geometry.sphere import Sphere
from engine.world.cells.objects import (
    DEFAULT_PLACEMENT,
    RESTING,
    GfxObj,
    Setup,
    SetupPart,
    StaticObject,
    is_setup_id,
    static_object_id,
)


def mesh(solid: bool) -> GfxObj:
    bound = Sphere((0.0, 0.0, 0.0), 1.0)
    tree = PhysicsTree(PhysicsLeaf(0, False, bound, []), []) if solid else None
    box = Box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    return GfxObj(0x01000001, {}, {}, tree, None, bound, None, box, (0.0, 0.0, 0.0), [], 0, None)


def model(placements: dict[int, list[Frame]], *parts: GfxObj | None) -> Setup:
    bound = Sphere((0.0, 0.0, 0.0), 1.0)
    made = [SetupPart(0x01000001, part, (1.0, 1.0, 1.0)) for part in parts]
    return Setup(0x02000001, made, placements, [], [], bound, bound)


def at(x: float) -> Frame:
    return Frame((x, 0.0, 0.0))


def test_a_part_rests_where_the_resting_placement_puts_it() -> None:
    setup = model({3: [at(3.0)], DEFAULT_PLACEMENT: [at(1.0)], RESTING: [at(2.0)]})
    assert setup.part_frame(0).origin[0] == 2.0


def test_without_a_resting_placement_the_default_one_counts() -> None:
    assert model({3: [at(3.0)], DEFAULT_PLACEMENT: [at(1.0)]}).part_frame(0).origin[0] == 1.0


def test_without_either_a_part_is_at_the_origin_of_its_object() -> None:
    setup = model({7: [at(7.0)], 3: [at(3.0)]})
    assert setup.part_frame(0).origin == (0.0, 0.0, 0.0)


def test_a_part_beyond_the_placement_is_at_the_origin() -> None:
    setup = model({RESTING: [at(2.0)]})
    assert setup.part_frame(1).origin == (0.0, 0.0, 0.0)
    assert model({}).part_frame(0).origin == (0.0, 0.0, 0.0)


def test_a_model_has_physics_when_one_of_its_parts_has_a_tree() -> None:
    assert not model({}, mesh(False), None).has_physics_bsp()
    assert model({}, mesh(False), None, mesh(True)).has_physics_bsp()


def test_static_things_have_their_own_ids() -> None:
    ids = {static_object_id(owner, index) for owner in (0xC95B0104, 0xC95B0105, 0xC95BFFFE) for index in range(50)}
    assert len(ids) == 150
    assert min(ids) > 0xFFFFFFFF
    assert static_object_id(0xC95B0104, 7) == static_object_id(0xC95B0104, 7)


def test_an_id_distinguishes_setups_from_meshes() -> None:
    assert is_setup_id(0x020019FF)
    assert not is_setup_id(0x010044B5)


def test_models_show_their_id() -> None:
    assert repr(mesh(True)) == "GfxObj(0x01000001)"
    assert repr(model({})) == "Setup(0x02000001)"
    assert repr(StaticObject(1, 0x02000001, at(2.0))) == "StaticObject(0x02000001 at (2.0, 0.0, 0.0))"
