"""The collision sweep: sub-steps, their insertion into cells, stepping, sliding (spec/physics.md 5)."""
