"""What is wrong with a landblock, and what fixes it."""
