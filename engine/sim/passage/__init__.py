"""Who may pass a door, and how wide a body gets by it: found by trials in a simulation of their own."""
