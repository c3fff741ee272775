"""Cell: everything about one cell, and edits of its record: place, portals, stab list, static objects."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QLabel, QWidget

from editor.authoring.cell_edits import set_seen_outside
from editor.authoring.static_edits import owner_of
from editor.document.document import Document
from editor.models.graph.cell_graph import PortalRef
from editor.models.lost_wording import lost_sentence
from editor.process.plain_text import plain, plain_lines
from editor.session.session import Kind, Selection
from editor.validation.stab_comparison import StabComparison
from editor.view3d.view import View3D
from engine.visibility.frame import FrameResult
from engine.world.cells.cell import EnvCell, ObjCell
from engine.world.cells.ids import cell_text
from ui.docks.cell.head import EMPTY, HeadPage
from ui.docks.cell.page import CellPage
from ui.docks.cell.portals import PortalPage
from ui.docks.cell.stabs import StabPage
from ui.docks.cell.statics import StaticPage
from ui.docks.panel import LivePanel
from ui.docks.parts import action, allow, bar, column, tabs
from ui.theme.theme import mono_font

SEES_OUTSIDE = "Draw the outdoors when the eye is in this cell"


class CellPanel(LivePanel):
    """The selected cell, or the player's while that is asked for or nothing is selected."""

    reads_second = True
    about = (
        "One cell in full: frame, flags and trees, its portals with their other sides, the stab list beside what is "
        "really seen, and its static objects; all of it can be edited while the world runs. A double click leads to "
        "what a row names."
    )

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "cell-panel", parent)
        self.compare = StabComparison(self)
        self.compare.ready.connect(self._on_compared)
        self._shown = 0
        self._frame_source: Callable[[], FrameResult | None] = lambda: None
        self.title = QLabel(self)
        self.title.setFont(mono_font(15))
        self.title.setObjectName("cell-title")
        self.follow_player = QCheckBox("Follow player", self)
        self.follow_player.setObjectName("cell-follow")
        self.follow_player.toggled.connect(self._on_follow)
        self.follow_action = action(self, "Follow Player", self.follow_player.toggle, name="cell-follow-player")
        self.follow_action.setCheckable(True)
        self.follow_action.setToolTip("Show the player's cell, whatever is selected")
        self.outside = QCheckBox("Seen outside", self)
        self.outside.setObjectName("cell-outside")
        self.outside.clicked.connect(self.switch_outside)
        self.outside_action = action(self, "Switch Seen Outside", self.switch_outside, name="cell-switch-outside")
        self.tabs = tabs(self, "cell-tabs")
        self.head_page, self.portal_page = HeadPage(self), PortalPage(self)
        self.stab_page, self.static_page = StabPage(self, self.compare), StaticPage(self)
        self.pages: tuple[CellPage, ...] = (self.head_page, self.portal_page, self.stab_page, self.static_page)
        for page, word in zip(self.pages, ("Cell", "Portals", "Stab list", "Statics"), strict=True):
            self.tabs.addTab(page, word)
        self.tabs.currentChanged.connect(self._on_changed)
        box = column(self)
        box.addLayout(bar(self.title, self.outside, self.follow_player))
        box.addWidget(self.tabs, 1)
        self.refresh()

    # --- showing

    @property
    def cell(self) -> ObjCell | None:
        """The cell that is shown."""
        sim = self.document.seen
        if sim is None:
            return None
        selection = self.document.session.selection
        if not self.follow_player.isChecked() and selection is not None:
            if selection.kind is Kind.CELL:
                return sim.graph.get_visible(selection.key)
            if selection.kind is Kind.STATIC:
                owner = sim.graph.get_visible(owner_of(selection.key))
                if owner is not None:
                    return owner
            entity = sim.population.find(selection.key) if selection.kind is Kind.ENTITY else None
            if entity is not None:
                return sim.graph.get_visible(entity.place_cell())
        return sim.graph.current

    @property
    def room(self) -> EnvCell | None:
        cell = self.cell
        return cell if isinstance(cell, EnvCell) else None

    def look_through(self, viewing: View3D, shown: QWidget | None) -> None:
        """Tell which cells the frame of the window's picture draws, while that is on the screen."""

        def frame() -> FrameResult | None:
            on_screen = shown is not None and shown.isVisible()
            return viewing.last.frame if on_screen and viewing.last is not None else None

        self._frame_source = frame
        viewing.seen.connect(self._on_seen)

    @Slot()
    def _on_seen(self) -> None:
        """The window has drawn another frame."""
        if self.tabs.currentWidget() is self.stab_page:
            self._on_changed()

    def drawn(self) -> set[int] | None:
        """The cells that the frame on the screen draws; None without one."""
        frame = self._frame_source()
        return None if frame is None else set(frame.visible_ids())

    def follow(self, selection: Selection | None) -> None:
        self.refresh()
        if selection is not None and selection.kind is Kind.STATIC and not self.follow_player.isChecked():
            self.static_page.view.follow(selection.key)

    @Slot(object)
    def show_portal(self, portal: PortalRef) -> None:
        """Mark a portal that was chosen elsewhere, on the page of portals."""
        if self.room is not None and portal.owner.key == self.room.id:
            self.tabs.setCurrentWidget(self.portal_page)
        self.portal_page.view.follow((portal.owner.key, portal.index))

    @Slot(bool)
    def _on_follow(self, on: bool) -> None:
        self.follow_action.setChecked(on)
        self.refresh()

    @Slot()
    def _on_compared(self) -> None:
        """The comparison has finished; the world has not changed."""
        self._shown = 0
        self._on_changed()

    @Slot()
    def refresh(self) -> None:
        sim, cell, room = self.document.seen, self.cell, self.room
        same = cell is not None and cell.id == self._shown
        self._shown = 0 if cell is None else cell.id
        lost = "" if sim is None or cell is not None else lost_sentence(sim)
        shown = "" if sim is None or cell is None else sim.world.names.cell_field(cell.id)
        self.title.setText(plain(shown) or ("■ lost" if lost else "no cell"))
        self.title.setToolTip(plain_lines(lost))
        self.head_page.view.empty = lost or EMPTY
        self.outside.setChecked(cell is not None and cell.seen_outside)
        why_not = self.head_page.why_not
        self.outside.setEnabled(not why_not)
        self.outside.setToolTip(plain_lines(why_not or SEES_OUTSIDE))
        allow(self.outside_action, why_not, SEES_OUTSIDE)
        for page in self.pages:
            page.show_cell(same=same)
        counts = {
            self.portal_page: ("Portals", 0 if room is None else len(room.portals)),
            self.stab_page: ("Stab list", 0 if room is None else len(room.stab_list)),
            self.static_page: ("Statics", 0 if cell is None else len(cell.static_objects)),
        }
        for page, (word, count) in counts.items():
            self.tabs.setTabText(self.tabs.indexOf(page), plain(f"{word} {count}" if cell is not None else word))

    # --- edits

    @Slot()
    def switch_outside(self) -> None:
        room = self.room
        if room is not None:
            on = not room.seen_outside
            name = f"{'Set' if on else 'Clear'} Seen Outside of {cell_text(room.id)}"
            self.head_page.edit(name, lambda sim: set_seen_outside(sim, room.id, on))
