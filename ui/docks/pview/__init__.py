"""The PView dock."""
