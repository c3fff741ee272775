"""Reads files from disks: regular files only, within a limit for each kind, in pieces that can be cancelled, and within
limits on what their content may grow to (docs/reference/security.md).

Nothing else in the program opens a file to read it (`tests/files/test_one_door.py`).
"""
