"""What a search is asked: plain data that also travels to other processes."""
