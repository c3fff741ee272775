"""One view into a world: its cameras, the root of its frames, what has to be loaded for them, and the frames
(rendering.md 4.1, 4.2, 21.3)."""

from __future__ import annotations

from enum import Enum

from engine.physics.rules import RuleSet
from engine.render.viewer.arrivals import Arrivals
from engine.render.viewer.comparison import RootComparison, compare_roots
from engine.render.viewer.following import Chase, FirstPerson
from engine.render.viewer.free_fly import FreeFly
from engine.render.viewer.inputs import STILL, ViewerInput
from engine.render.viewer.orbit import Orbit
from engine.render.viewer.player_pose import NOWHERE, PlayerPose, PoseSource
from engine.render.viewer.rig import Rig, sane_step
from engine.visibility.camera import Camera
from engine.visibility.flood import Visibility
from engine.visibility.frame import FrameDriver, FrameOptions, FrameResult
from engine.visibility.options import FloodOptions
from engine.visibility.point_location import PointLocator
from engine.visibility.root import PINNED, PLAYER, VIEWER, RootChoice, RootSources, RootWatch, choose_root
from engine.visibility.store import CellManager
from engine.visibility.world_view import WorldView
from engine.world.graph.graph import NO_CELL
from engine.world.world import World


class View(Enum):
    """The cameras."""

    ORBIT = "orbit"
    FREE = "free"
    FIRST_PERSON = "first person"
    CHASE = "chase"


class Viewer:
    """Cameras over one world; `close` ends its watch of the graph.

    `root_mode` is None for what the camera in use prefers. `frozen`, made by `freeze`, is drawn in place of new frames,
    seen through whatever camera one flies with then.
    """

    def __init__(
        self,
        world: World,
        player: PoseSource | None = None,
        rules: RuleSet | None = None,
        options: FloodOptions | None = None,
        patient: bool = False,
    ) -> None:
        """The two cameras that follow a player need one. With `patient`, landblocks appear one after the other while
        the caller lets `arrivals` work; otherwise a frame waits for all that it shows."""
        self.world = world
        self.graph = world.graph
        self.world_view = WorldView(world)
        self.visibility = Visibility(world.graph, options)
        self.driver = FrameDriver(self.world_view, self.visibility)
        self.manager = CellManager(world.graph)
        self.manager.landscape.loads = not patient
        self.arrivals = Arrivals(self.world_view) if patient else None
        self.locator = PointLocator(self.world_view)
        self.watch = RootWatch()
        self.player: PoseSource = _nobody if player is None else player
        rules = RuleSet() if rules is None else rules
        self.orbit = Orbit(self.world_view)
        self.free = FreeFly(self.world_view)
        self.first_person = FirstPerson(self.graph, rules, self.player)
        self.chase = Chase(self.graph, rules, self.player)
        self.view = View.FREE
        self.root_mode: str | None = None
        self.pinned_id = NO_CELL
        self.frozen: FrameResult | None = None
        self.choice: RootChoice | None = None
        self.seconds = 0.0
        self.terrain_detail = False
        """Far landblocks have fewer squares of ground, and nothing on it (rendering.md M2)."""

    def close(self) -> None:
        if self.arrivals is not None:
            self.arrivals.close()
        self.visibility.close()
        self.world_view.close()

    @property
    def rig(self) -> Rig:
        """The camera in use."""
        rigs: dict[View, Rig] = {
            View.ORBIT: self.orbit,
            View.FREE: self.free,
            View.FIRST_PERSON: self.first_person,
            View.CHASE: self.chase,
        }
        return rigs[self.view]

    def switch(self, view: View) -> None:
        """Look through another camera; a free one continues from the previous eye."""
        before = self.rig
        self.view = view
        if view is View.FREE and before.cell_id != NO_CELL and before is not self.free:
            self.free.place(before.cell_id, before.eye, before.heading, before.pitch)
        elif view is View.CHASE:
            self.chase.settle()

    def update(self, dt: float, inputs: ViewerInput) -> None:
        """Move the camera in use."""
        self.first_person.root_mode = self._mode_of(self.first_person)
        self.rig.update(dt, inputs)
        self.seconds += sane_step(dt)

    def _mode_of(self, rig: Rig) -> str:
        if self.root_mode is not None:
            return self.root_mode
        return PLAYER if rig is self.first_person else VIEWER

    # --- frames

    def sources(self) -> RootSources:
        return RootSources(self.player().cell_id, self.rig.cell_id, self.pinned_id)

    def frame(self, width: float, height: float, exact: bool = False) -> FrameResult:
        """A frame of the camera in use, or the frozen one, which that camera then sees from outside."""
        self.prepare(width, height)
        return self.see(width, height, exact)

    def prepare(self, width: float, height: float) -> None:
        """Everything that a frame changes: fit the cameras, load or ask for the landblocks around the eye, and choose
        the root cell."""
        for rig in (self.orbit, self.free, self.first_person, self.chase):
            rig.fit(width, height)
        if self.frozen is not None:
            return
        camera = self.rig.camera(width, height)
        mode, sources = self._mode_of(self.rig), self.sources()
        self.manager.change_position(sources.of(mode), camera.eye_in(sources.of(mode)))
        loadpoint = self.manager.landscape.loadpoint
        if self.arrivals is not None and loadpoint != NO_CELL:
            self.arrivals.look_around(loadpoint, camera.eye_in(loadpoint))
        self.choice = choose_root(self.graph, mode, sources, self.locator, camera.block_id, camera.eye)
        self.watch.saw(self.choice.root_id, self.seconds)

    def see(self, width: float, height: float, exact: bool = False) -> FrameResult:
        """The frame as `prepare` left things. It changes nothing: seen twice it is the same."""
        if self.frozen is not None:
            return self.frozen
        if self.choice is None:
            raise AssertionError("prepare() chooses the root of a frame before it is seen")
        detail_from = self.manager.landscape.loadpoint if self.terrain_detail else NO_CELL
        camera = self.rig.camera(width, height)
        frame = self.driver.frame_events(camera, self.choice.root_id, FrameOptions(exact, detail_from))
        if self.choice.message:
            frame.message = self.choice.message
        return frame

    def freeze(self, width: float, height: float, exact: bool = False) -> FrameResult:
        """Keep the frame that is seen now, and fly around in it."""
        self.frozen = None
        self.frozen = self.frame(width, height, exact)
        self.switch(View.FREE)
        return self.frozen

    def thaw(self) -> None:
        self.frozen = None

    def onlooker(self, width: float, height: float) -> Camera | None:
        """The camera in use while it looks at a frozen frame from outside."""
        return None if self.frozen is None else self.rig.camera(width, height)

    def look_from_player(self) -> None:
        """Have the first-person camera follow the player while another is in use, for `see_from_player`."""
        if self.frozen is None:
            self.first_person.update(0.0, STILL)

    def see_from_player(self, width: float, height: float, exact: bool = False) -> FrameResult:
        """What is seen from the player's eye, whatever camera is in use; from where the free camera was left while the
        player is nowhere. A frozen frame stays."""
        if self.frozen is not None:
            return self.frozen
        player_id = self.player().cell_id
        rig: Rig = self.free if player_id == NO_CELL else self.first_person
        root_id = self.free.cell_id if player_id == NO_CELL else player_id
        return self.driver.frame_events(rig.camera(width, height), root_id, FrameOptions(exact))

    def compare(self, width: float, height: float) -> RootComparison:
        """The same eye with both roots (21.3)."""
        sources = self.sources()
        return compare_roots(self.driver, self.rig.camera(width, height), sources.player_id, sources.viewer_id)

    def pin(self, cell_id: int) -> None:
        """Root all frames at one cell, wherever the eye is."""
        self.pinned_id = cell_id
        self.root_mode = PINNED


def _nobody() -> PlayerPose:
    return NOWHERE
