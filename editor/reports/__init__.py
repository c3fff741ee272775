"""What commands, docks and files say about a world, as plain data and as text."""
