"""The command `cellar-door`. It is above `ui`, `editor` and `engine`, and starts the requested part."""
