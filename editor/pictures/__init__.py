"""What an eye sees: the cells and portals, and a picture of them without a window."""
