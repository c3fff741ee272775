"""Locks on open files; the system takes them back when the process that holds them closes the file, or dies.

`bootstrap.locks` loads this file by itself, before the program is set up: it imports nothing of the project.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    import msvcrt
    import time
    from ctypes import wintypes

    _AT_ONCE, _EXCLUSIVE = 1, 2
    _HELD_BY_ANOTHER = 33
    _PAUSE = 0.05

    class _Overlapped(ctypes.Structure):
        """Where the locked byte is."""

        _fields_ = (
            ("internal", ctypes.c_void_p),
            ("internal_high", ctypes.c_void_p),
            ("offset", wintypes.DWORD),
            ("offset_high", wintypes.DWORD),
            ("event", wintypes.HANDLE),
        )

    # Not msvcrt.locking, which has no shared locks.
    _lock_file = ctypes.WinDLL("kernel32", use_last_error=True).LockFileEx
    _lock_file.argtypes = (wintypes.HANDLE, *[wintypes.DWORD] * 4, ctypes.POINTER(_Overlapped))
    _lock_file.restype = wintypes.BOOL

    def lock(handle: int, *, shared: bool = False, wait: bool = False) -> None:
        """Lock an open file; without waiting a BlockingIOError when others have it, an OSError where locks cannot be.

        Others cannot read or write what is locked here, so it is a byte far behind every end. The waiting asks again
        and again, because the system's own would not be ended by Ctrl-C.
        """
        flags = _AT_ONCE | (0 if shared else _EXCLUSIVE)
        while not _lock_file(msvcrt.get_osfhandle(handle), flags, 0, 1, 0, _Overlapped(offset_high=0x7FFFFFFF)):
            number = ctypes.get_last_error()
            if number != _HELD_BY_ANOTHER:
                raise ctypes.WinError(number)
            if not wait:
                raise BlockingIOError(number, "another process has locked the file")
            time.sleep(_PAUSE)

else:
    import fcntl

    def lock(handle: int, *, shared: bool = False, wait: bool = False) -> None:
        """Lock an open file; without waiting a BlockingIOError when others have it, an OSError where locks cannot be.

        The programs that inherit the handle hold the lock as well.
        """
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
