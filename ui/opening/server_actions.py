"""The server data of the open world: chosen, shown, and remembered with the world."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog

from editor.process.server_arguments import ALSO, ENCOUNTERS, HOOKS
from editor.session import background
from editor.session.loading import ANY_WORLD, Request
from editor.session.named_sources import whole_name
from editor.session.server_choice import ServerChoice
from editor.session.server_index import IndexJob, folder_data
from engine.files.server_address import (
    PASSWORDS,
    AddressError,
    ServerAddress,
    is_address,
    read_address,
    without_password,
)
from engine.world.server.sources import PATTERNS
from ui.context import WindowContext
from ui.opening.database_server_dialog import OpenDatabaseServer
from ui.opening.open_actions import NOTHING_OPEN, OpenActions
from ui.widgets.save_folder import first_folder, remember
from ui.widgets.stored_list import stored_list

SETTING: Final = "server_data"
MOST: Final = 50
FOLDER: Final = "Choose a Folder with a Server's SQL Files"
DATABASE: Final = "Choose a Server's SQLite Database"
PASSWORD: Final = "The server wants the password of this user."
NO_DATA: Final = "This world has no server data yet."


class ServerActions(QObject):
    """Commands that open the world again with other server data. Settings hold the choice for each world, the latest
    first."""

    def __init__(self, context: WindowContext, opening: OpenActions) -> None:
        super().__init__(context.window)
        self._context = context
        self._opening = opening
        self._session = context.session
        self._session.servers = self.choices
        self.indexing: IndexJob | None = None
        """The job that indexes the open server data, or that did."""
        commands = context.commands
        commands.add(
            "server-folder",
            "Open Server Data Folder…",
            self.ask_for_folder,
            tip="Let stand here what a server's SQL files say: doors, chests, creatures, portals",
            condition=self._why_no_world,
        )
        commands.add(
            "server-database",
            "Open Server Database…",
            self.ask_for_database,
            tip="The same from an SQLite database with the server's tables",
            condition=self._why_no_world,
        )
        commands.add(
            "server-address",
            "From a Database Server…",
            self.ask_for_server,
            tip="The same from a running MySQL or MariaDB, which is only read",
            condition=self._why_no_world,
        )
        self._also: dict[str, QAction] = {}
        for what, title, tip in (
            (HOOKS, "Show Hooks of Houses", "Most of what stands in a server's world are hooks for furniture"),
            (ENCOUNTERS, "Show Encounters", "What a server lets live on the land, where it begins"),
        ):
            self._also[what] = commands.add(
                f"server-{what}",
                title,
                partial(self._switch, what),
                tip=tip,
                condition=self._why_no_data,
                is_checkable=True,
            )
        commands.add(
            "server-none",
            "Close Server Data",
            self.close_data,
            tip="Open this world without server data",
            condition=self._why_no_data,
        )
        self._session.opened.connect(self._on_opened)
        self._session.open_failed.connect(self._on_failed)

    def choices(self) -> Mapping[str, ServerChoice]:
        """The remembered choices by the full paths of their worlds."""
        found: dict[str, ServerChoice] = {}
        for entry in stored_list(self._context.settings, SETTING):
            try:
                source, path, *also = json.loads(entry)
                path = without_password(path) if isinstance(path, str) and is_address(path) else path
            except (ValueError, TypeError, RecursionError, AddressError):
                continue  # somebody edited the settings by hand
            if isinstance(source, str) and isinstance(path, str) and source and path:
                found[source] = ServerChoice(path, tuple(what for what in ALSO if what in also), remembered=True)
        return found

    def _keep(self, source: str, choice: ServerChoice | None) -> None:
        name = whole_name(source)
        kept = [(other, each) for other, each in self.choices().items() if other != name]
        if choice is not None:
            kept.insert(0, (name, choice))
        entries = [json.dumps([other, each.path, *each.also]) for other, each in kept[:MOST]]
        self._context.settings.setValue(SETTING, entries)

    # --- commands

    @Slot()
    def ask_for_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self._context.window, FOLDER, first_folder())
        if folder:
            self.open(folder)

    @Slot()
    def ask_for_database(self) -> None:
        patterns = f"Databases ({' '.join(PATTERNS)});;All Files (*)"
        name, _ = QFileDialog.getOpenFileName(self._context.window, DATABASE, first_folder(), patterns)
        if name:
            self.open(name)

    @Slot()
    def ask_for_server(self) -> None:
        choice = self._session.server
        address = None if choice is None else _address_of(choice)
        self._show_dialog(ServerAddress("", "", "") if address is None else address, "").chosen.connect(self.open)

    def _show_dialog(self, address: ServerAddress, word: str) -> OpenDatabaseServer:
        dialog = OpenDatabaseServer(address, word, self._context.window)
        dialog.open()
        return dialog

    def open(self, path: str) -> None:
        """Open the world again with server data; it is remembered once the world is open."""
        if not is_address(path):
            remember(path)
        also = () if self._session.server is None else self._session.server.also
        self._open(ServerChoice(path, also))

    @Slot()
    def close_data(self) -> None:
        self._keep(self._session.source, None)
        self._open(None)

    def _switch(self, what: str) -> None:
        choice = self._session.server
        if choice is not None:
            also = tuple(each for each in ALSO if (each in choice.also) != (each == what))
            self._open(ServerChoice(choice.path, also))

    def _open(self, choice: ServerChoice | None) -> None:
        request = self._session.request
        if request is not None:
            servers = {} if choice is None else {ANY_WORLD: choice}
            self._opening.open_again(replace(request, servers=servers))

    # --- state

    @Slot()
    def _on_opened(self) -> None:
        choice = self._session.server
        if choice is not None and not choice.remembered:
            self._keep(self._session.source, choice)
        for what, action in self._also.items():
            action.setChecked(choice is not None and what in choice.also)
        self._context.commands.refresh()
        self._make_index()
        refused = self._refused(self._session.request, self._session.source)
        if refused is not None and self._session.world is not None and self._session.world.source.by_block is None:
            self._show_dialog(refused, PASSWORD).chosen.connect(self.open)

    @Slot()
    def _on_failed(self) -> None:
        request = self._session.failed_request
        refused = self._refused(request, "" if request is None else request.source)
        if refused is not None:
            self._show_dialog(refused, PASSWORD).chosen.connect(self._open_failed)

    @Slot(str)
    def _open_failed(self, path: str) -> None:
        """Open what could not be opened without a password."""
        request = self._session.failed_request
        choice = None if request is None else request.server_of(request.source)
        if request is not None and choice is not None:
            self._session.open_request(replace(request, servers={ANY_WORLD: replace(choice, path=path)}))

    def _refused(self, request: Request | None, source: str) -> ServerAddress | None:
        """The address that refused the password for a request, if a user is there to give another one."""
        choice = None if request is None or not request.ask else request.server_of(source)
        address = None if choice is None else _address_of(choice)
        return address if address is not None and PASSWORDS.is_refused(address) else None

    def _make_index(self) -> None:
        """Index a large folder in the background. Until that is done, and without it, the files are read one by one."""
        if self.indexing is not None:
            self.indexing.cancel()
            self.indexing = None
        data = folder_data(self._session.world)
        if data is not None:
            self.indexing = IndexJob(data)
            self._context.progress.follow(self.indexing, f"Indexing the server data of {data.name} …")
            background.start(self.indexing)

    def _why_no_world(self) -> str:
        return "" if self._session.request is not None else NOTHING_OPEN

    def _why_no_data(self) -> str:
        return self._why_no_world() or ("" if self._session.server is not None else NO_DATA)


def _address_of(choice: ServerChoice) -> ServerAddress | None:
    try:
        return read_address(choice.path)[0] if is_address(choice.path) else None
    except AddressError:  # somebody edited the settings by hand
        return None
