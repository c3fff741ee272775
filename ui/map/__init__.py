"""Map widgets."""
