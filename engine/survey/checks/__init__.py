"""The checks of one landblock, a module for each kind."""
