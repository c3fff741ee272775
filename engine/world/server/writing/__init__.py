"""Writes a server's landblocks as SQL: new files in the server's own layout, changed rows into files as they are."""
