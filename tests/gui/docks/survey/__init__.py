"""Real clicks in the Survey dock, with a real worker process."""
