"""Finds out in the background whether a database server has server data, before a world opens with it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from editor.session.background import Job
from engine.files.cancelling import cancellable
from engine.files.server_address import ServerAddress
from engine.world.faults import WorldError
from engine.world.server.sources import open_server_data


class ServerCheck(Job):
    """Opens the data of an address once; the password is one that `PASSWORDS` knows."""

    class Signals(QObject):
        done = Signal()
        failed = Signal(str)

    def __init__(self, address: ServerAddress) -> None:
        super().__init__()
        self.signals = ServerCheck.Signals()
        self._address = address

    def work(self) -> None:
        def told(fraction: float, sentence: str) -> None:
            self.check()
            self.progress(fraction, sentence)

        try:
            with cancellable(self.check):
                open_server_data(str(self._address), told).close()
        except WorldError as error:
            self.signals.failed.emit(f"{self._address.database} {error.reason}.")
            return
        self.signals.done.emit()
