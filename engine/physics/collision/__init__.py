"""A body against trees, cells, cylinders and spheres (physics.md 3, 4, 6.5)."""
