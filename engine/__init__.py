"""The game world, complete and headless. Nothing in here knows Qt."""
