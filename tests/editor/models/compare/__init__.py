"""The comparison of the window."""
