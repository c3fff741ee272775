"""The collision sweep: sub-steps, their insertion into cells, stepping, sliding (physics.md 5)."""
