"""What comes of a search for people: recordings, and the reach map."""
