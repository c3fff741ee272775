"""The door through which the program reads files."""
