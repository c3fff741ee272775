"""Objects that bodies collide with, their parts and their shadow entries (spec/physics.md 8)."""
