"""Widgets only: the main window, docks, theme."""
