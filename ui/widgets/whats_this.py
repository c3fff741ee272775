"""What's This: a few sentences about a part of the window, shown beside it."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDockWidget, QWhatsThis


def show_about_widget(dock: QDockWidget) -> None:
    """Show what a dock is for, under its title."""
    QWhatsThis.showText(dock.mapToGlobal(QPoint(dock.width() // 2, 32)), dock.whatsThis(), dock)
