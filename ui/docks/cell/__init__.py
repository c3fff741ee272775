"""The Cell dock."""
