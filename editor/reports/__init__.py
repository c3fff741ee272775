"""Reports about a world for commands, docks and files: as plain data and as text."""
