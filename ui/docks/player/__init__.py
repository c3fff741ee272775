"""The Player dock."""
