"""What's This: a few sentences on a part of the window, beside it."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDockWidget, QWhatsThis


def show_about_widget(dock: QDockWidget) -> None:
    """What a dock is for, under its head."""
    QWhatsThis.showText(dock.mapToGlobal(QPoint(dock.width() // 2, 32)), dock.whatsThis(), dock)
