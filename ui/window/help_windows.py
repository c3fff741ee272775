"""Help windows: keyboard shortcuts, versions, and the documentation."""

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Final

import numpy as np
import PySide6
from PySide6.QtCore import Qt, QUrl, Slot, qVersion
from PySide6.QtGui import QAction, QDesktopServices, QFont, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

import engine
from editor.models.text_search import folded
from editor.process.plain_text import plain, plain_lines
from ui.commands.registry import CommandRegistry
from ui.context import Tells
from ui.theme.theme import BETWEEN, EDGE, mono_font
from ui.view3d.keymap import EDITOR, Keymap, Walk
from ui.view3d.viewport import Viewport

ROOT: Final = Path(__file__).resolve().parents[2]
TOUR: Final = "tour.md"

GESTURES: Final = (
    (
        "3D view",
        (
            ("Right drag + W A S D, Q, E", "Look around and fly; Shift is faster, the wheel sets the speed"),
            ("Middle drag", "Pan"),
            ("Wheel", "Nearer, farther"),
            ("Alt + left drag", "Orbit the point under the mouse"),
            ("Click", "Select: a thing, or the cell of a wall"),
            ("Shift + click", "Select the cell"),
            ("Ctrl + click", "Select the portal"),
            ("Ctrl + Shift + click", "Select the opening of a building"),
            ("Right click", "Menu of everything at that point"),
            ("Double click", "Frame"),
            ("Tab", "Switch between the free camera and the player's view; Shift+Tab leaves the 3D view"),
            ("Esc", "Leave the Add tool; otherwise clear the selection"),
        ),
    ),
    (
        "Dollhouse",
        (
            ("Drag the two arrows", "Cut away everything above a height; Shift moves it slowly, Esc cancels"),
            ("Click", "Select what is seen there, a cell in any room that is open"),
        ),
    ),
    (
        "Map",
        (
            ("Wheel", "Zoom"),
            ("Right drag, arrows", "Move the map"),
            ("Double click", "Frame"),
            ("Esc", "Select nothing"),
        ),
    ),
    (
        "Tables",
        (
            ("Enter", "The default action of a row: use the door, show the tick, go to the cell"),
            ("Double click", "Frame the row's thing, or go to the cell that it names"),
            ("Ctrl+C", "Copy the selected rows, or all, as tab-separated text at full precision"),
            ("Space", "Switch the check box of a row that has one"),
        ),
    ),
    (
        "Cell graph",
        (
            ("Arrows", "Along the portals to the next cell"),
            ("Enter", "Select the cell"),
            ("0", "See all of it"),
        ),
    ),
)
"""Mouse gestures and fixed keys, by place."""


WALKING: Final = (
    ("Right drag", "Turn the player, and raise or lower the camera; the keys that turn step aside meanwhile"),
    ("Middle drag, Alt + left drag", "Look around the player; the camera returns behind him when he moves"),
    ("Wheel", "Zoom, all the way in to first person"),
    ("Shift", "Run instead of walking, or walk instead of running"),
    ("Home", "The camera behind him again"),
)
WALKS: Final = {
    Walk.FORWARD: "Forward",
    Walk.BACK: "Back",
    Walk.TURN_LEFT: "Turn left",
    Walk.TURN_RIGHT: "Turn right",
    Walk.STEP_LEFT: "Step to the left",
    Walk.STEP_RIGHT: "Step to the right",
    Walk.JUMP: "Jump, the higher the longer it is held",
    Walk.USE: "Use the door in front",
    Walk.RUN_ON: "Run on without a key, and stop",
    Walk.STOP: "Stop",
}
"""The one that changes the pace is a command and is listed with those."""


def walking_rows(keymap: Keymap) -> tuple[tuple[str, str], ...]:
    """The keys in force that walk, and the gestures beside them."""
    keys = [
        (", ".join(QKeySequence(key).toString() for key in keymap.keys[walk]), what)
        for walk, what in WALKS.items()
        if walk in keymap.keys
    ]
    return (*keys, *WALKING)


class KeysDialog(QDialog):
    """A searchable list of every key and gesture; not modal."""

    def __init__(self, commands: CommandRegistry, keymap: Keymap, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("keys")
        self.setWindowTitle("Keyboard Shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(640, 620)
        self.field = QLineEdit(self)
        self.field.setObjectName("keys-search")
        self.field.setPlaceholderText("Search keys and commands")
        self.field.setAccessibleName("Search keys and commands")
        self.field.setClearButtonEnabled(True)
        self.tree = QTreeWidget(self)
        self.tree.setObjectName("keys-list")
        self.tree.setAccessibleName("Keys")
        self.tree.setColumnCount(2)
        self.tree.setHeaderLabels(["Command", "Keys"])
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(EDGE)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setStretchLastSection(False)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box.setSpacing(BETWEEN)
        box.addWidget(self.field)
        box.addWidget(self.tree)
        for group, rows in groups(commands, keymap):
            self._add(group, rows)
        self.tree.expandAll()
        copy = QAction("Copy", self.tree)
        copy.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self._copy)
        self.tree.addAction(copy)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.field.textChanged.connect(self._search)
        self.field.setFocus()

    def _add(self, group: str, rows: list[tuple[str, str]]) -> None:
        top = QTreeWidgetItem([group, ""])
        font = top.font(0)
        font.setWeight(QFont.Weight.DemiBold)
        top.setFont(0, font)
        top.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.tree.addTopLevelItem(top)
        for what, keys in rows:
            row = QTreeWidgetItem([plain(what), plain(keys)])
            row.setToolTip(0, plain_lines(what))
            row.setFont(1, mono_font())
            top.addChild(row)

    @Slot()
    def _copy(self) -> None:
        """Copy the shown rows as tab-separated text: place, command, keys."""
        lines = []
        for place in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(place)
            rows = [] if top is None else [top.child(number) for number in range(top.childCount())]
            shown = [row for row in rows if row is not None and not row.isHidden()]
            lines += [f"{'' if top is None else top.text(0)}\t{row.text(0)}\t{row.text(1)}" for row in shown]
        QGuiApplication.clipboard().setText("\n".join(lines))

    def _search(self, text: str) -> None:
        """Rows in which every word is found, in the command or its keys."""
        words = folded(text).split()
        for place in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(place)
            if top is None:
                continue
            shown = 0
            for number in range(top.childCount()):
                row = top.child(number)
                if row is None:
                    continue
                line = folded(f"{top.text(0)} {row.text(0)} {row.text(1)}")
                fits = all(word in line for word in words)
                row.setHidden(not fits)
                shown += fits
            top.setHidden(not shown)


def groups(commands: CommandRegistry, keymap: Keymap) -> list[tuple[str, list[tuple[str, str]]]]:
    """Every key by where it works: (what, keys) by group."""
    found: dict[str, list[tuple[str, str]]] = {}
    copy = QKeySequence(QKeySequence.StandardKey.Copy)  # not before there is an application
    for command in commands.commands():
        if command.keys and command.action.shortcut() != copy:  # said once for all tables
            group, *menus = command.where.split(" › ")
            row = (" › ".join([*menus, command.title.removeprefix("✓ ")]), command.keys)
            if row not in found.setdefault(group, []):
                found[group].append(row)
    first, *others = GESTURES
    gestures = (first, ("Player's view", walking_rows(keymap)), *others)
    return [*found.items(), *((group, [(what, keys) for keys, what in rows]) for group, rows in gestures)]


def show_keys(commands: CommandRegistry, viewport: Viewport | None, parent: QWidget) -> None:
    """Open the list of keys."""
    KeysDialog(commands, EDITOR if viewport is None else viewport.walking.keymap, parent).show()


def versions(viewport: Viewport | None) -> str:
    """The versions with which a bug report should begin."""
    return "\n".join(
        [
            f"Cellar Door {engine.__version__}",
            f"Python {platform.python_version()} on {platform.platform()}",
            f"Qt {qVersion()}, PySide6 {PySide6.__version__}, numpy {np.__version__}",
            f"core {engine.active_core()}",
            f"OpenGL {_gl_version(viewport)}",
            f"from {ROOT} with {sys.executable}",
        ]
    )


def _gl_version(viewport: Viewport | None) -> str:
    context = None if viewport is None else viewport.context
    if viewport is not None and viewport.is_without_display:
        return ", ".join(filter(None, ("3.3", "core profile", "without a display", viewport.driver)))
    if viewport is None or context is None or not context.isValid():
        return "not in use"
    major, minor = context.format().version()
    profile = "core" if context.format().profile().name.startswith("Core") else "other"
    return ", ".join(filter(None, (f"{major}.{minor}", f"{profile} profile", viewport.driver)))


def show_about(viewport: Viewport | None, parent: QWidget) -> None:
    """Show the versions, with a button that copies them."""
    box = QDialog(parent)
    box.setObjectName("about")
    box.setWindowTitle("About Cellar Door")
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    title = QLabel(box)
    title.setText(f"<span style='font-size: 18px; font-weight: 600'>Cellar Door {engine.__version__}</span>")
    title.setTextFormat(Qt.TextFormat.RichText)
    about = "A desktop workbench for the cells of Asheron's Call.\nMIT licence; Inter and JetBrains Mono under the OFL."
    words = QLabel(plain_lines(about), box)
    words.setWordWrap(True)
    text = QPlainTextEdit(versions(viewport), box)
    text.setObjectName("versions")
    text.setAccessibleName("Versions")
    text.setReadOnly(True)
    text.setFont(mono_font())
    text.setFixedHeight(132)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, box)
    copy = buttons.addButton("Copy Versions", QDialogButtonBox.ButtonRole.ActionRole)
    copy.setObjectName("copy-versions")
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text.toPlainText()))
    buttons.rejected.connect(box.close)
    column = QVBoxLayout(box)
    column.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
    column.setSpacing(BETWEEN)
    for part in (title, words, text, buttons):
        column.addWidget(part)
    box.resize(560, box.sizeHint().height())
    box.show()


def documentation(name: str = TOUR) -> Path | None:
    """A page, by default the tour, which leads to all others. Only a source checkout has them."""
    page = ROOT / "docs" / name
    return page if page.is_file() else None


def open_documentation(messages: Tells, name: str = TOUR) -> None:
    """Open a page in the system's browser or editor."""
    page = documentation(name)
    if page is None:
        messages.warn("The documentation is in the source checkout of Cellar Door, in docs/")
    elif QDesktopServices.openUrl(QUrl.fromLocalFile(str(page))):
        messages.say(f"Opened {page}")
    else:
        messages.warn(f"Nothing on this system opens {page}; read it there")
