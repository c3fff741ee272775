"""The map of all landblocks and the plan of one, without their widgets."""
