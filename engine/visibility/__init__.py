"""Portal visibility as the client computes it (rendering.md 3-12): which cells are seen from an eye, through which
region of the screen, in which order they are drawn, and why a portal was followed or dropped. Compiled; no OpenGL."""
