"""The client's data files: container and records, read and write (dat-format.md)."""

from engine.dat.errors import DatError

__all__ = ["DatError"]
