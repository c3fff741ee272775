"""Builds records of the data files from descriptions."""
