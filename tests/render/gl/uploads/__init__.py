"""Buffers and textures on the graphics card."""
