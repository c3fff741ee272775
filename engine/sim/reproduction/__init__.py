"""What a recording or a capture needs of its world, found out by replaying it; see `engine.world.loader.reproduction`."""
