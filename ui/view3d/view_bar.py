"""The bar over the 3D view: camera, picture, root, overlays, time of day."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QMenu, QSizePolicy, QSlider, QToolButton, QWidget

from editor.document.document import NOTHING_OPEN
from editor.process.plain_text import plain, plain_lines
from editor.view3d.view import ALL_STEPS, MINUTES, View3D
from engine.render.buffers import Buffer
from engine.render.overlays.catalogue import TITLES, Overlay
from engine.render.viewer.viewer import View
from engine.visibility.root import PINNED, PLAYER, VIEWER
from ui.commands.registry import allow
from ui.theme.theme import BETWEEN, GROUP, mono_font
from ui.widgets.flow_layout import Flow

CAMERAS: Final = (
    (View.FREE, "Free Camera", "Fly: right-drag looks, W A S D and Q E move"),
    (View.CHASE, "Player", "Behind the player (Tab): the keys walk, the right mouse button turns him"),
    (View.FIRST_PERSON, "First Person", "Through the player's eyes (V)"),
)
PICTURES: Final = (
    (True, "Exact", "Every room is clipped to its visible part"),
    (False, "Retail", "As the client draws: order and depth alone"),
)
ROOTS: Final = (
    (None, "Root: Auto", "The camera's preference: its own cell, or the player's when it follows the player"),
    (VIEWER, "Root: Viewer", "The cell of the eye, as in the client"),
    (PLAYER, "Root: Player", "The cell that physics has the player in"),
    (PINNED, "Root: Pinned", "The cell at which it is rooted now, wherever the eye goes"),
)
HOURS: Final = (
    (0, "Midnight"),
    (3, "Before Dawn"),
    (6, "Dawn"),
    (9, "Morning"),
    (12, "Noon"),
    (15, "Afternoon"),
    (18, "Dusk"),
    (21, "Night"),
)
"""Times of day in the menu."""

BUFFERS: Final = (
    (
        Buffer.DEPTH,
        "Depth Buffer",
        "What the frame leaves in the depth: light is near, blue is nothing, or punched",
    ),
    (
        Buffer.STENCIL,
        "Stencil Buffer",
        "The marks of the cells' views in the stencil; only exact pictures have any",
    ),
)
PRESETS: Final = (
    (
        "rooms_at_once",
        "Walls' Cut-Outs at Once",
        "As the client's top presets with detail texturing of rooms: cut-out and blended surfaces of walls are drawn "
        "with the walls, lit as they are, and not at the end",
    ),
    (
        "multi_pass_alpha",
        "Multi-Pass Alpha",
        "As the client's preset: cut-out surfaces are drawn at once, and again at the end with soft edges",
    ),
    (
        "detail_textures",
        "Detail Textures on Walls",
        "As the client's preset: the walls of rooms are drawn again with the region's detail texture, if it has one",
    ),
)
"""The client's presets, by field name."""
FREEZES: Final = "Freeze the frame seen from here, and fly away to inspect it"
DRAWN_OVER: Final = "Choose the overlays drawn over the picture"
LEVELS: Final = (
    "Draw objects more than 50 m away with the simpler meshes of their models, or not at all, "
    "as the client does under some presets"
)
TERRAIN: Final = (
    "Draw landblocks beyond the next one with fewer and larger squares of ground the farther they are, and nothing on "
    "them, as the client does under some presets"
)
LIGHTS: Final = "Time of day: it lights the world; changing it is not an edit"


class OverlayButton(QToolButton):
    """As wide without a number as with one, so that no overlay makes the bar wrap and the picture jump."""

    def sizeHint(self) -> QSize:
        metrics, hint = self.fontMetrics(), super().sizeHint()
        spare = metrics.horizontalAdvance("Overlays (9)") - metrics.horizontalAdvance(self.text())
        return hint + QSize(max(spare, 0), 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class ViewBar(QWidget):
    """Shows and changes the view's settings. In a narrow window it wraps onto another line."""

    def __init__(self, viewing: View3D, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("view-bar")
        self.viewing = viewing
        self.camera = self._box("camera", "Camera", [(word, tip) for _, word, tip in CAMERAS])
        self.picture = self._box("picture", "Picture", [(word, tip) for _, word, tip in PICTURES])
        self.root = self._box("root", "Root of the flood", [(word, tip) for _, word, tip in ROOTS])
        self.overlay_actions: dict[Overlay, QAction] = {}
        self.steps_action = self._switch(
            "Draw Order Step by Step", "A slider that ends the picture after any of its steps"
        )
        self.freeze_action = self._switch("Freeze Visibility", FREEZES)
        self.buffer_actions = {buffer: self._buffer(buffer, word, tip) for buffer, word, tip in BUFFERS}
        self.brighter_action = self._switch("Brighter", "More light everywhere than the client has: a dungeon is dark")
        self.viewer_light_action = self._switch("Player's Own Light", "The light that the client's viewer carries")
        self.plain_action = self._switch(
            "Plain Colours in Rooms", "Surfaces of one colour, which the client leaves out in rooms and buildings"
        )
        self.levels_action = self._switch("Levels of Detail", LEVELS)
        self.preset_actions = {name: self._preset(name, word, tip) for name, word, tip in PRESETS}
        self.terrain_action = self._switch("Terrain Detail", TERRAIN)
        self.none_action = QAction("None", self)
        self.none_action.setToolTip("Hide all overlays")
        self.none_action.triggered.connect(self._no_overlays)
        self.overlays = self._make_overlays()
        self.time = QSlider(Qt.Orientation.Horizontal, self)
        self.time.setObjectName("time-of-day")
        self.time.setAccessibleName("Time of day")
        self.time.setRange(0, MINUTES - 1)
        self.time.setPageStep(60)
        self.time.setFixedWidth(84)
        self.time_label = QLabel(self)
        self.time_label.setFont(mono_font())
        self.hour_actions = [self._hour(hour, word) for hour, word in HOURS]
        self._lay_out()
        self.camera.activated.connect(self._on_camera)
        self.picture.activated.connect(self._on_picture)
        self.root.activated.connect(self._on_root)
        self.time.valueChanged.connect(self._on_time)
        self.steps_action.triggered.connect(self._on_steps)
        self.freeze_action.triggered.connect(viewing.freeze)
        self.brighter_action.triggered.connect(viewing.set_brighter)
        self.viewer_light_action.triggered.connect(viewing.set_viewer_light)
        self.plain_action.triggered.connect(viewing.set_plain_colours)
        self.levels_action.triggered.connect(viewing.set_levels_of_detail)
        self.terrain_action.triggered.connect(viewing.set_terrain_detail)
        viewing.switched.connect(self.refresh)
        self.refresh()

    def _box(self, name: str, title: str, entries: list[tuple[str, str]]) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName(name)
        box.setAccessibleName(plain(title))
        for number, (word, tip) in enumerate(entries):
            box.addItem(word)
            box.setItemData(number, tip, Qt.ItemDataRole.ToolTipRole)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus with the view
        return box

    def _make_overlays(self) -> QToolButton:
        button = OverlayButton(self)
        button.setObjectName("overlays")
        button.setText("Overlays")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(button)
        menu.setToolTipsVisible(True)
        for overlay, (title, tip) in TITLES.items():
            action = QAction(title, self, checkable=True)
            action.setToolTip(plain_lines(tip))
            action.setObjectName(f"overlay-{overlay.value}")
            action.toggled.connect(lambda shown, overlay=overlay: self.viewing.show_overlay(overlay, shown))
            menu.addAction(action)
            self.overlay_actions[overlay] = action
        button.ensurePolished()
        button.setText(f"Overlays ({len(TITLES)})")
        button.setMinimumWidth(button.sizeHint().width())  # a count in it must not move what is beside it
        button.setText("Overlays")
        menu.addAction(self.none_action)
        menu.addSeparator()
        menu.addActions([*self.buffer_actions.values(), self.steps_action, self.freeze_action])
        button.setMenu(menu)
        return button

    def _switch(self, text: str, tip: str) -> QAction:
        made = QAction(text, self, checkable=True)
        made.setToolTip(plain_lines(tip))
        return made

    @property
    def light_actions(self) -> list[QAction]:
        return [self.brighter_action, self.viewer_light_action, self.plain_action]

    @property
    def detail_actions(self) -> list[QAction]:
        return [self.levels_action, self.terrain_action, *self.preset_actions.values()]

    def _buffer(self, buffer: Buffer, word: str, tip: str) -> QAction:
        made = self._switch(word, tip)
        made.triggered.connect(lambda shown: self.viewing.show_buffer(buffer if shown else Buffer.COLOUR))
        return made

    def _preset(self, name: str, word: str, tip: str) -> QAction:
        made = self._switch(word, tip)
        made.triggered.connect(lambda on: self.viewing.set_presets(replace(self.viewing.presets, **{name: on})))
        return made

    def _hour(self, hour: int, word: str) -> QAction:
        made = QAction(f"{hour:02}:00 {word}", self)
        made.triggered.connect(lambda checked=False: self._on_time(hour * 60))
        return made

    def _lay_out(self) -> None:
        """Lay out all but the camera, which is in the window's toolbar."""
        day = QWidget(self)  # keeps the slider and its time together
        pair = QHBoxLayout(day)
        pair.setContentsMargins(0, 0, 0, 0)
        pair.setSpacing(GROUP)
        day.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        pair.addWidget(self.time)
        pair.addWidget(self.time_label)
        row = Flow()
        row.setContentsMargins(0, BETWEEN, 0, BETWEEN)
        row.setSpacing(GROUP)
        for widget in (self.picture, self.root, self.overlays, day):
            row.addWidget(widget)
        self.setLayout(row)

    # --- content

    @Slot()
    def refresh(self) -> None:
        viewing = self.viewing
        viewer = viewing.viewer
        view = View.FREE if viewing.camera.view is View.ORBIT else viewing.camera.view
        self.camera.setCurrentIndex([known for known, _, _ in CAMERAS].index(view))
        self.picture.setCurrentIndex([known for known, _, _ in PICTURES].index(viewing.exact))
        mode = None if viewer is None else viewer.root_mode
        self.root.setCurrentIndex([known for known, _, _ in ROOTS].index(mode))
        pinned = viewer is not None and mode == PINNED
        self.root.setItemText(len(ROOTS) - 1, plain(_pinned(viewing)) if pinned else "Pinned")
        for overlay, action in self.overlay_actions.items():
            action.setChecked(overlay in viewing.overlays)
        self.steps_action.setChecked(viewing.steps is not None)
        self.freeze_action.setChecked(viewing.is_frozen)
        for buffer, action in self.buffer_actions.items():
            action.setChecked(viewing.buffer is buffer)
        self.brighter_action.setChecked(viewing.brighter)
        self.viewer_light_action.setChecked(viewing.viewer_light)
        self.plain_action.setChecked(viewing.plain_colours)
        self.levels_action.setChecked(viewing.levels_of_detail)
        for name, action in self.preset_actions.items():
            action.setChecked(getattr(viewing.presets, name))
        self.terrain_action.setChecked(viewing.terrain_detail)
        count = len(viewing.overlays)
        self.overlays.setText(plain(f"Overlays ({count})" if count else "Overlays"))
        minutes = round(viewing.time_of_day * MINUTES) % MINUTES
        self.time.blockSignals(True)
        self.time.setValue(minutes)
        self.time.blockSignals(False)
        self.time_label.setText(f"{minutes // 60:02}:{minutes % 60:02}")
        why_not = NOTHING_OPEN if viewer is None else ""
        allow(self.freeze_action, why_not, FREEZES)
        for box in (self.camera, self.picture, self.root):
            box.setEnabled(not why_not)
            box.setToolTip(plain_lines(why_not or box.accessibleName()))
        self.overlays.setEnabled(not why_not)
        self.overlays.setToolTip(plain_lines(why_not or DRAWN_OVER))
        why_not = viewing.document.why_not_edit
        self.time.setEnabled(not why_not)
        self.time.setToolTip(plain_lines(why_not or LIGHTS))
        for action in self.hour_actions:
            allow(action, why_not, LIGHTS)

    # --- user input

    @Slot(int)
    def _on_camera(self, index: int) -> None:
        self.viewing.camera.look_through(CAMERAS[index][0])
        self.refresh()  # the camera may refuse the player's view

    @Slot(int)
    def _on_picture(self, index: int) -> None:
        self.viewing.set_exact(PICTURES[index][0])

    @Slot(int)
    def _on_root(self, index: int) -> None:
        self.viewing.set_root_mode(ROOTS[index][0])

    @Slot(bool)
    def _on_steps(self, stepping: bool) -> None:
        self.viewing.set_steps(ALL_STEPS if stepping else None)

    @Slot(int)
    def _on_time(self, minutes: int) -> None:
        self.viewing.set_time_of_day(minutes / MINUTES)
        self.refresh()

    @Slot()
    def _no_overlays(self) -> None:
        for overlay in list(self.viewing.overlays):
            self.viewing.show_overlay(overlay, False)


def _pinned(viewing: View3D) -> str:
    """The pinned root by its name."""
    viewer = viewing.viewer
    return "Pinned" if viewer is None else f"Pinned {viewing.document.names.cell(viewer.pinned_id)}"
