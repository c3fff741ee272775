"""Live captures: a file followed while a client writes it, each record replayed at once under both rule sets."""
