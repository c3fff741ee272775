"""The client's data files: container and records, read and write (spec/dat-format.md)."""
