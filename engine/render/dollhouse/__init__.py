"""The dollhouse: all cells of a landblock drawn without visibility, as arrays (docs/docks/dollhouse.md)."""
