"""The tick: controls in, a report out, and the only place where time moves. Compiled with the core."""
