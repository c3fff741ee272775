"""The player's sweeps in a tick: the trace, its rows, and what decided."""
