"""Changes to a simulation from outside, between two ticks: a class for each, in a module for each subject."""
