"""The survey of a landblock without its widgets."""
