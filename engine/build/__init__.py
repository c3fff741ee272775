"""Rooms and portals as a short description, made into real records with BSP trees; the demo world.

    world = WorldBuilder()
    hall = world.room("hall", rect(0, 0, 6, 4), height=3.0)
    study = world.room("study", rect(6.2, 0, 4, 4))
    world.door(hall, study)                                   # a doorway cell in the 0.2 m wall, and a door in it
    loaded = world.build().load()                             # through the writer and the reader

    land = world.landblock(0xC95B)                            # outdoors: ground, buildings, things
    roof = gable_roof(0, 0, 10, 8, eaves=3.0, ridge=6.0)
    house = land.building("house", (96, 96), heading=30, shell=[*walls(rect(0, 0, 10, 8), 0, 3, "brick"), roof.body])
    room = house.room("room", rect(0.4, 0.4, 9.2, 7.2), height=2.6)
    attic = house.room("attic", rect(0.4, 0.4, 9.2, 7.2), floor=2.8, height=4, slopes=roof.under())
    house.door(room, OUTDOORS, at=(5, 0))                     # cut into the shell as well: a building portal
    house.window(room, OUTDOORS, at=(0, 4))
    house.hatch(attic, room, rect(1, 1, 1, 3))
    room.put(table(), at=(3, 3), heading=45)

Rooms in `rooms`, openings in `openings`, what both belong to in `interiors`; the world in `world`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.build.entities import Entity
    from engine.build.errors import BuildError
    from engine.build.interiors import OUTDOORS, Interior
    from engine.build.landblocks import Landblock
    from engine.build.materials import Finish, Material, TextureImage
    from engine.build.models import Ball, Cylinder, Emitter, Light, Mesh, Model, Part, Pose
    from engine.build.region import BlendMask, GroundType, InTheSky, LightOfDay, RegionPlan, SkyPlan, Strewn
    from engine.build.rooms import Piece, Room
    from engine.build.shapes.faces import Face
    from engine.build.shapes.floor_plan import ngon, rect
    from engine.build.shapes.shells import gable_roof, walls
    from engine.build.shapes.solids import Slope
    from engine.build.shapes.wall_openings import WallOpening
    from engine.build.world import WorldBuilder

__all__ = [
    "OUTDOORS",
    "Ball",
    "BlendMask",
    "BuildError",
    "Cylinder",
    "Emitter",
    "Entity",
    "Face",
    "Finish",
    "GroundType",
    "InTheSky",
    "Interior",
    "Landblock",
    "Light",
    "LightOfDay",
    "Material",
    "Mesh",
    "Model",
    "Part",
    "Piece",
    "Pose",
    "RegionPlan",
    "Room",
    "SkyPlan",
    "Slope",
    "Strewn",
    "TextureImage",
    "WallOpening",
    "WorldBuilder",
    "gable_roof",
    "ngon",
    "rect",
    "walls",
]

_MODULES: Final = {
    "OUTDOORS": "interiors",
    "Ball": "models",
    "BlendMask": "region",
    "BuildError": "errors",
    "Cylinder": "models",
    "Emitter": "models",
    "Entity": "entities",
    "Face": "shapes.faces",
    "Finish": "materials",
    "GroundType": "region",
    "InTheSky": "region",
    "Interior": "interiors",
    "Landblock": "landblocks",
    "Light": "models",
    "LightOfDay": "region",
    "Material": "materials",
    "Mesh": "models",
    "Model": "models",
    "Part": "models",
    "Piece": "rooms",
    "Pose": "models",
    "RegionPlan": "region",
    "Room": "rooms",
    "SkyPlan": "region",
    "Slope": "shapes.solids",
    "Strewn": "region",
    "TextureImage": "materials",
    "WallOpening": "shapes.wall_openings",
    "WorldBuilder": "world",
    "gable_roof": "shapes.shells",
    "ngon": "shapes.floor_plan",
    "rect": "shapes.floor_plan",
    "walls": "shapes.shells",
}
"""Loaded when a name of theirs is first asked for: who only looks whether the demo world is there builds nothing."""


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
