"""Reads files from disk: regular files only, within a size limit for each kind, in pieces that can be cancelled, and
within limits on what their content may unpack to (docs/reference/security.md).

No other module opens a file to read it (`tests/files/test_one_door.py`).
"""
