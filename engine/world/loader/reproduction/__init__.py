"""Reproductions: one file with a recording or a capture and all of the world that replaying and drawing it needs.

`form` is the file, `source` the world in it; `engine.sim.reproduction` finds out what belongs into one.
"""
