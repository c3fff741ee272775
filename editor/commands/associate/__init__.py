"""`associate`: tells the system which files are the program's."""
