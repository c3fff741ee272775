"""The 3D view: draws what `editor.viewing` sees and gives it what hands do (ui.md, "Behaviour").

It draws only when something has changed, and its timer runs only while the camera is on its way.
"""

from __future__ import annotations

import time
from typing import Final

from PySide6.QtCore import QElapsedTimer, QEvent, QPoint, QPointF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from editor.doors_ahead import door_ahead
from editor.overlay_paint import write_labels
from editor.session import ENGINE_ERRORS
from editor.viewing import Picture, Viewing
from engine.render.errors import RenderError
from engine.render.gl.renderer import DrawOptions, GlRenderer
from engine.render.hits import PickMode
from ui.gl_canvas import GlCanvas
from ui.hands import FLYING, WALKING, Drag, Hands
from ui.hud_paint import paint_hud, paint_message
from ui.theme import DARK, Colours, mono_font

STEP_MS: Final = 16
FIRST_STEP: Final = STEP_MS / 1000.0
HOVER_MS: Final = 30
"""How long the mouse is left alone before what lies under it is looked up again."""

WHEEL_STEP: Final = 120.0
VOID: Final = (0.055, 0.06, 0.07)
"""What shows where nothing was drawn: not quite black, so that black walls can be told from it."""

DRAW_OPTIONS: Final = DrawOptions(clear=VOID)


class Words(QWidget):
    """What is written over the picture."""

    def __init__(self, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._viewport = viewport
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802  # Qt's name
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
            words = "Opening …" if viewing.session.is_opening else "Open a world to look into it."
            problem = f"■ {viewing.problem}" if viewing.problem else ""
            paint_message(painter, self.rect(), problem or words, DARK.fault if problem else DARK.dim)
        else:
            camera = picture.frame.camera
            write_labels(painter, picture.overlays, camera, mono_font(11), viewport.devicePixelRatioF())
            if picture.message:
                paint_message(painter, self.rect(), picture.message, DARK.adjusted)
            paint_hud(painter, self.rect(), viewer, picture.frame, viewport.milliseconds)


class Viewport(GlCanvas):
    """The picture and the hands on it."""

    menu_wanted = Signal(QPoint)
    """A click with the right button, where."""
    failed = Signal(str)
    """The picture can not be drawn; a sentence."""

    def __init__(self, viewing: Viewing, colours: Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.viewing = viewing
        self.hands = Hands()
        self.milliseconds = 0.0
        self.drawn = 0
        """Pictures so far."""
        self.error = ""
        self.picture: Picture | None = None
        self._colours = colours
        self._renderer: GlRenderer | None = None
        self._hover_at: tuple[QPointF, PickMode] | None = None
        self._since = QElapsedTimer()
        self._stepping = QTimer(self)
        self._stepping.setTimerType(Qt.TimerType.PreciseTimer)
        self._stepping.setInterval(STEP_MS)
        self._stepping.timeout.connect(self._step)
        self._hovering = QTimer(self)
        self._hovering.setSingleShot(True)
        self._hovering.setInterval(HOVER_MS)
        self._hovering.timeout.connect(self._look_under_mouse)
        self.setObjectName("viewport")
        self.setAccessibleName("3D view of the world")
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.words = Words(self)
        viewing.changed.connect(self._on_changed)
        viewing.sent.connect(self._go)
        viewing.document.started.connect(self._on_started)

    @property
    def colours(self) -> Colours:
        return self._colours

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        self.draw_again()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802  # Qt's name
        super().resizeEvent(event)
        self.words.resize(self.size())

    # --- OpenGL

    @Slot()
    def _on_started(self) -> None:
        """Another world is open: what was uploaded of the one before goes at once, also while nobody looks."""
        if self._renderer is None or not self.make_current():
            return
        try:
            self._let_go()
        except RenderError as error:
            self.refuse(error)

    def _let_go(self) -> None:
        renderer, self._renderer = self._renderer, None
        self.picture = None
        if renderer is not None:
            renderer.close()

    def _renderer_now(self) -> GlRenderer | None:
        """The renderer of the world that is open now; nothing stays of another one."""
        scene = self.viewing.scene
        if self._renderer is not None and self._renderer.scene is not scene:
            self._let_go()
        if self._renderer is None and scene is not None:
            self._renderer = GlRenderer(scene)
        return self._renderer

    def paint_gl(self, framebuffer: int) -> None:
        started = time.perf_counter()
        try:
            self.picture = self._draw(framebuffer)
        except RenderError as error:
            self.refuse(error)
        except ENGINE_ERRORS as error:
            self._fail(f"This can not be shown: {error}")
        self.milliseconds = (time.perf_counter() - started) * 1000.0
        self.drawn += 1

    def refuse(self, error: RenderError) -> None:
        self._fail(f"The picture can not be drawn: {error}")

    def _draw(self, framebuffer: int) -> Picture | None:
        ratio = self.devicePixelRatioF()
        renderer = self._renderer_now()
        picture = self.viewing.see(float(round(self.width() * ratio)), float(round(self.height() * ratio)))
        if renderer is not None and picture is not None:
            renderer.draw(picture.frame, framebuffer, DRAW_OPTIONS, picture.overlays)
            self.error = ""
        return picture

    def _fail(self, sentence: str) -> None:
        if sentence != self.error:
            self.error = sentence
            self.failed.emit(sentence)

    # --- when to draw

    @Slot()
    def _on_changed(self) -> None:
        if self.viewing.follows_player:
            self._go()
        self.draw_again()

    def draw_again(self) -> None:
        """Picture and words, in one go."""
        super().draw_again()
        self.words.update()

    @Slot()
    def _go(self) -> None:
        """Let the camera move until it rests."""
        if not self._stepping.isActive() and self.isVisible():
            self._since.invalidate()
            self._stepping.start()

    @Slot()
    def _step(self) -> None:
        dt = self._since.restart() / 1000.0 if self._since.isValid() else FIRST_STEP
        if not self._since.isValid():
            self._since.start()
        moved = False
        try:
            moved = self.viewing.step(dt, self.hands.take(flying=not self.viewing.follows_player))
        except ENGINE_ERRORS as error:
            self._fail(f"The camera can not go on: {error}")
        if not moved and self.hands.is_idle:
            self._stepping.stop()

    @property
    def is_moving(self) -> bool:
        return self._stepping.isActive()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802  # Qt's name
        self._stepping.stop()
        self._let_go_of_all()
        super().hideEvent(event)

    # --- mouse

    def pixel_of(self, at: QPointF) -> tuple[float, float]:
        """A point of the widget in the picture's pixels."""
        ratio = self.devicePixelRatioF()
        return (at.x() * ratio, at.y() * ratio)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        button, at = event.button(), event.position()
        if button == Qt.MouseButton.RightButton:
            self.hands.press(Drag.LOOK, at)
        elif button == Qt.MouseButton.MiddleButton:
            self.viewing.grab(*self.pixel_of(at))
            self.hands.press(Drag.PAN, at)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif button == Qt.MouseButton.LeftButton and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.viewing.grab(*self.pixel_of(at))
            self.hands.press(Drag.ORBIT, at)
        elif button == Qt.MouseButton.LeftButton:
            mode = pick_mode(event.modifiers())
            self.viewing.choose(self.viewing.pick(*self.pixel_of(at), mode), cell=mode is PickMode.CELL)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        if self.hands.drag is not Drag.NONE:
            self.hands.move(event.position(), float(self.height()))
            self._go()
        else:
            self._hover_at = (event.position(), pick_mode(event.modifiers()))
            if not self._hovering.isActive():
                self._hovering.start()
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        looked = self.hands.drag is Drag.LOOK
        clicked = self.hands.release()
        self.unsetCursor()
        if looked and clicked:
            self.menu_wanted.emit(event.position().toPoint())
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802  # Qt's name
        if event.button() == Qt.MouseButton.LeftButton:
            self.viewing.frame_selection()
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802  # Qt's name
        """The right button asks by its own click; the menu key asks for the middle."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.menu_wanted.emit(self.rect().center())
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802  # Qt's name
        steps = event.angleDelta().y() / WHEEL_STEP
        if steps:
            self.viewing.begin_dolly(*self.pixel_of(event.position()), looking=self.hands.drag is Drag.LOOK)
            self.hands.wheel(steps)
            self._go()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802  # Qt's name
        self._hovering.stop()
        self._hover_at = None
        self.viewing.point_away()
        super().leaveEvent(event)

    @Slot()
    def _look_under_mouse(self) -> None:
        if self._hover_at is not None and self.hands.drag is Drag.NONE:
            at, mode = self._hover_at
            self.viewing.point_at(*self.pixel_of(at), mode)

    # --- keys

    def event(self, event: QEvent) -> bool:
        """Keys of the view go before the window's shortcuts: in the player's view Space jumps."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_ours(event):
            event.accept()
            return True
        return super().event(event)

    def _is_ours(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        keys = WALKING if self.viewing.follows_player else FLYING
        return not plain and event.key() in (*keys, Qt.Key.Key_Tab, Qt.Key.Key_Escape)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802  # Qt's name
        """Tab is the view's own key; Shift+Tab leaves it."""
        return False if forward else super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802  # Qt's name
        self.hands.fast = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Shift or not self._is_ours(event):
            self._steer()
            super().keyPressEvent(event)
            return
        if event.isAutoRepeat():
            return
        if event.key() == Qt.Key.Key_Tab:
            self._let_go_of_all()
            self.viewing.toggle_player()
        elif event.key() == Qt.Key.Key_Escape:
            self.viewing.choose(None)
        elif event.key() == Qt.Key.Key_E and self.viewing.follows_player:
            self._use_door()
        else:
            self.hands.hold(event.key())
            self._steer()
        self._go()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802  # Qt's name
        if event.isAutoRepeat():
            return
        self.hands.fast = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self.hands.let_go(event.key())
        self._steer()
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802  # Qt's name
        self._let_go_of_all()
        super().focusOutEvent(event)

    def _let_go_of_all(self) -> None:
        self.hands.drop_all()
        self.unsetCursor()
        self._steer()

    def _steer(self) -> None:
        """Give the player his keys; time has to run for him to walk."""
        clock = self.viewing.clock
        if self.viewing.follows_player:
            self.hands.steer(clock.keys)
            if any(self.hands.holds(key) for key in WALKING):
                clock.run()

    def _use_door(self) -> None:
        sim = self.viewing.sim
        door = None if sim is None else door_ahead(sim)
        if door is not None:
            self.viewing.clock.keys.use = door.id
            self.viewing.clock.run()


def pick_mode(modifiers: Qt.KeyboardModifier) -> PickMode:
    """Ctrl looks for portals, Shift for cells, both together for the openings of buildings."""
    control = bool(modifiers & Qt.KeyboardModifier.ControlModifier)
    shift = bool(modifiers & Qt.KeyboardModifier.ShiftModifier)
    if control and shift:
        return PickMode.APERTURE
    return PickMode.PORTAL if control else PickMode.CELL if shift else PickMode.NEAREST
