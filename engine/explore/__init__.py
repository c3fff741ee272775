"""Landblocks searched by walking: where bodies get to by whole ticks of the engine, and by which keys."""
