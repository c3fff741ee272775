"""Changes that users make by hand: what can be placed, where it fits, and the edits that do it."""
