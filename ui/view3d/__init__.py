"""The 3D view's widget, with its mouse, keys, tools and bars."""
