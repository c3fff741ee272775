"""Opening from the window: commands, dialogs, recent files."""
