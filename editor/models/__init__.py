"""What docks list: doors, entities, cells, the player, the sweep, the log. No widgets."""
