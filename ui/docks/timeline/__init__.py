"""The Timeline dock."""
