"""Objects that bodies collide with, their parts and their shadow entries (physics.md 8)."""
