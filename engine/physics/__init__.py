"""The collision sweep, cell membership and shadow objects (spec/physics.md 4-8)."""
