"""The graph of a landblock's cells and its layout."""
