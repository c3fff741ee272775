"""The layouts of the window: which docks each shows, and where."""
