"""The application object of the editor's tests: the editor knows no widgets, and pictures make one without them."""

import pytest
from PySide6.QtGui import QGuiApplication


@pytest.fixture(scope="session")
def qapp_cls() -> type[QGuiApplication]:
    return QGuiApplication
