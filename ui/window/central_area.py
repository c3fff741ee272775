"""The middle of the window: the 3D view and the map, one at a time, under one bar."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QSettings, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from editor.process.plain_text import plain, plain_lines
from editor.view3d.view import View3D
from engine.render.viewer.viewer import View
from ui.commands.registry import CommandSet
from ui.docks.place_menu import add_places
from ui.map.landblock_chooser import BlockChooser
from ui.map.panel import MapPanel
from ui.theme.theme import BETWEEN, EDGE, Colours, tell_style
from ui.view3d.antialiasing_menu import add_antialiasing
from ui.view3d.context_menu import view_menu
from ui.view3d.dollhouse import DollhouseControls, DollhouseStrip
from ui.view3d.frame_step_bar import StepBar
from ui.view3d.gl_check import missing_gl
from ui.view3d.view_bar import ViewBar
from ui.view3d.view_commands import register_view_commands
from ui.view3d.viewport import Viewport
from ui.view3d.walk_commands import add_walk_commands
from ui.widgets.banner import Banner
from ui.widgets.flow_layout import Flow
from ui.widgets.progress_strip import ProgressStrip

PICTURE: Final = 0
MAP: Final = 1
SETTING: Final = "centre"
NAMES: Final = ("3d", "map")
ABOUT_PICTURE: Final = (
    "The world as the client would draw it from here. Right-drag looks around and W A S D fly; Tab switches to the "
    "player, who walks with the same keys. A click selects, Shift picks the cell and Ctrl the portal,"
    " a right click opens a menu."
)
ABOUT_MAP: Final = (
    "The landblock from above: its rooms storey by storey, portals, land and what stands there. The wheel zooms, a "
    "right drag moves, a click selects."
)
ABOUT_BAR: Final = (
    "How the picture is made: exact or as the retail client draws it, the cell where the flood of portals begins, what "
    "is drawn over it, and the time of day."
)


class Centre(QWidget):
    """`viewport` is None without OpenGL; then a sentence takes its place and the map is shown."""

    turned = Signal(int)
    """The 3D view or the map was shown."""

    def __init__(
        self, viewing: View3D, settings: QSettings, colours: Colours, commands: CommandSet, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.viewing = viewing
        self._settings = settings
        self.map_panel = MapPanel(colours, self)
        self.blocks = BlockChooser(self)
        self.banner = Banner(colours, self)
        self.progress = ProgressStrip(self)
        why_not = missing_gl()
        self.viewport = None if why_not else Viewport(viewing, colours, self)
        self.view_bar = ViewBar(viewing, self)
        self.step_bar = StepBar(viewing, self.view_bar.steps_action, self)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.viewport or _sentence(self, why_not))
        self.stack.addWidget(self.map_panel.map)
        self.map_panel.map.menu_opening.connect(lambda menu, at: add_places(menu, viewing.document, at))
        if self.viewport is not None:
            self.viewport.setWhatsThis(ABOUT_PICTURE)
        self.map_panel.map.setWhatsThis(ABOUT_MAP)
        self.view_bar.setWhatsThis(ABOUT_BAR)
        self.buttons = self._make_buttons()
        self.dollhouse_button = QToolButton(self)
        self.dollhouse_button.setObjectName("dollhouse-switch")
        self.dollhouse_button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.dollhouse_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        register_view_commands(commands, self.view_bar)
        if self.viewport is not None:
            add_antialiasing(commands, self.viewport, settings)
            add_walk_commands(commands, self.viewport, settings)
        self.dollhouse = DollhouseControls(viewing, commands, settings, why_not)
        if self.viewport is not None:
            self.viewport.strip = DollhouseStrip(self.dollhouse, viewing, self.viewport)
            self.viewport.over.append(self.viewport.strip)
        self.dollhouse_button.setDefaultAction(self.dollhouse.toggle_action)
        self._add_commands(commands)
        self._lay_out()
        if self.viewport is not None:
            self.viewport.menu_wanted.connect(self._show_menu)
            # Queued: emitted while painting, and showing the banner moves the picture.
            self.viewport.failed.connect(self.banner.warn, Qt.ConnectionType.QueuedConnection)
            self.viewport.noted.connect(viewing.document.said, Qt.ConnectionType.QueuedConnection)
        self.show_page(MAP if why_not or settings.value(SETTING) == NAMES[MAP] else PICTURE)

    def _make_buttons(self) -> QButtonGroup:
        group = QButtonGroup(self)
        for page, (word, tip) in enumerate(
            (("3D", "Show the world in 3D (F2)"), ("Map", "Show the landblock from above (F3)"))
        ):
            button = QToolButton(self)
            button.setText(plain(word))
            button.setToolTip(plain_lines(tip))
            button.setCheckable(True)
            button.setObjectName(f"show-{NAMES[page]}")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            group.addButton(button, page)
        group.idClicked.connect(self.choose_page)
        return group

    def _add_commands(self, commands: CommandSet) -> None:
        commands.add("show-3d", "3D View", lambda: self.choose_page(PICTURE), "F2", tip="Show the world in 3D")
        commands.add("show-map", "Map", lambda: self.choose_page(MAP), "F3", tip="Show the landblock from above")
        commands.add("frame-selection", "Frame Selection", self.frame_selection, "F", tip="Bring it into view")
        everything = commands.add(
            "frame-all", "Frame Everything", self.frame_all, "Home", tip="Bring all of the world into view", owner=self
        )
        everything.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)  # in lists Home is the first row

    def _lay_out(self) -> None:
        row = Flow()
        row.setContentsMargins(EDGE, BETWEEN, EDGE, BETWEEN)
        row.setSpacing(2 * BETWEEN)
        pair, place = QHBoxLayout(), QHBoxLayout()
        pair.setSpacing(1)
        for button in self.buttons.buttons():
            pair.addWidget(button)
        place.setSpacing(BETWEEN)
        place.addLayout(pair)
        place.addWidget(self.dollhouse_button)
        place.addWidget(self.blocks)
        row.addChildLayout(place)
        row.addItem(place)
        for part in (self.view_bar, self.map_panel):
            row.addWidget(part)
        self._strips = QVBoxLayout()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(self._strips)
        box.addLayout(row)
        box.addWidget(self.step_bar)
        box.addWidget(self.banner)
        box.addWidget(self.progress)
        self.edge = QFrame(self)
        self.edge.setObjectName("edge")
        self.edge.setFixedHeight(2)
        box.addWidget(self.edge)
        box.addWidget(self.stack, 1)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus)

    @Slot(QWidget, QWidget)
    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        """Highlight the line over the picture while the picture has the keyboard focus."""
        if now is not None:
            tell_style(self.edge, "active", now is self.stack or self.stack.isAncestorOf(now))

    def add_above(self, strip: QWidget) -> None:
        """Add a strip above everything else in the middle."""
        self._strips.addWidget(strip)

    def add_below(self, strip: QWidget) -> None:
        """Add a strip under the picture."""
        box = self.layout()
        if box is not None:
            box.addWidget(strip)

    # --- the two of them

    @property
    def page(self) -> int:
        return self.stack.currentIndex()

    @Slot(int)
    def choose_page(self, page: int) -> None:
        """Show the 3D view or the map, the next time as well."""
        self._settings.setValue(SETTING, NAMES[page])
        self.show_page(page)
        self.take_focus()

    def take_focus(self) -> None:
        """Give the keyboard focus to the page that is shown."""
        shown = self.stack.currentWidget()
        if shown is not None:
            shown.setFocus()

    def show_page(self, page: int) -> None:
        self.stack.setCurrentIndex(page)
        self.view_bar.setVisible(page == PICTURE)
        self.dollhouse_button.setVisible(page == PICTURE)
        self.map_panel.setVisible(page == MAP)
        self.step_bar.belongs = page == PICTURE
        self.step_bar.refresh()
        self.buttons.button(page).setChecked(True)
        self.turned.emit(page)

    def set_colours(self, colours: Colours) -> None:
        self.map_panel.set_colours(colours)
        self.banner.set_colours(colours)
        if self.viewport is not None:
            self.viewport.set_colours(colours)

    @Slot()
    def frame_selection(self) -> None:
        if self.page == MAP:
            self.map_panel.map.frame_selection()
        else:
            self.viewing.camera.frame_selection()

    @Slot()
    def show_player(self) -> None:
        """The player, who is selected, was put somewhere: bring him into view. His own cameras go with him."""
        viewer = self.viewing.viewer
        if self.page == MAP or viewer is None or viewer.view in (View.ORBIT, View.FREE):
            self.frame_selection()

    @Slot()
    def frame_all(self) -> None:
        if self.page == MAP:
            self.map_panel.map.frame_all()
        else:
            self.viewing.camera.frame_all()

    @Slot(QPoint)
    def _show_menu(self, at: QPoint) -> None:
        if self.viewport is not None:
            menu = view_menu(self.viewport, at)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.viewport.mapToGlobal(at))


def _sentence(parent: QWidget, text: str) -> QLabel:
    label = QLabel(plain(text), parent)
    label.setObjectName("no-3d")
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setContentsMargins(EDGE * 2, EDGE, EDGE * 2, EDGE)
    return label
