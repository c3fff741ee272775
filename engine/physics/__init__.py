"""The collision sweep, cell membership and shadow objects (physics.md 4-8)."""
