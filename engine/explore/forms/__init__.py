"""What a search is asked: settings and seeds, plain data that also travel to other processes."""
