"""The user's settings. Qt reads their files itself, so these are looked at before it does: it would wait for a pipe and
read a device for ever."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSettings, QStandardPaths

from engine.files.errors import FileError
from engine.files.kinds import SETTINGS
from engine.files.reading import open_regular, too_large
from engine.world.faults import WorldError


def user_settings() -> QSettings:
    """Those of the application that there is; a WorldError with the file and the reason when they cannot be read."""
    for file in settings_files():
        if os.path.lexists(file):
            _check(file)
    return QSettings()


def settings_files() -> list[Path]:
    """Where Qt looks for them; elsewhere than on Linux the system keeps them."""
    if not sys.platform.startswith("linux"):
        return []
    own = QCoreApplication.organizationName()
    name = QCoreApplication.applicationName()
    folders = QStandardPaths.standardLocations(QStandardPaths.StandardLocation.GenericConfigLocation)
    return [Path(folder) / part for folder in folders for part in (f"{own}/{name}.conf", f"{own}.conf")]


def _check(file: Path) -> None:
    try:
        opened = open_regular(file)
        if opened.status.st_size > SETTINGS.most:
            raise too_large(opened.file, opened.status.st_size, SETTINGS)
    except FileError as error:
        reason = f"{error.reason}; these are the window's settings; without that file they start from the defaults"
        raise WorldError(reason, str(file)) from error
