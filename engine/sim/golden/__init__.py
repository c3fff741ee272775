"""Golden scenes: run in our engine, compared and written (spec/physics.md 13.11)."""
