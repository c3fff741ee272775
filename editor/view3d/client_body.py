"""The body of the client that is followed, in the picture; the simulated player is another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.render.overlays.geometry import OverlayGeometry
from engine.render.viewer.player_pose import PlayerPose
from engine.visibility.camera import Camera
from engine.world.graph.graph import CellGraph

if TYPE_CHECKING:
    from editor.session.following import Following
    from engine.render.overlays.client import OtherEnd
    from engine.sim.captures.live.follower import Followed, Stand


class ClientBody(QObject):
    """Shown while something is followed, and after that until the dock shows something else."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.leads = False
        """The cameras that follow the player follow this body instead."""
        self._name = ""
        self.shown: Followed | None = None
        """The record at whose end it stands."""
        self._stand: Stand | None = None
        self._way: tuple[Stand, ...] = ()
        self._different: Followed | None = None

    @property
    def stand(self) -> Stand | None:
        """Where it is; None while there is none."""
        return self._stand

    def show(self, following: Following) -> None:
        """Bring it to where its last record ended."""
        news = following.news
        if news.latest is None or news.latest is self.shown:
            return
        self.shown, self._way, self._different = news.latest, news.way, news.different
        self._name = f"Client, {following.path.name}"
        self._stand = self.shown.stand()
        self.changed.emit()

    def hide(self) -> None:
        if self._stand is not None:
            self.shown = self._stand = self._different = None
            self._way = ()
            self.changed.emit()

    def pose(self, graph: CellGraph) -> PlayerPose | None:
        """What cameras follow while it leads; None where the world does not have its cell."""
        stand = self._stand
        if not self.leads or stand is None or graph.get_visible(stand.cell_id) is None:
            return None
        return PlayerPose(stand.cell_id, stand.origin, stand.heading, name="client")

    def overlay(self, camera: Camera) -> OverlayGeometry:
        if self._stand is None:
            return OverlayGeometry()
        from engine.render.overlays.client import client_overlay  # only those who follow need it

        different = self._different
        end = None if different is None else different.stand()
        return client_overlay(self._name, self._stand, self._way, end, _ends(different), camera)


def _ends(different: Followed | None) -> list[OtherEnd]:
    from engine.render.overlays.client import OtherEnd
    from engine.sim.captures.live.follower import SETS

    if different is None:
        return []
    ends = []
    for rules, replay in zip(SETS, different.replays, strict=True):
        stand = different.stand_by(rules)
        if stand is not None and not replay.agrees:
            ends.append(OtherEnd(rules, stand, ", ".join(difference.field for difference in replay.differences)))
    return ends
