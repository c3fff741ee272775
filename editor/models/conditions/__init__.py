"""The conditions of *Stop When*: kept, stopping time, and found in what is recorded."""
