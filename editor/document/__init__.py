"""The open document: every edit of the running simulation, undo, the past, and the clock."""
