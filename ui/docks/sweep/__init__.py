"""The Sweep dock."""
