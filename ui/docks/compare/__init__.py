"""Compare: two runs side by side, where they part, and what makes them."""
