"""The 3D view: draws what `editor.view3d.view` sees and passes it mouse and keys (docs/docks/3d-view.md).

It draws only after a change, and its timer runs only while the camera moves.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from editor.session.session import ENGINE_ERRORS
from editor.view3d.overlay_labels import write_labels
from editor.view3d.view import Picture, View3D
from engine.render.buffers import Buffer, depth_picture, stencil_picture
from engine.render.errors import RenderError
from engine.render.gl.offscreen import OffscreenTarget, driver_name
from engine.render.gl.renderer import DrawOptions, GlRenderer
from engine.render.gl.screen import COVER
from ui.theme.theme import DARK, Colours, mono_font
from ui.view3d.camera_input import FLYING, NUDGES, Hands
from ui.view3d.dollhouse import DollhouseStrip
from ui.view3d.gl_canvas import BYTES, GlCanvas
from ui.view3d.hud import lay_out_hud, paint_hud, paint_message, paint_strip
from ui.view3d.mouse import ViewMouse
from ui.view3d.thumbnails import Thumbnails
from ui.view3d.tools import ViewTools
from ui.view3d.walking import Walking

STEP_MS: Final = 16
FIRST_STEP: Final = STEP_MS / 1000.0
VOID: Final = (0.055, 0.06, 0.07)
"""Background: not quite black, so that black walls stand out from it."""

DRAW_OPTIONS: Final = DrawOptions(clear=VOID)
BRIGHTER: Final = 0.35
"""Added to the ambient light of all passes: a dungeon has 0.2 (rendering.md 20.4)."""

FIRST_SLICE: Final = 0.015
"""Seconds of uploads before control returns to the window's event loop, while its first picture is still to come."""


class Words(QWidget):
    """Text over the picture."""

    def __init__(self, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self.figures = QRectF()
        """The room that the figures take."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._paint(painter, self._viewport)
        painter.end()

    def _paint(self, painter: QPainter, viewport: Viewport) -> None:
        colours, picture = viewport.colours, viewport.picture
        viewer = viewport.viewing.viewer
        if viewport.error:
            painter.fillRect(self.rect(), QColor(colours.sheet))
            paint_message(painter, self.rect(), f"■ {viewport.error}", DARK.fault)
        elif picture is None or viewer is None:
            painter.fillRect(self.rect(), QColor(colours.sheet))
            viewing = viewport.viewing
            opens = viewing.session.is_opening or viewport.is_getting_ready
            words = "Opening …" if opens else "Open a world to look into it."
            problem = f"■ {viewing.problem}" if viewing.problem else ""
            paint_message(painter, self.rect(), problem or words, DARK.fault if problem else DARK.dim)
        else:
            camera = picture.camera
            shelf = viewport.tools.shelf.geometry()
            in_dollhouse = picture.dollhouse is not None
            hud = lay_out_hud(self.rect(), viewer, picture.frame, viewport.milliseconds, shelf, in_dollhouse)
            self.figures = hud.ground
            below = (self.height() - hud.ground.top()) * viewport.devicePixelRatioF()
            viewport.viewing.camera.covered_below = below
            covered = [hud.ground, *(QRectF(part.geometry()) for part in viewport.over if part.isVisible())]
            if viewport.viewing.buffer is Buffer.COLOUR:
                ratio = viewport.devicePixelRatioF()
                write_labels(painter, picture.overlays, camera, mono_font(11), ratio, covered)
            if picture.message:
                paint_message(painter, self.rect(), picture.message, DARK.adjusted)
            paint_hud(painter, hud)
            strip = viewport.viewing.placing.words
            if strip:
                paint_strip(painter, self.rect(), strip, DARK.text)


class Viewport(GlCanvas):
    """The picture, with its mouse and keys."""

    menu_wanted = Signal(QPoint)
    """Position of a right click."""
    menu_opening = Signal(object, object, object)
    """The context menu, the cell under the mouse and the point in it: others add entries for that."""
    failed = Signal(str)
    """The picture cannot be drawn; a sentence."""
    painted = Signal(float)
    """A frame was drawn; its milliseconds."""

    def __init__(self, viewing: View3D, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.viewing = viewing
        self.hands = Hands()
        self.walking = Walking(viewing, self.hands, self)
        self.milliseconds = 0.0
        self.drawn = 0
        """Frames drawn so far."""
        self.error = ""
        self.picture: Picture | None = None
        self._colours = colours
        self._renderer: GlRenderer | None = None
        self._since = QElapsedTimer()
        self._stepping = QTimer(self)
        self._stepping.setTimerType(Qt.TimerType.PreciseTimer)
        self._stepping.setInterval(STEP_MS)
        self._stepping.timeout.connect(self._step)
        self.setObjectName("viewport")
        self.setAccessibleName("3D view of the world")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.words = Words(self)
        self.mouse = ViewMouse(self)
        self.mouse.menu_wanted.connect(self.menu_wanted)
        self.thumbnails = Thumbnails(self.model_image, lambda: self.pace.flowing, self)
        self.tools = ViewTools(viewing, self, self.thumbnails)
        self.over: list[QWidget] = [self.tools.shelf]
        """Widgets over the picture, which labels keep clear of."""
        self.strip: DollhouseStrip | None = None
        self._readying = QTimer(self)
        self._readying.setInterval(0)
        self._readying.timeout.connect(self._get_ready)
        self._pieces: Iterator[None] = iter(())
        viewing.switched.connect(self._on_switched)
        viewing.changed.connect(self._on_changed)
        viewing.camera.sent.connect(self.go)
        viewing.document.started.connect(self._release)
        viewing.clock.running_changed.connect(self._on_running)

    @property
    def colours(self) -> Colours:
        return self._colours

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        self.draw_again()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.words.resize(self.size())
        if self.strip is not None:
            self.strip.fit()

    # --- OpenGL

    @property
    def driver(self) -> str:
        """The graphics driver as it names itself; "" before the first frame."""
        return driver_name() if self.make_current() else ""

    @Slot()
    def _release(self) -> None:
        """Release the old world's uploads at once, even while the view is hidden."""
        self.thumbnails.clear()
        if self._renderer is None or not self.make_current():
            return
        try:
            self._let_go()
        except RenderError as error:
            self.refuse(error)

    @Slot()
    def _on_switched(self) -> None:
        """Upload what the first picture shows before it is drawn: in one go it would hold up the window."""
        self._stop_readying()
        scene = self.viewing.scene
        if self._renderer is not None and self._renderer.scene is not scene:
            self._release()
        if scene is not None and self._renderer is None and self.isVisible():
            self._pieces = self._first_uploads()
            self._readying.start()

    def _first_uploads(self) -> Iterator[None]:
        renderer, picture = self._renderer_now(), self._see()
        yield
        if renderer is not None and picture is not None:
            yield from renderer.landscape_of(picture.frame)
            yield from renderer.indoors_of(picture.frame)
            for send in renderer.unsent_pictures():
                if not self.make_current():
                    return
                send()
                yield

    def _see(self) -> Picture | None:
        ratio = self.devicePixelRatioF()
        self.viewing.prepare(float(round(self.width() * ratio)), float(round(self.height() * ratio)), ratio)
        return self.viewing.see()

    @property
    def is_getting_ready(self) -> bool:
        return self._readying.isActive()

    @Slot()
    def _get_ready(self) -> None:
        end = time.perf_counter() + FIRST_SLICE
        try:
            while time.perf_counter() < end:
                next(self._pieces)
        except (StopIteration, RenderError, *ENGINE_ERRORS):  # the picture says what is wrong
            self._stop_readying()

    def draw_at_once(self) -> None:
        """Draw the first picture without waiting for its uploads in slices."""
        if self.is_getting_ready:
            self._stop_readying()
            self._draw_now()
            self.show_again()

    def _stop_readying(self) -> None:
        if self._readying.isActive():
            self._readying.stop()
            self._pieces = iter(())
            self.draw_again()

    def _let_go(self) -> None:
        self._stop_readying()
        renderer, self._renderer = self._renderer, None
        self.picture = None
        if renderer is not None:
            renderer.close()

    def context_lost(self) -> None:
        if self._renderer is not None:
            self._renderer.invalidate()

    def _renderer_now(self) -> GlRenderer | None:
        """The renderer of the open world; an earlier world's is closed."""
        scene = self.viewing.scene
        if self._renderer is not None and self._renderer.scene is not scene:
            self._let_go()
        if self._renderer is None and scene is not None:
            self._renderer = GlRenderer(scene)
            self.viewing.streaming.drawn_by(self._renderer)
        return self._renderer

    def model_image(self, model_id: int, size: int) -> QImage | None:
        """A picture of a model of the open world by itself, drawn off screen; None when there is nothing to draw."""
        scene = self.viewing.scene
        setup = None if scene is None else scene.world.setup(model_id)
        if setup is None or not self.make_current():
            return None
        try:
            renderer = self._renderer_now()
            if renderer is None:
                return None
            target = OffscreenTarget(size, size)
            try:
                ground = QColor(self._colours.raised)
                clear = (ground.redF(), ground.greenF(), ground.blueF())
                drawn = renderer.draw_model(setup, size, target.framebuffer, replace(DRAW_OPTIONS, clear=clear))
                rows = np.ascontiguousarray(target.pixels()) if drawn else None
            finally:
                target.close()
        except RenderError as error:
            self.refuse(error)
            return None
        if rows is None:
            return None
        return QImage(rows.data, size, size, size * BYTES, QImage.Format.Format_RGBX8888).copy()

    def paint_gl(self, framebuffer: int) -> None:
        started = time.perf_counter()
        try:
            self.picture = self._draw(framebuffer)
        except RenderError as error:
            self.refuse(error)
        except ENGINE_ERRORS as error:
            self._fail(f"This cannot be shown: {error}")
        self.milliseconds = (time.perf_counter() - started) * 1000.0
        self.drawn += 1
        self.painted.emit(self.milliseconds)

    def pixels_of(self, target: OffscreenTarget) -> NDArray[np.uint8]:
        buffer = self.viewing.buffer
        if buffer is Buffer.DEPTH:
            return depth_picture(target.depth())
        return stencil_picture(target.stencil(), COVER) if buffer is Buffer.STENCIL else super().pixels_of(target)

    def refuse(self, error: RenderError) -> None:
        self._fail(f"The picture cannot be drawn: {error}")

    def _draw(self, framebuffer: int) -> Picture | None:
        ratio = self.devicePixelRatioF()
        renderer, picture = self._renderer_now(), self._see()
        self.viewing.publish(picture)
        if renderer is not None and picture is not None:
            viewing = self.viewing
            brightness = BRIGHTER if viewing.brighter else 0.0
            plain, steps = viewing.plain_colours, viewing.steps
            options = replace(DRAW_OPTIONS, steps=steps, brightness=brightness, solid_colours=plain)
            options = replace(options, levels_of_detail=viewing.levels_of_detail, presets=viewing.presets)
            if picture.dollhouse is not None:
                renderer.draw_dollhouse(
                    picture.dollhouse, picture.camera, framebuffer, options, picture.overlays, ratio
                )
            else:
                renderer.draw(picture.frame, framebuffer, options, picture.overlays, picture.onlooker)
            self.error = ""
        viewer = self.viewing.viewer
        if viewer is not None and viewer.watch.changes:
            self.go()  # until the second in which they count is over
        return picture

    def _fail(self, sentence: str) -> None:
        if sentence != self.error:
            self.error = sentence
            self.failed.emit(sentence)

    # --- when to draw

    @Slot(bool)
    def _on_running(self, running: bool) -> None:
        self.pace.flowing = running

    @Slot()
    def _on_changed(self) -> None:
        if self.viewing.camera.follows_player:
            self.go()
        self.draw_again()

    @Slot()
    def show_again(self) -> None:
        """Repaint picture and text together."""
        super().show_again()
        self.words.update()

    @Slot()
    def go(self) -> None:
        """Step the camera until it rests."""
        if not self._stepping.isActive() and self.isVisible():
            self._since.invalidate()
            self._stepping.start()

    @Slot()
    def _step(self) -> None:
        dt = self._since.restart() / 1000.0 if self._since.isValid() else FIRST_STEP
        if not self._since.isValid():
            self._since.start()
        if not dt:  # a late timer fires twice in a millisecond: the camera is not at rest
            return
        moved = False
        try:
            taken = self.hands.take(flying=not self.walking.is_on)
            if self.walking.is_on:
                taken = self.walking.steer_by_mouse(taken)
            moved = self.viewing.camera.step(dt, taken)
        except ENGINE_ERRORS as error:
            self._fail(f"The camera stopped: {error}")
        if not moved and self.hands.is_idle:
            self._stepping.stop()

    @property
    def is_moving(self) -> bool:
        return self._stepping.isActive()

    def hideEvent(self, event: QHideEvent) -> None:
        self._stepping.stop()
        self._let_go_of_all()
        super().hideEvent(event)

    # --- mouse

    def pixel_of(self, at: QPointF) -> tuple[float, float]:
        """A point of the widget, in pixels of the picture."""
        ratio = self.devicePixelRatioF()
        return (at.x() * ratio, at.y() * ratio)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.mouse.press(event)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mouse.move(event)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.mouse.release(event)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mouse.double_click(event)
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ignore the right button, which opens the menu on its click; the menu key opens it in the middle."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.menu_wanted.emit(self.rect().center())
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.mouse.wheel(event)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.mouse.leave()
        super().leaveEvent(event)

    # --- keys

    def event(self, event: QEvent) -> bool:
        """Take the view's keys before the window's shortcuts: in the player's view Space jumps."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_ours(event):
            event.accept()
            return True
        return super().event(event)

    def _is_ours(self, event: QKeyEvent) -> bool:
        viewing, key = self.viewing, event.key()
        if viewing.manipulation.is_dragging or viewing.cut_handle.is_dragging:
            return True  # a drag takes all keys
        plain = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if self.walking.takes(key):
            return not plain
        if key == Qt.Key.Key_End:
            return self.tools.drop_action.isEnabled()
        if key in NUDGES:
            return viewing.manipulation.thing() is not None
        keys = (Qt.Key.Key_Home,) if self.walking.is_on else FLYING
        if viewing.placing.is_on and key == Qt.Key.Key_R:
            return not plain
        if key == Qt.Key.Key_Escape and not viewing.placing.is_on and viewing.session.selection is None:
            return False  # nothing to cancel here: the window may have work to cancel
        return not plain and key in (*keys, Qt.Key.Key_Tab, Qt.Key.Key_Escape)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep Tab for the view; Shift+Tab leaves it."""
        return False if forward else super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.hands.fast = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Shift or not self._is_ours(event):
            self.walking.steer()
            super().keyPressEvent(event)
            return
        if event.key() in NUDGES and (self.viewing.manipulation.is_dragging or not self.walking.takes(event.key())):
            self._nudge(event)
        elif not event.isAutoRepeat():
            self._press_key(event.key())
            self.go()

    def _press_key(self, key: int) -> None:
        if self.viewing.manipulation.is_dragging or self.viewing.cut_handle.is_dragging:
            if key == Qt.Key.Key_Escape:
                self.mouse.cancel()
        elif key == Qt.Key.Key_Tab:
            self._let_go_of_all()
            self.viewing.camera.toggle_player()
        elif self.walking.takes(key):
            self.walking.press(key)
        elif key == Qt.Key.Key_Home:
            self.viewing.camera.return_behind_player()
        elif key == Qt.Key.Key_Escape:
            self._escape()
        elif key == Qt.Key.Key_End:
            self.tools.drop_action.trigger()
        elif key == Qt.Key.Key_R:
            self.viewing.placing.turn(1)
        else:
            self.hands.hold(key)

    def _escape(self) -> None:
        """Leave the tool first, then clear the selection."""
        if self.viewing.placing.is_on:
            self.viewing.placing.leave()
        else:
            self.viewing.choose(None)

    def _nudge(self, event: QKeyEvent) -> None:
        held = event.modifiers()
        self.viewing.manipulation.nudge(
            *NUDGES[Qt.Key(event.key())],
            fine=bool(held & Qt.KeyboardModifier.ShiftModifier),
            coarse=bool(held & Qt.KeyboardModifier.ControlModifier),
        )

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat():
            return
        self.hands.fast = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.hands.let_go(event.key())
        self.walking.steer()
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._let_go_of_all()
        super().focusOutEvent(event)

    def _let_go_of_all(self) -> None:
        self.hands.drop_all()
        self.mouse.cancel()
        self.unsetCursor()
        self.walking.stop()
