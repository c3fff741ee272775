"""The command `cellar-door`: it stands above `ui`, `editor` and `engine` and starts what is asked for."""
