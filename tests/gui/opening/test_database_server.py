"""Server data from a running database, chosen in its dialog: checked, remembered without the password, asked again."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from cellar_door.main import _window_parser
from editor.session.server_choice import ANY_WORLD
from engine.files.server_address import PASSWORDS, read_address
from engine.world.loader.entities_file import FILE_NAME, write_entities
from engine.world.server import model, rows
from tests.gui.opening.opening_hands import OPENING_MS
from tests.sim.helpers.small_worlds import built, two_rooms
from tests.world.server.furnished import Place
from tests.world.server.mariadb import PASSWORD, USER, MariaDb, free_port
from tests.world.server.test_mysql import stranger
from ui.opening.database_server_dialog import OpenDatabaseServer
from ui.window.main_window import MainWindow
from ui.window.start import request_of

pytestmark = [pytest.mark.gui, pytest.mark.locale]
DATABASE = "ace_window"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    place = Place(built(two_rooms), tmp_path / "server")
    place.made.write(tmp_path / "world")
    write_entities(tmp_path / "world" / FILE_NAME, [])
    return place


@pytest.fixture
def server(mariadb: MariaDb, place: Place) -> Iterator[MariaDb]:
    frame = place.door.frame
    mariadb.make(
        DATABASE,
        {
            rows.INSTANCE: [(place.guid(0), 412, place.door.cell_id, *frame.origin, *frame.rotation, 0)],
            rows.WEENIE: [(412, "door", model.DOOR)],
            rows.STRING: [(412, 1, "<b>Door</b>")],
            rows.DID: [(412, 1, place.door.setup_id)],
        },
    )
    forget(mariadb)
    yield mariadb
    forget(mariadb)


def forget(server: MariaDb) -> None:
    """The passwords of this process, as a new start would."""
    address, _ = read_address(server.url(DATABASE))
    PASSWORDS.keep(address, "")
    PASSWORDS.refuse(address)
    PASSWORDS._refused.clear()


def action(window: MainWindow) -> QAction:
    found = window.commands.find("server-address")
    assert found is not None
    return found


def names(window: MainWindow) -> list[str]:
    sim = window.session.simulation
    assert sim is not None
    return sorted(entity.name for entity in sim.population.ordered)


def open_world(qtbot: QtBot, window: MainWindow, place: Place) -> None:
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.opening.open(str(place.folder.parent / "world"))


def dialog_of(qtbot: QtBot, window: MainWindow) -> OpenDatabaseServer:
    qtbot.waitUntil(lambda: bool([each for each in window.findChildren(OpenDatabaseServer) if each.isVisible()]))
    return next(each for each in window.findChildren(OpenDatabaseServer) if each.isVisible())


def fill(qtbot: QtBot, field: QLineEdit, text: str) -> None:
    field.selectAll()
    qtbot.keyClicks(field, text)


def fill_in(qtbot: QtBot, dialog: OpenDatabaseServer, server: MariaDb, password: str) -> None:
    fill(qtbot, dialog.host, "127.0.0.1")
    dialog.port.setValue(server.port)
    fill(qtbot, dialog.database, DATABASE)
    fill(qtbot, dialog.user, USER)
    fill(qtbot, dialog.password, password)


def click(qtbot: QtBot, dialog: OpenDatabaseServer) -> None:
    qtbot.mouseClick(dialog.connect_button, Qt.MouseButton.LeftButton)


def test_a_database_is_chosen_and_remembered_without_its_password(
    qtbot: QtBot, window: MainWindow, place: Place, server: MariaDb, settings: QSettings
) -> None:
    assert not action(window).isEnabled()
    open_world(qtbot, window, place)
    action(window).trigger()
    dialog = dialog_of(qtbot, window)
    assert not dialog.connect_button.isEnabled()
    assert dialog.password.echoMode() is QLineEdit.EchoMode.Password
    fill_in(qtbot, dialog, server, "wrong")
    click(qtbot, dialog)
    qtbot.waitUntil(lambda: "refuses the user 'reader' with this password" in dialog.word.text())
    fill(qtbot, dialog.password, PASSWORD)
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        click(qtbot, dialog)
    assert names(window) == ["<b>Door</b>"]
    settings.sync()
    kept = "\n".join(str(settings.value(key)) for key in settings.allKeys())
    assert f"mysql://{USER}@127.0.0.1:{server.port}/{DATABASE}" in kept
    assert "sesame" not in kept
    assert "sesame" not in Path(settings.fileName()).read_text(encoding="utf-8")
    assert "sesame" not in f"{window.session.request} {window.windowTitle()}"
    open_world(qtbot, window, place)  # the process still knows the password
    assert names(window) == ["<b>Door</b>"]


def test_the_password_of_a_remembered_database_is_asked_for(
    qtbot: QtBot, window: MainWindow, place: Place, server: MariaDb, settings: QSettings
) -> None:
    entry = [str(place.folder.parent / "world"), server.url(DATABASE, None)]
    settings.setValue("server_data", [json.dumps(entry)])
    open_world(qtbot, window, place)
    assert names(window) == []
    dialog = dialog_of(qtbot, window)
    assert dialog.word.text() == "The server wants the password of this user."
    assert (dialog.host.text(), dialog.port.value(), dialog.database.text()) == ("127.0.0.1", server.port, DATABASE)
    qtbot.waitUntil(lambda: dialog.password.hasFocus())
    qtbot.keyClicks(dialog.password, PASSWORD)
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        qtbot.keyClick(dialog.password, Qt.Key.Key_Return)
    assert names(window) == ["<b>Door</b>"]


def test_a_database_of_the_command_line_is_asked_for_its_password(
    qtbot: QtBot, window: MainWindow, place: Place, server: MariaDb
) -> None:
    options = ["--server-data", server.url(DATABASE, None)]
    request = request_of(arguments(str(place.folder.parent / "world"), *options))
    with qtbot.waitSignal(window.session.open_failed, timeout=OPENING_MS):
        window.session.open_request(request)
    dialog = dialog_of(qtbot, window)
    qtbot.keyClicks(dialog.password, PASSWORD)
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        click(qtbot, dialog)
    assert names(window) == ["<b>Door</b>"]


def arguments(*words: str) -> argparse.Namespace:
    return _window_parser([]).parse_args(words)


def test_the_command_line_keeps_no_password(server: MariaDb, place: Place) -> None:
    options = arguments(str(place.folder.parent / "world"), "--server-data", server.url(DATABASE))
    request = request_of(options)
    assert "sesame" not in f"{options} {request}"
    assert request.servers[ANY_WORLD].paths == (server.url(DATABASE, None),)


def test_connecting_is_shown_and_can_be_cancelled(qtbot: QtBot, window: MainWindow, place: Place) -> None:
    pytest.importorskip("pymysql")
    open_world(qtbot, window, place)
    action(window).trigger()
    dialog = dialog_of(qtbot, window)
    fill(qtbot, dialog.host, "127.0.0.1")
    fill(qtbot, dialog.database, "w")
    with stranger(None) as port:
        dialog.port.setValue(port)
        click(qtbot, dialog)
        qtbot.waitUntil(lambda: dialog.strip.isVisible())
        assert not dialog.connect_button.isEnabled()
        assert not dialog.host.isEnabled()
        check = dialog.check
        assert check is not None
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        assert dialog.isVisible()
        assert dialog.connect_button.isEnabled()
        qtbot.waitUntil(lambda: check.is_done)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not [each for each in QApplication.topLevelWidgets() if each is dialog])


def test_what_cannot_be_reached_says_so_in_the_dialog(qtbot: QtBot, window: MainWindow, place: Place) -> None:
    pytest.importorskip("pymysql")
    open_world(qtbot, window, place)
    action(window).trigger()
    dialog = dialog_of(qtbot, window)
    fill(qtbot, dialog.host, "127.0.0.1")
    fill(qtbot, dialog.database, "my/world")
    assert not dialog.connect_button.isEnabled()
    fill(qtbot, dialog.database, "my world")
    dialog.port.setValue(free_port())
    click(qtbot, dialog)
    qtbot.waitUntil(lambda: "cannot be reached: 127.0.0.1 takes no connections" in dialog.word.text())
    assert dialog.word.text().startswith("my world cannot")


def test_a_connection_lost_meanwhile_is_a_fault_of_the_landblock(
    qtbot: QtBot, window: MainWindow, place: Place, server: MariaDb
) -> None:
    address, password = read_address(server.url(DATABASE))
    PASSWORDS.keep(address, password or "")
    request = request_of(arguments(str(place.folder.parent / "world"), "--server-data", str(address)))
    with qtbot.waitSignal(window.session.faults_changed, timeout=OPENING_MS):
        window.session.open_request(replace(request, ask=True))
    world = window.session.world
    assert world is not None
    by_block = world.source.by_block
    assert by_block is not None
    for (number,) in server.ask("SELECT ID FROM information_schema.PROCESSLIST WHERE USER = %s", [USER]):
        server.ask(f"KILL {number}")
    by_block.forget(place.block_id)
    assert by_block.of_block(place.block_id) == []
    assert any("the connection was lost" in fault.reason for fault in world.faults())
