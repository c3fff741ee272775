"""The strip over the picture that offers unsaved edits of an earlier session. It blocks nothing and waits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from editor.process.plain_text import plain, plain_lines
from editor.project.autosave import AbandonedAutosave, DamagedAutosave, find_left
from editor.session.open_error import short_name
from ui.commands.registry import allow
from ui.theme.icons import set_icon
from ui.theme.theme import BETWEEN, EDGE
from ui.widgets.banner import SIGN

if TYPE_CHECKING:
    from ui.window.project_actions import Projects

NONE: Final = "There are no edits of an earlier session to recover."
RECOVER: Final = "Open their world and replay these edits; they stay unsaved until you save them"
DISCARD: Final = "Throw these edits away for good"
NAMES: Final = 12
"""Number of the last edits that the tooltip names."""


class RecoveryStrip(QFrame):
    """Offers one autosave after the other, the latest first."""

    def __init__(self, projects: Projects, parent: QWidget) -> None:
        super().__init__(parent)
        self.projects = projects
        self._waiting: list[AbandonedAutosave] = []
        self.setObjectName("recovery")
        self.setAccessibleName("Unsaved edits")
        self.setWhatsThis(
            "The program ended before these edits were saved. Recover opens their world and replays them, as edits "
            "that are not saved yet; Discard throws them away; closing the strip leaves them for the next start."
        )
        self.label = QLabel(self)
        self.label.setObjectName("recovery-text")
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.label.setWordWrap(True)
        commands = projects.context.commands
        self.recover_action = commands.add("recover", "Recover Edits of an Earlier Session", self.recover)
        self.recover_action.setIconText("Recover")
        self.discard_action = commands.add("discard", "Discard Edits of an Earlier Session", self.discard)
        self.discard_action.setIconText("Discard")
        row = QHBoxLayout(self)
        row.setContentsMargins(EDGE, BETWEEN, BETWEEN, BETWEEN)
        row.setSpacing(BETWEEN)
        row.addWidget(self.label, 1)
        for action in (self.recover_action, self.discard_action):
            row.addWidget(self._button(action))
        row.addWidget(self._close_button())
        self._show_first()

    def _button(self, action: QAction) -> QToolButton:
        made = QToolButton(self)
        made.setDefaultAction(action)
        made.setObjectName(f"recovery-{action.objectName()}")
        return made

    def _close_button(self) -> QToolButton:
        made = QToolButton(self)
        made.setObjectName("recovery-close")
        made.setAccessibleName("Ask again at the next start")
        made.setToolTip("Ask again at the next start")
        made.setAutoRaise(True)
        set_icon(made, "close", self.projects.context.theme.colours)
        made.clicked.connect(self.leave)
        return made

    # --- contents

    @property
    def offered(self) -> AbandonedAutosave | None:
        return self._waiting[0] if self._waiting else None

    @Slot()
    def look(self) -> None:
        """Look for autosaves of processes that have ended."""
        for found in find_left(self.projects.autosaver.folder):
            if isinstance(found, DamagedAutosave):
                self.projects.context.banner.warn(f"{SIGN}{found.sentence}", found.details)
            else:
                self._waiting.append(found)
        self._show_first()

    def _show_first(self) -> None:
        left = self.offered
        if left is not None:
            more = len(self._waiting) - 1
            others = f" ({more} more)" if more else ""
            self.label.setText(plain(f"{left.sentence}{others}"))
            where = left.project.file or short_name(left.project.source_from(left.path.parent))
            names = [step.name for step in left.project.steps[-left.project.unsaved :]]
            self.label.setToolTip(plain_lines("\n".join(plain(line) for line in (where, "", *names[-NAMES:]))))
        why_not = "" if left is not None else NONE
        allow(self.recover_action, why_not, RECOVER)
        allow(self.discard_action, why_not, DISCARD)
        self.setVisible(left is not None)

    # --- what becomes of it

    @Slot()
    def recover(self) -> None:
        """Open it as a project that is not saved."""
        left = self.offered
        if left is not None:
            self.projects.open_wanted.emit(str(left.path))

    def take(self, path: Path) -> AbandonedAutosave | None:
        """Remove an autosave from the list: it is open now."""
        found = next((left for left in self._waiting if left.path == path), None)
        if found is not None:
            self._waiting.remove(found)
            self._show_first()
        return found

    @Slot()
    def discard(self) -> None:
        if self._waiting:
            left = self._waiting.pop(0)
            left.discard()
            self.projects.context.messages.say(f"Discarded: {left.sentence}")
            self._show_first()

    @Slot()
    def leave(self) -> None:
        """For the next start."""
        for left in self._waiting:
            left.leave()
        self._waiting = []
        self._show_first()
