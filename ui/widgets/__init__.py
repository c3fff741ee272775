"""Widgets that know nothing about cells."""
