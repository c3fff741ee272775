"""The 3D view without its widget: cameras, overlays, picking, and the shared selection (ARCHITECTURE.md, "How it
flows"; rendering.md 21-23).

After `changed` the widget takes a picture in three parts: `prepare` updates scene, camera and streaming, `see` makes
the picture and changes nothing, `publish` passes it on to docks that list what is in view.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from editor.document.clock import Clock
from editor.document.document import Document
from editor.models.sweep.watch import StepSelection, SweepWatch
from editor.project.eye import Eye
from editor.session.session import ENGINE_ERRORS, Kind
from editor.view3d.cause_mark import CauseMark, cause_overlay, focus_of_link
from editor.view3d.client_body import ClientBody
from editor.view3d.cut_handle import CutHandle
from editor.view3d.dollhouse import DollhouseModel
from editor.view3d.framing import focus_of_substep
from editor.view3d.ghost import Ghost
from editor.view3d.manipulation import Manipulation
from editor.view3d.outlines import hit_outline, selection_outline, substep_outline
from editor.view3d.picked_selection import cell_selection_of, selection_of, words_of
from editor.view3d.placing import Placing
from editor.view3d.reach_floors import ReachFloors
from editor.view3d.second_body import SecondBody
from editor.view3d.streaming import LandblockStreaming
from editor.view3d.view_camera import ViewCamera
from engine.geometry.vec import distance
from engine.render.buffers import Buffer
from engine.render.dollhouse.look import Dollhouse
from engine.render.dollhouse.picking import DollhousePicker
from engine.render.overlays.catalogue import Overlay, Subject, draw_overlays
from engine.render.overlays.geometry import OverlayGeometry
from engine.render.overlays.ghost import Walked
from engine.render.overlays.outside import FROZEN_EYE
from engine.render.picking.hits import Hit, PickMode
from engine.render.picking.pick import Picker
from engine.render.presets import NO_PRESETS, Presets
from engine.render.scene import Scene
from engine.render.viewer.player_pose import pose_of
from engine.render.viewer.viewer import View, Viewer
from engine.sim.edits.world import SetTimeOfDay
from engine.sim.tick.simulation import NOON, Simulation
from engine.sim.trace.tree import TraceNode
from engine.visibility.camera import Camera
from engine.visibility.frame import FrameResult
from engine.visibility.root import PINNED
from engine.world.cells.ids import block_of
from engine.world.graph.graph import NO_CELL

MINUTES: Final = 24 * 60

ALL_STEPS: Final = 1 << 30
"""More events than any frame has."""

SEEN_THROUGH: Final = (0.8, 2.4)
"""Distances of the eye from the player's head, in metres, between which the player fades."""
LEAST_SEEN: Final = 0.2


@dataclass(frozen=True)
class Picture:
    """A frame to be drawn, and all its overlays."""

    frame: FrameResult
    overlays: OverlayGeometry
    message: str
    onlooker: Camera | None = None
    """The camera that looks at a frozen frame, or at a dollhouse, from outside."""
    dollhouse: Dollhouse | None = None
    """It is drawn in place of the frame."""

    @property
    def camera(self) -> Camera:
        """The camera that the image was rendered with."""
        return self.onlooker or self.frame.camera


PLAYERS_EYE: Final = "the player's eye"
LEFT_EYE: Final = "the eye"

OFFER: Final = "click selects, right click offers more"
"""The overlay of what the mouse would do at its position."""


class View3D(QObject):
    """One view into the document's world. All pixels are those of the last picture."""

    changed = Signal()
    """The picture is out of date."""
    switched = Signal()
    """The user chose another camera, root, fidelity, overlay or time of day."""
    seen = Signal()
    """There is a new `last`."""
    hinted = Signal(str)
    """A sentence about the thing under the mouse."""
    door_asked = Signal(int)
    """The user asks who may pass this door."""

    def __init__(self, document: Document, clock: Clock, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.clock = clock
        self.session = document.session
        self.dollhouse = DollhouseModel(document, self)
        self.cut_handle = CutHandle(self.dollhouse, self)
        self.camera = ViewCamera(document, self.dollhouse, self.pick, self)
        self.dollhouse.changed.connect(self._chosen_anew)
        self.cut_handle.changed.connect(self.changed)
        self.camera.changed.connect(self.changed)
        self.camera.switched.connect(self.switched)
        self.exact = True
        self.overlays: list[Overlay] = []
        self.picked: Hit | None = None
        self.hover: Hit | None = None
        self.sweeps: list[TraceNode] = []
        self.substep: StepSelection | None = None
        """The step of a sweep that is shown."""
        self.cause: CauseMark | None = None
        """The link of a why chain that is shown."""
        self.last: Picture | None = None
        self.steps: int | None = None
        """The number of events after which frames end; None draws them to their end."""
        self.buffer = Buffer.COLOUR
        self.brighter = False
        """More ambient light than the client has."""
        self.plain_colours = False
        """Surfaces of one colour are drawn in rooms and buildings too, where the client leaves them out."""
        self.levels_of_detail = False
        """Distant objects are drawn with the simpler meshes of their models."""
        self.presets = NO_PRESETS
        """The client's presets that are switched on."""
        self.terrain_detail = False
        """Distant landblocks are drawn with fewer terrain squares and without objects."""
        self.viewer_light = True
        """The player carries the light of the client's viewer."""
        self._picker: Picker | None = None
        self._dollhouse_picker: DollhousePicker | None = None
        self.problem = ""
        """Why nothing can be shown, as a sentence."""
        self._watch = SweepWatch(document, self)
        self._picking = False
        self.manipulation = Manipulation(document, self._shown_camera, self)
        self.placing = Placing(self)
        self.ghost = Ghost(self)
        self.ghost.changed.connect(self.changed)
        self.client = ClientBody(self)
        self.client.changed.connect(self.changed)
        self.second = SecondBody(document, self)
        self.second.changed.connect(self.changed)
        self.reach = ReachFloors(self)
        self.reach.changed.connect(self.changed)
        self.manipulation.changed.connect(self.changed)
        self.manipulation.hinted.connect(self.hinted)
        self.placing.changed.connect(self.changed)
        self._light = (NOON, "")
        self.streaming = LandblockStreaming(self)
        self.streaming.shown.connect(self.changed)
        document.started.connect(self._on_started)
        document.changed.connect(self._on_document_changed)
        self.session.selection_changed.connect(self._on_selection)
        self.session.hover_changed.connect(self.changed)
        self.session.landblock_changed.connect(self._on_landblock)

    # --- the world

    @property
    def viewer(self) -> Viewer | None:
        return self.camera.viewer

    @property
    def scene(self) -> Scene | None:
        return self.camera.scene

    @property
    def sim(self) -> Simulation | None:
        return self.document.simulation

    @Slot()
    def _on_started(self) -> None:
        """Show a newly opened world from behind the player, or all of it when the player has no position."""
        self._forget()
        sim = self.sim
        if sim is not None:
            try:
                self._begin(sim)
            except ENGINE_ERRORS as error:
                self._forget()
                self.problem = f"This world cannot be shown: {error}"
        self.switched.emit()
        self.changed.emit()

    def _begin(self, sim: Simulation) -> None:
        scene = self.session.take_scene() or Scene(sim.world, sim)
        self._picker = Picker(scene)
        self._dollhouse_picker = DollhousePicker(scene, sim.world.graph)
        graph = sim.graph
        viewer = Viewer(sim.world, lambda: self.client.pose(graph) or pose_of(sim), sim.rules, patient=True)
        self.camera.begin(viewer, scene)
        self.streaming.begin(viewer.arrivals)
        if sim.player.steered.cell is None:
            self.camera.look_at_block()
            return
        self.camera.stand_behind_player()
        project = self.session.project
        eye = None if project is None else project.project.eye
        if eye is not None and viewer.graph.get_visible(eye.cell_id) is not None:
            viewer.free.place(eye.cell_id, eye.at, eye.heading, eye.pitch)

    def eye(self) -> Eye | None:
        """Where the free camera is, in a dollhouse where it was before; None while the camera follows the player, who
        is kept himself."""
        return self.camera.eye_inside()

    def _forget(self) -> None:
        self.streaming.end()
        scene = self.scene
        self.camera.end()
        if scene is not None:
            scene.close()
        self._picker, self._dollhouse_picker, self.last = None, None, None
        self.cut_handle.hide()
        self.picked = self.hover = None
        self.sweeps = []
        self.substep = self.cause = None
        self.ghost.stop()
        self.client.hide()
        self.problem = ""

    @Slot()
    def _on_document_changed(self) -> None:
        """Update after each tick, edit, undo and redo. The last sweep that ran is kept: a body at rest makes none."""
        if self._watch.sweeps:
            self.sweeps = self._watch.sweeps
        if self.substep is not None and self.sim is not None and self.sim.tick_number != self.substep.tick + 1:
            self.substep = None
        if self.cause is not None and self.sim is not None and self.sim.tick_number != self.cause.tick:
            self.cause = None
        self._follow_light()
        self.changed.emit()

    def _follow_light(self) -> None:
        """The view's controls show the time of day too, and whether it can be changed."""
        light = (self.time_of_day, self.document.why_not_edit)
        if light != self._light:
            self._light = light
            self.switched.emit()

    @Slot()
    def _on_selection(self) -> None:
        if not self._picking:
            self.picked = None
        self.changed.emit()

    @Slot()
    def _on_landblock(self) -> None:
        """Go to the newly selected landblock, unless the camera is in it already."""
        viewer, block_id = self.viewer, self.session.landblock_id
        if viewer is None or block_id is None or self.camera.follows_player:
            return
        if block_of(viewer.rig.cell_id) != block_of(block_id):
            self.camera.look_at_block()

    # --- choices

    def set_exact(self, exact: bool) -> None:
        if exact != self.exact:
            self.exact = exact
            self.switched.emit()
            self.changed.emit()

    def set_root_mode(self, mode: str | None) -> None:
        """Set the root mode of the flood; None for the camera's default. Pinned keeps the present root."""
        viewer = self.viewer
        if viewer is None or viewer.root_mode == mode:
            return
        if mode == PINNED:
            viewer.pin(self._root_id() or viewer.rig.cell_id)
        else:
            viewer.root_mode = mode
        self.switched.emit()
        self.changed.emit()

    def pin(self, cell_id: int) -> None:
        """Root all frames at one cell."""
        if self.viewer is not None:
            self.viewer.pin(cell_id)
            self.switched.emit()
            self.changed.emit()

    def _root_id(self) -> int:
        return NO_CELL if self.last is None else self.last.frame.root_id

    def show_overlay(self, overlay: Overlay, shown: bool) -> None:
        if (overlay in self.overlays) == shown:
            return
        if shown:
            self.overlays = [known for known in Overlay if known in self.overlays or known is overlay]
        else:
            self.overlays.remove(overlay)
        if overlay is Overlay.CONTACT:
            self.sweeps = []
            self._watch.look(shown)
        self.switched.emit()
        self.changed.emit()

    @Slot(object)
    def show_substep(self, chosen: StepSelection | None) -> None:
        """Show a step of the last sweep until the next tick; None hides it."""
        if chosen is not self.substep:
            self.substep = chosen
            self.changed.emit()

    @Slot(object)
    def show_cause(self, cause: CauseMark | None) -> None:
        """Show a link of a why chain while its tick is shown, in view unless the camera follows the player."""
        self.cause = cause
        self.changed.emit()
        if not self.camera.follows_player:
            self.frame_cause()

    @Slot()
    def frame_cause(self) -> None:
        """Look at the place of the shown link."""
        sim = self.sim
        focus = None if self.cause is None or sim is None else focus_of_link(self.cause.link, sim)
        if focus is not None:
            self.camera.focus_on(focus)
        elif self.cause is not None:
            self.camera.frame_selection()

    @Slot(object)
    def show_walk(self, walk: Walked | None) -> None:
        """Let a ghost walk it, framed by the camera; None ends a walk."""
        if walk is None:
            self.ghost.stop()
        elif self.sim is not None:
            self.camera.focus_on(self.ghost.start(walk))

    @Slot(bool)
    def follow_client(self, followed: bool) -> None:
        """Put the camera behind the client that is followed, or leave it where it is then."""
        self.client.leads = followed
        if self.viewer is not None:
            self.viewer.chase.settle()
        self.camera.look_through(View.CHASE if followed else View.FREE)
        self._chosen_anew()

    @Slot()
    def frame_substep(self) -> None:
        """Look at the body in the shown step."""
        chosen, sim = self.substep, self.sim
        if chosen is not None and sim is not None:
            focus = focus_of_substep(chosen, sim.graph, sim.player.steered.spheres)
            if focus is not None:
                self.camera.focus_on(focus)

    def show_buffer(self, buffer: Buffer) -> None:
        """Show the contents of the depth or stencil buffer after a frame instead of its colours."""
        if buffer is not self.buffer:
            self.buffer = buffer
            self._chosen_anew()

    def set_brighter(self, brighter: bool) -> None:
        self.brighter = brighter
        self._chosen_anew()

    def set_plain_colours(self, shown: bool) -> None:
        self.plain_colours = shown
        self._chosen_anew()

    def set_levels_of_detail(self, used: bool) -> None:
        self.levels_of_detail = used
        self._chosen_anew()

    def set_presets(self, presets: Presets) -> None:
        self.presets = presets
        self._chosen_anew()

    def set_terrain_detail(self, used: bool) -> None:
        self.terrain_detail = used
        self._chosen_anew()

    def set_viewer_light(self, lit: bool) -> None:
        self.viewer_light = lit
        self._chosen_anew()

    def _chosen_anew(self) -> None:
        self.switched.emit()
        self.changed.emit()

    def set_steps(self, steps: int | None) -> None:
        if steps != self.steps:
            self.steps = steps
            self.switched.emit()
            self.changed.emit()

    @property
    def is_frozen(self) -> bool:
        return self.viewer is not None and self.viewer.frozen is not None

    def freeze(self, frozen: bool) -> None:
        """Freeze the present frame and fly around in it, or return to the camera."""
        viewer = self.viewer
        if viewer is None or frozen == self.is_frozen:
            return
        if frozen:
            viewer.freeze(*self.camera.size, self.exact)
        else:
            viewer.thaw()
        self.switched.emit()
        self.changed.emit()

    @property
    def time_of_day(self) -> float:
        """The time of day, 0 to 1 from midnight to midnight."""
        return NOON if self.sim is None else self.sim.time_of_day

    def set_time_of_day(self, time: float) -> None:
        """Set the time of day, which is no undo step."""
        minutes = round(time * MINUTES) % MINUTES
        name = f"Set the Time of Day to {minutes // 60:02}:{minutes % 60:02}"
        self.document.set_light(name, SetTimeOfDay(time % 1.0))

    # --- the picture

    def prepare(self, width: float, height: float, ratio: float = 1.0) -> None:
        """Update everything that a picture depends on: the scene, the cameras' sizes, the landblocks around the eye and
        the root cell. `ratio` of the picture's pixels make one pixel of the window."""
        viewer, scene = self.viewer, self.scene
        if viewer is None or scene is None:
            return
        self.camera.size = (width, height)
        self.manipulation.ratio = ratio
        scene.player_alpha = 1.0 if self.client.leads else _player_alpha(viewer)
        scene.viewer_lit = self.viewer_light
        viewer.terrain_detail = self.terrain_detail
        scene.update()
        viewer.prepare(width, height)
        if self.dollhouse.is_on:
            viewer.look_from_player()

    def see(self) -> Picture | None:
        """The picture of the state that `prepare` left; None while no world is open. It changes nothing: a second call
        returns the same picture."""
        viewer, scene = self.viewer, self.scene
        if viewer is None or scene is None:
            return None
        width, height = self.camera.size
        ratio = self.manipulation.ratio
        if self.dollhouse.is_on:
            frame = viewer.see_from_player(width, height, self.exact)
            onlooker: Camera | None = viewer.rig.camera(width, height)
        else:
            frame = viewer.see(width, height, self.exact)
            onlooker = viewer.onlooker(width, height)
        house = self.dollhouse.house(frame, viewer.player().cell_id)
        overlays = self.reach.overlay(onlooker or frame.camera)
        overlays.add(draw_overlays(self.overlays, self._subject(viewer, frame)))
        overlays.add(self._outlines(scene))
        if self.substep is not None and self.sim is not None:
            overlays.add(substep_outline(self.substep, self.sim))
        if self.cause is not None and self.sim is not None:
            overlays.add(cause_overlay(self.cause.link, self.sim))
        overlays.add(self.ghost.overlay())
        overlays.add(self.client.overlay(onlooker or frame.camera))
        overlays.add(self.second.overlay(onlooker or frame.camera))
        overlays.add(self.placing.overlay())
        overlays.fit_to_pixels(ratio)
        if not self.placing.is_on:
            overlays.add(self.manipulation.overlay(onlooker or frame.camera))
        if house is None or onlooker is None:
            self.cut_handle.hide()
        else:
            overlays.add(self.cut_handle.show(self.dollhouse.bounds(scene), onlooker, ratio))
        return Picture(frame, overlays, "" if house is not None else frame.message, onlooker, house)

    def publish(self, picture: Picture | None) -> None:
        """Make the picture the current one: continue loading what it lacked, and notify docks that list its
        contents."""
        self.last = picture
        if picture is not None:
            self.streaming.go_on()
            self.seen.emit()

    def _shown_camera(self) -> Camera | None:
        return None if self.last is None else self.last.camera

    def _subject(self, viewer: Viewer, frame: FrameResult) -> Subject:
        selection, sim = self.session.selection, self.sim
        chosen = selection.key if selection is not None and selection.kind is Kind.CELL else NO_CELL
        spheres = [] if sim is None else sim.player.steered.spheres
        floods, from_outside = frame.floods(), self.is_frozen or self.dollhouse.is_on
        compared = None
        if Overlay.ROOTS in self.overlays and not from_outside:
            compared = viewer.compare(frame.camera.width, frame.camera.height)
        return Subject(
            viewer.graph,
            frame.camera,
            frame.root_id,
            floods,
            chosen,
            self.sweeps,
            spheres,
            from_outside,
            self._eye_name(viewer),
            compared,
        )

    def _eye_name(self, viewer: Viewer) -> str:
        """What the eye of a frame is called that is seen from outside; "" for one that is not shown."""
        if self.is_frozen:
            return FROZEN_EYE
        if not self.dollhouse.shows_seen:
            return ""
        return LEFT_EYE if viewer.player().cell_id == NO_CELL else PLAYERS_EYE

    def _outlines(self, scene: Scene) -> OverlayGeometry:
        world, session = scene.world, self.session
        found = OverlayGeometry()
        if session.hover != session.selection:
            found.add(selection_outline(session.hover, world, scene, hover=True))
        found.add(hit_outline(self.picked, world))
        found.add(selection_outline(session.selection, world, scene))
        return found

    # --- under the mouse

    def pick(self, x: float, y: float, mode: PickMode = PickMode.NEAREST) -> Hit | None:
        """The hit of the last picture at a pixel."""
        if self.last is None or self._picker is None:
            return None
        house, camera = self.last.dollhouse, self.last.camera
        if house is not None:
            picker = self._dollhouse_picker
            return None if picker is None else picker.pick(house, self.last.frame, camera, x, y, mode)
        if self.last.onlooker is not None:
            return self._picker.pick_from_outside(self.last.frame, self.last.onlooker, x, y, mode)
        return self._picker.pick(self.last.frame, self.last.frame.camera, x, y, mode)

    def pick_through(self, x: float, y: float) -> list[Hit]:
        """All hits under a pixel, near ones first."""
        if self.last is None or self._picker is None:
            return []
        house = self.last.dollhouse
        if house is not None:
            picker = self._dollhouse_picker
            return [] if picker is None else picker.pick_through(house, self.last.frame, self.last.camera, x, y)
        return self._picker.pick_through(self.last.frame, self.last.camera, x, y)

    def mark(self, hit: Hit) -> None:
        """Outline a portal or a wall without changing the selection."""
        self.picked = hit
        self.changed.emit()

    def choose(self, hit: Hit | None, *, cell: bool = False) -> None:
        """Select the hit for the whole window; None also hides the shown sub-step."""
        sim = self.sim
        if sim is None:
            return
        self._picking = True
        self.picked = hit
        if hit is None:
            self.substep = self.cause = None
        self.session.select(cell_selection_of(hit) if cell else selection_of(hit, sim))
        self._picking = False
        self.changed.emit()

    def point_at(self, x: float, y: float, mode: PickMode = PickMode.NEAREST) -> None:
        """Move the mouse to a pixel: highlight what a click would select."""
        sim = self.sim
        if sim is None:
            return
        self.hover = self.pick(x, y, mode)
        wanted = cell_selection_of(self.hover) if mode is PickMode.CELL else selection_of(self.hover, sim)
        self.session.set_hover(wanted if wanted is None or wanted.kind is not Kind.LANDBLOCK else None)
        words = words_of(self.hover, sim)
        self.hinted.emit(f"{words}  ·  {OFFER}" if words and wanted is not None else words)

    def point_away(self) -> None:
        self.hover = None
        self.session.set_hover(None)
        self.hinted.emit("")


def _player_alpha(viewer: Viewer) -> float:
    """The opacity of the player: the camera's value, reduced as the camera comes near. The figure is as wide as its
    sweep spheres and would fill the picture in a narrow place."""
    if viewer.view is not View.CHASE:
        return viewer.rig.player_alpha
    pose = viewer.player()
    away = distance(viewer.rig.camera(1.0, 1.0).eye_in(pose.cell_id), pose.pivot)
    near, far = SEEN_THROUGH
    part = min(max((away - near) / (far - near), 0.0), 1.0)
    return viewer.rig.player_alpha * (LEAST_SEEN + (1.0 - LEAST_SEEN) * part)
