"""What `bench follow` measures: following a live capture."""
