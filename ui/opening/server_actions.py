"""The server data of the open world: chosen, shown, and remembered with the world."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from editor.process.server_arguments import ALSO, ENCOUNTERS, HOOKS
from editor.session import background
from editor.session.loading import Request
from editor.session.named_sources import whole_name
from editor.session.server_choice import ANY_WORLD, ServerChoice
from editor.session.server_index import IndexJob, folders_of, is_large
from engine.files.server_address import (
    PASSWORDS,
    AddressError,
    ServerAddress,
    is_address,
    read_address,
    without_password,
)
from ui.context import WindowContext
from ui.opening.database_server_dialog import OpenDatabaseServer
from ui.opening.open_actions import NOTHING_OPEN, OpenActions
from ui.opening.server_asking import ask_for_file, ask_for_folder
from ui.opening.server_sources import ServerSources
from ui.widgets.stored_list import stored_list

SETTING: Final = "server_data"
MOST: Final = 50
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
        self.dialog: ServerSources | None = None
        """The open list of places."""
        opening.beside_wanted.connect(self.add)
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
            tip="The same from an SQLite database with the server's tables, or from one SQL file",
            condition=self._why_no_world,
        )
        commands.add(
            "server-address",
            "From a Database Server…",
            self.ask_for_server,
            tip="The same from a running MySQL or MariaDB, which is only read",
            condition=self._why_no_world,
        )
        commands.add(
            "server-places",
            "Places of Server Data…",
            self.ask_for_places,
            tip="List where the server data is read from; put patches on top of it, or take them away",
            condition=self._why_no_data,
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
                source, paths, *also = json.loads(entry)
                listed = paths if isinstance(paths, list) else [paths]  # earlier versions knew one path
                listed = [without_password(path) if is_address(path) else path for path in listed]
            except (ValueError, TypeError, AttributeError, RecursionError, AddressError):
                continue  # somebody edited the settings by hand
            if isinstance(source, str) and listed and all(isinstance(path, str) and path for path in (source, *listed)):
                also = [what for what in ALSO if what in also]
                found[source] = ServerChoice(tuple(listed), tuple(also), remembered=True)
        return found

    def _keep(self, source: str, choice: ServerChoice | None) -> None:
        name = whole_name(source)
        kept = [(other, each) for other, each in self.choices().items() if other != name]
        if choice is not None:
            kept.insert(0, (name, choice))
        entries = [json.dumps([other, list(each.paths), *each.also]) for other, each in kept[:MOST]]
        self._context.settings.setValue(SETTING, entries)

    # --- commands

    @Slot()
    def ask_for_folder(self) -> None:
        folder = ask_for_folder(self._context.window)
        if folder:
            self.open(folder)

    @Slot()
    def ask_for_database(self) -> None:
        name = ask_for_file(self._context.window)
        if name:
            self.open(name)

    @Slot()
    def ask_for_server(self) -> None:
        choice = self._session.server
        known = [] if choice is None else _addresses_of(choice)
        self._show_dialog(known[0] if known else ServerAddress("", "", ""), "").chosen.connect(self.open)

    def _show_dialog(self, address: ServerAddress, word: str) -> OpenDatabaseServer:
        dialog = OpenDatabaseServer(address, word, self._context.window)
        dialog.open()
        return dialog

    @Slot()
    def ask_for_places(self) -> None:
        choice, window = self._session.server, self._context.window
        if choice is None:
            return
        self.dialog = ServerSources(choice.paths, lambda: ask_for_folder(window), lambda: ask_for_file(window), window)
        self.dialog.chosen.connect(lambda paths: self.open(*paths) if paths else self.close_data())
        self.dialog.open()

    def open(self, *paths: str) -> None:
        """Open the world again with server data; it is remembered once the world is open."""
        also = () if self._session.server is None else self._session.server.also
        self._open(ServerChoice(paths, also))

    @Slot(str)
    def add(self, path: str) -> None:
        """Open the world again with this server data, on top of what it has."""
        before = () if self._session.server is None else self._session.server.paths
        self.open(*(other for other in before if other != path), path)

    @Slot()
    def close_data(self) -> None:
        self._open(ServerChoice(()))

    def _switch(self, what: str) -> None:
        choice = self._session.server
        if choice is not None:
            also = tuple(each for each in ALSO if (each in choice.also) != (each == what))
            self._open(ServerChoice(choice.paths, also))

    def _open(self, choice: ServerChoice) -> None:
        request = self._session.request
        if request is not None:
            self._opening.open_again(replace(request, servers={ANY_WORLD: choice}))

    # --- state

    @Slot()
    def _on_opened(self) -> None:
        choice, request = self._session.server, self._session.request
        chosen = None if request is None else request.servers.get(ANY_WORLD)
        if chosen is not None and not self._is_said_by_a_file():
            self._keep(self._session.source, chosen if chosen.paths else None)
        for what, action in self._also.items():
            action.setChecked(choice is not None and what in choice.also)
        self._context.commands.refresh()
        self._make_index()
        if self._session.world is not None and self._session.world.source.by_block is None:
            self._ask_for_password(self._session.request, self._session.source, self._opening.open_again)

    @Slot()
    def _on_failed(self) -> None:
        request = self._session.failed_request
        self._ask_for_password(request, "" if request is None else request.source, self._session.open_request)

    def _ask_for_password(self, request: Request | None, source: str, reopen: Callable[[Request], None]) -> None:
        """Ask for the password that a server refused for a request, and open that again with it."""
        choice = None if request is None or not request.ask else request.server_of(source)
        refused = [] if choice is None else [each for each in _addresses_of(choice) if PASSWORDS.is_refused(each)]
        if request is None or choice is None or not refused:
            return

        def again(path: str) -> None:
            reopen(replace(request, servers={ANY_WORLD: _instead(choice, refused[0], path)}))

        self._show_dialog(refused[0], PASSWORD).chosen.connect(again)

    def _is_said_by_a_file(self) -> bool:
        """Whether a project or recording has server data of its own, which is not the world's."""
        project, run = self._session.project, self._session.run
        is_projects = project is not None and project.project.server is not None
        return is_projects or (run is not None and run.recording.server is not None)

    def _make_index(self) -> None:
        """Index the folders in the background. Until that is done, and without it, the files are read one by one."""
        if self.indexing is not None:
            self.indexing.cancel()
            self.indexing = None
        folders = folders_of(self._session.world)
        if not folders:
            return
        self.indexing = IndexJob(folders)
        names = " and ".join(data.name for data in folders if is_large(data))
        if names:
            self._context.progress.follow(self.indexing, f"Indexing the server data of {names} …")
        self.indexing.reports.ended.connect(self._on_indexed)
        background.start(self.indexing)

    @Slot()
    def _on_indexed(self) -> None:
        """The index has read files whose landblocks have not been opened: Problems shows what is wrong in them."""
        if self.indexing is not None and self.indexing.is_done and self.indexing.has_found_damage:
            self._session.faults_changed.emit()

    def _why_no_world(self) -> str:
        return "" if self._session.request is not None else NOTHING_OPEN

    def _why_no_data(self) -> str:
        return self._why_no_world() or ("" if self._session.server is not None else NO_DATA)


def _addresses_of(choice: ServerChoice) -> list[ServerAddress]:
    return [address for address in map(_address_in, choice.paths) if address is not None]


def _address_in(path: str) -> ServerAddress | None:
    try:
        return read_address(path)[0] if is_address(path) else None
    except AddressError:  # somebody edited the settings, or the file that names it, by hand
        return None


def _instead(choice: ServerChoice, old: ServerAddress, new: str) -> ServerChoice:
    return replace(choice, paths=tuple(new if _address_in(path) == old else path for path in choice.paths))
