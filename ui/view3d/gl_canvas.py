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
from PySide6.QtCore import QSize, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QImage, QOffscreenSurface, QOpenGLContext, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from engine.render.antialiasing import ONE_SAMPLE, Antialiasing, Samples
from engine.render.errors import RenderError
from engine.render.gl.offscreen import EglContext, OffscreenTarget, samples_for
from ui.view3d.frame_pacing import Pace

BYTES: Final = 4
"""Per pixel."""

AT_REST_MS: Final = 300
"""A picture that has stood for this long is at rest."""
SMOOTHING: Final = 4.0
"""How many times as long a processor takes for four samples, at most (measured: docs/performance.md)."""
LONGEST_SMOOTHING: Final = 0.1
"""Seconds. A picture that would take longer stays as it was drawn: the user may act at any moment."""


def is_bare() -> bool:
    """Whether Qt runs without a display and so has no OpenGL; EGL works without a window."""
    return QGuiApplication.platformName() == "offscreen"


class GlCanvas(QWidget):
    """Subclasses draw in `paint_gl`; `draw_again` marks the picture as stale.

    Where the processor draws, moving pictures have one sample for each pixel, and the picture at rest is drawn again
    with more.
    """

    noted = Signal(str)
    """Antialiasing differs from what was chosen; a sentence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._context: QOpenGLContext | None = None
        self._surface = QOffscreenSurface()
        self._bare: EglContext | None = None
        """The context used without a display, in place of Qt's."""
        self._targets: dict[int, OffscreenTarget] = {}
        """By their samples."""
        self._antialiasing = Antialiasing.AUTO
        self._samples: Samples | None = None
        """Not known before there is a context."""
        self._stale = True
        self._image = QImage()
        self._shown_samples = 0
        self.pace = Pace()
        self._waiting = QTimer(self)
        self._waiting.setSingleShot(True)
        self._waiting.setTimerType(Qt.TimerType.PreciseTimer)
        self._waiting.timeout.connect(self.show_again)
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(AT_REST_MS)
        self._resting.timeout.connect(self._smooth)

    @property
    def antialiasing(self) -> Antialiasing:
        return self._antialiasing

    def set_antialiasing(self, choice: Antialiasing) -> None:
        if choice is not self._antialiasing:
            self._antialiasing = choice
            self._samples = None
            self.draw_again()

    @property
    def samples(self) -> int:
        """Samples per pixel of the picture that is shown."""
        return self._shown_samples

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

    @property
    def is_getting_ready(self) -> bool:
        """There is nothing to draw yet; `draw_again` follows."""
        return False

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
        self._draw_now(at_rest=True)
        return self._image.copy()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.is_getting_ready:
            return
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

    @Slot()
    def _smooth(self) -> None:
        """Draw the picture at rest with more samples, if that does not take long."""
        is_idle = self.isVisible() and not self._stale and not self.pace.flowing
        if is_idle and self.pace.cost * SMOOTHING <= LONGEST_SMOOTHING:
            self._draw_now(at_rest=True)
            self.show_again()

    def _draw_now(self, at_rest: bool = False) -> None:
        self._stale = False
        self._resting.stop()
        if not at_rest:
            self.pace.begin(time.perf_counter(), time.process_time())
        try:
            self._begin()
            samples = self._samples_now()
            wanted = samples.at_rest if at_rest else samples.moving
            target = self._target_now(self._pixels(), wanted)
            self.paint_gl(target.framebuffer)
            rows = np.ascontiguousarray(self.pixels_of(target))
        except RenderError as error:
            self.refuse(error)
            return
        image = QImage(rows.data, target.width, target.height, target.width * BYTES, QImage.Format.Format_RGBX8888)
        self._image = image.convertToFormat(QImage.Format.Format_RGB32)  # the windows' own format; also a copy
        self._image.setDevicePixelRatio(self.devicePixelRatioF())
        self._shown_samples = target.samples
        if not at_rest:
            self.pace.end(time.perf_counter())
            if samples.at_rest > wanted:
                self._resting.start()

    def _samples_now(self) -> Samples:
        if self._samples is None:
            self._samples = samples_for(self._antialiasing)
            if self._samples.reason:
                self.noted.emit(self._samples.reason)
        return self._samples

    def _begin(self) -> None:
        if is_bare():
            self._begin_bare()
            return
        if self._context is not None and self._context.makeCurrent(self._surface):
            return
        if self._context is not None:
            self._context.deleteLater()
            self._context = None
            self._targets.clear()
            self._samples = None
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
            self._bare = EglContext()
            self.destroyed.connect(self._bare.close)
        else:
            self._bare.make_current()

    def _target_now(self, size: QSize, samples: int) -> OffscreenTarget:
        known = self._targets.get(samples)
        if known is not None and (known.width, known.height) == (size.width(), size.height()):
            return known
        for count, target in list(self._targets.items()):
            if (target.width, target.height) != (size.width(), size.height()):
                del self._targets[count]
                target.close()
        try:
            self._targets[samples] = OffscreenTarget(size.width(), size.height(), samples)
        except RenderError as error:
            if samples == ONE_SAMPLE:
                raise
            self._samples = Samples(ONE_SAMPLE, ONE_SAMPLE)
            self.noted.emit(f"Antialiasing {samples}x failed, drawn without: {error}")
            return self._target_now(size, ONE_SAMPLE)
        return self._targets[samples]
