"""Colours, type, spacing and icons."""
