"""Projects: edits kept in files, autosaves, and replaying them in their world."""
