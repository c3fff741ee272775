"""Golden scenes: run in our engine, compared and written (physics.md 13.11)."""
