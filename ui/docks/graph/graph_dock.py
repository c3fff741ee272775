"""Cell graph: which cells are joined by which portals, and how each stands to the eye."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QVBoxLayout, QWidget

from editor.document.document import Document
from editor.models.eyesight import BLIND, PlayerSight, sight_of
from editor.models.graph.cell_graph import GraphEdge, PortalRef, VisibleRooms, make_cell_graph, traits_of
from editor.models.live_table import LiveTable, Row, named_rows
from editor.models.lost_wording import is_lost
from editor.models.naming import key_of
from editor.models.portal_sides import SIDE_COLUMNS, own_rows, owner_text, side_rows, title_of_edge
from editor.models.survey.watch import SurveyWatch
from editor.process.plain_text import action_text, plain
from editor.session.session import Kind, Selection
from editor.view3d.view import View3D
from engine.visibility.frame import FrameResult
from engine.world.cells.cell import EnvCell
from engine.world.landblock import Landblock
from engine.world.names import NameKey, Names
from ui.docks.graph.items import EdgeItem, NodeItem
from ui.docks.graph.reach import GraphReach
from ui.docks.graph.view import GraphView
from ui.docks.panel import LivePanel
from ui.docks.parts import action, bar, button, column, dim_label
from ui.docks.place_menu import add_places
from ui.docks.table import LiveView
from ui.theme.icons import set_icon
from ui.theme.theme import DARK, Colours, mono_font
from ui.widgets.rename_key import RenameKey
from ui.widgets.screenshots import ask_for_name, save_png

EMPTY = "This landblock has no rooms: there is no graph to draw."
NOTHING_OPEN = "Open a world: its rooms and the portals between them are drawn here."
LEGEND = (
    ("▶ player", "current"),
    ("1 visible", "visible"),
    ("stab list", "stab"),
    ("neither", "neither"),
    ("☀ sees outdoors", "text"),
    ("— portal", "interior_portal"),
    ("→ exit", "exit_portal"),
    ("═ building", "building_portal"),
    ("■ fault", "fault"),
)
LOST = ("■ player lost, in no cell", "fault")
"""In the place of the player's mark, which no room bears then."""

SIDES_HEIGHT = 142
LEAST_HEIGHT = 96
"""Of the graph with the sides of a portal below it: a dock that grew when these open would shrink its neighbours."""

FrameSource = Callable[[], FrameResult | None]
"""The last frame that the window has drawn."""


class CellGraphPanel(LivePanel):
    """The landblock in view. The eye is the one of the window's picture, or the player's where there is none."""

    about = (
        "Which cells are joined by which portals: rooms roughly where they are, storey over storey. Colours tell the "
        "player's cell, what is visible now, and the stab list; a click selects everywhere, a click on a portal shows "
        "both its sides."
    )

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "cell-graph-panel", parent)
        self.frame_source: FrameSource = _no_frame
        self._colours = DARK
        self._player: PlayerSight | None = None
        self._cells: list[EnvCell] = []
        self._drawn: list[tuple[tuple[object, ...], str]] = []
        self._block_id: int | None = None
        self.view = GraphView(DARK, self)
        self.search = QLineEdit(self)
        self.search.setObjectName("graph-search")
        self.search.setPlaceholderText("Find 0x00000000")
        self.search.setAccessibleName("Find a cell by id")
        self.search.setToolTip("An id or a part of it; Enter goes to the next match")
        self.search.setFont(mono_font())
        self.search.setMaximumWidth(160)
        self.search.setClearButtonEnabled(True)
        self.found = dim_label("", self)
        self.found.setObjectName("graph-found")
        self.legend = QLabel(self)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setObjectName("graph-legend")
        self.legend.setWordWrap(True)
        self.legend.setContentsMargins(12, 0, 12, 4)
        self.view.empty = EMPTY
        self.sides_title = QLabel(self)
        self.sides_title.setObjectName("graph-portal")
        self.sides = LiveView(LiveTable(SIDE_COLUMNS, self), "graph-sides", "Both sides of a portal", "", self)
        self.add_view(self.sides, leads=True)
        self._make_actions()
        self._lay_out()
        self._connect()
        self._show_legend()
        self.refresh()

    def _make_actions(self) -> None:
        self.fit_action = action(self, "Fit", self.view.fit, name="graph-fit")
        self.fit_action.setToolTip("Bring the whole graph into view  (0)")
        self.find_action = action(self, "Find Cell", self._find, "Ctrl+F", "graph-find")
        self.save_action = action(self, "Save Graph…", self.ask_to_save, name="graph-save")
        self.save_action.setToolTip("Save the whole graph as a PNG")
        self.close_action = action(self, "Close Portal Sides", lambda: self.show_edge(None), name="graph-close")
        self.close_action.setToolTip("Close  (Esc)")
        set_icon(self.close_action, "close", self._colours)

    def _lay_out(self) -> None:
        self.sides_page = QWidget(self)
        box = QVBoxLayout(self.sides_page)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        top = bar(self.sides_title)
        close = button(self.close_action, self.sides_page)
        close.setAutoRaise(True)
        top.addWidget(close)
        box.addLayout(top)
        box.addWidget(self.sides)
        self.sides_page.setMaximumHeight(SIDES_HEIGHT)
        self.sides_page.hide()
        drawn = QWidget(self)
        drawn.setMinimumHeight(LEAST_HEIGHT)
        pair = column(drawn)
        pair.addWidget(self.view, 1)
        pair.addWidget(self.sides_page)
        whole = column(self)
        tools = bar(self.search, self.found)
        tools.addWidget(button(self.fit_action, self))
        tools.addWidget(button(self.save_action, self))
        whole.addLayout(tools)
        whole.addWidget(drawn, 1)
        whole.addWidget(self.legend)

    def _connect(self) -> None:
        session = self.document.session
        self.view.chosen.connect(self._on_chosen)
        self.view.framed.connect(self.framed)
        self.view.hovered.connect(session.set_hover)
        self.view.edge_chosen.connect(self.show_edge)
        self.view.menu_wanted.connect(self.show_menu)
        self.view.copy_wanted.connect(self.copy)
        self.search.textChanged.connect(self._count_found)
        self.search.returnPressed.connect(self.next_found)
        session.landblock_changed.connect(self._on_changed)
        self.document.started.connect(self._on_started)
        self.document.named.connect(self._on_named)
        RenameKey(self.view).pressed.connect(self.rename)

    # --- showing

    @property
    def block(self) -> Landblock | None:
        session = self.document.session
        if session.world is None or session.landblock_id is None:
            return None
        return session.world.landblock(session.landblock_id)

    @Slot()
    def _on_started(self) -> None:
        """Forget what the player saw in the world before."""
        if self._player is not None:
            self._player.close()
        sim = self.document.simulation
        self._player = None if sim is None else PlayerSight(sim)

    @Slot()
    def _on_named(self) -> None:
        """Read the rooms again when `changed` comes: their names are part of the graph."""
        self._cells = []

    @Slot()
    def rename(self) -> None:
        """Ask for a name of the marked room, or of the selected one."""
        self._rename(self.view.mark or self.view.selection)

    def _rename(self, selection: Selection | None) -> None:
        sim = self.document.simulation
        key = None if sim is None else key_of(sim, selection)
        if key is not None:
            self.rename_wanted.emit(key)

    def refresh(self) -> None:
        if self._told_lost != is_lost(self.document.simulation):
            self._show_legend()
        block = self.block
        self.view.empty = NOTHING_OPEN if self.document.world is None else EMPTY
        cells = [] if block is None else block.env_cells
        same_block = block is not None and block.id == self._block_id
        if not same_block or [id(cell) for cell in cells] != [id(cell) for cell in self._cells]:
            self._cells = cells  # an edited room is another object
            self._renew(block, same_block=same_block)
        self.view.set_sight(self._sight())

    def _renew(self, block: Landblock | None, *, same_block: bool) -> None:
        """Draw the graph anew, unless what was edited is nothing that it shows: things are dragged about in rooms."""
        world = self.document.world
        traits = [(traits_of(cell), "" if world is None else world.names.of_cell(cell.id)) for cell in self._cells]
        if not same_block or traits != self._drawn:
            self._drawn = traits
            self._block_id = None if block is None else block.id
            names = None if self.document.world is None else self.document.world.names
            shown = make_cell_graph(block, names) if block is not None and self._cells else None
            self.view.set_graph(shown, fit=not same_block, home=None if block is None else self._home(block))
            self._count_found()
        self._show_sides()

    def _home(self, block: Landblock) -> Selection | None:
        """The node to show first: the player's, else the selected one."""
        session = self.document.session
        sim = session.simulation
        current = 0 if sim is None else sim.graph.current_id
        is_here = any(cell.id == current for cell in block.env_cells)
        return Selection(Kind.CELL, block.id, current) if is_here else session.selection

    def show_reach(self, watch: SurveyWatch) -> None:
        """Mark what a survey has reached."""
        self.reach = GraphReach(self.view, watch)

    def look_through(self, viewing: View3D, shown: QWidget | None) -> None:
        """Take the eye of the window's picture while that is on the screen."""

        def frame() -> FrameResult | None:
            on_screen = shown is not None and shown.isVisible()
            return viewing.last.frame if on_screen and viewing.last is not None else None

        self.frame_source = frame
        viewing.seen.connect(self.look_again)

    @Slot()
    def look_again(self) -> None:
        """The window has drawn another frame."""
        if self.isVisible():
            self.view.set_sight(self._sight())

    def _sight(self) -> VisibleRooms:
        sim, frame = self.document.simulation, self.frame_source()
        if sim is None or self._player is None:
            return BLIND
        return self._player.look() if frame is None else sight_of(sim, frame)

    def follow(self, selection: Selection | None) -> None:
        self.view.set_selection(selection)

    def _show_hover(self) -> None:
        super()._show_hover()
        self.view.set_hover(self.document.session.hover)

    def set_colours(self, colours: Colours) -> None:
        super().set_colours(colours)
        self._colours = colours
        self.view.set_colours(colours)
        self._show_legend()

    def _show_legend(self) -> None:
        self._told_lost = is_lost(self.document.simulation)
        legend = (LOST, *LEGEND[1:]) if self._told_lost else LEGEND
        signs = [(text.replace(" ", "&nbsp;"), getattr(self._colours, name)) for text, name in legend]
        parts = [f'<span style="color:{colour}">{text}</span>' for text, colour in signs]
        self.legend.setText(" &nbsp; ".join(parts))

    # --- portals

    @Slot(object)
    def show_edge(self, edge: GraphEdge | None) -> None:
        """Both sides of a portal, as their records have them."""
        self.view.set_edge(edge)
        self._show_sides()

    @Slot(object)
    def show_portal(self, portal: PortalRef) -> None:
        """Show the opening that a portal is a side of."""
        edges = [] if self.view.graph is None else self.view.graph.edges_at(portal.owner)
        self.show_edge(next((edge for edge in edges if portal in edge.sides), None))

    def _show_sides(self) -> None:
        edge, block = self.view.edge, self.block
        self.sides_page.setVisible(edge is not None and block is not None)
        if edge is not None and block is not None:
            names = Names() if self.document.world is None else self.document.world.names
            self.sides_title.setText(plain(names.in_text(title_of_edge(edge))))
            self.sides.table.show(named_rows(side_rows(block, edge), names))

    # --- searching

    def _find(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    @Slot()
    def _count_found(self) -> None:
        graph, text = self.view.graph, self.search.text()
        count = 0 if graph is None else len(graph.found(text))
        self.found.setText(plain("" if not text.strip() else f"{count} found" if count else "none"))

    @Slot()
    def next_found(self) -> None:
        """Select the next node that fits, after the selected one."""
        graph = self.view.graph
        found = [] if graph is None else graph.found(self.search.text())
        if not found:
            self.document.refused.emit(f"No cell of this landblock has {self.search.text()!r} in its id or name.")
            return
        selection = self.document.session.selection
        place = found.index(selection) + 1 if selection in found else 0
        key = found[place % len(found)]
        self.found.setText(plain(f"{place % len(found) + 1} of {len(found)}"))
        self.chosen.emit(key)
        self.view.show_node(key)

    # --- what can be done

    @Slot(object)
    def _on_chosen(self, key: Selection | None) -> None:
        self.chosen.emit(key)

    @Slot(QPoint, object)
    def show_menu(self, at: QPoint, found: NodeItem | EdgeItem | None) -> None:
        menu = self.menu_for(found)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def menu_for(self, found: NodeItem | EdgeItem | None) -> QMenu:
        menu = QMenu(self)
        menu.setObjectName("graph-menu")
        if isinstance(found, NodeItem) and self.view.graph is not None:
            key = found.node.key
            menu.addAction("Select", lambda: self.chosen.emit(key))
            menu.addAction("Frame", lambda: self.framed.emit(key))
            menu.addAction("Rename…\tF2", lambda: self._rename(key))
            menu.addAction("Copy", lambda: self._copy_node(key))
            menu.addAction("Copy Id", lambda: _copy(found.node.label))
            add_places(menu, self.document, key)
            edges = self.view.graph.edges_at(key)
            portals = menu.addMenu("Portals")
            portals.setEnabled(bool(edges))
            for edge in edges:
                portals.addAction(action_text(title_of_edge(edge)), partial(self.show_edge, edge))
        elif isinstance(found, EdgeItem):
            edge = found.edge
            menu.addAction("Show Both Sides", lambda: self.show_edge(edge))
            for end in (edge.start, edge.end):
                if end is not None:
                    menu.addAction(action_text(f"Select {owner_text(end)}"), partial(self.chosen.emit, end))
            portal = edge.sides[0]
            if portal.owner.kind is Kind.CELL:
                wanted = NameKey.portal(portal.owner.key, portal.index)
                menu.addAction("Rename Portal…", lambda: self.rename_wanted.emit(wanted))
            menu.addAction("Copy", lambda: self._copy_edge(edge))
        menu.addSeparator()
        menu.addActions([self.fit_action, self.find_action, self.save_action])
        return menu

    @Slot()
    def copy(self) -> None:
        """The chosen portal as rows, else those of the selected node."""
        key = self.view.mark or self.view.selection
        if self.view.edge is not None:
            self._copy_edge(self.view.edge)
        elif key is not None and key in self.view.nodes:
            self._copy_node(key)

    def _copy_node(self, key: Selection) -> None:
        """A room or building with its portals; without any, its id."""
        graph, block = self.view.graph, self.block
        rows = [] if graph is None or block is None else own_rows(block, graph.edges_at(key), key)
        _copy(_tsv(rows) if rows else self.view.nodes[key].node.label)

    def _copy_edge(self, edge: GraphEdge) -> None:
        block = self.block
        _copy("" if block is None else _tsv(side_rows(block, edge)))

    def ask_to_save(self) -> None:
        name = ask_for_name(self, "the Cell Graph", "cells.png")
        if name:
            self.save(name)

    def save(self, name: str) -> bool:
        """The whole graph as a PNG."""
        return save_png(self.view.picture(), name, self.document)


def _tsv(rows: Sequence[Row]) -> str:
    return "\n".join("\t".join(value.copied for value in row.values) for row in rows)


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def _no_frame() -> FrameResult | None:
    return None
