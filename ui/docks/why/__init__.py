"""The Why dock."""
