"""Setups that stand and move in the world: doors, creatures, the player and their motions."""
