"""The widget of the 3D view, its mouse, keys, tools and bars."""
