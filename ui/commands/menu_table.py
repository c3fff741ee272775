"""The menu bar as a table: which command stands where. Menus hold ids of commands, separators and other menus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Separator:
    """A line between two entries."""


@dataclass(frozen=True)
class Prefix:
    """All commands whose ids begin like this, in the order of their registration, or by title."""

    text: str
    by_title: bool = False


@dataclass(frozen=True)
class Filled:
    """A registered menu that fills itself when it opens. Without OpenGL those of the 3D view are missing."""

    name: str


@dataclass(frozen=True)
class IfPresent:
    """A command that not every window has: without OpenGL the tools of the 3D view are missing."""

    name: str


@dataclass(frozen=True)
class Menu:
    """A menu of the menu bar, or one inside another menu."""

    title: str
    entries: Sequence[str | Separator | Prefix | Filled | IfPresent | Menu]


Entry = str | Separator | Prefix | Filled | IfPresent | Menu
LINE: Final = Separator()

FILE: Final = Menu(
    "&File",
    (
        "open-file",
        "open-folder",
        "open-project",
        "open-demo",
        Filled("open-recent"),
        "open-landblock",
        Menu(
            "Server Data",
            (
                *("server-folder", "server-database", "server-address", "server-places", LINE),
                *("server-hooks", "server-encounters", LINE, "server-none"),
            ),
        ),
        Menu(
            "Live Capture",
            (
                "follow-capture",
                "follow-go-on",
                "follow-stop",
                LINE,
                "follow-pauses",
                "follow-camera",
                LINE,
                "save-followed",
            ),
        ),
        LINE,
        "save",
        "save-as",
        LINE,
        "reload",
        LINE,
        Menu("Export", ("export-data-files", "export-server-data", "save-reproduction")),
        "save-recording",
        "save-capture",
        Menu(
            "Kept Walks",
            ("keep-walk", "keep-capture", LINE, "kept-walks", "run-walks", LINE, "watch-walks", "leave-walks"),
        ),
        "import-names",
        "export-names",
        Menu("Save Picture", ("save-picture", "graph-save", Prefix("timeline-save"), "pview-save", "save-window")),
        LINE,
        "quit",
    ),
)
EDIT: Final = Menu(
    "&Edit",
    (
        "undo",
        "redo",
        LINE,
        "run",
        "step",
        "step-ten",
        "back",
        "back-ten",
        "continue-here",
        "to-present",
        "stop-when",
        "condition-before",
        "condition-after",
        Menu(
            "Compare",
            (
                *("compare-rules-retail", "compare-rules-ace"),
                Menu("Single Rule", (Prefix("compare-rule-"),)),
                *(LINE, "compare-body", "compare-before-edits", "compare-recording", "compare-capture", LINE),
                *("compare-show-first", "compare-show-second", LINE, "compare-off"),
            ),
        ),
        "player-put-back",
        LINE,
        "paste-place",
        "copy-player-place",
        LINE,
        Filled("view-add"),
        IfPresent("view-leave"),
        IfPresent("view-move"),
        IfPresent("view-turn"),
        IfPresent("view-drop"),
        IfPresent("view-duplicate"),
        IfPresent("view-delete"),
        LINE,
        IfPresent("walk-or-run"),
        Menu("Walking Keys", (Prefix("walking-keys-"),)),
        "rename",
    ),
)
VIEW: Final = Menu(
    "&View",
    (
        "palette",
        LINE,
        "show-3d",
        "show-map",
        Menu("Camera", (Prefix("camera-"),)),
        Menu("Picture", (Prefix("picture-"),)),
        Menu("Root", (Prefix("root-"),)),
        Menu("Overlays", (Prefix("overlay-"), LINE, Prefix("buffer-"))),
        Menu("Time of Day", (Prefix("hour-"),)),
        Menu("Light", (Prefix("light-"),)),
        Menu("Detail", (Prefix("detail-"),)),
        Menu("Antialiasing", (Prefix("antialiasing-"),)),
        IfPresent("event-notices"),
        IfPresent("why-did-that-happen"),
        Menu("Dollhouse", ("dollhouse", LINE, Prefix("dollhouse-"))),
        "draw-order-steps",
        "freeze-visibility",
        LINE,
        "frame-selection",
        "frame-all",
        "go-to-id",
        LINE,
        Menu("Docks", (Prefix("toggle-dock-", by_title=True),)),
        "next-dock",
        "previous-dock",
        Menu("Layout", (Prefix("layout-"), LINE, "reset-layout")),
        LINE,
        Menu("Theme", (Prefix("theme-"),)),
    ),
)
WORLD: Final = Menu("&World", ("survey-report",))
SCRIPTS: Final = Menu("&Scripts", ("script-run", "script-new", LINE, "scripts-open-folder", "scripts-choose-folder"))
"""The user's own scripts follow, as they are when it opens."""
HELP: Final = Menu(
    "&Help",
    (
        "keys",
        "whats-this",
        "show-hints",
        "documentation",
        Menu("Docks", (Prefix("help-dock-"),)),
        LINE,
        "problem-reports",
        "about",
    ),
)
MENU_BAR: Final = (FILE, EDIT, VIEW, WORLD, SCRIPTS, HELP)
