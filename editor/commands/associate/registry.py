"""Windows' registry: our kinds of files in the user's own part of it, HKEY_CURRENT_USER\\Software\\Classes.

Each suffix lists our kind among those that open it, and has it as its own unless another program was there first.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from editor.commands.associate.kinds import OWN_KINDS

CLASSES: Final = "Software\\Classes"
OPEN_WITH: Final = "OpenWithProgids"
ASSOCIATIONS_CHANGED: Final = 0x08000000  # SHCNE_ASSOCCHANGED, shlobj_core.h

if sys.platform == "win32":
    import winreg

    def add(command: Sequence[str], icon: str, classes: str = CLASSES) -> list[str]:
        """Register all kinds; returns what was written. `icon` is a file, and its icon's number behind a comma."""
        done = []
        words = f'{subprocess.list2cmdline(command)} "%1"'
        for kind in OWN_KINDS:
            ours = f"{classes}\\{kind.prog_id}"
            for key, value in (("", kind.title), ("\\DefaultIcon", icon), ("\\shell\\open\\command", words)):
                winreg.SetValue(winreg.HKEY_CURRENT_USER, ours + key, winreg.REG_SZ, value)
            suffix = f"{classes}\\{kind.suffix}"
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, f"{suffix}\\{OPEN_WITH}") as key_of_suffix:
                winreg.SetValueEx(key_of_suffix, kind.prog_id, 0, winreg.REG_NONE, b"")
            if not winreg.QueryValue(winreg.HKEY_CURRENT_USER, suffix):
                winreg.SetValue(winreg.HKEY_CURRENT_USER, suffix, winreg.REG_SZ, kind.prog_id)
            done.append(f"HKEY_CURRENT_USER\\{suffix}")
        _tell_the_desktop()
        return done

    def remove(classes: str = CLASSES) -> list[str]:
        """Take back what `add` wrote, and nothing of others; returns what was there."""
        done = []
        for kind in OWN_KINDS:
            ours, suffix = f"{classes}\\{kind.prog_id}", f"{classes}\\{kind.suffix}"
            for key in ("\\shell\\open\\command", "\\shell\\open", "\\shell", "\\DefaultIcon", ""):
                try:
                    winreg.DeleteKey(winreg.HKEY_CURRENT_USER, ours + key)
                except FileNotFoundError:
                    continue
                if not key:
                    done.append(f"HKEY_CURRENT_USER\\{suffix}")
            try:
                if winreg.QueryValue(winreg.HKEY_CURRENT_USER, suffix) == kind.prog_id:
                    with winreg.OpenKey(winreg.HKEY_CURRENT_USER, suffix, 0, winreg.KEY_SET_VALUE) as key_of_suffix:
                        winreg.DeleteValue(key_of_suffix, "")
                access = winreg.KEY_SET_VALUE
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, f"{suffix}\\{OPEN_WITH}", 0, access) as key_of_list:
                    winreg.DeleteValue(key_of_list, kind.prog_id)
                for key in (f"{suffix}\\{OPEN_WITH}", suffix):
                    with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as left:
                        keys, values, _ = winreg.QueryInfoKey(left)
                    if not keys and not values:
                        winreg.DeleteKey(winreg.HKEY_CURRENT_USER, key)
            except FileNotFoundError:  # it was never there, or somebody else took it away
                continue
        _tell_the_desktop()
        return done

    def _tell_the_desktop() -> None:
        ctypes.windll.shell32.SHChangeNotify(ASSOCIATIONS_CHANGED, 0, None, None)
