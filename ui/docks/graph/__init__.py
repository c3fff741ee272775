"""The Cell Graph dock."""
