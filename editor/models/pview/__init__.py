"""A frame in detail: its rows, its views on the screen, and why a cell is drawn or not."""
