"""Two runs beside each other, in the window."""
