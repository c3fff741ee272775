"""What a recording or a capture needs of its world, found out by replaying it.

`engine.world.loader.reproduction` is the file that holds all of it.
"""
