"""The dollhouse's commands, kept choices, and the strip of them over the picture (docs/docks/dollhouse.md)."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QSettings, QSize, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QSizePolicy, QSlider, QToolButton, QWidget

from editor.process.plain_text import plain, plain_lines
from editor.view3d.dollhouse import NOT_ON, NOTHING_TO_ISOLATE, STEP, WHOLE, DollhouseModel
from editor.view3d.view import View3D
from engine.render.dollhouse.look import Drawing
from engine.render.dollhouse.storeys import SLAB
from ui.commands.registry import CommandSet, allow
from ui.theme.theme import DARK, EDGE, GROUP, mono_font
from ui.widgets.flow_layout import Flow

DRAWING_KEY, ROOFS_KEY, SEEN_KEY = "dollhouse/drawing", "dollhouse/roofs", "dollhouse/seen"

DRAWINGS: Final = (
    (Drawing.SOLID, "Solid", "Floors, far walls and what stands there; edges are drawn over them"),
    (Drawing.WIREFRAME, "Wireframe", "The edges of all polygons, each once, with nothing in front"),
    (Drawing.XRAY, "X-Ray", "All faces translucent, from both sides: where many lie behind each other it is brighter"),
)
TOGGLE: Final = "Draw all cells of the landblock from outside, without PView"
ROOFS: Final = "Ceilings, and the roofs of buildings"
SEEN: Final = "What PView sees from the player's eye: amber the current cell, teal visible, slate in the stab list only"
ISOLATE: Final = "Show the selected cell or building alone"
ALL_STOREYS: Final = "All Storeys"
PER_METRE: Final = 100.0
"""Positions of the slider."""
SLIDER_WIDTH: Final = 64
PART_WIDTH: Final = 156
STOREY_WIDTH: Final = 132
BESIDE_TOOLS: Final = 60
"""Pixels at the left edge of the picture that the shelf of tools covers, and a gap."""
NO_CUT: Final = "no cut"


class DollhouseControls(QObject):
    """The actions. What is drawn is the model's; how it is drawn is kept in the settings."""

    def __init__(self, viewing: View3D, commands: CommandSet, settings: QSettings, why_never: str = "") -> None:
        """`why_never` is why nothing can be drawn here at all."""
        super().__init__(viewing)
        self._viewing = viewing
        self._settings = settings
        self._why_never = why_never
        self.model: DollhouseModel = viewing.dollhouse
        model = self.model
        model.drawing = _kept_drawing(settings)
        model.roofs = settings.value(ROOFS_KEY) == "on"
        model.shows_seen = settings.value(SEEN_KEY) == "on"
        add = commands.add
        self.toggle_action = add("dollhouse", "Dollhouse", self._toggle, "F4", tip=TOGGLE, is_checkable=True)
        self.drawing_actions: dict[Drawing, QAction] = {}
        group = QActionGroup(self)
        for drawing, title, tip in DRAWINGS:
            made = add(f"dollhouse-{drawing.value}", title, partial(self._draw_as, drawing), tip=tip, is_checkable=True)
            group.addAction(made)
            self.drawing_actions[drawing] = made
        self.roofs_action = add("dollhouse-roofs", "Roofs", self._roofs, tip=ROOFS, is_checkable=True)
        self.seen_action = add("dollhouse-seen", "Seen Now", self._seen, tip=SEEN, is_checkable=True)
        self.isolate_action = add("dollhouse-isolate", "Isolate Selection", model.isolate_selection, tip=ISOLATE)
        self.whole_action = add("dollhouse-whole", "Show Whole Landblock", partial(model.show_part, WHOLE))
        self.above_action = add("dollhouse-above", "Storey Above", partial(self._next_storey, 1), "Ctrl+]")
        self.below_action = add("dollhouse-below", "Storey Below", partial(self._next_storey, -1), "Ctrl+[")
        self.raise_action = add("dollhouse-raise", "Raise the Cut", partial(self._move_cut, STEP), "]")
        self.lower_action = add("dollhouse-lower", "Lower the Cut", partial(self._move_cut, -STEP), "[")
        self.uncut_action = add("dollhouse-uncut", "Remove the Cut", partial(model.cut_at, None))
        viewing.switched.connect(self.refresh)
        viewing.session.selection_changed.connect(self.refresh)
        viewing.document.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        model = self.model
        why_not = self._why_never or model.why_not
        off = why_not or ("" if model.is_on else NOT_ON)
        allow(self.toggle_action, why_not, TOGGLE)
        self.toggle_action.setChecked(model.is_on)
        for drawing, _, tip in DRAWINGS:
            allow(self.drawing_actions[drawing], off, tip)
            self.drawing_actions[drawing].setChecked(drawing is model.drawing)
        allow(self.roofs_action, off, ROOFS)
        self.roofs_action.setChecked(model.roofs)
        allow(self.seen_action, off, SEEN)
        self.seen_action.setChecked(model.shows_seen)
        nothing = "" if model.part_of_selection() is not None else NOTHING_TO_ISOLATE
        allow(self.isolate_action, why_not or nothing, ISOLATE)
        allow(
            self.whole_action,
            off or ("" if model.part != WHOLE else "The whole landblock is already shown."),
            "Show the whole landblock again",
        )
        allow(self.above_action, off, "Show the storey above the present one alone; above the highest one, all")
        allow(self.below_action, off, "Show the storey below the present one alone; below the lowest one, all")
        allow(self.raise_action, off, "Raise the plane above which everything is cut away")
        allow(self.lower_action, off, "Lower the plane above which everything is cut away")
        allow(
            self.uncut_action, off or ("" if model.cut is not None else "Nothing is cut."), "Remove the cutting plane"
        )

    # --- what the actions do

    def _toggle(self) -> None:
        self.model.toggle()
        self.refresh()

    def _draw_as(self, drawing: Drawing) -> None:
        self._settings.setValue(DRAWING_KEY, drawing.value)
        self.model.draw_as(drawing)

    def _roofs(self) -> None:
        self._settings.setValue(ROOFS_KEY, "on" if self.roofs_action.isChecked() else "off")
        self.model.show_roofs(self.roofs_action.isChecked())

    def _seen(self) -> None:
        self._settings.setValue(SEEN_KEY, "on" if self.seen_action.isChecked() else "off")
        self.model.show_seen(self.seen_action.isChecked())

    def _next_storey(self, step: int) -> None:
        """Around through all of them: below the lowest comes the whole, below that the highest."""
        model = self.model
        count = len(model.storeys())
        position = count if model.storey is None else model.storey
        position = (position + step) % (count + 1)
        model.show_storey(None if position == count else position)

    def _move_cut(self, by: float) -> None:
        scene = self._viewing.scene
        if scene is not None:
            self.model.move_cut(scene, by)


def _kept_drawing(settings: QSettings) -> Drawing:
    name = settings.value(DRAWING_KEY)
    return Drawing(name) if name in [drawing.value for drawing in Drawing] else Drawing.SOLID


class DollhouseStrip(QFrame):
    """The choices along the upper edge of the picture while the dollhouse is on. It wraps in a narrow picture."""

    def __init__(self, controls: DollhouseControls, viewing: View3D, view: QWidget) -> None:
        super().__init__(view)
        self._controls = controls
        self._viewing = viewing
        self._view = view
        self.setObjectName("dollhouse-strip")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setStyleSheet(STYLE)
        self.part = self._box(
            "dollhouse-part", "What is shown: the whole landblock, one building or one cell", PART_WIDTH
        )
        self.storey = self._box("dollhouse-storey", "The storey that is shown alone", STOREY_WIDTH)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setObjectName("dollhouse-cut")
        self.slider.setAccessibleName("Height of the cut")
        self.slider.setToolTip(plain_lines("The height above which nothing is drawn; [ and ] move it too"))
        self.slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.slider.setFixedWidth(SLIDER_WIDTH)
        self.slider.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.height_label = QLabel(self)
        self.height_label.setFont(mono_font(11))
        self.height_label.setFixedWidth(self.height_label.fontMetrics().horizontalAdvance("000.00 m"))
        row = Flow()
        row.setContentsMargins(GROUP, GROUP, GROUP, GROUP)
        row.setSpacing(GROUP)
        shown = (controls.roofs_action, controls.seen_action)
        for action in (*controls.drawing_actions.values(), *shown):
            row.addWidget(self._button(action))
        row.addWidget(self.part)
        row.addWidget(self.storey)
        row.addWidget(self.slider)
        row.addWidget(self.height_label)
        self.setLayout(row)
        self.part.activated.connect(self._on_part)
        self.storey.activated.connect(self._on_storey)
        self.slider.valueChanged.connect(self._on_slider)
        viewing.switched.connect(self.refresh)
        viewing.document.changed.connect(self.refresh)
        viewing.session.selection_changed.connect(self.refresh)
        self.refresh()

    def _box(self, name: str, title: str, width: int) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName(name)
        box.setAccessibleName(plain(title))
        box.setToolTip(plain_lines(title))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(7)
        box.setFixedWidth(width)
        box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus with the view
        return box

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setObjectName(f"{action.objectName()}-button")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    @Slot()
    def refresh(self) -> None:
        model = self._controls.model
        self.setVisible(model.is_on)
        if not model.is_on:
            return
        parts = model.parts()
        _fill(self.part, [name for _, name in parts], [part for part, _ in parts].index(model.part))
        storeys = model.storeys()
        names = [f"Storey {number + 1} of {len(storeys)}" for number, storey in enumerate(storeys)]
        _fill(self.storey, [ALL_STOREYS, *names], 0 if model.storey is None else model.storey + 1)
        for number, storey in enumerate(storeys):
            tip = f"Floor at {storey.low + SLAB:.2f} m, {_count(len(storey.rooms))}"
            self.storey.setItemData(number + 1, tip, Qt.ItemDataRole.ToolTipRole)
        self._refresh_slider()
        self.fit()

    def _refresh_slider(self) -> None:
        model, scene = self._controls.model, self._viewing.scene
        bounds = None if scene is None else model.bounds(scene)
        self.slider.setEnabled(bounds is not None)
        if bounds is None:
            return
        low, high = bounds[0][2], bounds[1][2]
        self.slider.blockSignals(True)
        self.slider.setRange(0, round((high - low) * PER_METRE) + 10)
        self.slider.setPageStep(round(PER_METRE))
        at = self.slider.maximum() if model.cut is None else round((model.cut - low) * PER_METRE)
        self.slider.setValue(at)
        self.slider.blockSignals(False)
        self.height_label.setText(plain(NO_CUT if model.cut is None else f"{model.cut:.2f} m"))

    def fit(self) -> None:
        """Beside the tools, as wide as the picture allows."""
        left = BESIDE_TOOLS
        room = max(self._view.width() - left - EDGE, 160)
        layout = self.layout()
        wanted = QSize(room, 0) if layout is None else layout.sizeHint()
        width = min(max(wanted.width(), 160), room)
        height = 32 if layout is None else layout.heightForWidth(width)
        self.setGeometry(left, EDGE, width, height)
        self._viewing.camera.covered_above = (EDGE + height) * self.devicePixelRatioF()

    @Slot(int)
    def _on_part(self, index: int) -> None:
        parts = self._controls.model.parts()
        if 0 <= index < len(parts):
            self._controls.model.show_part(parts[index][0])

    @Slot(int)
    def _on_storey(self, index: int) -> None:
        self._controls.model.show_storey(index - 1 if index > 0 else None)

    @Slot(int)
    def _on_slider(self, value: int) -> None:
        model, scene = self._controls.model, self._viewing.scene
        bounds = None if scene is None else model.bounds(scene)
        if bounds is not None:
            model.cut_at(None if value == self.slider.maximum() else bounds[0][2] + value / PER_METRE)


def _fill(box: QComboBox, names: list[str], index: int) -> None:
    """Change nothing that is the same: an open list would close."""
    if [box.itemText(number) for number in range(box.count())] != [plain(name) for name in names]:
        box.clear()
        for name in names:
            box.addItem(plain(name))
    box.setCurrentIndex(index)


def _count(cells: int) -> str:
    return "1 cell" if cells == 1 else f"{cells} cells"


STYLE: Final = f"""
QFrame#dollhouse-strip {{ background: rgba(18, 20, 23, 215); border-radius: 4px; }}
QFrame#dollhouse-strip QToolButton {{ border: none; border-radius: 3px; padding: 3px 6px; background: transparent;
    color: {DARK.text}; }}
QFrame#dollhouse-strip QToolButton:hover {{ background: rgba(255, 255, 255, 32); }}
QFrame#dollhouse-strip QToolButton:checked {{ background: {DARK.accent}; color: {DARK.on_accent}; }}
QFrame#dollhouse-strip QToolButton:disabled {{ color: {DARK.dim}; }}
QFrame#dollhouse-strip QLabel {{ color: {DARK.text}; background: transparent; }}
QFrame#dollhouse-strip QComboBox {{ background: {DARK.sheet}; color: {DARK.text}; border: 1px solid {DARK.line};
    padding: 2px 16px 2px 6px; }}
QFrame#dollhouse-strip QComboBox QAbstractItemView {{ background: {DARK.sheet}; color: {DARK.text}; }}
"""
"""Dark in both themes, as is everything over the picture."""
