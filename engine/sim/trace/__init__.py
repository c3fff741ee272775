"""Sweeps recorded as trees of plain nodes."""
