"""Meshes, models and doors' motions as records (dat-format.md 3.5, 3.8, 3.10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.build.cells import StandingThing
from engine.build.errors import BuildError
from engine.build.models import Light, Mesh, Model, Part, Pose
from engine.build.records import particles as particle_records
from engine.build.records.bsp import count_leaves, drawing_record, physics_record
from engine.build.records.materials import PORTAL_SURFACE, MaterialRecords
from engine.build.records.meshes import MeshAssembler
from engine.build.records.numbering import PortalRecords
from engine.build.shapes.faces import Face, rounded
from engine.build.shapes.shells import Shell, ShellOpening
from engine.dat.records import (
    Animation,
    AnimationFrame,
    DatCylSphere,
    GfxObj,
    MotionAnim,
    MotionData,
    MotionTable,
    PlacementFrame,
    RecordFrame,
    Setup,
    Stab,
)
from engine.dat.records import Light as LightRecord
from engine.dat.records.mesh import HAS_DEGRADE, HAS_DRAWING, HAS_PHYSICS
from engine.dat.records.setup import HAS_PHYSICS_BSP, HAS_SCALES
from engine.geometry.compile.bound import enclosing_sphere
from engine.geometry.compile.drawing import compile_drawing
from engine.geometry.compile.physics import compile_physics
from engine.geometry.frame import Frame, combine
from engine.geometry.polygon import Polygon
from engine.geometry.quat import Quat, rotate
from engine.geometry.vec import Vec3, add, r24, r24v
from engine.world.names import NameKey

NON_COMBAT: Final = 0x8000003D
MOTION_ON: Final = 0x4000000B
MOTION_OFF: Final = 0x4000000C
"""Style and states of a door (dat-format.md 3.10, A.3)."""

FRAMES_PER_SECOND: Final = 30.0
DEFAULT_PLACEMENT: Final = 0


class ModelRecords:
    """Makes GfxObj and Setup records as they are first asked for; equal meshes and models share one record."""

    def __init__(self, records: PortalRecords, materials: MaterialRecords) -> None:
        self._records = records
        self._materials = materials
        self._meshes: dict[Mesh, int] = {}
        self._models: dict[Model, int] = {}

    def described(self) -> dict[NameKey, str]:
        """What the description calls the meshes and models made so far."""
        made: list[tuple[Mesh | Model, int]] = [*self._meshes.items(), *self._models.items()]
        return {NameKey.model(made_id): thing.name for thing, made_id in made}

    def model_id(self, model: Mesh | Model) -> int:
        """The id by which a static object names its model: a GfxObj or a Setup."""
        return self.mesh(model) if isinstance(model, Mesh) else self.model(model)

    def stab(self, thing: StandingThing, space: Frame | None = None) -> Stab:
        """A static object, its frame in the landblock's space (2.3, 2.4)."""
        return Stab(self.model_id(thing.model), placed(space or Frame(), thing.frame))

    def mesh(self, mesh: Mesh) -> int:
        """The GfxObj id of a mesh."""
        known = self._meshes.get(mesh)
        if known is None:
            known = self._records.next_id(0x01000000)
            self._meshes[mesh] = known
            record = self._gfxobj(known, mesh.name, mesh.faces, ())
            if mesh.billboard:
                record.flags |= HAS_DEGRADE
                record.degrade_id = particle_records.billboard(known, self._records)
            self._records.put(known, record)
        return known

    def shell(self, shell: Shell) -> tuple[int, int]:
        """The GfxObj id of a building's shell and the number of leaves of its drawing tree."""
        record_id = self._records.next_id(0x01000000)
        record = self._gfxobj(record_id, shell.name, shell.faces(), shell.openings)
        self._records.put(record_id, record)
        assert record.drawing_bsp is not None
        return record_id, count_leaves(record.drawing_bsp)

    def _gfxobj(self, record_id: int, name: str, faces: Sequence[Face], openings: Sequence[ShellOpening]) -> GfxObj:
        if not faces:
            raise BuildError(f"mesh {name!r}", "has no faces")
        surfaces: list[int] = []
        assembler = MeshAssembler(f"mesh {name!r}", self._materials.material, lambda m: self._number(m, surfaces))
        for face in faces:
            assembler.add(_exact(face))
        portals: list[tuple[Polygon, int]] = []
        for index, opening in enumerate(openings):
            portals.append((assembler.portal(opening.points, _listed(PORTAL_SURFACE, surfaces)), index))
        assembler.check()
        ways = [polygon for polygon, index in portals if not openings[index].solid]
        physics = compile_physics(assembler.solid, openings=ways, room=False) if assembler.solid else None
        drawing = compile_drawing(assembler.drawn, portals) if assembler.drawn or portals else None
        points = [vertex.position for vertex in assembler.vertices]
        return GfxObj(
            id=record_id,
            flags=(0 if physics is None else HAS_PHYSICS) | (0 if drawing is None else HAS_DRAWING),
            surfaces=surfaces,
            vertices=assembler.vertices,
            physics_polygons=assembler.physics,
            physics_bsp=None if physics is None else physics_record(physics.root),
            sort_center=r24v(enclosing_sphere(points).center),
            polygons=assembler.polygons,
            drawing_bsp=None if drawing is None else drawing_record(drawing),
        )

    def _number(self, material: str, surfaces: list[int]) -> int:
        return _listed(self._materials.surface(material), surfaces)

    def model(self, model: Model, motions: int = 0) -> int:
        """The Setup id of a model; `motions` is the motion table of one that does not open."""
        known = self._models.get(model)
        if known is None:
            parts = [self.mesh(part.mesh) for part in model.parts]
            table = self._motion_table(model) if model.opening else motions
            script = particle_records.script(model.emitters, self.mesh, self._records) if model.emitters else 0
            known = self._records.next_id(0x02000000)
            self._models[model] = known
            self._records.put(known, _setup(known, model, parts, table, script))
        return known

    def _motion_table(self, model: Model) -> int:
        """The door recipe of dat-format.md 3.10."""
        last = len(model.opening) - 1
        animation_id = self._records.next_id(0x03000000)
        frames = [AnimationFrame([_record_frame(pose) for pose in poses], []) for poses in model.opening]
        self._records.put(animation_id, Animation(animation_id, 0, len(model.parts), [], frames))
        closed, opened = (NON_COMBAT << 16) & 0xFFFFFFFF, (NON_COMBAT << 16) & 0xFFFFFFFF
        closed |= MOTION_OFF & 0xFFFFFF
        opened |= MOTION_ON & 0xFFFFFF

        def playing(low: int, high: int, speed: float) -> MotionData:
            return MotionData(0, 0, [MotionAnim(animation_id, low, high, speed)])

        table_id = self._records.next_id(0x09000000)
        table = MotionTable(
            id=table_id,
            default_style=NON_COMBAT,
            style_defaults={NON_COMBAT: MOTION_OFF},
            cycles={
                closed: playing(0, 0, FRAMES_PER_SECOND),
                opened: playing(last, last, FRAMES_PER_SECOND),
            },
            modifiers={},
            links={
                closed: {MOTION_ON: playing(0, -1, FRAMES_PER_SECOND)},
                opened: {MOTION_OFF: playing(0, -1, -FRAMES_PER_SECOND)},
            },
        )
        return self._records.put(table_id, table)


def _setup(record_id: int, model: Model, parts: list[int], motion_table: int, script: int) -> Setup:
    centre, radius = _bounds(model)
    scaled = any(part.scale != (1.0, 1.0, 1.0) for part in model.parts)
    return Setup(
        id=record_id,
        flags=(HAS_SCALES if scaled else 0) | (HAS_PHYSICS_BSP if model.has_physics else 0),
        parts=parts,
        parent_indices=None,
        default_scales=[r24v(part.scale) for part in model.parts] if scaled else None,
        holding_locations={},
        connection_points={},
        placement_frames=[PlacementFrame(DEFAULT_PLACEMENT, [_record_frame(part.pose) for part in model.parts], [])],
        cyl_spheres=[DatCylSphere(r24v(c.low), r24(c.radius), r24(c.height)) for c in model.cylinders],
        spheres=[(r24v(ball.centre), r24(ball.radius)) for ball in model.balls],
        height=r24(model.height or centre[2] + radius),
        radius=r24(model.radius or radius),
        step_up_height=r24(model.step_up),
        step_down_height=r24(model.step_down),
        sorting_sphere=(centre, radius),
        selection_sphere=(centre, radius),
        lights=[_light(light) for light in model.lights],
        default_script=script,
        default_motion_table=motion_table,
    )


def _bounds(model: Model) -> tuple[Vec3, float]:
    """A sphere around everything of the model at rest."""
    points = [corner for part in model.parts for corner in _part_corners(part)]
    for c in model.cylinders:
        around = [(dx, dy) for dx in (-c.radius, c.radius) for dy in (-c.radius, c.radius)]
        points += [add(c.low, (dx, dy, dz)) for dx, dy in around for dz in (0.0, c.height)]
    for ball in model.balls:
        across = (-ball.radius, ball.radius)
        points += [add(ball.centre, (dx, 0.0, dz)) for dx in across for dz in across]
    sphere = enclosing_sphere(points)
    return r24v(sphere.center), r24(sphere.radius)


def _part_corners(part: Part) -> list[Vec3]:
    sx, sy, sz = part.scale
    corners = []
    for face in part.mesh.faces:
        for x, y, z in face.points:
            corners.append(add(part.pose.origin, rotate(part.pose.rotation, (x * sx, y * sy, z * sz))))
    return corners


def _light(light: Light) -> LightRecord:
    return LightRecord(0, RecordFrame(r24v(light.origin)), light.colour, r24(light.intensity), r24(light.falloff), 0.0)


def _record_frame(pose: Pose) -> RecordFrame:
    return record_frame(pose.origin, pose.rotation)


def placed(space: Frame, frame: Frame) -> RecordFrame:
    """A frame given in a space that is itself placed by a frame."""
    whole = combine(space, frame)
    return record_frame(whole.origin, whole.rotation)


def record_frame(origin: Vec3, rotation: Quat) -> RecordFrame:
    """A placement in single precision; minus zeros become zeros."""
    w, x, y, z = rotation
    quat = (r24(w) + 0.0, r24(x) + 0.0, r24(y) + 0.0, r24(z) + 0.0)
    return RecordFrame(rounded([origin])[0], quat)


def _listed(record_id: int, surfaces: list[int]) -> int:
    """The place of a surface in a list, added when it is new."""
    if record_id not in surfaces:
        surfaces.append(record_id)
    return surfaces.index(record_id)


def _exact(face: Face) -> Face:
    points = rounded(face.points)
    return (
        face if points == face.points else Face(points, face.material, face.solid, face.drawn, face.fit, face.normals)
    )
