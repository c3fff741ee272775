"""Widgets that know nothing of cells."""
