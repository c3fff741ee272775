"""Dialog to choose a database on a running server; it connects before it closes."""

from __future__ import annotations

import os

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from editor.process.plain_text import plain
from editor.session import background
from editor.session.server_check import ServerCheck
from engine.files.server_address import PASSWORDS, VARIABLE, AddressError, ServerAddress, read_address
from ui.docks.parts import CountBox
from ui.theme.theme import BETWEEN, EDGE
from ui.widgets.progress_strip import ProgressStrip

WIDTH = 460
LAST_PORT = 65535
GREETING = "A server's world in a running MySQL or MariaDB. It is only read."


class OpenDatabaseServer(QDialog):
    """`chosen` carries the address, without a password. Closing the dialog chooses nothing."""

    chosen = Signal(str)

    def __init__(self, address: ServerAddress, word: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("open-database-server")
        self.setWindowTitle("Server Data from a Database Server")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(WIDTH)
        self.check: ServerCheck | None = None
        """The job that connects, while it does."""
        self.word = QLabel(plain(word or GREETING), self)
        self.word.setObjectName("database-word")
        self.word.setWordWrap(True)
        self.host = self._line("host", address.host)
        self.port = CountBox(self)
        self.port.setObjectName("database-port")
        self.port.setRange(1, LAST_PORT)
        self.port.setValue(address.port)
        self.database = self._line("database", address.database)
        self.user = self._line("user", address.user)
        self.password = self._line("password", "")
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        if os.environ.get(VARIABLE):
            self.password.setPlaceholderText(f"that of {VARIABLE}")
        self.strip = ProgressStrip(self)
        self.strip.button.hide()  # the dialog's own does the same
        self.strip.setContentsMargins(-EDGE, 0, -EDGE, 0)
        self._left: QWidget | None = None
        """What had the focus when it began to connect."""
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self.connect_button = QPushButton("C&onnect", self)
        self.connect_button.setObjectName("database-connect")
        self.connect_button.setDefault(True)
        self.buttons.addButton(self.connect_button, QDialogButtonBox.ButtonRole.AcceptRole)
        self._arrange()
        for line in (self.host, self.database, self.user):
            line.textChanged.connect(self._allow)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._allow()
        (self.password if address.user else self.host if not address.host else self.database).setFocus()

    def _line(self, name: str, text: str) -> QLineEdit:
        line = QLineEdit(text, self)
        line.setObjectName(f"database-{name}")
        return line

    def _arrange(self) -> None:
        form = QFormLayout()
        form.setSpacing(BETWEEN)
        form.addRow("&Host", self.host)
        form.addRow("&Port", self.port)
        form.addRow("&Database", self.database)
        form.addRow("&User", self.user)
        form.addRow("Pass&word", self.password)
        box = QVBoxLayout(self)
        box.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        box.setSpacing(BETWEEN)
        box.addWidget(self.word)
        box.addLayout(form)
        box.addWidget(self.strip)
        box.addStretch(1)
        box.addWidget(self.buttons)

    def _address(self) -> ServerAddress | None:
        """What is filled in; None when it is not an address yet."""
        host, database = self.host.text().strip(), self.database.text().strip()
        address = ServerAddress(host, database, self.user.text().strip(), self.port.value())
        try:
            return read_address(str(address))[0]  # what is remembered is read again later
        except AddressError:
            return None

    @Slot()
    def _allow(self) -> None:
        for field in (self.host, self.port, self.database, self.user, self.password):
            field.setEnabled(self.check is None)
        self.connect_button.setEnabled(self.check is None and self._address() is not None)

    @Slot()
    def accept(self) -> None:
        """Connect; the dialog closes when that succeeds."""
        address = self._address()
        if address is None or self.check is not None:
            return
        if self.password.text():
            PASSWORDS.keep(address, self.password.text())
        self.check = ServerCheck(address)
        self.check.signals.done.connect(self._on_done)
        self.check.signals.failed.connect(self._on_failed)
        self.check.reports.cancelled.connect(self._on_cancelled)
        self.word.setText(plain(GREETING))
        self._left = self.focusWidget()
        self.strip.follow(self.check, f"Connecting to {address.host} …")
        self._allow()
        background.start(self.check, apart=True)

    @Slot()
    def reject(self) -> None:
        """Give up connecting, or else close."""
        if self.check is not None:
            self.check.cancel()
        else:
            super().reject()

    @Slot()
    def _on_done(self) -> None:
        address = self._address()
        if self.check is not None and address is not None:
            self.check = None
            self.chosen.emit(str(address))
            super().accept()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        if self.check is not None:
            self.word.setText(plain(sentence))
            self._on_cancelled()

    @Slot()
    def _on_cancelled(self) -> None:
        self.check = None
        self._allow()
        if self._left is not None:
            self._left.setFocus()
