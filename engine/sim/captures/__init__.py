"""Captures: recorded resolve calls, written and replayed (physics.md 12.1)."""
