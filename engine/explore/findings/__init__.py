"""What comes of a search: escapes, traps, lost membership, doors that are passed, places never reached, each proved by
keys."""
