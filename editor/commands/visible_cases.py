"""Lists of eyes, looked with one after the other: `visible SOURCE --cases FILE --out OUT.json`.

A file of cases has the form of rendering.md 24.5, a list, or of 24.6, an object with `cases` and the house that
some of them look into. What a case expects is not read. Each answer has the fields `id`, `draw`, `views`, `outside`,
`max_indist`, `portals` and `guards`, and `apertures` where a case looks into buildings. A case that cannot be looked
at has them empty and says why in `error`; the others are answered all the same.
"""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path
from typing import Final

from editor.pictures.optics import FARTHEST, PictureSize, checked_pitch, names_of, root_of, screen_of
from editor.process.output_files import output_file
from editor.reports.visible_cells import NOTHING_SEEN, Data, aperture_name, flood_data, look_in_data
from editor.session.sources import DEMO, open_source
from engine.dat.atomic import write_whole
from engine.geometry.vec import Vec3
from engine.visibility.camera import Camera
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver
from engine.visibility.options import FloodOptions
from engine.visibility.store import CellManager
from engine.visibility.view import ScreenPoint, ViewPoly, full_screen, view_of
from engine.visibility.world_view import WorldView
from engine.world.cells.ids import is_env_cell, landblock_id
from engine.world.faults import WorldError
from engine.world.loader.json_form import JsonNode, read_json
from engine.world.loader.portal_scene import (
    BLOCK,
    SCENES_KEY,
    PortalScenes,
    PortalSceneSource,
    is_set,
    pixels_of,
    portal_scene_world,
    scene_building,
    viewport_of,
)
from engine.world.loader.source_kinds import DAT_SUFFIX
from engine.world.world import World

OUTDOOR: Final = "outdoor"
"""The root of a case whose eye is on the street of a scene."""

NO_VIEW: Final = "NO_VIEW"
"""Why a house is not looked into when nothing of the outdoors is in view."""


def run_cases(source: str, scene: str | None, cases: str, out: str, options: FloodOptions, screen: PictureSize) -> None:
    """Answer every case of a file, in order. If some cannot be answered, the reason of the first is raised after all
    answers are written."""
    target = output_file(out, (source, cases))
    eyes = Eyes(source, scene, options, screen)
    read = CaseFile(read_json(Path(cases)))
    answers: list[Data] = []
    failures: list[WorldError] = []
    for case in read.cases:
        try:
            answers.append(eyes.answer(case, read))
        except WorldError as error:
            failures.append(error)
            answers.append({"id": _id_to_show(case), **NOTHING_SEEN, "error": str(error)})
    text = json.dumps(answers, indent=1, allow_nan=False) + "\n"
    write_whole(target, text.encode())
    if failures:
        first = failures[0]
        others = f" (and {len(failures) - 1} more of {len(answers)} cases)" if len(failures) > 1 else ""
        raise WorldError(f"{first.reason}{others}", first.file, first.key)


class CaseFile:
    """The cases, and what they share: a scene, and the portals of the house around it."""

    def __init__(self, root: JsonNode) -> None:
        self.scene: str | None = None
        self.portals: JsonNode | None = None
        if isinstance(root.value, dict):
            named = root.optional("scene")
            self.scene = None if named is None else named.text()
            self.portals = root.optional("building_portals")
            self.cases = list(root.field("cases").items())
        else:
            self.cases = list(root.items())


class OpenedWorld:
    """An opened world with what looks into it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.names = names_of(world)
        self.visibility = Visibility(world.graph)
        self.view = WorldView(world)
        self.driver = FrameDriver(self.view, self.visibility)
        self.manager = CellManager(world.graph)

    def stand(self, root_id: int, eye: Vec3) -> None:
        """Be in a cell, with what the client would have loaded there: what other eyes had around them is left out."""
        self.manager.change_position(root_id, eye)
        around = {landblock_id(root_id), *self.manager.landscape.block_ids}
        for block_id in self.world.graph.landblocks():
            self.view.withhold(block_id, block_id not in around)


class Eyes:
    """Looks with one eye after the other; worlds stay open, as scenes by their names and how far they are moved."""

    def __init__(self, source: str, scene: str | None, options: FloodOptions, screen: PictureSize) -> None:
        self.source = source
        self.scene = scene
        self.options = options
        self.screen = screen
        self.scenes = _scenes_of(source)
        self._places: dict[tuple[str | None, float], OpenedWorld] = {}
        if self.scenes is None:
            self._places[None, 0.0] = OpenedWorld(open_source(source))

    def answer(self, case: JsonNode, file: CaseFile) -> Data:
        case_id, named = _id_of(case), case.optional("scene")
        scene = (file.scene if named is None else named.text()) or self.scene
        try:
            place = self.place(case, scene)
        except WorldError as error:
            raise (case if named is None else named).error(str(error)) from error
        root, eye = case.field("root").text(), _eye_of(case)
        screen = _screen_of(case).or_else(self.screen).or_else(screen_of(place.world))
        on_street = root == OUTDOOR and isinstance(place.world.source, PortalSceneSource)
        root_id = BLOCK if on_street else _root_of(place.world, case, root, eye)
        camera = screen.camera(root_id, eye, _degrees(case, "heading"), _pitch(case))
        answer: Data = {"id": case_id, **NOTHING_SEEN}
        views = [full_screen(camera)]
        place.stand(root_id, eye)
        if is_env_cell(root_id):
            flood = place.visibility.flood_interior(root_id, camera)
            answer |= flood_data(flood, place.names)
            views = flood.outside
        if views and not isinstance(place.world.source, PortalSceneSource):
            answer["apertures"] = _looks_over_land(place, root_id, camera)
        portals = case.optional("building_portals") or file.portals
        if portals is not None:
            answer["apertures"] = self._looks_at_house(case, portals, scene, camera, _views_of(case, views))
        return answer

    def place(self, case: JsonNode, scene: str | None, shift: float = 0.0) -> OpenedWorld:
        """The world of a case's scene, its rooms `shift` metres farther north, with the options of the case."""
        if self.scenes is None:
            if scene is not None:
                raise WorldError(f"holds no scenes to choose {scene!r} from", self.source)
            known = self._places[None, 0.0]
        else:
            known = self._place_of(self.scenes, self.scenes.name_of(scene), shift)
        known.visibility.options = _options_of(case, self.options)
        return known

    def _place_of(self, scenes: PortalScenes, scene: str, shift: float) -> OpenedWorld:
        known = self._places.get((scene, shift))
        if known is None:
            world = portal_scene_world(scenes.source(scene, (0.0, shift, 0.0)))
            known = self._places[scene, shift] = OpenedWorld(world)
        return known

    def _looks_at_house(
        self, case: JsonNode, portals: JsonNode, scene: str | None, camera: Camera, views: list[ViewPoly]
    ) -> list[Data]:
        """The house of the file through each of its portals, under each of the views of the landscape."""
        moved = case.optional("building_shift_y")
        shift = 0.0 if moved is None else _metres(moved)
        place = self.place(case, scene, shift)
        source = place.world.source
        if not isinstance(source, PortalSceneSource):
            raise portals.error("is for portal scenes")
        building, names = scene_building(source, portals, (0.0, shift, 0.0))
        looks: list[Data] = []
        for index, name in enumerate(names):
            if not views:
                looks.append({"aperture": name, "rejected": True, "reason": NO_VIEW})
            for number, view in enumerate(views):
                look = place.visibility.flood_building(building, BLOCK, index, camera, view, number)
                looks.append(look_in_data(look, name, place.names))
        return looks


def _looks_over_land(place: OpenedWorld, root_id: int, camera: Camera) -> list[Data]:
    """Through the portals of the buildings, from outdoors or out of a room."""
    frame = place.driver.frame_events(camera, root_id)
    return [look_in_data(look, aperture_name(look), place.names) for look in [*frame.look_ins, *frame.rejected]]


def _scenes_of(source: str) -> PortalScenes | None:
    """The scenes of a file of them; None for any other source."""
    path = Path(source)
    if source == DEMO or path.suffix.lower() == DAT_SUFFIX or not path.is_file():
        return None
    root = read_json(path)
    return PortalScenes(root) if root.has(SCENES_KEY) else None


# --- the fields of a case


def _id_of(case: JsonNode) -> object:
    """The name of a case: any value that the answers can repeat."""
    node = case.field("id")
    try:
        json.dumps(node.value, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise node.error("cannot be told again: it holds a number that JSON has not, or too many lists") from error
    return node.value


def _id_to_show(case: JsonNode) -> object:
    """The name of a case that cannot be answered, if the answers can repeat it."""
    try:
        return _id_of(case)
    except WorldError:
        return None


def _root_of(world: World, case: JsonNode, root: str, eye: Vec3) -> int:
    try:
        return root_of(world, root, eye)
    except WorldError as error:
        raise case.field("root").error(str(error)) from error


def _options_of(case: JsonNode, options: FloodOptions) -> FloodOptions:
    """The options of a case. D3 and D4 of 24.5 ask for the client's mode."""
    robust, containment = case.optional("robust"), case.optional("containment")
    return FloodOptions(
        robust=options.robust if robust is None else is_set(robust),
        containment=options.containment if containment is None else is_set(containment),
        ignore_stab_list=options.ignore_stab_list,
        clip_landscape=options.clip_landscape,
    )


def _screen_of(case: JsonNode) -> PictureSize:
    viewport, focal = case.optional("viewport"), case.optional("focal")
    return PictureSize(None if viewport is None else viewport_of(viewport), None if focal is None else pixels_of(focal))


def _eye_of(case: JsonNode) -> Vec3:
    x, y, z = case.field("eye").exactly(3)
    return (_metres(x), _metres(y), _metres(z))


def _metres(node: JsonNode) -> float:
    value = node.double()
    if not abs(value) <= FARTHEST:
        raise node.error("is nowhere")
    return value


def _degrees(case: JsonNode, name: str) -> float:
    node = case.optional(name)
    value = 0.0 if node is None else node.double()
    if node is not None and not isfinite(value):
        raise node.error("is not an angle")
    return value


def _pitch(case: JsonNode) -> float:
    try:
        return checked_pitch(_degrees(case, "pitch"))
    except WorldError as error:
        raise case.field("pitch").error(error.reason) from error


def _views_of(case: JsonNode, views: list[ViewPoly]) -> list[ViewPoly]:
    """The views of the landscape that a case gives, else those that the flood from its root has found."""
    given = case.optional("outside_view")
    if given is None:
        return views
    found: list[ViewPoly] = []
    for outline in given.items():
        points = [corner.exactly(2) for corner in outline.items()]
        view = view_of([ScreenPoint(x.double(), y.double(), 0.0, 1.0) for x, y in points])
        if view is None:
            raise outline.error("is not a view: it has less than three corners, or is a sliver")
        found.append(view)
    return found
