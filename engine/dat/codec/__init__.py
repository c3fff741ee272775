"""The declarative description of records (compiled core)."""
