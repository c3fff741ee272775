"""Faults of a landblock, and their fixes."""
