"""`bench data --world-size`: a world of the size of the client's, and all that is done with one."""
