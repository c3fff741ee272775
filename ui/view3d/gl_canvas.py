"""A widget that OpenGL draws offscreen and Qt paints like any image.

With QOpenGLWidget, OpenGL composes the whole window again for every number that changes in a dock. Without a graphics
card that costs more than drawing the world; reading one frame back costs next to nothing. The context also stays the
same wherever the user docks the widget, and frees its uploads when the widget is destroyed.
"""

from __future__ import annotations

import math
import time
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, QSizeF, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication, QImage, QOffscreenSurface, QOpenGLContext, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from engine.render.errors import RenderError
from engine.render.gl.offscreen import OffscreenContext, OffscreenTarget
from ui.view3d.frame_pacing import Pace

BYTES: Final = 4
"""Per pixel."""


def is_bare() -> bool:
    """Whether Qt runs without a display and so has no OpenGL; EGL works without a window."""
    return QGuiApplication.platformName() == "offscreen"


class GlCanvas(QWidget):
    """Subclasses draw in `paint_gl`; `draw_again` marks the picture as stale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._context: QOpenGLContext | None = None
        self._surface = QOffscreenSurface()
        self._bare: OffscreenContext | None = None
        """The context used without a display, in place of Qt's."""
        self._target: OffscreenTarget | None = None
        self._stale = True
        self._image = QImage()
        self.pace = Pace()
        self._waiting = QTimer(self)
        self._waiting.setSingleShot(True)
        self._waiting.setTimerType(Qt.TimerType.PreciseTimer)
        self._waiting.timeout.connect(self.show_again)

    def paint_gl(self, framebuffer: int) -> None:
        """Draw into the framebuffer; the context is current."""
        raise NotImplementedError

    def pixels_of(self, target: OffscreenTarget) -> NDArray[np.uint8]:
        """The pixels to show, (height, width, 4); the context is current."""
        return target.pixels()

    def refuse(self, error: RenderError) -> None:
        """Report that nothing can be drawn."""
        raise NotImplementedError

    def context_lost(self) -> None:
        """Discard the uploads lost with their context, after a change of graphics driver or a reset of the card."""
        raise NotImplementedError

    def draw_again(self) -> None:
        """Redraw after other pending paints, or a little later as the pacing asks."""
        self._stale = True
        if self._waiting.isActive():
            return
        self._waiting.start(math.ceil(self.pace.rest(time.perf_counter(), time.process_time()) * 1000.0))

    @Slot()
    def show_again(self) -> None:
        """Repaint the widget and what lies over it."""
        self.update()

    def grab_picture(self) -> QImage:
        """Draw now; the picture without the widgets over it."""
        self._draw_now()
        return self._image.copy()

    def paintEvent(self, event: QPaintEvent) -> None:
        waits = self._waiting.isActive()  # another widget's paint came first
        if (self._stale and not waits) or self._image.size() != self._pixels():
            self._draw_now()
        painter = QPainter(self)
        painter.drawImage(0, 0, self._image)
        painter.end()

    def _pixels(self) -> QSize:
        return (QSizeF(self.size()) * self.devicePixelRatioF()).toSize()

    @property
    def context(self) -> QOpenGLContext | None:
        """None before the first frame, and without a display."""
        return self._context

    @property
    def is_without_display(self) -> bool:
        return self._bare is not None

    def make_current(self) -> bool:
        """Make the context current; false before the first frame has created it."""
        if self._bare is not None:
            self._bare.make_current()
            return True
        return self._context is not None and self._context.makeCurrent(self._surface)

    def _draw_now(self) -> None:
        self._stale = False
        self.pace.begin(time.perf_counter(), time.process_time())
        try:
            self._begin()
            target = self._target_now(self._pixels())
            self.paint_gl(target.framebuffer)
            rows = np.ascontiguousarray(self.pixels_of(target))
        except RenderError as error:
            self.refuse(error)
            return
        image = QImage(rows.data, target.width, target.height, target.width * BYTES, QImage.Format.Format_RGBX8888)
        self._image = image.convertToFormat(QImage.Format.Format_RGB32)  # the windows' own format; also a copy
        self._image.setDevicePixelRatio(self.devicePixelRatioF())
        self.pace.end(time.perf_counter())

    def _begin(self) -> None:
        if is_bare():
            self._begin_bare()
            return
        if self._context is not None and self._context.makeCurrent(self._surface):
            return
        if self._context is not None:
            self._context.deleteLater()
            self._context = self._target = None
            self.context_lost()
        made = QOpenGLContext(self)
        if not made.create():
            raise RenderError("this display no longer offers OpenGL")
        self._surface.setFormat(made.format())
        self._surface.create()
        if not made.makeCurrent(self._surface):
            raise RenderError("the OpenGL of this display was lost; open the window again")
        self._context = made

    def _begin_bare(self) -> None:
        if self._bare is None:
            self._bare = OffscreenContext()
            self.destroyed.connect(self._bare.close)
        else:
            self._bare.make_current()

    def _target_now(self, size: QSize) -> OffscreenTarget:
        known = self._target
        if known is not None and (known.width, known.height) == (size.width(), size.height()):
            return known
        if known is not None:
            self._target = None
            known.close()
        self._target = OffscreenTarget(size.width(), size.height())
        return self._target
