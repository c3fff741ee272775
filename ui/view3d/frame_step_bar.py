"""A slider that stops the picture after some of the frame's steps, with the name of the last one."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSlider, QToolButton, QWidget

from editor.models.pview.frame_steps import steps_line
from editor.process.plain_text import plain, plain_lines
from editor.view3d.view import ALL_STEPS, View3D
from ui.theme.theme import BETWEEN, EDGE, GROUP, mono_font

PAGE: Final = 10


class Steps(QSlider):
    """A slider that takes Home and End before the window's shortcuts do."""

    def event(self, event: QEvent) -> bool:
        ends = (Qt.Key.Key_Home, Qt.Key.Key_End)
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in ends:
            event.accept()
            return True
        return super().event(event)


class StepBar(QWidget):
    """Visible while the user steps through frames; `action` toggles that. A slider at its right end stays there,
    whatever the length of the next frame."""

    def __init__(self, viewing: View3D, action: QAction, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("step-bar")
        self.viewing = viewing
        self.belongs = True
        """Whether the picture, not the map, is on show."""
        self._action = action
        self.slider = Steps(Qt.Orientation.Horizontal, self)
        self.slider.setObjectName("draw-order")
        self.slider.setAccessibleName("Draw order")
        self.slider.setToolTip("How many of the frame's steps are drawn; the arrow keys go one by one")
        self.slider.setPageStep(PAGE)
        self.slider.setMinimumWidth(96)
        self.line = QLabel(self)
        self.line.setObjectName("draw-order-step")
        self.line.setFont(mono_font())
        self.line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._lay_out()
        self.slider.valueChanged.connect(self._on_value)
        viewing.switched.connect(self.refresh)
        viewing.seen.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        done = QToolButton(self)
        done.setText("Done")
        done.setToolTip("Draw whole frames again")
        done.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        done.clicked.connect(self._action.trigger)
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, 0, EDGE, GROUP)
        row.setSpacing(BETWEEN)
        row.addWidget(QLabel("Draw order", self))
        row.addWidget(self.slider, 1)
        row.addWidget(self.line, 2)
        row.addWidget(done)

    @Slot()
    def refresh(self) -> None:
        viewing = self.viewing
        steps, picture = viewing.steps, viewing.last
        self.setVisible(self.belongs and steps is not None and viewing.viewer is not None)
        if steps is None or picture is None:
            return
        count = len(picture.frame.events)
        self.slider.blockSignals(True)
        self.slider.setRange(0, count)
        self.slider.setValue(min(steps, count))
        self.slider.blockSignals(False)
        self.line.setText(plain(steps_line(picture.frame, steps)))
        self.line.setToolTip(plain_lines(self.line.text()))

    @Slot(int)
    def _on_value(self, value: int) -> None:
        self.viewing.set_steps(ALL_STEPS if value == self.slider.maximum() else value)
