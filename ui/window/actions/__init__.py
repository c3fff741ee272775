"""Commands of the window that read and write files: exports and names."""
