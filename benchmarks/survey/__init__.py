"""What a survey costs: the checks of a landblock, and its exploration."""
