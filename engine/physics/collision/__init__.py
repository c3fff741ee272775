"""A body against trees, cells, cylinders and spheres (spec/physics.md 3, 4, 6.5)."""
