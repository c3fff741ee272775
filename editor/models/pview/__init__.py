"""What a frame was drawn from: rows, views on the screen, and why a cell is drawn or not."""
