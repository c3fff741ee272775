"""Files for others: the recording so far, and the last tick's moves."""
