"""The running program: signals, memory, the files it writes, and text that comes from data."""
