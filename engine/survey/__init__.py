"""The checks of a survey: what a geometric and physical engine can say about a landblock."""
