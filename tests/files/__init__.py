"""The door that files are read through."""
