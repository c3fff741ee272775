"""What the garbage collector has to look through, held small.

An open world is hundreds of thousands of objects that stay until another one is opened. To look through them all takes
a tenth of a second, several times a minute while time flows; so they are set aside once they are there.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, Qt, Slot

from editor.session import Session


class Memory(QObject):
    """Sets aside what is there when a world has been opened; what was there of the one before is collected first."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._has_settled = False
        # Queued: the old world is let go after the new one was told of.
        session.opened.connect(self.settle, Qt.ConnectionType.QueuedConnection)

    @Slot()
    def settle(self) -> None:
        if self._has_settled:
            gc.unfreeze()
            gc.collect()
        gc.freeze()
        self._has_settled = True
