"""Captures: recorded resolve calls, written and replayed (spec/physics.md 12.1)."""
