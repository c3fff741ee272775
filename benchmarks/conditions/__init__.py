"""What conditions on ticks cost, live and in a search."""
