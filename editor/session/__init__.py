"""One open world: detecting, loading and asking for what the user wants opened."""
