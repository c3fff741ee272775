"""The one cell graph (compiled core)."""
