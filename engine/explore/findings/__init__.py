"""What comes of a search by walking, as findings."""
