"""Gives back what was uploaded when a widget's context goes: docked elsewhere it gets another one, and contexts share
what is in them, so that nothing would ever be freed.

It knows neither widget nor context. A context may go with its widget, in the middle of whose destruction neither can be
asked for anything; the application's own context shares all that has to be freed.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QOffscreenSurface, QOpenGLContext
from shiboken6 import isValid

from engine.render.errors import RenderError
from engine.render.gl.renderer import GlRenderer


class GlKeeper(QObject):
    """Holds the renderer of one context, as long as that is there."""

    def __init__(self, context: QOpenGLContext) -> None:
        super().__init__()
        self.renderer: GlRenderer | None = None
        self.complaint = ""
        """What OpenGL refused to take back."""
        self._surface = QOffscreenSurface()
        self._surface.setFormat(context.format())
        self._surface.create()
        context.aboutToBeDestroyed.connect(self.give_back, Qt.ConnectionType.DirectConnection)

    @Slot()
    def give_back(self) -> None:
        """The context goes; whoever draws right now gets his own back afterwards."""
        renderer, self.renderer = self.renderer, None
        shared = QOpenGLContext.globalShareContext()
        if renderer is None or shared is None or not isValid(self._surface):
            return  # the last is so when the program ends, and frees everything
        before = QOpenGLContext.currentContext()
        surface = None if before is None else before.surface()
        if shared.makeCurrent(self._surface):
            try:
                renderer.close()
            except RenderError as error:
                self.complaint = str(error)
            shared.doneCurrent()
        if before is not None and surface is not None:
            before.makeCurrent(surface)
