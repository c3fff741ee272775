"""Shapes as the checks measure them: convex spaces, outlines of openings, floors."""
