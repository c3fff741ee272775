"""Solids, faces, floor plans and furniture that descriptions are made of."""
