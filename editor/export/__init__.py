"""Files that show somebody else what happened here."""
