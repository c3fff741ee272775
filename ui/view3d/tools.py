"""The tools of the 3D view: move, turn, drop to floor, duplicate, delete, and add by pointing; a shelf of buttons."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QVBoxLayout, QWidget

from editor.authoring.catalogue import Pattern, catalogue
from editor.document.document import Document
from editor.process.plain_text import action_text, plain, plain_lines
from editor.view3d.gizmo import Mode
from editor.view3d.view import View3D
from engine.world.cells.ids import cell_text
from ui.commands.registry import CommandSet, allow
from ui.theme.icons import icon
from ui.theme.theme import DARK, EDGE, GROUP
from ui.view3d.thumbnails import Thumbnails

NOTHING_IN_HAND: Final = "Nothing is being added."


class ViewTools(QObject):
    """The actions, and the shelf with their buttons. Their shortcuts work while the view has the focus."""

    def __init__(self, viewing: View3D, view: QWidget, thumbnails: Thumbnails) -> None:
        super().__init__(view)
        self._viewing = viewing
        self._view = view
        self._thumbnails = thumbnails
        self.commands = CommandSet(view)
        handling = viewing.manipulation
        add = self.commands.add
        self.move_action = add("view-move", "Move by Gizmo", lambda: handling.set_mode(Mode.MOVE), "G")
        self.turn_action = add("view-turn", "Turn by Gizmo", lambda: handling.set_mode(Mode.TURN), "R")
        self.drop_action = add("view-drop", "Drop to Floor", handling.drop, "End")
        self.duplicate_action = add("view-duplicate", "Duplicate Selection", handling.duplicate, "Ctrl+D")
        self.delete_action = add("view-delete", "Delete Selection", handling.delete, "Del")
        self.leave_action = add("view-leave", "Leave Add by Pointing", viewing.placing.leave, "Esc")
        self.leave_action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)  # a dock may have the focus meanwhile
        self.modes = QActionGroup(self)
        for action in (self.move_action, self.turn_action):
            action.setCheckable(True)
            self.modes.addAction(action)
        self.add_menu = QMenu("Add by Pointing", view)
        self.add_menu.setToolTipsVisible(True)
        self.add_menu.setObjectName("view-add-menu")
        self.add_menu.aboutToShow.connect(self._fill_menu)
        self._fill_menu()
        self.commands.add_menu("view-add", self.add_menu, "Add by Pointing")
        self.shelf = Shelf(self, view)
        viewing.document.started.connect(self._fill_menu)
        viewing.document.changed.connect(self.refresh)
        viewing.session.selection_changed.connect(self.refresh)
        viewing.switched.connect(self.refresh)
        handling.mode_changed.connect(self.refresh)
        viewing.placing.switched.connect(self.refresh)
        self.refresh()

    @property
    def actions(self) -> list[QAction]:
        return [self.move_action, self.turn_action, self.drop_action, self.duplicate_action, self.delete_action]

    @property
    def _document(self) -> Document:
        return self._viewing.document

    @Slot()
    def refresh(self) -> None:
        handling = self._viewing.manipulation
        why = "" if self._document.simulation is not None else self._document.why_not_edit
        allow(self.move_action, why, "Move the selection with arrows and squares")
        allow(self.turn_action, why, "Turn the selection with a ring")
        chosen = self.move_action if handling.mode is Mode.MOVE else self.turn_action
        chosen.setChecked(True)
        allow(self.drop_action, handling.why_not(player=True), "Drop the selection onto the surface below it")
        allow(self.duplicate_action, handling.why_not_duplicate, "Place a copy one metre to the right")
        allow(self.delete_action, handling.why_not(), "Delete the selection")
        allow(self.leave_action, "" if self._viewing.placing.is_on else NOTHING_IN_HAND, "Cancel placing")
        why_not = self._document.why_not_edit
        self.add_menu.setEnabled(not why_not)
        self.shelf.add_button.setEnabled(not why_not)
        self.shelf.add_button.setToolTip(plain_lines(why_not or "Choose a door, a chest, … and click where to put it"))

    # --- adding

    @Slot()
    def _fill_menu(self) -> None:
        """List the patterns, doors first; the user then points at the place."""
        self.add_menu.clear()
        sim = self._document.simulation
        patterns = [] if sim is None else catalogue(sim)
        names = [pattern.spec.name for pattern in patterns]
        for pattern in patterns:
            name = pattern.spec.name if names.count(pattern.spec.name) == 1 else pattern.title
            entry = self.add_menu.addAction(action_text(f"Add {name}…"))
            self._thumbnails.show_on(entry, pattern.spec.setup_id)
            where = "it is to stand, or into an empty doorway" if pattern.is_door else "it is to stand"
            entry.setToolTip(plain_lines(f"Model {cell_text(pattern.spec.setup_id)}; then click where {where}"))
            entry.triggered.connect(lambda checked=False, pattern=pattern: self.begin(pattern))
        if not patterns:
            self.add_menu.addAction("Nothing to add").setEnabled(False)

    def begin(self, pattern: Pattern) -> None:
        """Start adding; a click in the view places the object."""
        self._viewing.placing.begin(pattern)
        self._view.setFocus()


class Shelf(QFrame):
    """The tools as buttons over the left edge of the picture."""

    def __init__(self, tools: ViewTools, view: QWidget) -> None:
        super().__init__(view)
        self.setObjectName("view-shelf")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setStyleSheet(STYLE)
        box = QVBoxLayout(self)
        box.setContentsMargins(GROUP, GROUP, GROUP, GROUP)
        box.setSpacing(2)
        for action in tools.actions[:2]:
            box.addWidget(ShelfButton(action, self))
        box.addSpacing(GROUP)
        self.add_button = QToolButton(self)
        self.add_button.setObjectName("view-add")
        self.add_button.setIcon(icon("add", DARK))
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.add_button.setMenu(tools.add_menu)
        self.add_button.setAccessibleName("Add by pointing")
        self.add_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        box.addWidget(self.add_button)
        for action in tools.actions[2:]:
            box.addWidget(ShelfButton(action, self))
        self.adjustSize()
        self.move(EDGE, EDGE)


class ShelfButton(QToolButton):
    """A button for an action, with an icon in the shelf's own colours; the action's icon follows the theme."""

    def __init__(self, action: QAction, parent: QWidget) -> None:
        super().__init__(parent)
        self._action = action
        self.setObjectName(f"{action.objectName()}-button")
        self.setAccessibleName(plain(action.text()))
        self.setCheckable(action.isCheckable())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus with the view
        self.clicked.connect(self._trigger)
        action.changed.connect(self._follow)
        self._follow()

    @Slot()
    def _trigger(self) -> None:
        self._action.trigger()
        self._follow()  # a click on the checked button has unchecked the button alone

    @Slot()
    def _follow(self) -> None:
        action = self._action
        self.setChecked(action.isChecked())
        self.setEnabled(action.isEnabled())
        self.setToolTip(plain_lines(action.toolTip()))
        self.setIcon(icon(action.objectName().removeprefix("view-"), CHOSEN if action.isChecked() else DARK))


CHOSEN: Final = replace(DARK, text=DARK.on_accent)

STYLE: Final = f"""
QFrame#view-shelf {{ background: rgba(18, 20, 23, 205); border-radius: 4px; }}
QFrame#view-shelf QToolButton {{ border: none; border-radius: 3px; padding: 5px; background: transparent; }}
QFrame#view-shelf QToolButton:hover {{ background: rgba(255, 255, 255, 32); }}
QFrame#view-shelf QToolButton:checked {{ background: {DARK.accent}; }}
QFrame#view-shelf QToolButton::menu-indicator {{ image: none; }}
"""
"""Dark in both themes, as is everything over the picture."""
