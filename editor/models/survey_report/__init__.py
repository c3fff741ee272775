"""The report of a survey in the window: its findings as rows, its map, and how it is read."""
