"""Cells and what they are made of: ids, positions, portals, terrain (compiled core)."""
