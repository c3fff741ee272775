"""Places: as players write them, and where the player can stand at one."""
