"""Kept walks: recordings and captures that are run again, to say which of them now go otherwise."""
