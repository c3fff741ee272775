"""Why-chains against all that the runs did."""
