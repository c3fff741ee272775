"""The second run beside the present one, as docks, lanes and the 3D view show it."""
