"""The commands of the window: menus and the command palette."""
