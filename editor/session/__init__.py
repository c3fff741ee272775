"""The open world: detects, loads and asks about what the user wants to open."""
